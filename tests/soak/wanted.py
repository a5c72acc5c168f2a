"""What each table should show by the ledger, planned and drawn as delivery would do it now."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from bot.delivery.delivery import ABOUT_OFFERS
from bot.delivery.desired import Desired, OpenThread, Retired, Step, TakenAway, encode
from bot.delivery.life import Life
from bot.delivery.planner import plan
from bot.delivery.records import Lives, TableMessages
from bot.ledger import Ledger
from bot.service import Service, TableRow
from tests.drawn import message
from tests.loopback.screen import Json


@dataclass(frozen=True)
class Wanted:
    """What a table wants of one message."""

    table: str
    channel: str  # of the table
    what: str
    message: str = ""  # its id; empty if it is not known to be there
    # what it should show, with its marker; None if it should have no buttons
    card: Json | None = None
    settled: bool = False  # by its record, nothing is left to do
    resting: bool = False  # and no edit is to be repeated


@dataclass
class Wants:
    """What all tables want, and how many records say that something is left to do."""

    messages: list[Wanted] = field(default_factory=list)
    unsettled: int = 0


async def wanted(database: str, key: Path) -> Wants:
    """Return what is wanted by this ledger, which has its key in this file."""
    found, ledger = Wants(), await Ledger.open(database, key)
    try:
        service = Service(ledger, lambda: datetime.now(UTC))
        for row in await ledger.tables.all_tables():
            await _of_table(service, row, found)
    finally:
        await ledger.close()
    return found


async def _of_table(service: Service, row: TableRow, found: Wants) -> None:
    table = TableMessages(row.id)
    await Lives(service.messages).load(table)
    debts = [table.lives[subject] for subject in table.left]
    also = {each.entry for each in debts if each.entry <= table.cursor}
    offers = {each.subject.offer for each in debts if isinstance(each.subject, ABOUT_OFFERS)}
    briefing = await service.briefing(row.id, table.cursor, also=also, offers=offers)
    if briefing is None:
        return
    table.guild_id, table.channel_id = briefing.guild_id, briefing.channel_id
    found.unsettled += len(table.left)
    for step in plan(briefing, table.lives):
        user = f" for user {each}" if (each := getattr(step.subject, "user", None)) else ""
        about = (row.name, str(row.channel_id), f"{encode(step.subject)}{user}")
        found.messages += _of_step(about, table, step)


def _of_step(about: tuple[str, str, str], table: TableMessages, step: Step) -> Iterator[Wanted]:
    now = table.lives.get(step.subject)
    if isinstance(step, Retired | TakenAway):
        if now is not None and now.message_id:
            yield Wanted(*about, str(now.message_id))
    elif (
        not isinstance(step, Desired)
        or now is None
        or (step.wanted and step.anchor not in (None, now.anchor))
    ):
        if _due(table, step, now):
            yield Wanted(*about)
    elif now.stage != "given_up" and (step.wanted or now.message_id):
        card = table.drawn(table.card_for(step, now.channel_id), now.channel_id)
        drawn = message(card, now.drawn, now.marker(table.id))
        settled = now.resting or now.stage == "settling"  # at most the edit must be repeated
        yield Wanted(*about, str(now.message_id or ""), drawn, settled, now.resting)


def _due(table: TableMessages, step: Step, now: Life | None) -> bool:
    """Return whether something is to be sent, opened or archived."""
    match step:
        case Desired():
            missing = now is None and (not step.wanted or 0 < step.entry <= table.cursor)
            return not missing and table.ready(step)
        case OpenThread():
            return now is None or not now.resting
        case _:
            return now is not None and (now.shows == "open" or not now.resting)
