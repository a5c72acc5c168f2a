"""The follow-ups that people are owed: news for one person that the rules derive from an entry."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime

from bot.ledger import Ledger
from bot.rules.offers.entries import HandedOver
from bot.service import Service
from bot.show.names import format_text


@dataclass(frozen=True)
class FollowUp:
    """What one user is to be told because of an entry."""

    table: int
    game: str
    seq: int
    user: str
    text: str


async def follow_ups(database: str) -> list[FollowUp]:
    """Every follow-up of every entry in this ledger."""
    ledger = await Ledger.open(database)
    try:
        service = Service(ledger, lambda: datetime.now(UTC))
        found = [each for row in await ledger.all_tables() for each in await _of_table(service, row.id)]
        handed = {row.id: await _handed(ledger, row.id) for row in await ledger.all_tables()}
        return [each for each in found if _true_then(each, handed[each.table])]
    finally:
        await ledger.close()


async def _of_table(service: Service, table: int) -> list[FollowUp]:
    briefing = await service.briefing(table, 0)
    if briefing is None:
        return []
    return [
        FollowUp(table, briefing.public.game, entry.seq, str(seat.user_id), format_text(seat.view, each.text))
        for seat in briefing.seats.values()
        for entry in seat.entries
        for each in entry.follow_ups
        if each.seat == seat.seat
    ]


async def _handed(ledger: Ledger, table: int) -> dict[int, int]:
    """For each offer, the last entry by which something was handed over for it."""
    entries = await ledger.read(table)
    return {each.entry.offer: each.seq for each in entries if isinstance(each.entry, HandedOver)}


def _true_then(follow_up: FollowUp, handed: dict[int, int]) -> bool:
    """Whether it was true right after its entry. The service derives it from the table as it is now."""
    about = re.search(r"for offer #(\d+)", follow_up.text)
    return about is None or handed.get(int(about[1]), 0) < follow_up.seq
