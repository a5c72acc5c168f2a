"""The installed games, checked when they are loaded.

Games are found through the entry-point group ``bourse.games``, those of our own package first. A
package that can't be loaded, or whose names clash with those of an earlier one, is left out with
one line in the log; the others still run. At the tables of a game that is not installed, a stand-in
takes its place; see `bot.rules.uninstalled`.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache, lru_cache
from importlib.metadata import EntryPoint, entry_points
from itertools import chain
from typing import Any

from bot.rules.game import Game
from bot.rules.game_checks import faults, storage_faults
from bot.rules.guard import checking, presenting
from bot.rules.model.actions import CORE_ACTIONS, Action
from bot.rules.model.table import Table
from bot.rules.model.violation import Refused
from bot.rules.uninstalled import stand_in

log = logging.getLogger(__name__)


class BrokenGame(Exception):
    """A game can't be used. The message is one sentence that says why."""


OWN_PACKAGE = "bourse-bot"
"""Our distribution. Our tests look whether its games can be stored, and `bourse check` and `bourse
games`; a start spares the time.
"""

_loading: list[dict[str, Game]] = []
"""The games while they are loaded: one that is being checked may ask for itself."""

_left_out: dict[EntryPoint, str] = {}
"""The games that could not be used when the games were loaded last, and why."""

_packages: dict[str, str] = {}
"""The name of the package that each game comes from that was loaded last; empty if it is not
installed as one.
"""


@cache
def games() -> Mapping[str, Game]:
    """Return the installed games by id."""
    if _loading:
        return _loading[0]
    found: dict[str, Game] = {}
    _left_out.clear()
    _packages.clear()
    _loading.append(found)
    try:
        for point in points():
            _add(point, found)
    finally:
        _loading.clear()
    return found


def _add(point: EntryPoint, found: dict[str, Game]) -> None:
    """Add the game of an entry point to those found before. If it is broken, log why and leave it
    out.
    """
    (distribution, version), others = package(point), dict(found)
    try:
        try:
            game = point.load()
        except Exception as error:  # it may raise anything
            raise BrokenGame(f"it can't be loaded ({_in_one_line(error)}).") from error
        if isinstance(game, Game) and game.info.id != point.name:
            raise BrokenGame(f"its entry point should be called {game.info.id}, as the game is.")
        if distribution and not version:
            raise BrokenGame(f"its package {distribution} has no version.")
        if isinstance(game, Game):
            found[game.info.id] = game
        check(game, others.values(), storage=distribution != OWN_PACKAGE)
    except BrokenGame as broken:
        found.clear()
        found.update(others)
        _left_out[point] = str(broken)
        log.error(
            "the game %s%s is left out: %s",
            point.name,
            f" of {distribution} {version}" * bool(distribution),
            broken,
        )
    else:
        found[game.info.id] = _guarded(game, version)
        _packages[game.info.id] = distribution


def points() -> list[EntryPoint]:
    """Return the entry points of all installed games, whether they can be used or not, in the order
    of loading.

    Ours come first: what a package from outside claims that we have, leaves out that package.
    """
    return sorted(
        entry_points(group="bourse.games"),
        key=lambda point: (package(point)[0] != OWN_PACKAGE, point.name),
    )


def left_out() -> Mapping[EntryPoint, str]:
    """Return the entry points of the games that can't be used, each with one sentence that says
    why.
    """
    games()
    return _left_out


def package(point: EntryPoint) -> tuple[str, str]:
    """Return name and version of the package that an entry point comes from; empty if it does not
    say.
    """
    dist = getattr(point, "dist", None)
    return (dist.name or "", dist.version or "") if dist else ("", "")


def named(point: EntryPoint) -> str:
    """Return an entry point as people read it: its name, and its package if there is one."""
    distribution, version = package(point)
    return f"{point.name} (of {distribution} {version})" if distribution else point.name


def package_of(game: str) -> str:
    """Return the name of the package that a game comes from; empty if it is not installed as
    one.
    """
    games()
    return _packages.get(game, "")


def _owner(game: Game) -> str:
    """Return an earlier game as it is named to the author of one that clashes with it."""
    distribution = package_of(game.info.id)
    return f"{game.info.id} of {distribution}" if distribution else f"the game {game.info.id}"


def installed_game(name: str) -> Game:
    """Return the installed game with this id. Raises `Refused` if there is none."""
    game = games().get(name)
    if game is None:
        raise Refused(f"There is no game “{name}” here.", f"Try {' or '.join(games())}.")
    return game


def game_named(name: str, variant: str = "") -> Game:
    """Return the game with this id, or a stand-in if it is not installed. Raises `Refused` for the
    empty name.

    ``variant`` is the text by which a table plays it in its own way; see `Variants`.

    >>> game_named("bazaar").info.name
    'Bazaar'
    """
    if variant:
        return _varied(name, variant)
    return games().get(name) or (stand_in(name) if name else installed_game(name))


def game_of(table: Table) -> Game:
    """Return the game of a table as it is played there, or its stand-in."""
    game = games().get(table.game) or game_named(table.game)
    if game.variants is None:
        return game
    return game_named(table.game, game.variants.of(table))


def variant_of(table: Table) -> str:
    """Return the text by which a table plays its game in its own way; empty for the game as it
    is.
    """
    variants = game_named(table.game).variants
    return "" if variants is None else variants.of(table)


@lru_cache(maxsize=256)
def _varied(name: str, text: str) -> Game:
    """Return the game as it is played by this text. Its features stay those of the game."""
    game = game_named(name)
    if game.variants is None:
        return game
    varied = game.variants.game(text)
    return replace(_guarded(varied, game.version), features=game.features, variants=game.variants)


def _guarded(game: Game, version: str) -> Game:
    return presenting(checking(replace(game, version=version)))


def check(game: Any, others: Iterable[Game], *, storage: bool = True) -> None:
    """Raise `BrokenGame` if this is not a `Game`, or can't be used beside the others, or stored."""
    if not isinstance(game, Game):
        raise BrokenGame("its entry point is not a bot.api.Game.")
    try:
        storing = storage_faults(game.features) if storage else ()
        fault = next(chain(faults(game, list(others), _owner), storing), "")
    except Exception as error:  # a game's facts may be anything, and its rulebook is code
        raise BrokenGame(f"it can't be checked ({_in_one_line(error)}).") from error
    if fault:
        raise BrokenGame(fault)


def _in_one_line(error: Exception) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())


def actions() -> tuple[type[Action], ...]:
    """Return every kind of action: the core's and those of the installed games."""
    own = chain.from_iterable(game.features.opens for game in games().values())
    return (*CORE_ACTIONS, *own)
