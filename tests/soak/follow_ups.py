"""The follow-ups that people are owed as messages: news for one person that the rules derive from
an entry.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from bot.ledger import Ledger
from bot.service import Service
from bot.show.names import name_text
from bot.show.results import follow_ups_of

GONE = re.compile("(You no longer have all the cards you handed over for offer .*?:).*")
"""News that names the cards, and what can be done, as it is when the message is sent."""


@dataclass(frozen=True)
class FollowUp:
    """What one user is to be told because of an entry."""

    table: int
    game: str
    seq: int
    user: str
    text: str


async def follow_ups(database: str, key: Path) -> list[FollowUp]:
    """Every follow-up of every entry in this ledger, which has its key in this file."""
    ledger = await Ledger.open(database, key)
    try:
        service = Service(ledger, lambda: datetime.now(UTC))
        found = list[FollowUp]()
        for row in await ledger.tables.all_tables():
            found += await _of_table(service, row.id)
        return found
    finally:
        await ledger.close()


async def _of_table(service: Service, table: int) -> list[FollowUp]:
    briefing = await service.briefing(table, 0)
    if briefing is None:
        return []
    game = briefing.public.game
    found = list[FollowUp]()
    for seat in briefing.seats.values():
        for entry in seat.entries:
            for follow_up in follow_ups_of(entry, seat.seat, in_receipt=False):
                text = GONE.sub(r"\1", name_text(entry, follow_up.text))
                found.append(FollowUp(table, game, entry.seq, str(seat.user_id), text))
    return found
