"""Rule 29.61: the path of each calamity through hands this turn, to find who traded it to its victim.

The path begins with the player who drew the calamity. Each trade adds the receiver. If a correction puts the calamity
into a hand on its path, the path ends there again. If it puts the calamity into any other hand, nobody counts as having
traded it; but the old path is kept, in case another correction puts the calamity back. If a player reports a calamity
that another hand is known to have, the path does not change.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from bot.api import Corrected, Entry, Feature, GoodsMoved, Table, Transaction, part, with_part
from bot.games.advciv.state import OfTurn

BREAK = ""
"""Separates two seats in a path if the first did not trade the calamity to the second."""

Path = tuple[str, ...]
"""The seats that have had a calamity, in order, with a `BREAK` before a seat that got it by a correction."""

Paths = Mapping[str, Path]
"""The path of each calamity, by its token."""


@dataclass(frozen=True, slots=True)
class Passed(OfTurn):
    """The paths of this turn."""

    paths: Paths = field(default_factory=dict)


def update_paths(table: Table, entry: Entry) -> Table:
    """Update the paths of all calamities after an entry."""
    if not table.tracked or not isinstance(entry, GoodsMoved):
        return table

    def holds(seat: str, token: str) -> bool:
        return seat in table.seats and token in table.seats[seat].holdings

    return with_part(table, Passed(after(part(table, Passed).paths, entry, holds)))


def after(paths: Paths, entry: Entry, holds: Callable[[str, str], bool]) -> Paths:
    """Return the paths of all calamities after an entry. ``holds`` tells whether a seat now has a calamity."""
    match entry:
        case Transaction():
            given = [(token, seat) for seat, token in _arrived(entry)]
            return {**paths, **{token: _traded(paths, token, entry.other(seat), seat) for token, seat in given}}
        case Corrected():
            return {**paths, **{token: _back(paths, token, seat) for seat, token in _arrived(entry)}}
        case GoodsMoved():
            came = [(seat, token) for seat, token in _arrived(entry) if not _lies_elsewhere(paths, token, seat, holds)]
            return {**paths, **{token: (seat,) for seat, token in came}}
    return paths


def trader(paths: Paths, token: str, holder: str) -> str | None:
    """Return the seat that traded a calamity to its holder; None if nobody did."""
    path = paths.get(token, ())
    giver = path[-2] if len(path) > 1 and path[-1] == holder else BREAK
    return None if giver == BREAK else giver


def _arrived(entry: GoodsMoved) -> list[tuple[str, str]]:
    """Return the seat and token of each calamity that came to a hand."""
    changes = (entry.hidden or {}).items()
    return [(seat, token) for seat, each in changes for token in each.lost.missing(each.gained).of_kind("calamity")]


def _lies_elsewhere(paths: Paths, token: str, seat: str, holds: Callable[[str, str], bool]) -> bool:
    """Return whether another seat is known to have this calamity. Each calamity is a single card."""
    path = paths.get(token, ())
    return bool(path) and path[-1] != seat and holds(path[-1], token)


def _traded(paths: Paths, token: str, giver: str, taker: str) -> Path:
    path = paths.get(token, ())
    return (*path, taker) if path[-1:] == (giver,) else (giver, taker)


def _back(paths: Paths, token: str, seat: str) -> Path:
    """Return the path up to the last time this seat had it; for a new seat, add a `BREAK` and the seat."""
    path = paths.get(token, ())
    if seat not in path:
        return (*path, BREAK, seat) if path else (seat,)
    return path[: len(path) - path[::-1].index(seat)]


FEATURE = Feature(state=Passed, after=update_paths)
