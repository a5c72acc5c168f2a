"""Deadlines of a table: what runs out by itself, and when. All times are in milliseconds since 1970."""

from __future__ import annotations

from collections.abc import Iterable

from bot.rules.apply import replay
from bot.rules.commands import Caller, Handlers, handler
from bot.rules.entries import Entry
from bot.rules.model.table import Table
from bot.rules.offers.ends import expired
from bot.rules.registry import game_of
from bot.rules.tables.commands import Tick


def tick(table: Table, command: Tick, caller: Caller) -> Iterable[Entry]:
    """End every offer whose time is up, then what the game's own clock ends."""
    ended, clock = expired(table, caller.at), game_of(table).clock
    # The game's clock must not end once more an offer that has just expired.
    return [*ended, *(clock.tick(replay(ended, table), caller.at) if clock else ())]


def next_deadline(table: Table) -> int | None:
    """Return when the table needs the clock next; None when nothing runs out."""
    if not table.open:
        return None
    times = [offer.until for offer in table.offers.values() if offer.until and offer.live]
    clock = game_of(table).clock
    if clock is not None and (at := clock.deadline(table)):
        times.append(at)
    return min(times, default=None)


HANDLERS: Handlers = dict([handler(Tick, tick)])
