"""The program: parses a command line, runs the command and returns the exit code.

Imports that only some commands need are inside functions: SimCord and uvloop are optional, and discord.py and the
database driver take a second to load.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import importlib.util
import logging
import os
import signal
import sys
from collections.abc import Coroutine, Iterator, Mapping
from contextlib import contextmanager, suppress

from bot import logs
from bot.cli.parser import BOT, Run, parser
from bot.cli.progress import progress
from bot.errors import OperatorError, TryAgain, how_to_add
from bot.settings import Settings, env_file_warning, load

HEADLESS = "Without DISCORD_TOKEN I open a rehearsal table"

log = logging.getLogger("bourse")

EXIT_OK, EXIT_ERROR, EXIT_AGAIN = 0, 2, 75
"""Exit codes. Commands return 1 for a negative result, such as a failed play or a broken chain. 75 is what sysexits.h
calls a temporary failure: a service manager starts the bot again. After 2 that would help nobody.
"""


def main(arguments: list[str] | None = None) -> int:
    """Run a command line, by default the process's own, and return the exit code.

    Errors are reported in sentences; a traceback appears only with BOURSE_LOG=debug.
    """
    options = parser(COMMANDS).parse_args(arguments)
    code = _code(options)
    if code == EXIT_ERROR and options.stay and options.command in (BOT, None):
        _complain("I wait until you stop me: starting me again does not help before that is mended.")
        _end_on_signals()
        with suppress(KeyboardInterrupt):
            signal.pause()
    return code


def _code(options: argparse.Namespace) -> int:
    """Run the command of these options, report its error if there is one, and return the exit code."""
    try:
        settings = load()
        logs.configure(settings.bourse_log, settings.bourse_log_format, settings.secrets())
        return int(options.run(settings, options))
    except OperatorError as error:
        _complain(str(error))
        return EXIT_AGAIN if isinstance(error, TryAgain) else EXIT_ERROR
    except KeyboardInterrupt:
        return EXIT_OK
    except BrokenPipeError:
        # The reader has closed the pipe, as `head` does. Discard what is still in the buffer at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_OK
    except OSError as error:
        log.debug("the command failed", exc_info=True)
        _complain(_of_system(error))
    except Exception as error:
        if isinstance(error.__cause__, SystemExit | KeyboardInterrupt):
            return EXIT_OK  # a signal arrived while a class was being created: Python 3.11 wraps the exception
        log.debug("the command failed", exc_info=True)
        _complain(_unexpected(error))
    return EXIT_ERROR


def _complain(text: str) -> None:
    """Write each line of the text to standard error, prefixed with ``bourse:``."""
    sys.stderr.write("".join(f"bourse: {line}\n" for line in text.splitlines()))


def _of_system(error: OSError) -> str:
    """Return what the operating system refused, with the file name if known."""
    where = f"{error.filename}: " if error.filename is not None else ""
    return f"{where}{error.strerror or error}."


def _unexpected(error: Exception) -> str:
    """Return the message for an error that no command handles."""
    lines = str(error).strip().splitlines()
    detail = f" ({lines[0].rstrip('.')})" if lines else ""
    return (
        f"Something unexpected failed{detail}. "
        "Please report it with what you typed; BOURSE_LOG=debug before it shows where it happened."
    )


# ---------------------------------------------------------------- commands


def _bot(settings: Settings, options: argparse.Namespace) -> int:
    """Run the bot on Discord, or a rehearsal table if there is no token."""
    _end_on_signals()
    with _loading():
        from bot.lifecycle.failures import PlainErrors

    plain = PlainErrors()
    for handler in logging.getLogger().handlers:
        handler.addFilter(plain)
    if remark := env_file_warning():
        log.warning(remark)
    return _rehearse(settings) if settings.discord_token is None else _connect(settings)


def _connect(settings: Settings) -> int:
    with _loading():
        from bot import app

    _run(app.run(settings, _echo))
    return EXIT_OK


def _rehearse(settings: Settings) -> int:
    _require_rehearsal(HEADLESS)
    with _loading():
        from bot.rehearsal.page import serve

    asyncio.run(serve(settings))  # not on uvloop: SimCord reads the timers of asyncio's own loop
    return EXIT_OK


def _play(settings: Settings, options: argparse.Namespace) -> int:
    _require_rehearsal("I run plays on a rehearsal table")
    with _loading():
        from bot.rehearsal import plays

    return plays.main(options.files, json=options.json, keep=options.keep)


def _verify(settings: Settings, options: argparse.Namespace) -> int:
    with _loading():
        from bot.cli import backups, maintenance

    heads = [maintenance.posted_head(text) for text in options.head]
    heads += [head for file in options.heads for head in backups.read_heads(file)]
    with progress() as tell:
        return asyncio.run(maintenance.verify(settings.database_url, heads, _echo, key=settings.key(), tell=tell))


def _export(settings: Settings, options: argparse.Namespace) -> int:
    with _loading():
        from bot.cli import maintenance

    with progress() as tell:
        content = asyncio.run(
            maintenance.export_table(
                settings.database_url, options.table, options.format, options.viewer, key=settings.key(), tell=tell
            )
        )
    sys.stdout.buffer.write(content)
    sys.stdout.buffer.flush()
    return EXIT_OK


def _backup(settings: Settings, options: argparse.Namespace) -> int:
    with _loading():
        from bot.cli import backups

    with progress() as tell:
        return backups.back_up(settings.database_url, options.file, settings.key(), _echo, tell=tell)


def _restore(settings: Settings, options: argparse.Namespace) -> int:
    with _loading():
        from bot.cli import backups

    with progress() as tell:
        return backups.restore(settings.database_url, options.file, settings.key(), _echo, tell=tell)


def _tables(settings: Settings, options: argparse.Namespace) -> int:
    with _loading():
        from bot.cli import tables

    url, key = settings.database_url, settings.key()
    match options.action:
        case "close":
            return asyncio.run(tables.close(url, key, options.tables, _echo))
        case "remove":
            return asyncio.run(tables.remove(url, key, options.tables, options.yes, _echo))
        case _:
            return asyncio.run(tables.list_tables(url, key, _echo))


def _forget(settings: Settings, options: argparse.Namespace) -> int:
    with _loading():
        from bot.cli import tables

    return asyncio.run(tables.forget(settings.database_url, settings.key(), options.user, options.yes, _echo))


def _games(settings: Settings, options: argparse.Namespace) -> int:
    if options.action == "check":
        _require_rehearsal("I check games with plays")
    with _loading():
        from bot.cli import games

    if options.action == "check":
        return games.check_package(options.package, options.plays, _echo)
    return games.list_games(_echo)


def _new_game(settings: Settings, options: argparse.Namespace) -> int:
    with _loading():
        from bot.cli.new_game import new_game

    return new_game(options.name, options.into, _echo)


def _check(settings: Settings, options: argparse.Namespace) -> int:
    with _loading():
        from bot.cli.check import check

    return asyncio.run(check(settings, _echo))


# ---------------------------------------------------------------- helpers


def _end_on_signals() -> None:
    """Let a signal to stop end the process as quietly as Ctrl-C, while there is nothing to clean up.

    An exception would not do, since Python ignores exceptions in some places, such as import callbacks.
    """
    for name in ("SIGTERM", "SIGHUP"):
        if (number := getattr(signal, name, None)) and signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, lambda *_: os._exit(EXIT_OK))


@contextmanager
def _loading() -> Iterator[None]:
    """Import modules with garbage collection off: there is no garbage, and collecting takes a fifth of the time."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def _require_rehearsal(why: str) -> None:
    """Raise `OperatorError`, which says why it is needed, if SimCord is not installed."""
    if importlib.util.find_spec("simcord") is None:
        raise OperatorError(f"{why}, which needs more packages. Type: {how_to_add('rehearsal')}")
    # SimCord creates a client without intents to probe discord.py, and discord.py logs a warning about it.
    logging.getLogger("discord").setLevel(logging.ERROR)


def _run(work: Coroutine[object, object, None]) -> None:
    """Run a coroutine to its end, on uvloop if installed."""
    if importlib.util.find_spec("uvloop") is not None:
        import uvloop

        uvloop.run(work)
    else:
        asyncio.run(work)


def _echo(line: str) -> None:
    """Print a line and flush, so that it appears at once even in a pipe."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


COMMANDS: Mapping[str, Run] = {
    BOT: _bot,
    "play": _play,
    "verify": _verify,
    "export": _export,
    "backup": _backup,
    "restore": _restore,
    "check": _check,
    "tables": _tables,
    "games": _games,
    "new-game": _new_game,
    "forget": _forget,
}
"""The function of each command."""
