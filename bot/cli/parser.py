"""The arguments of every command."""

from __future__ import annotations

import argparse
import inspect
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

from bot import __version__
from bot.cli import commands
from bot.settings import Settings

RunCommand = Callable[[Settings, argparse.Namespace], int]
Adding = Callable[..., argparse.ArgumentParser]


def parser() -> argparse.ArgumentParser:
    """Return the parser. It sets ``options.run`` to the function of the command in
    `bot.cli.commands`.
    """
    root = _described(partial(argparse.ArgumentParser, prog="bourse"), commands.bot)
    root.add_argument("--version", action="version", version=f"Bourse {__version__}")
    root.add_argument(
        "--stay",
        action="store_true",
        help="after an error that only you can mend, wait to be stopped: for Docker, which starts "
        "what has ended",
    )
    every = root.add_subparsers(title="commands", metavar="COMMAND").add_parser

    play = _described(every, commands.play, "play")
    play.add_argument(
        "files", nargs="+", type=Path, metavar="FILE", help="a play, or a folder of plays"
    )
    play.add_argument("--json", action="store_true", help="print one object a line of the play")
    play.add_argument(
        "--keep", type=Path, metavar="DIR", help="keep the database and all requests there"
    )

    _described(every, commands.check, "check")

    verify = _described(every, commands.verify, "verify")
    verify.add_argument(
        "--head",
        "--against",
        action="append",
        default=[],
        metavar="TABLE:HASH",
        help="a head that was posted earlier, or the line from the channel, such as '#41 5f3e...': "
        "checks whether "
        "later entries were cut off or everything was rewritten",
    )
    verify.add_argument(
        "--heads",
        action="append",
        default=[],
        type=_file,
        metavar="FILE",
        help="the heads that backup wrote beside a copy",
    )

    export = _described(every, commands.export, "export")
    export.add_argument(
        "table", type=int, metavar="TABLE", help="the table's number, as verify lists it"
    )
    export.add_argument("--format", choices=("csv", "json"), required=True, help="the kind of file")
    export.add_argument(
        "--viewer",
        type=_viewer,
        default=None,
        metavar="public|USER",
        help="whose view: public (the default), or the Discord id of one of its people",
    )

    backup = _described(every, commands.backup, "backup")
    backup.add_argument(
        "file", type=_file, metavar="FILE", help="the new file; it must not exist yet"
    )

    restore = _described(every, commands.restore, "restore")
    restore.add_argument("file", type=_file, metavar="FILE", help="a copy that backup made")

    tables = _described(every, commands.tables, "tables")
    actions = tables.add_subparsers(metavar="ACTION", dest="action")
    close = actions.add_parser(
        "close", help="close tables that their hosts left open", allow_abbrev=False
    )
    close.add_argument("tables", nargs="+", type=int, metavar="TABLE", help="a table's number")
    remove = actions.add_parser("remove", help="remove closed tables for good", allow_abbrev=False)
    remove.add_argument("tables", nargs="+", type=int, metavar="TABLE", help="a table's number")
    remove.add_argument("--yes", action="store_true", help="remove them")

    games = _described(every, commands.games, "games")
    actions = games.add_subparsers(metavar="ACTION", dest="action")
    check = actions.add_parser("check", help="check a package with a game", allow_abbrev=False)
    check.add_argument(
        "package", metavar="PACKAGE", help="the name of a package, or the id of a game"
    )
    check.add_argument(
        "--plays",
        type=Path,
        metavar="DIR",
        help="play what is in this folder, not what the package has",
    )
    check.add_argument(
        "--limit",
        type=float,
        default=120.0,
        metavar="SECONDS",
        help="the most that its random table, or one of its plays, may take: 120 by default",
    )
    check.add_argument("--alone", action="store_true", help=argparse.SUPPRESS)

    new_game = _described(every, commands.new_game, "new-game")
    new_game.add_argument("name", metavar="NAME", help="what the game is called")
    new_game.add_argument(
        "--into",
        type=Path,
        default=Path(),
        metavar="DIR",
        help="the folder for the package; by default, this one",
    )

    forget = _described(every, commands.forget, "forget")
    forget.add_argument(
        "user", type=_user_id, metavar="USER", help="their Discord id, as Copy User ID gives it"
    )
    forget.add_argument("--yes", action="store_true", help="erase it")
    return root


def _described(add: Adding, command: RunCommand, *name: str) -> argparse.ArgumentParser:
    """Add the parser of a command, with the help in its docstring."""
    about, _, examples = (inspect.getdoc(command) or "").partition("\n\nexamples:")
    listed = {}
    if name:
        listed["help"] = about[:1].lower() + about[1:].removesuffix(".")
    made = add(
        *name,
        **listed,
        description=about,
        epilog=f"examples:{examples}",
        formatter_class=_Help,
        allow_abbrev=False,
    )
    made.set_defaults(run=command)
    return made


class _Help(argparse.RawDescriptionHelpFormatter):
    """A help formatter that keeps line breaks and omits argparse's empty line above the list of
    commands.
    """

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=30, width=100)

    def _format_action(self, action: argparse.Action) -> str:
        text = super()._format_action(action)
        return text.partition("\n")[2] if isinstance(action, argparse._SubParsersAction) else text


# ---------------------------------------------------------------- types of arguments


def _viewer(text: str) -> int | None:
    """Convert ``public`` to None, and a Discord id to an int."""
    return None if text == "public" else _user_id(text, "is neither public nor")


def _user_id(text: str, is_not: str = "is not") -> int:
    """Convert a Discord id to an int."""
    if not re.fullmatch(r"\d{1,20}", text) or int(text) >= 2**63:
        raise argparse.ArgumentTypeError(
            f"{text!r} {is_not} a Discord id such as 81384788765712384"
        )
    return int(text)


def _file(text: str) -> Path:
    """Convert the name of a file. A folder is refused, and a name that ends as a folder's does."""
    if text.endswith("/") or Path(text).is_dir():
        raise argparse.ArgumentTypeError(
            f"{text} is a folder: name a file in it, such as {Path(text) / 'friday.db'}"
        )
    return Path(text)
