"""``bourse new-game``: lays out a package with a small game that works, for its author to
change.
"""

from __future__ import annotations

import keyword
import re
import sys
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from bot import private
from bot.cli.output import Echo
from bot.errors import OperatorError
from bot.rules.game_checks import RESERVED_GROUPS, RESERVED_IDS
from bot.rules.registry import points

TEMPLATE = "template"
"""The folder of this package with the files, each with ``.txt`` after its name, so that no tool
takes it for code.
"""

NAMES = ("newgame", "New game", "NewGame")
"""What the template is called: as an id, as a title, and as a class."""


def new_game(name: str, folder: Path, echo: Echo) -> int:
    """Lay out the package ``bourse-NAME`` in this folder. Return the exit code, 0.

    Raises `OperatorError` for a name that no game can have, and if there is something in its place.
    """
    words = re.findall(r"[a-z0-9]+", name.lower())
    id = "".join(words)
    if not re.fullmatch(r"[a-z][a-z0-9]{1,19}", id) or keyword.iskeyword(id):
        raise OperatorError(
            f"{name!r} can't name a game. Try 2 to 20 letters and digits, such as harbour."
        )
    taken = (
        RESERVED_IDS
        | RESERVED_GROUPS
        | {point.name for point in points()}
        | set(sys.stdlib_module_names)
    )
    if id in taken:
        raise OperatorError(f"The name {id} is taken. Try another.")
    target = folder / f"bourse-{id}"
    if target.exists():
        raise OperatorError(f"{target} exists already.")
    title, class_name = " ".join(words).capitalize(), "".join(map(str.capitalize, words))
    names = (id, title, class_name)
    private.require_folder(folder)
    _write(files("bot.cli") / TEMPLATE, target, names)
    echo(
        f"{target} has the game {names[1]}. Its README says how to install it, test it and play it."
    )
    return 0


def _write(source: Traversable, target: Path, names: tuple[str, str, str]) -> None:
    """Write a file or folder of the template under its new name."""
    if source.is_file():
        target.write_text(_named(source.read_text(encoding="utf-8"), names), encoding="utf-8")
        return
    target.mkdir(parents=True)
    for each in source.iterdir():
        _write(each, target / _named(each.name.removesuffix(".txt"), names), names)


def _named(text: str, names: tuple[str, str, str]) -> str:
    for old, new in zip(NAMES, names, strict=True):
        text = text.replace(old, new)
    return text
