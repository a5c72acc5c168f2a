"""The commands of ``bourse``. A command's docstring is its help; `bot.cli.parser` has its
arguments.

Imports that only some commands need are inside functions: SimCord and uvloop are optional, and
discord.py and the database driver take a second to load. Each command returns its exit code.
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
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager

from bot.cli.output import progress
from bot.errors import OperatorError, how_to_add
from bot.settings import Settings, env_file_warning

log = logging.getLogger("bourse")


def bot(settings: Settings, _options: argparse.Namespace) -> int:
    """Trading at a live game table, on Discord.

    With DISCORD_TOKEN set, in the environment or in a file .env in this folder, bourse runs the bot
    there. Without it, bourse opens a rehearsal table in your browser; nothing leaves this machine.

    examples:
      bourse                              a rehearsal table in your browser
      DISCORD_TOKEN=... bourse            the bot on Discord
      bourse play tests/plays             run every play of a folder
      bourse verify                       check that nobody has changed the ledger by hand
      bourse export 3 --format csv        table 3 as a spreadsheet

    bourse COMMAND --help explains one command. exit codes of the bot: 0 stopped, 2 something that
    you must mend, 75 something that may pass: start it again
    """
    end_on_signals()
    with _loading():
        from bot.lifecycle.failures import PlainErrors

    plain = PlainErrors()
    for handler in logging.getLogger().handlers:
        handler.addFilter(plain)
    if remark := env_file_warning():
        log.warning(remark)
    if settings.discord_token is None:
        _rehearse(settings)
    else:
        _connect(settings)
    return 0


def _connect(settings: Settings) -> None:
    with _loading():
        from bot import app

    _run(app.run(settings, _echo))


def _rehearse(settings: Settings) -> None:
    _require_rehearsal(
        "DISCORD_TOKEN is not set. With it I run on Discord; without it I open a rehearsal table"
    )
    with _loading():
        from bot.rehearsal.page import serve

    asyncio.run(serve(settings))  # not on uvloop: SimCord reads the timers of asyncio's own loop


def play(_settings: Settings, options: argparse.Namespace) -> int:
    """Run plays: tables as scripts.

    examples:
      bourse play evening.play            what was not as expected, line by line
      bourse play tests/plays/offers      every .play file of a folder
      bourse play --json evening.play     one object a line, for other programs
      bourse play --keep seen evening.play
                                          keep the database and all requests in the folder seen

    exit codes: 0 all as expected, 1 something else happened, 2 a play cannot be read
    """
    _require_rehearsal("I run plays on a rehearsal table")
    with _loading():
        from bot.rehearsal import plays

    return plays.perform(options.files, _echo, json=options.json, keep=options.keep)


def check(settings: Settings, _options: argparse.Namespace) -> int:
    """Say what is right, and what is still to do, before the bot runs.

    examples:
      bourse check                        before the first start, and after an update

    It looks at settings, games, database, key, backups, token, portal, commands and permissions; it
    changes nothing. exit codes: 0 all is right, 1 there is something to do, 2 a setting is wrong
    """
    with _loading():
        from bot.cli.check import check_all

    return asyncio.run(check_all(settings, _echo))


def verify(settings: Settings, options: argparse.Namespace) -> int:
    """Check that nobody has changed the ledger by hand.

    examples:
      bourse verify
      bourse verify --head '#41 5f3e...'  a line that the bot posted: is that entry still there?
      bourse verify --heads friday.db.heads
      DATABASE_URL=sqlite:///old.db bourse verify

    exit codes: 0 nothing was changed, 1 something was changed, 2 there is no ledger or it can't be
    read, 3 nothing was changed, but not all could be checked: a table's game is not installed or
    can't read it, or a head is of a table that was removed since
    """
    with _loading():
        from bot.cli import backups, maintenance

    heads = [maintenance.posted_head(text) for text in options.head]
    for file in options.heads:
        heads += backups.read_heads(file)
    with progress() as tell:
        return asyncio.run(
            maintenance.verify_ledger(
                settings.database_url, heads, _echo, key=settings.key(), tell=tell
            )
        )


def export(settings: Settings, options: argparse.Namespace) -> int:
    """Write a table's ledger to standard output.

    examples:
      bourse export 3 --format csv > friday.csv
      bourse export 3 --format json --viewer 81384788765712384 > mine.jsonl

    bourse verify lists the tables. exit codes: 0 written, 2 there is no such table or ledger
    """
    with _loading():
        from bot.cli.maintenance import export_table

    url, key = settings.database_url, settings.key()
    with progress() as tell:
        content = asyncio.run(
            export_table(url, options.table, options.format, options.viewer, key=key, tell=tell)
        )
    sys.stdout.buffer.write(content)
    sys.stdout.buffer.flush()
    return 0


def backup(settings: Settings, options: argparse.Namespace) -> int:
    """Copy the ledger into a file, also while the bot runs.

    examples:
      bourse backup friday.db             a verified copy of the ledger, also while the bot runs

    The copy shows one moment. Beside it, friday.db.heads has the last entry of each table. Keep the
    ledger's key too, but in another place. With BOURSE_BACKUP_DIR the bot makes such a copy every
    day. exit codes: 0 copied, 1 copied, but the ledger was changed by hand, 2 there is no ledger,
    or the file cannot be written
    """
    with _loading():
        from bot.cli.backups import back_up

    with progress() as tell:
        return back_up(settings.database_url, options.file, settings.key(), _echo, tell=tell)


def restore(settings: Settings, options: argparse.Namespace) -> int:
    """Put a copy in the ledger's place; the bot must be stopped.

    examples:
      bourse restore friday.db            stop the bot first

    The copy is verified before anything changes, and against friday.db.heads if that lies beside
    it. It needs the key that the ledger had. What was in the ledger's place is moved aside, not
    deleted. exit codes: 0 restored, 1 the copy was changed or is damaged, 2 the bot is running, or
    there is no such copy
    """
    with _loading():
        from bot.cli import backups

    with progress() as tell:
        return backups.restore(
            settings.database_url, options.file, settings.key(), _echo, tell=tell
        )


def tables(settings: Settings, options: argparse.Namespace) -> int:
    """List all tables, close or remove some.

    examples:
      bourse tables                       all tables, also while the bot runs
      bourse tables close 3               close table 3, which its host left open
      bourse tables remove 3              what would be removed; --yes removes it

    A closed table is removed with all its entries; its number and the hash of its last entry stay.
    On SQLite, stop the bot before you close or remove. exit codes: 0 done, 1 nothing was removed
    without --yes, 2 the bot is running, or there is no such table
    """
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


def games(_settings: Settings, options: argparse.Namespace) -> int:
    """List the installed games, or check a package with one.

    examples:
      bourse games                        the games here, with versions, and what is left out
      bourse games check bourse-bazaar    load this package's games and commands, try them, play

    A check fails for anything that would be left out, a play that goes wrong, a function that
    fails, one that takes more than 250 ms of processor time, and one that never ends. exit codes: 0
    all is right, 1 something is not, 2 there is no such package
    """
    if options.action == "check":
        _require_rehearsal("I check games with plays")
    with _loading():
        from bot.cli import games

    if options.action == "check":
        if options.alone:
            return games.check_package(options.package, options.plays, _echo, options.limit)
        return games.check_apart(options.package, options.plays, options.limit, _echo)
    return games.list_games(_echo)


def new_game(_settings: Settings, options: argparse.Namespace) -> int:
    """Lay out a package with a game of your own.

    examples:
      bourse new-game harbour             a package in the folder bourse-harbour, with a game that
      works

    The game has secret hands, chance that can be verified, phases, commands of its own, plays and
    checks. Change it into yours; docs/games.md explains it. exit codes: 0 written, 2 the name is
    taken, or the folder is there
    """
    with _loading():
        from bot.cli.new_game import new_game

    return new_game(options.name, options.into, _echo)


def forget(settings: Settings, options: argparse.Namespace) -> int:
    """Take a person's name and id out of all closed tables.

    examples:
      bourse forget 81384788765712384     what would be erased; --yes erases it

    For a written request of somebody who can't type /privacy forget:me. Their name and id go from
    all closed tables; what happened there stays. On SQLite, stop the bot first. exit codes: 0 done,
    1 nothing was erased without --yes, or open tables know them, 2 the bot is running
    """
    with _loading():
        from bot.cli import tables

    return asyncio.run(
        tables.forget(settings.database_url, settings.key(), options.user, options.yes, _echo)
    )


# ---------------------------------------------------------------- helpers


def end_on_signals() -> None:
    """Let a signal to stop end the process as quietly as Ctrl-C, while there is nothing to clean
    up.

    An exception would not do, since Python ignores exceptions in some places, such as import
    callbacks.
    """
    for name in ("SIGTERM", "SIGHUP"):
        if (number := getattr(signal, name, None)) and signal.getsignal(
            number
        ) is not signal.SIG_IGN:
            signal.signal(number, lambda *_: os._exit(0))


@contextmanager
def _loading() -> Iterator[None]:
    """Import modules with garbage collection off: there is no garbage, and collecting takes a fifth
    of the time.
    """
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
    # SimCord creates a client without intents to probe discord.py, and discord.py logs a warning
    # about it.
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
