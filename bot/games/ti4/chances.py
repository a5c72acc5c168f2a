"""What an effect lets a player take after something has happened: Mentak's Pillage, and the gain of Dark Pact.

It follows from what lies open, so it is remembered with the entry that brought it about. A chance is good once, and
until the next turn is over.
"""

from __future__ import annotations

from collections.abc import Iterator

from bot.api import Corrected, Entry, Gained, GoodsMoved, Table, Transaction, replace
from bot.games.ti4.components import COMMODITY, TRADE_GOOD
from bot.games.ti4.entries import Converted
from bot.games.ti4.limits import commodity_value
from bot.games.ti4.state import Chance, are_neighbors, state_of
from bot.games.ti4.take_back.entries import TradeTakenBack

PILLAGE_FROM = 3
"""Pillage: a neighbour with at least so many trade goods."""

WINDOWS_KEPT = 2
"""A turn's end is a window of its own, so a chance lasts through the turn after the one in which it arose."""


def arising(table: Table, entry: Entry, seq: int) -> list[Chance]:
    """Return the chances that the entry of this number brings, at the table as it is after it.

    A trade that is taken back brings none: nobody gains what was theirs before.
    """
    if not table.tracked or not isinstance(entry, GoodsMoved) or isinstance(entry, TradeTakenBack):
        return []
    window = table.window.number
    pillages = [Chance("pillage", "mentak", of, seq, window) for of in _pillaged(table, entry)]
    return [*pillages, *(Chance("dark_pact", *two, seq, window) for two in _dark_pact(table, entry))]


def noted(table: Table, entry: Entry) -> Table:
    """Return the table after an entry with the chances that it brings, and without those that have lapsed."""
    state, last = state_of(table), table.window.number - WINDOWS_KEPT
    new = arising(table, entry, table.seq + 1)
    if not new and (not state.chances or all(chance.window >= last for chance in state.chances)):
        return table
    kept = tuple(chance for chance in state.chances if chance.window >= last)
    return table.with_state(replace(state, chances=(*kept, *new)))


def _pillaged(table: Table, entry: GoodsMoved) -> list[str]:
    """Pillage: Mentak's neighbours with 3 trade goods or more who have traded, or gained trade goods otherwise.

    Turning commodities over is no gain [21.5.3], and what the host corrects or a player declares was there before.
    """
    if "mentak" not in table.seats:
        return []
    if isinstance(entry, Transaction):
        concerned = [entry.first, entry.second]
    elif isinstance(entry, Converted | Corrected) or (isinstance(entry, Gained) and entry.declared):
        concerned = []
    else:
        concerned = [seat for seat, change in entry.changes.items() if change.gained.count(TRADE_GOOD)]
    return [seat for seat in concerned if _can_pillage(table, seat)]


def _can_pillage(table: Table, of: str) -> bool:
    """Return whether this seat is one that Mentak can pillage. Promise of Protection in play wards it off."""
    seat = table.seats[of]
    return (
        of != "mentak"
        and are_neighbors(table, "mentak", of)
        and seat.holdings.count(TRADE_GOOD) >= PILLAGE_FROM
        and "note:promise_of_protection:mentak" not in seat.in_play
    )


def _dark_pact(table: Table, entry: GoodsMoved) -> Iterator[tuple[str, str]]:
    """Dark Pact: its holder gave Empyrean exactly their commodity value, by trade, Trade Agreement or an effect.

    Yield each of the two who gains, with the other.
    """
    if "empyrean" not in entry.changes or isinstance(entry, Corrected):
        return
    for giver, change in entry.changes.items():
        seat, gave = table.seats[giver], change.lost.count(COMMODITY)
        received = entry.changes["empyrean"].gained.count(TRADE_GOOD) >= gave
        if giver == "empyrean" or not gave or not received or "note:dark_pact:empyrean" not in seat.in_play:
            continue
        if gave == commodity_value(seat):
            yield "empyrean", giver
            yield giver, "empyrean"
