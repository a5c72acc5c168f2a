"""Dark Pact: its holder and Empyrean gain 1 trade good each, when the holder gives Empyrean their
commodity value.

That comes before Pillage [1.16], and depends on public goods.
"""

from __future__ import annotations

from bot.api import Apply, Caller, Change, Corrected, Entry, Feature, GoodsMoved, Table
from bot.games.ti4.components import COMMODITY, TRADE_GOOD, trade_goods
from bot.games.ti4.entries import GainedByEffect, with_due
from bot.games.ti4.holdings import commodity_value
from bot.games.ti4.take_back import TradeTakenBack


def brings(
    table: Table, entries: tuple[Entry, ...], caller: Caller, apply: Apply
) -> tuple[Entry, ...]:
    """Insert the gains by Dark Pact, right after the entry that sets it off."""
    if "empyrean" not in table.seats or not any(isinstance(entry, GoodsMoved) for entry in entries):
        return entries
    return with_due(table, entries, apply, _gains)


def _gains(before: Table, entry: Entry, table: Table, seq: int) -> list[Entry]:
    """Return what both gain if entry ``seq`` sets off Dark Pact, given the table after it. Both
    must gain it.
    """
    if (
        not table.tracked
        or not isinstance(entry, GoodsMoved)
        or isinstance(entry, Corrected | TradeTakenBack)
    ):
        return []
    got = entry.changes.get("empyrean", Change()).gained.count(TRADE_GOOD)
    for giver, change in entry.changes.items():
        gave = change.lost.count(COMMODITY)
        if (
            0 < gave <= got
            and gave == commodity_value(table.seats[giver])
            and "note:dark_pact:empyrean" in table.seats[giver].in_play
        ):
            return [
                GainedByEffect(
                    seat=seat,
                    goods=trade_goods(1),
                    effect="Dark Pact",
                    since=seq,
                    changes={seat: Change(gained=trade_goods(1))},
                )
                for seat in ("empyrean", giver)
            ]
    return []


FEATURE = Feature(entries=(GainedByEffect,), hears=(GoodsMoved,), brings=brings)
