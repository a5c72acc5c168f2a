"""Rule 29.61: how each calamity came to each hand this turn, to find who traded it to its victim.

Each arrival is a step of the calamity's path. A player who drew it, or typed it before trading
opened, counts as their own giver. A player who typed it later, or got it by a correction, may have
it by a trade at the table: the giver is `UNKNOWN`. If a correction puts the calamity back into a
hand on its path, the path ends there again. So does, with physical cards, a trade that gives back
exactly what another trade gave: the calamity had been typed by mistake.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from bot.api import (
    Change,
    Corrected,
    Entry,
    Feature,
    Gained,
    GoodsMoved,
    Table,
    Transaction,
    frozen,
    part,
    replace,
    with_part,
)
from bot.games.advciv.state import ACQUIRE, UNKNOWN, OfTurn, dealt

Path = tuple[tuple[str, str], ...]
"""The giver and the taker of each step, in order."""

Paths = Mapping[str, Path]
"""The path of each calamity, by its token."""


@frozen
class Passed(OfTurn):
    """The paths of this turn. ``came``: with what each calamity came in its last trade, as its
    taker's change.
    """

    paths: Paths = field(default_factory=dict)
    came: Mapping[str, Change] = field(default_factory=dict)


def update_paths(table: Table, entry: Entry) -> Table:
    """Update the paths of all calamities after an entry."""
    if not table.tracked or not isinstance(entry, GoodsMoved):
        return table
    now = part(table, Passed)
    paths = after(now.paths, entry, opened=table.phase != ACQUIRE)
    if isinstance(entry, Transaction) and not dealt(table):
        return with_part(table, _mended(now, paths, entry))
    return with_part(table, replace(now, paths=paths))


def _mended(before: Passed, paths: Paths, entry: Transaction) -> Passed:
    """Return the part after a trade of physical cards, in which what was traded back whole was
    never traded.
    """
    now = Passed(paths, before.came)
    for seat, change in (entry.hidden or {}).items():
        there = (seat, entry.other(seat))
        for token in change.gained.of_kind("calamity"):
            path = before.paths.get(token, ())
            if path[-1:] == (there,) and change == before.came.get(token):
                now = replace(now, paths={**now.paths, token: path[:-1]})
            now = replace(now, came={**now.came, token: change})
    return now


def after(paths: Paths, entry: GoodsMoved, *, opened: bool) -> Paths:
    """Return the paths of all calamities after an entry. ``opened``: trading has opened this
    turn.
    """
    for seat, change in (entry.hidden or {}).items():
        for token in change.lost.missing(change.gained).of_kind("calamity"):
            path = paths.get(token, ())
            match entry:
                case Transaction():
                    path = (*path, (entry.other(seat), seat))
                case Corrected() if before := _until(path, seat):
                    path = before
                case Corrected() | Gained() if opened:
                    path = (*path, (UNKNOWN, seat))
                case _:
                    path = (*path, (seat, seat))
            paths = {**paths, token: path}
    return paths


def trader(paths: Paths, token: str, holder: str) -> str | None:
    """Return the seat that traded a calamity to its holder; None if nobody did; `UNKNOWN` if only
    the table knows.
    """
    path = _until(paths.get(token, ()), holder)
    giver = path[-1][0] if path else UNKNOWN
    return None if giver == holder else giver


def _until(path: Path, seat: str) -> Path:
    """Return the path up to the last time the calamity came to this seat; empty if it never did."""
    while path and path[-1][1] != seat:
        path = path[:-1]
    return path


FEATURE = Feature(state=Passed, hears=(GoodsMoved,), after=update_paths)
