"""Rule 29.61: through whose hands each calamity has gone this turn, and so who traded it to its victim.

The path of a calamity begins with who drew it, and each trade adds the one who received it. A correction takes back the
trades that can't have taken place: in a hand that the calamity has been in, it is as when it last lay there; in any
other hand, nobody traded it. When that was a mistake too, and the calamity goes back to a hand on its path, what was
traded before holds again. A player's own word that they have a calamity tells nothing of one that lies in another hand.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from bot.api import Corrected, Entry, Feature, GoodsMoved, Table, Transaction, part, with_part
from bot.games.advciv.state import OfTurn

BREAK = ""
"""Stands in a path between two seats of which the first did not trade the calamity to the second."""

Path = tuple[str, ...]
"""The seats that have had a calamity, in order, with a `BREAK` where it came to one of them by a correction."""

Paths = Mapping[str, Path]
"""The path of each calamity, by its token."""


@dataclass(frozen=True, slots=True)
class Passed(OfTurn):
    """The paths of this turn."""

    paths: Paths = field(default_factory=dict)


def passed(table: Table, entry: Entry) -> Table:
    """Return the table with the paths of all calamities after an entry."""
    if not table.tracked or not isinstance(entry, GoodsMoved):
        return table

    def holds(seat: str, token: str) -> bool:
        return seat in table.seats and token in table.seats[seat].holdings

    return with_part(table, Passed(after(part(table, Passed).paths, entry, holds)))


def after(paths: Paths, entry: Entry, holds: Callable[[str, str], bool]) -> Paths:
    """Return the paths of all calamities after an entry. ``holds``: whether this seat has this calamity then."""
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
    """Return each calamity that came to a hand and was not in it before, after the seat."""
    changes = (entry.hidden or {}).items()
    return [(seat, token) for seat, each in changes for token in each.lost.missing(each.gained).of_kind("calamity")]


def _lies_elsewhere(paths: Paths, token: str, seat: str, holds: Callable[[str, str], bool]) -> bool:
    """Return whether another seat is known to have this calamity, of which there is one card."""
    path = paths.get(token, ())
    return bool(path) and path[-1] != seat and holds(path[-1], token)


def _traded(paths: Paths, token: str, giver: str, taker: str) -> Path:
    path = paths.get(token, ())
    return (*path, taker) if path[-1:] == (giver,) else (giver, taker)


def _back(paths: Paths, token: str, seat: str) -> Path:
    """Return the path up to where this seat had it last; to a seat that never had it, nobody traded it."""
    path = paths.get(token, ())
    if seat not in path:
        return (*path, BREAK, seat) if path else (seat,)
    return path[: len(path) - path[::-1].index(seat)]


FEATURE = Feature(state=Passed, after=passed)
