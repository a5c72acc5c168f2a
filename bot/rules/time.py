"""The clock at a table: what runs out by itself, and when."""

from __future__ import annotations

from collections.abc import Iterable

from bot.rules.apply import replay
from bot.rules.commands import Tick
from bot.rules.entries import Entry, OfferExpired
from bot.rules.game import game_named
from bot.rules.table import Table

MINUTE = 60_000
"""A minute in milliseconds."""


def tick(table: Table, command: Tick) -> Iterable[Entry]:
    """Every offer whose time is up by now, then what the game's own time brings."""
    expired = [
        OfferExpired(offer=offer.number) for offer in table.live_offers() if offer.until and offer.until <= command.at
    ]
    return [*expired, *game_named(table.game).clock(replay(expired, table), command.at)]


def next_deadline(table: Table) -> int | None:
    """When the table needs the clock next, in milliseconds since 1970; None when nothing runs out."""
    if not table.open:
        return None
    times = [*(offer.until for offer in table.live_offers()), game_named(table.game).deadline(table)]
    return min((at for at in times if at), default=None)
