"""The program: parses a command line, runs its command and returns the exit code.

Imports that only some commands need are inside the functions: SimCord and uvloop are optional, and discord.py and the
database driver take a second to load.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib.util
import logging
import signal
import sys
from collections.abc import Coroutine
from pathlib import Path

from bot.cli.arguments import names, viewer
from bot.errors import OperatorError
from bot.settings import Settings, env_file_warning, load

HEADLESS = (
    "Without DISCORD_TOKEN I open a rehearsal table, and that needs the extra “rehearsal”: "
    "pip install 'bourse[rehearsal]'."
)

log = logging.getLogger("bourse")

EXIT_OK, EXIT_ERROR = 0, 2
"""Exit codes. Commands return 1 for a negative result, such as a failed play or a broken chain."""


def main(arguments: list[str] | None = None) -> int:
    """Run a command line, by default that of the process, and return the exit code."""
    options = _parser().parse_args(arguments)
    try:
        settings = load()
        _configure_logging(settings)
        return int(options.run(settings, options))
    except OperatorError as error:
        sys.stderr.write(f"bourse: {error}\n")
        return EXIT_ERROR
    except KeyboardInterrupt:
        return EXIT_OK


# ---------------------------------------------------------------- commands


def _bot(settings: Settings, options: argparse.Namespace) -> int:
    """Run the bot on Discord, or a rehearsal table if there is no token."""
    # While the program is being loaded, SIGTERM ends it as quietly as Ctrl-C does.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(EXIT_OK))
    from bot.lifecycle.logs import PlainErrors

    plain = PlainErrors()
    for handler in logging.getLogger().handlers:
        handler.addFilter(plain)
    if remark := env_file_warning():
        log.warning(remark)
    return _rehearse(settings) if settings.discord_token is None else _connect(settings)


def _connect(settings: Settings) -> int:
    """Run the bot on Discord until it is stopped."""
    from bot import app

    _run(app.run(settings, _echo))
    return EXIT_OK


def _rehearse(settings: Settings) -> int:
    """Serve the rehearsal table until it is stopped."""
    _require_rehearsal(HEADLESS)
    from bot.rehearsal.page import serve

    asyncio.run(serve(settings))  # not on uvloop: SimCord reads the timers of asyncio's own loop
    return EXIT_OK


def _play(settings: Settings, options: argparse.Namespace) -> int:
    """Run plays."""
    _require_rehearsal("Plays need the extra “rehearsal”: pip install 'bourse[rehearsal]'.")
    from bot.rehearsal import plays

    return plays.main(options.files, json=options.json, keep=options.keep)


def _bench(settings: Settings, options: argparse.Namespace) -> int:
    """Run the benchmarks, on databases of their own."""
    from bot.bench.run import run

    _run(run(options.only, _echo, json=options.json, quick=options.quick))
    return EXIT_OK


def _verify(settings: Settings, options: argparse.Namespace) -> int:
    """Verify the ledger."""
    from bot.cli import maintenance

    heads = [maintenance.posted_head(text) for text in options.head]
    return asyncio.run(maintenance.verify(settings.database_url, heads, _echo, key=settings.key()))


def _export(settings: Settings, options: argparse.Namespace) -> int:
    """Write a table's ledger to standard output."""
    from bot.cli import maintenance

    content = asyncio.run(
        maintenance.export_table(
            settings.database_url, options.table, options.format, options.viewer, key=settings.key()
        )
    )
    sys.stdout.buffer.write(content)
    sys.stdout.buffer.flush()
    return EXIT_OK


# ---------------------------------------------------------------- helpers


def _require_rehearsal(sentence: str) -> None:
    """Raise `OperatorError` with this sentence when SimCord is not installed."""
    if importlib.util.find_spec("simcord") is None:
        raise OperatorError(sentence)
    # SimCord creates a client without intents to probe discord.py, which logs a warning about that.
    logging.getLogger("discord").setLevel(logging.ERROR)


def _run(work: Coroutine[object, object, None]) -> None:
    """Run a coroutine to its end, on uvloop if that is installed."""
    if importlib.util.find_spec("uvloop") is not None:
        import uvloop

        uvloop.run(work)
    else:
        asyncio.run(work)


def _echo(line: str) -> None:
    """Print a line at once, even into a pipe."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _configure_logging(settings: Settings) -> None:
    """Log to standard error at the level of the settings, from libraries only warnings."""
    logging.basicConfig(level=settings.bourse_log.upper(), format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    logging.getLogger("alembic").setLevel(logging.WARNING)
    logging.getLogger("discord").setLevel(max(logging.WARNING, logging.getLogger().level))


def _parser() -> argparse.ArgumentParser:
    """Return the parser. Each command sets ``run`` to the function that runs it."""
    parser = argparse.ArgumentParser(
        prog="bourse",
        description="Trading at a live game table, on Discord. With DISCORD_TOKEN set it runs there; "
        "without, it opens a rehearsal table on this machine.",
    )
    parser.set_defaults(run=_bot)
    commands = parser.add_subparsers(title="commands", metavar="")
    _describe_play(commands.add_parser("play", help="run plays: tables as scripts"))
    _describe_verify(commands.add_parser("verify", help="check every table's hash chain"))
    _describe_export(commands.add_parser("export", help="write a table's ledger to standard output"))
    _describe_bench(commands.add_parser("bench", help="measure how fast Bourse is here, as ratios"))
    return parser


def _describe_play(play: argparse.ArgumentParser) -> None:
    """Add the arguments of ``bourse play``."""
    play.add_argument("files", nargs="+", type=Path, metavar="FILE")
    play.add_argument("--json", action="store_true", help="print one object a line of the play")
    play.add_argument("--keep", type=Path, metavar="DIR", help="keep the database and all requests there")
    play.set_defaults(run=_play)


def _describe_verify(verify: argparse.ArgumentParser) -> None:
    """Add the arguments of ``bourse verify``."""
    verify.add_argument(
        "--head", "--against", action="append", default=[], metavar="TABLE:HASH",
        help="a head that was posted earlier, or the line from the channel, such as '#41 5f3e...': finds out whether "
        "the end was cut off since, or everything was written anew",
    )  # fmt: skip
    verify.set_defaults(run=_verify)


def _describe_export(export: argparse.ArgumentParser) -> None:
    """Add the arguments of ``bourse export``."""
    export.add_argument("table", type=int, metavar="TABLE", help="the table's number, as verify tells it")
    export.add_argument("--format", choices=("csv", "json", "beancount"), required=True)
    export.add_argument(
        "--viewer", type=viewer, default=None, metavar="public|USER",
        help="for whom: everybody (as without it), or the Discord id of one of its people",
    )  # fmt: skip
    export.set_defaults(run=_export)


def _describe_bench(bench: argparse.ArgumentParser) -> None:
    """Add the arguments of ``bourse bench``."""
    bench.add_argument("--only", type=names, default=[], metavar="LINE[,LINE]", help="measure these lines only")
    bench.add_argument("--quick", action="store_true", help="less exact, in under a minute")
    bench.add_argument("--json", action="store_true", help="print one object with every round")
    bench.set_defaults(run=_bench)
