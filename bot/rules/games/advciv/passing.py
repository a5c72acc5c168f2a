"""Rule 29.61: through whose hands each calamity has gone this turn, and so who traded it to its victim.

The path of a calamity begins with who drew it, and each trade adds the one who received it. A correction takes back the
trades that can't have taken place: in a hand that the calamity has been in, it is as when it first lay there; in any
other hand, nobody traded it.
"""

from __future__ import annotations

from collections.abc import Mapping

from bot.rules.entries import Entry
from bot.rules.holdings.entries import Corrected, GoodsMoved
from bot.rules.offers.entries import Transaction

Path = tuple[str, ...]
"""The seats that have had a calamity, in order."""

Paths = Mapping[str, Path]
"""The path of each calamity, by its token."""


def after(paths: Paths, entry: Entry) -> Paths:
    """Return the paths of all calamities after an entry."""
    match entry:
        case Transaction():
            given = [(token, seat) for seat, token in _arrived(entry)]
            return {**paths, **{token: _traded(paths, token, entry.other(seat), seat) for token, seat in given}}
        case Corrected():
            return {**paths, **{token: _back(paths, token, seat) for seat, token in _arrived(entry)}}
        case GoodsMoved():
            return {**paths, **{token: (seat,) for seat, token in _arrived(entry)}}
    return paths


def trader(paths: Paths, token: str, holder: str) -> str | None:
    """Return the seat that traded a calamity to its holder; None if nobody did."""
    path = paths.get(token, ())
    return path[-2] if len(path) > 1 and path[-1] == holder else None


def _arrived(entry: GoodsMoved) -> list[tuple[str, str]]:
    """Return each calamity that came to a hand and was not in it before, after the seat."""
    changes = (entry.hidden or {}).items()
    return [(seat, token) for seat, each in changes for token in each.lost.missing(each.gained).of_kind("calamity")]


def _traded(paths: Paths, token: str, giver: str, taker: str) -> Path:
    path = paths.get(token, ())
    return (*path, taker) if path[-1:] == (giver,) else (giver, taker)


def _back(paths: Paths, token: str, seat: str) -> Path:
    """Return the path up to where this seat had it last; of a seat that never had it, that seat alone."""
    path = paths.get(token, ())
    if seat not in path:
        return (seat,)
    return path[: len(path) - path[::-1].index(seat)]
