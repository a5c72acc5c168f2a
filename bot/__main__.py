"""The command line: ``bourse``, ``bourse play``, ``bourse verify``, ``bourse export``."""

from __future__ import annotations

import argparse
import asyncio
import importlib.util
import logging
import sys
from collections.abc import Coroutine
from pathlib import Path

from bot.settings import Settings, load
from bot.stop import Stop

HEADLESS = (
    "Without DISCORD_TOKEN I open a rehearsal table, and that needs the extra “rehearsal”: "
    "pip install 'bourse[rehearsal]'."
)


def main(arguments: list[str] | None = None) -> int:
    """Run a command line. Gives the exit code: 0 well, 1 something is not as it should be, 2 it could not be done."""
    options = _parser().parse_args(arguments)
    try:
        settings = load()
        _log(settings)
        return int(options.run(settings, options))
    except Stop as error:
        print(f"bourse: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 0


def _bot(settings: Settings, options: argparse.Namespace) -> int:
    if settings.discord_token is not None:
        from bot import app  # here and below: what a call does not need, it does not wait for

        _loop(app.run(settings, lambda line: print(line, flush=True)))
        return 0
    _require_rehearsal(HEADLESS)
    from bot.rehearsal.page import serve

    asyncio.run(serve(settings))  # SimCord reads the timers of asyncio's own loop
    return 0


def _play(settings: Settings, options: argparse.Namespace) -> int:
    _require_rehearsal("Plays need the extra “rehearsal”: pip install 'bourse[rehearsal]'.")
    from bot.rehearsal import plays

    return plays.main(options.files, json=options.json, keep=options.keep)


def _verify(settings: Settings, options: argparse.Namespace) -> int:
    from bot import shell

    return asyncio.run(shell.verify(settings.database_url, options.head, print))


def _export(settings: Settings, options: argparse.Namespace) -> int:
    from bot import shell

    content = asyncio.run(shell.written(settings.database_url, options.table, options.format, options.viewer))
    sys.stdout.buffer.write(content)
    sys.stdout.buffer.flush()
    return 0


def _read_head(text: str) -> tuple[int, str]:
    from bot import shell

    return shell.read_head(text)


def _read_viewer(text: str) -> int | None:
    from bot import shell

    return shell.read_viewer(text)


def _require_rehearsal(sentence: str) -> None:
    if importlib.util.find_spec("simcord") is None:
        raise Stop(sentence)
    logging.getLogger("discord").setLevel(logging.ERROR)  # SimCord probes the library with a client of no use


def _loop(work: Coroutine[object, object, None]) -> None:
    """Run until done, on uvloop where there is one."""
    if importlib.util.find_spec("uvloop") is not None:
        import uvloop

        uvloop.run(work)
    else:
        asyncio.run(work)


def _log(settings: Settings) -> None:
    logging.basicConfig(level=settings.bourse_log.upper(), format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    logging.getLogger("alembic").setLevel(logging.WARNING)
    logging.getLogger("discord").setLevel(max(logging.WARNING, logging.getLogger().level))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="bourse",
        description="Trading at a live game table, on Discord. With DISCORD_TOKEN set it runs there; "
        "without, it opens a rehearsal table on this machine.",
    )
    parser.set_defaults(run=_bot)
    commands = parser.add_subparsers(title="commands", metavar="")
    play = commands.add_parser("play", help="run plays: tables as scripts")
    play.add_argument("files", nargs="+", type=Path, metavar="FILE")
    play.add_argument("--json", action="store_true", help="print one object a line of the play")
    play.add_argument("--keep", type=Path, metavar="DIR", help="keep the database and all requests there")
    play.set_defaults(run=_play)
    verify = commands.add_parser("verify", help="check every table's hash chain")
    verify.add_argument(
        "--head", action="append", default=[], type=_read_head, metavar="TABLE:HASH",
        help="a head that was posted earlier: finds out whether the table's end was cut off since",
    )  # fmt: skip
    verify.set_defaults(run=_verify)
    export = commands.add_parser("export", help="write a table's ledger to standard output")
    export.add_argument("table", type=int, metavar="TABLE", help="the table's number, as verify tells it")
    export.add_argument("--format", choices=("csv", "json", "beancount"), required=True)
    export.add_argument(
        "--viewer", type=_read_viewer, default=None, metavar="public|USER",
        help="for whom: everybody (as without it), or the Discord id of one of its people",
    )  # fmt: skip
    export.set_defaults(run=_export)
    return parser


if __name__ == "__main__":
    sys.exit(main())
