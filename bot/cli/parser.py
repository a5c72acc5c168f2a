"""The arguments and help of every command. `bot.cli.program` carries them out."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from pathlib import Path

from bot import __version__
from bot.cli.arguments import file, user_id, viewer
from bot.settings import Settings

Run = Callable[[Settings, argparse.Namespace], int]
"""Runs a command and returns the exit code."""

BOT = ""
"""The name of the default command, which is typed as ``bourse`` alone."""

_ABOUT = """\
Trading at a live game table, on Discord.

With DISCORD_TOKEN set, in the environment or in a file .env in this folder, bourse runs the bot there.
Without it, bourse opens a rehearsal table in your browser; nothing leaves this machine."""

_EXAMPLES = """\
examples:
  bourse                              a rehearsal table in your browser
  DISCORD_TOKEN=... bourse            the bot on Discord
  bourse play tests/plays             run every play of a folder
  bourse verify                       check that nobody has changed the ledger by hand
  bourse export 3 --format csv        table 3 as a spreadsheet

bourse COMMAND --help explains one command.
exit codes of the bot: 0 stopped, 2 something that you must mend, 75 something that may pass: start it again"""

_PLAY = """\
examples:
  bourse play evening.play            what was not as expected, line by line
  bourse play tests/plays/offers      every .play file of a folder
  bourse play --json evening.play     one object a line, for other programs
  bourse play --keep seen evening.play
                                      keep the database and all requests in the folder seen

exit codes: 0 all as expected, 1 something else happened, 2 a play cannot be read"""

_VERIFY = """\
examples:
  bourse verify
  bourse verify --head '#41 5f3e...'  a line that the bot posted: is that entry still there?
  bourse verify --heads friday.db.heads
  DATABASE_URL=sqlite:///old.db bourse verify

exit codes: 0 nothing was changed, 1 something was changed, 2 there is no ledger or it can't be read,
3 nothing was changed, but not all could be checked: a table's game is not installed or can't read it, or
a head is of a table that was removed since"""

_EXPORT = """\
examples:
  bourse export 3 --format csv > friday.csv
  bourse export 3 --format json --viewer 81384788765712384 > mine.jsonl
  bourse export 3 --format play > bug.play && bourse play bug.play

bourse verify lists the tables. exit codes: 0 written, 2 there is no such table or ledger"""

_BACKUP = """\
examples:
  bourse backup friday.db             a verified copy of the ledger, also while the bot runs

The copy shows one moment. Beside it, friday.db.heads has the last entry of each table. Keep the ledger's
key too, but in another place. With BOURSE_BACKUP_DIR the bot makes such a copy every day.
exit codes: 0 copied, 1 copied, but the ledger was changed by hand, 2 there is no ledger, or the file
cannot be written"""

_RESTORE = """\
examples:
  bourse restore friday.db            stop the bot first

The copy is verified before anything changes, and against friday.db.heads if that lies beside it. It needs
the key that the ledger had. What was in the ledger's place is moved aside, not deleted.
exit codes: 0 restored, 1 the copy was changed or is damaged, 2 the bot is running, or there is no such copy"""


_CHECK = """\
examples:
  bourse check                        before the first start, and after an update

It looks at settings, games, database, key, backups, token, portal, commands and permissions; it changes
nothing.
exit codes: 0 all is right, 1 there is something to do, 2 a setting is wrong"""


_TABLES = """\
examples:
  bourse tables                       all tables, also while the bot runs
  bourse tables close 3               close table 3, which its host left open
  bourse tables remove 3              what would be removed; --yes removes it

A closed table is removed with all its entries; its number and the hash of its last entry stay. On SQLite,
stop the bot before you close or remove. exit codes: 0 done, 1 nothing was removed without --yes, 2 the bot
is running, or there is no such table"""

_FORGET = """\
examples:
  bourse forget 81384788765712384     what would be erased; --yes erases it

For a written request of somebody who can't type /privacy forget:me. Their name and id go from all closed
tables; what happened there stays. On SQLite, stop the bot first.
exit codes: 0 done, 1 nothing was erased without --yes, or open tables know them, 2 the bot is running"""


_GAMES = """\
examples:
  bourse games                        the games here, their versions, and what is left out and why
  bourse games check bourse-bazaar    load this package's games and their commands, try and play them

A check fails for anything that would be left out, a play that goes wrong, a function that fails, and one that
takes more than 250 ms of processor time. exit codes: 0 all is right, 1 something is not, 2 there is no such
package"""


_NEW_GAME = """\
examples:
  bourse new-game harbour             a package in the folder bourse-harbour, with a game that works

The game has secret hands, chance that can be verified, phases, commands of its own, plays and checks.
Change it into yours; docs/games.md explains it. exit codes: 0 written, 2 the name is taken, or the folder
is there"""


class _Help(argparse.RawDescriptionHelpFormatter):
    """A help formatter that keeps line breaks and omits argparse's empty line above the list of commands."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=30, width=100)

    def _format_action(self, action: argparse.Action) -> str:
        text = super()._format_action(action)
        return text.partition("\n")[2] if isinstance(action, argparse._SubParsersAction) else text


def parser(run: Mapping[str, Run]) -> argparse.ArgumentParser:
    """Return the parser. It sets ``options.run`` to the command's function in ``run``."""
    made = argparse.ArgumentParser(
        prog="bourse", description=_ABOUT, epilog=_EXAMPLES, formatter_class=_Help, allow_abbrev=False
    )
    made.add_argument("--version", action="version", version=f"Bourse {__version__}")
    made.add_argument(
        "--stay",
        action="store_true",
        help="after an error that only you can mend, wait to be stopped: for Docker, which starts what has ended",
    )
    made.set_defaults(run=run[BOT], command=BOT)
    commands = made.add_subparsers(title="commands", metavar="COMMAND", dest="command")
    commands.required = False
    for name, about, more, describe in (
        ("play", "run plays: tables as scripts", _PLAY, _describe_play),
        ("check", "say what is right, and what is still to do, before the bot runs", _CHECK, lambda _: None),
        ("verify", "check that nobody has changed the ledger by hand", _VERIFY, _describe_verify),
        ("export", "write a table's ledger to standard output", _EXPORT, _describe_export),
        ("backup", "copy the ledger into a file, also while the bot runs", _BACKUP, _describe_backup),
        ("restore", "put a copy in the ledger's place; the bot must be stopped", _RESTORE, _describe_restore),
        ("tables", "list all tables, close or remove some", _TABLES, _describe_tables),
        ("games", "list the installed games, or check a package with one", _GAMES, _describe_games),
        ("new-game", "lay out a package with a game of your own", _NEW_GAME, _describe_new_game),
        ("forget", "take a person's name and id out of all closed tables", _FORGET, _describe_forget),
    ):
        described = f"{about[0].upper()}{about[1:]}."
        command = commands.add_parser(
            name, help=about, description=described, epilog=more, formatter_class=_Help, allow_abbrev=False
        )
        describe(command)
        command.set_defaults(run=run[name])
    return made


def _describe_play(play: argparse.ArgumentParser) -> None:
    play.add_argument("files", nargs="+", type=Path, metavar="FILE", help="a play, or a folder of plays")
    play.add_argument("--json", action="store_true", help="print one object a line of the play")
    play.add_argument("--keep", type=Path, metavar="DIR", help="keep the database and all requests there")


def _describe_verify(verify: argparse.ArgumentParser) -> None:
    verify.add_argument(
        "--head", "--against", action="append", default=[], metavar="TABLE:HASH",
        help="a head that was posted earlier, or the line from the channel, such as '#41 5f3e...': checks whether "
        "later entries were cut off or everything was rewritten",
    )  # fmt: skip
    verify.add_argument(
        "--heads",
        action="append",
        default=[],
        type=file,
        metavar="FILE",
        help="the heads that backup wrote beside a copy",
    )


def _describe_export(export: argparse.ArgumentParser) -> None:
    export.add_argument("table", type=int, metavar="TABLE", help="the table's number, as verify lists it")
    export.add_argument("--format", choices=("csv", "json", "play"), required=True, help="the kind of file")
    export.add_argument(
        "--viewer", type=viewer, default=None, metavar="public|USER",
        help="whose view: public (the default), or the Discord id of one of its people",
    )  # fmt: skip


def _describe_backup(backup: argparse.ArgumentParser) -> None:
    backup.add_argument("file", type=file, metavar="FILE", help="the new file; it must not exist yet")


def _describe_restore(restore: argparse.ArgumentParser) -> None:
    restore.add_argument("file", type=file, metavar="FILE", help="a copy that backup made")


def _describe_tables(tables: argparse.ArgumentParser) -> None:
    actions = tables.add_subparsers(metavar="ACTION", dest="action")
    closing = actions.add_parser("close", help="close tables that their hosts left open", allow_abbrev=False)
    removing = actions.add_parser("remove", help="remove closed tables for good", allow_abbrev=False)
    for action in (closing, removing):
        action.add_argument("tables", nargs="+", type=int, metavar="TABLE", help="a table's number")
    removing.add_argument("--yes", action="store_true", help="remove them")


def _describe_forget(forget: argparse.ArgumentParser) -> None:
    forget.add_argument("user", type=user_id, metavar="USER", help="their Discord id, as Copy User ID gives it")
    forget.add_argument("--yes", action="store_true", help="erase it")


def _describe_games(games: argparse.ArgumentParser) -> None:
    actions = games.add_subparsers(metavar="ACTION", dest="action")
    check = actions.add_parser("check", help="check a package with a game", allow_abbrev=False)
    check.add_argument("package", metavar="PACKAGE", help="the name of a package, or the id of a game")
    check.add_argument(
        "--plays", type=Path, metavar="DIR", help="play what is in this folder, not what the package has"
    )


def _describe_new_game(new: argparse.ArgumentParser) -> None:
    new.add_argument("name", metavar="NAME", help="what the game is called")
    new.add_argument(
        "--into", type=Path, default=Path(), metavar="DIR", help="the folder for the package; by default, this one"
    )
