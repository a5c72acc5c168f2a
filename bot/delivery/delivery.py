"""Delivery: sends people the news of their table and keeps every message up to date.

What has to be delivered follows from the ledger: a cursor for each table is the last entry of which everything was
delivered. Messages are drawn from the table as it is now, so delivering twice changes nothing. A message that is sent
again after a crash carries the same nonce, so Discord does not post it twice.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from datetime import datetime
from weakref import WeakValueDictionary

import discord

from bot.delivery.boards import Boards
from bot.delivery.deadlines import Deadlines
from bot.delivery.messages import Messages
from bot.delivery.planner import plan
from bot.delivery.reconciler import NOWHERE, DeliveryPass, Reconciler
from bot.delivery.subjects import NegotiationThread
from bot.rules.model.violation import Refused
from bot.rules.offers.entries import OfferEntry
from bot.service import Outcome, Service

log = logging.getLogger(__name__)

CHECKED_EVERY = 60.0
"""The minimum time between two checks of one table, in seconds. A check edits all its messages, and anybody can cause
one by /table show.
"""

CATCH_UP_PAUSE = 0.2
"""Seconds between two tables after a start, so that catching up on thousands leaves room for people who act now."""


class Delivery:
    """Keeps Discord up to date with every table, after commands and after deadlines.

    ``pace`` is the minimum time between two edits of one table's board, in seconds. ``clock`` must be the clock of the
    service; by default it is the system's.
    """

    def __init__(
        self, client: discord.Client, service: Service, pace: float, *, clock: Callable[[], datetime] | None = None
    ) -> None:
        self._client = client
        self._service = service
        self._deadlines = Deadlines(clock or discord.utils.utcnow, self._deadline_due)
        self._messages = Messages(service.messages)
        self._reconciler = Reconciler(client, self._messages)
        self._boards = Boards(service, self._messages, self._reconciler, pace)
        self._checked_at: dict[int, float] = {}
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    async def deliver(self, table_id: int, *, check: bool = False) -> None:
        """Deliver the news of a table since the last time. ``check`` also looks whether each message still exists.

        A message to a channel that is gone or inaccessible is logged and not tried again. Raises
        ``discord.HTTPException`` for any other error; the next delivery then repeats what is left.
        """
        await self._note_deadline(table_id)  # first, since anything that follows may raise
        check = check and self._may_check(table_id)
        await self._boards.show(table_id, check=check)
        # One pass at a time for each table: two would both find no message yet and send one each.
        async with self._locks.setdefault(table_id, asyncio.Lock()):
            await self._pass(table_id, check)

    async def close(self) -> None:
        """Stop the timers and what they started. The cursor tells the next start what was not delivered."""
        await self._deadlines.close()
        await self._boards.close()

    async def catch_up(self) -> None:
        """Deliver what the last run left, and send again every message that is gone. Called once after a start."""
        self._deadlines.seed(await self._service.deadlines())
        tables = sorted({*await self._service.undelivered(), *await self._service.open_tables()})
        for number, table_id in enumerate(tables):
            if number:
                await asyncio.sleep(CATCH_UP_PAUSE)
            try:
                await self._service.tick(table_id)
                await self.deliver(table_id, check=True)
            except Exception:  # an error at one table must not keep the others waiting
                log.exception("table %d: could not catch up", table_id)

    async def announce(self, table_id: int, text: str) -> None:
        """Send a text to a table's channel, without notifying anybody. Inaccessible channels are logged."""
        row = await self._service.table(table_id)
        if row is None:
            return
        channel = self._client.get_partial_messageable(row.channel_id, guild_id=row.guild_id)
        try:
            await channel.send(text, allowed_mentions=discord.AllowedMentions.none())
        except (discord.Forbidden, discord.NotFound) as error:
            log.warning("table %d: channel %d is inaccessible (%d)", table_id, row.channel_id, error.code)

    async def unreached(self, outcome: Outcome) -> list[int]:
        """Return the users whom DMs did not reach, and who were pinged in a channel about an offer of this outcome."""
        table_id = outcome.table_id
        offers = dict.fromkeys(each.entry.offer for each in outcome.entries if isinstance(each.entry, OfferEntry))
        shared = {thread.channel_id for thread in (await self._messages.threads(table_id)).values()}
        if (row := await self._service.table(table_id)) is not None:
            shared.add(row.channel_id)
        return [
            subject.user
            for offer in offers
            for subject, shown in (await self._messages.personal_offers(table_id, offer)).items()
            if shown.channel_id in shared
        ]

    async def thread_of(self, table_id: int, negotiation: int) -> int | None:
        """Return the id of a negotiation's thread, or None if there is none."""
        thread = (await self._messages.threads(table_id)).get(NegotiationThread(negotiation))
        return thread.channel_id if thread and thread.channel_id != NOWHERE else None

    async def negotiation_in(self, table_id: int, thread_id: int) -> int | None:
        """Return the number of the negotiation whose thread this is, or None."""
        threads = await self._messages.threads(table_id)
        return next((each.negotiation for each, shown in threads.items() if shown.channel_id == thread_id), None)

    async def _pass(self, table_id: int, check: bool) -> None:
        """Bring one table's messages up to date, then move its cursor, so that after an error the news is repeated."""
        cursor = await self._messages.cursor(table_id)
        briefing = await self._service.briefing(table_id, cursor)
        if briefing is None:
            return
        shown = await self._messages.shown(table_id)
        current = DeliveryPass(table_id, briefing.guild_id, briefing.channel_id, briefing.seq, dict(shown), check)
        await self._reconciler.carry_out(current, plan(briefing, shown))
        if briefing.seq > cursor:
            await self._messages.set_cursor(table_id, briefing.seq)
        if not briefing.open:
            self._boards.forget(table_id)
            self._checked_at.pop(table_id, None)

    async def _deadline_due(self, table_id: int) -> None:
        """Let the service act on a deadline, and deliver the result."""
        await self._service.tick(table_id)
        await self.deliver(table_id)

    async def _note_deadline(self, table_id: int) -> None:
        try:
            self._deadlines.note(table_id, await self._service.deadline(table_id))
        except Refused:  # the table was removed
            self._deadlines.note(table_id, None)

    def _may_check(self, table_id: int) -> bool:
        """Return whether the last check is long enough ago; if so, remember this one as the last."""
        now = asyncio.get_running_loop().time()
        if now - self._checked_at.get(table_id, -CHECKED_EVERY) < CHECKED_EVERY:
            return False
        self._checked_at[table_id] = now
        return True
