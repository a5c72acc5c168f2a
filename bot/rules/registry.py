"""The installed games, checked when they are loaded.

A game is found through the entry-point group ``bourse.games``. A package that can't be loaded, or whose names clash
with another's, is left out with a sentence in the log; the other games run on.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.metadata import entry_points
from typing import Annotated, Any, Union

from pydantic import Field, TypeAdapter

from bot.rules.entries import Entry, kind_name
from bot.rules.game import Game
from bot.rules.model.actions import CORE_ACTIONS, Action
from bot.rules.model.table import Table
from bot.rules.model.violation import Refused

log = logging.getLogger(__name__)

RESERVED_GROUPS = frozenset(
    {"table", "phase", "offer", "deal", "holdings", "negotiate", "history", "rules", "audit", "help", "privacy"}
)
"""The slash command groups of the core."""


class BrokenGame(Exception):
    """A game can't be used; the text is one sentence that says why."""


@cache
def games() -> Mapping[str, Game]:
    """Return the installed games by id."""
    found: dict[str, Game] = {}
    for point in sorted(entry_points(group="bourse.games"), key=lambda point: point.name):
        try:
            game = point.load()
            check(game, found.values())
        except BrokenGame as broken:
            log.error("the game %s is left out: %s", point.name, broken)
        except Exception:
            log.exception("the game %s is left out: it can't be loaded", point.name)
        else:
            found[game.info.id] = game
    return found


def game_named(name: str) -> Game:
    """Return the game of this id. Raises `Refused` when it is not installed."""
    game = games().get(name)
    if game is None:
        raise Refused("", f"There is no game “{name}” here.", f"Try {' or '.join(games())}.")
    return game


def game_of(table: Table) -> Game:
    """Return the game that is played at a table. Raises `Refused` when it is not installed."""
    return game_named(table.game)


def check(game: Any, others: Iterable[Game]) -> None:
    """Raise `BrokenGame` when this is no game, or one of its names is outside its namespace or taken."""
    if not isinstance(game, Game):
        raise BrokenGame("its entry point is not a bot.rules.game.Game.")
    info, known = game.info, list(others)
    if any(other.info.id == info.id for other in known):
        raise BrokenGame(f"another game is called {info.id} already.")
    outside = [name for name in _names(game) if not name.startswith(f"{info.id}.")]
    if outside:
        raise BrokenGame(f"{', '.join(outside)} should begin with “{info.id}.”.")
    if len(set(_names(game))) < len(_names(game)):
        raise BrokenGame("two of its entries or actions have one name.")
    taken = RESERVED_GROUPS | {group for other in known for group in other.info.command_groups}
    if clash := sorted(info.command_groups & taken):
        raise BrokenGame(f"the command group /{clash[0]} is taken.")


def _names(game: Game) -> list[str]:
    return [*(kind_name(kind) for kind in game.info.entries), *(action.name for action in game.info.actions)]


def actions() -> tuple[type[Action], ...]:
    """Return every action that the rules hand out: the core's and those of the installed games."""
    return (*CORE_ACTIONS, *(action for game in games().values() for action in game.info.actions))


def entry_adapter(core: tuple[type[Entry], ...]) -> TypeAdapter[Entry]:
    """Return the union of all kinds of entry: the core's, and those of every installed game."""
    kinds = core + tuple(kind for game in games().values() for kind in game.info.entries)
    union = Union[kinds]  # type: ignore[valid-type]  # noqa: UP007  (made at run time)
    return TypeAdapter(Annotated[union, Field(discriminator="kind")])
