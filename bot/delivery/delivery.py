"""Delivery: tells people what happened, and keeps every message as the table is.

What has to be told follows from the ledger: a cursor per table says up to which entry everything was delivered.
Messages are drawn from the table as it is now, so delivering twice changes nothing; a message that is sent again after
a crash carries the same nonce and does not double.
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
"""The least time between two looks whether a table's messages are all still there, in seconds: each look edits every
one of them, and /table show asks for one."""

BREATH = 0.2
"""Seconds between two tables after a start, so that looking after thousands leaves room for those who act now."""


class Delivery:
    """Makes Discord show every table, when something happens there and when the clock brings something.

    ``pace`` is the least time between two edits of one table's board, in seconds. ``clock`` is the service's, unless
    that is Discord's.
    """

    def __init__(
        self, client: discord.Client, service: Service, pace: float, *, clock: Callable[[], datetime] | None = None
    ) -> None:
        self._client = client
        self._service = service
        self._deadlines = Deadlines(clock or discord.utils.utcnow, self._ring)
        self._messages = Messages(service.messages)
        self._reconciler = Reconciler(client, self._messages)
        self._boards = Boards(service, self._messages, self._reconciler, pace)
        self._checked_at: dict[int, float] = {}
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    async def deliver(self, table_id: int, *, check: bool = False) -> None:
        """Tell what happened at a table since the last time. ``check`` also looks whether each message is still there.

        What a channel that is gone or closed to us does not take is logged and not tried again; the ledger stands.
        Raises ``discord.HTTPException`` for anything else, and the same is tried again next time.
        """
        await self._note_deadline(table_id)  # before anything that Discord could refuse
        check = check and self._may_check(table_id)
        await self._boards.show(table_id, check=check)
        # One pass at a time for a table: two would both find that there is no message yet, and send one each.
        async with self._locks.setdefault(table_id, asyncio.Lock()):
            await self._pass(table_id, check)

    def close(self) -> None:
        """Start nothing more; the ledger knows what has to be told."""
        self._deadlines.stop()
        self._boards.close()

    async def catch_up(self) -> None:
        """Deliver what a crash left, and send every message anew that is gone. For the time after a start."""
        self._deadlines.seed(await self._service.deadlines())
        tables = sorted({*await self._service.owing(), *await self._service.open_tables()})
        for number, table_id in enumerate(tables):
            if number:
                await asyncio.sleep(BREATH)
            try:
                await self._service.tick(table_id)
                await self.deliver(table_id, check=True)
            except Exception:  # whatever is wrong with one table must not keep the others waiting
                log.exception("table %d: could not catch up", table_id)

    async def announce(self, table_id: int, text: str) -> None:
        """Say something in a table's channel that was said elsewhere."""
        row = await self._service.table(table_id)
        if row is None:
            return
        channel = self._client.get_partial_messageable(row.channel_id, guild_id=row.guild_id)
        try:
            await channel.send(text, allowed_mentions=discord.AllowedMentions.none())
        except (discord.Forbidden, discord.NotFound) as error:
            log.warning("table %d: channel %d is closed to me (%d)", table_id, row.channel_id, error.code)

    async def unreached(self, outcome: Outcome) -> list[int]:
        """Return the users whom an offer of this outcome should have reached by DM and who were pinged instead."""
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
        """Return the thread of a negotiation; None when there is none."""
        thread = (await self._messages.threads(table_id)).get(NegotiationThread(negotiation))
        return thread.channel_id if thread and thread.channel_id != NOWHERE else None

    async def negotiation_in(self, table_id: int, thread_id: int) -> int | None:
        """Return the negotiation whose thread this is."""
        threads = await self._messages.threads(table_id)
        return next((each.negotiation for each, shown in threads.items() if shown.channel_id == thread_id), None)

    async def _pass(self, table_id: int, check: bool) -> None:
        """Make one table's messages true, then move its cursor: what fails on the way is told again next time."""
        cursor = await self._messages.cursor(table_id)
        briefing = await self._service.briefing(table_id, cursor)
        if briefing is None:
            return
        shown = await self._messages.shown(table_id)
        this = DeliveryPass(table_id, briefing.guild_id, briefing.channel_id, briefing.seq, dict(shown), check)
        await self._reconciler.carry_out(this, plan(briefing, shown))
        if briefing.seq > cursor:
            await self._messages.set_cursor(table_id, briefing.seq)
        if not briefing.open:
            self._boards.forget(table_id)
            self._checked_at.pop(table_id, None)

    async def _ring(self, table_id: int) -> None:
        """Let the clock act on a table whose deadline has come, and tell what that brought."""
        await self._service.tick(table_id)
        await self.deliver(table_id)

    async def _note_deadline(self, table_id: int) -> None:
        try:
            self._deadlines.note(table_id, await self._service.deadline(table_id))
        except Refused:  # the table was removed
            self._deadlines.note(table_id, None)

    def _may_check(self, table_id: int) -> bool:
        """Return whether the last look is long enough ago, and count this as one if so."""
        now = asyncio.get_running_loop().time()
        if now - self._checked_at.get(table_id, -CHECKED_EVERY) < CHECKED_EVERY:
            return False
        self._checked_at[table_id] = now
        return True
