"""Delivery: sends people the news of their table and keeps every message up to date.

Whenever a table has changed, its messages are planned from a briefing of the service; then each message is worked on by
itself. What is left to do is in the database: the cursor is the last entry up to which all messages are planned, and a
record says of each message what has become of it.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import datetime
from functools import partial

import discord

from bot.delivery.budget import Budget
from bot.delivery.desired import Desired, Priority, Step
from bot.delivery.intents import Begun
from bot.delivery.messages import Messages, Shown, open_thread
from bot.delivery.planner import plan
from bot.delivery.reconciler import Reconciler
from bot.delivery.subjects import Missed, NegotiationThread, OfferCard, PersonalOffer, Subject, ToConfirm, encode
from bot.delivery.tables import TableMessages
from bot.delivery.transport import Transport
from bot.delivery.turns import Chooser, Turn
from bot.ledger import LedgerError, Tampered
from bot.service import Briefing, Change, Service
from bot.tasks import Tasks

log = logging.getLogger(__name__)

CHECKED_EVERY = 60.0
"""The minimum time between two checks of one table, in seconds. A check edits all its messages, and anybody can cause
one by /table show.
"""

LOGGING_IN = 7
"""Requests that a start makes before delivery begins."""

AT_ONCE = 8
"""Tables that are planned at the same time after a start."""

PLAN_AGAIN = 5.0
"""Seconds after which a table is planned again whose messages could not be planned."""

MOMENT = 0.01
"""Seconds for a timer that is due to fire."""

KEPT = 2048
"""Tables whose messages are remembered in memory; of any other they are read again."""

ABOUT_OFFERS = (OfferCard, PersonalOffer, ToConfirm, Missed)
"""Subjects that need the offer they are about, even if it is over."""


class Delivery:
    """Keeps Discord up to date with every table.

    ``pace`` is the minimum time between two edits of one table's board or set-up, in seconds. ``clock`` must be the
    clock of the service; by default it is the system's. ``budget`` limits the requests, by default as Discord does.
    ``owns`` returns whether this process delivers for a server.
    """

    def __init__(
        self,
        client: discord.Client,
        service: Service,
        pace: float,
        *,
        clock: Callable[[], datetime] | None = None,
        budget: Budget | None = None,
        owns: Callable[[int | None], bool] = lambda guild_id: True,
    ) -> None:
        self._service = service
        self._clock = clock or discord.utils.utcnow
        self._owns = owns
        self._messages = Messages(service.messages)
        self._budget = budget or Budget()
        transport = Transport(client, service.messages, service.members, self._budget)
        self._reconciler = Reconciler(transport, self._messages, self._now, pace, partial(self.wake, anew=True))
        self._tables: dict[int, TableMessages] = {}
        self._checked_at: dict[int, float] = {}
        self._tasks = Tasks()
        self._closed = False
        service.subscribe(self._changed)

    # ---------------------------------------------------------------- interface

    def wake(self, table_id: int, *, anew: bool = False) -> None:
        """Have a table's messages planned soon, because it changed.

        ``anew``: also if it has no new entries, or this process does not know of them.
        """
        if not self._closed:
            self._tasks.start("planning", self._plan_alone(table_id, always=anew))

    def check(self, table_id: int) -> None:
        """Have it looked whether each message of a table still exists, unless that was done a moment ago."""
        if not self._closed and self._may_check(table_id):
            self._tasks.start("planning", self._plan_alone(table_id, check=True))

    async def deliver(self, table_id: int, *subjects: Subject) -> None:
        """Plan a table's messages, and return when the requests for these were tried once; by default for all.

        Raises `bot.ledger.LedgerError`.
        """
        table = self._table(table_id)
        async with table.lock:
            await self._plan(table)
        works = [work for subject, work in table.works.items() if not subjects or subject in subjects]
        await asyncio.gather(*(work.tried.wait() for work in works if not work.held))

    @asynccontextmanager
    async def turn(self, table_id: int) -> AsyncIterator[Turn]:
        """Hold a table's messages as they are while a command is carried out, until `Turn.answer` plans them."""
        table = self._table(table_id)
        async with table.lock:
            yield Turn(self._reconciler, table, partial(self._plan, table))

    async def start(self) -> None:
        """Work on what the last run left: the newest first, but now and then one of the oldest."""
        self._budget.spend(LOGGING_IN)
        gate = asyncio.Semaphore(AT_ONCE)

        async def planned(table_id: int) -> None:
            async with gate:
                await self._plan_alone(table_id)

        await asyncio.gather(*(planned(table_id) for table_id in newest_first(await self._service.undelivered())))

    async def finish(self, seconds: float) -> None:
        """Work on what is left, as far as that is possible in so many seconds, and take up nothing more.

        What failed is tried once more now, and what is put off for less than this time when it is due.
        """
        loop = asyncio.get_running_loop()
        until = loop.time() + seconds
        self._closed = True
        self._reconciler.recovered()
        while (left := until - loop.time()) > 0:
            works = [work for table in self._tables.values() for work in table.works.values() if not work.held]
            running = [*self._tasks.running, *(work.task for work in works if work.task)]
            due = [work.due for work in works if work.timer and work.due < until]
            if running:
                await asyncio.wait(running, timeout=left)
            elif due:
                await asyncio.sleep(max(MOMENT, min(due) - loop.time()))
            else:
                return

    async def close(self) -> None:
        """Stop. The records tell the next start what is left."""
        self._closed = True
        await self._reconciler.close()
        await self._tasks.close()

    async def thread_of(self, table_id: int, negotiation: int) -> int | None:
        """Return the id of a negotiation's thread, which is opened first if that is to be; None if there is none."""
        await self.deliver(table_id, NegotiationThread(negotiation))
        table = await self._read(table_id)
        return open_thread(table.records.get(NegotiationThread(negotiation)))

    async def negotiation_in(self, table_id: int, thread_id: int) -> int | None:
        """Return the number of the negotiation whose thread this is, or None."""
        records = (await self._read(table_id)).records
        threads = {each.message_id: subject for subject, each in records.items()}
        found = threads.get(thread_id)
        return found.negotiation if isinstance(found, NegotiationThread) else None

    # ---------------------------------------------------------------- planning

    def _changed(self, change: Change) -> None:
        if self._owns(change.guild_id):
            self.wake(change.table_id)

    def _table(self, table_id: int) -> TableMessages:
        table = self._tables.pop(table_id, None) or TableMessages(table_id)
        self._tables[table_id] = table  # the newest last
        if len(self._tables) > KEPT:
            self._drop_idle(table)
        return table

    def _drop_idle(self, kept: TableMessages) -> None:
        """Drop the table that was used least recently and has nothing to do."""
        for table in self._tables.values():
            if table is not kept and not table.works and not table.lock.locked():
                del self._tables[table.id]
                self._checked_at.pop(table.id, None)
                return

    async def _read(self, table_id: int) -> TableMessages:
        """Return a table's messages, without waiting for a command that is being carried out if they are known."""
        table = self._table(table_id)
        if table.shown is None:
            async with table.lock:
                await self._load(table)
        return table

    async def _load(self, table: TableMessages) -> None:
        """Read the messages of a table, unless that was done."""
        if table.shown is None:
            shown, table.cursor = await self._messages.of(table.id), await self._messages.cursor(table.id)
            table.left = {subject for subject, each in shown.items() if not each.settled}
            table.shown = shown

    async def _plan_alone(self, table_id: int, *, always: bool = False, check: bool = False) -> None:
        """Plan a table's messages, and if that fails, again later."""
        table = self._table(table_id)
        try:
            async with table.lock:
                await self._plan(table, always=always, check=check)
        except Tampered:
            return  # the ledger has told the operator, and only a new start can help
        except LedgerError as error:
            log.error("table %d: its messages could not be planned", table_id, exc_info=error)
            asyncio.get_running_loop().call_later(PLAN_AGAIN, self.wake, table_id)
        except Exception:  # a defect at one table must not keep the others waiting; the next change tries again
            log.exception("table %d: its messages could not be planned", table_id)

    async def _plan(
        self, table: TableMessages, choose: Chooser | None = None, *, check: bool = False, always: bool = False
    ) -> tuple[Begun | None, Sequence[Begun]]:
        """Plan all messages of a table, and start to work on those that are not what they should be.

        ``choose`` may take one of them, which an interaction's response shows; it is returned with all others.
        ``check``: look whether each message still exists.
        ``always``: also where nothing seems to have changed. The lock must be held. Raises `LedgerError`, with nothing
        started.
        """
        await self._load(table)
        briefing = await self._briefing(table, always=always or check)
        if briefing is None or not self._owns(briefing.guild_id):
            return None, ()
        table.guild_id, table.channel_id = briefing.guild_id, briefing.channel_id
        steps = plan(briefing, table.records)
        begun = [one for step in steps for one in self._reconciler.begin(table, step, briefing.seq, check=check)]
        chosen = choose(table, begun) if choose else None
        records = [_recorded(one, chosen) for one in begun if one.record is not None]
        lost = self._left_over(table, steps)
        if records or lost or briefing.seq > table.cursor:
            await self._messages.save(table.id, records, forgotten=lost, cursor=briefing.seq)
        table.cursor = max(table.cursor, briefing.seq)
        self._take_up(table, begun, records, lost, chosen)
        return chosen, begun

    def _left_over(self, table: TableMessages, steps: Iterable[Step]) -> list[Subject]:
        """Return what another run was working on and nobody wants any more, such as a notice that was settled."""
        return sorted(table.left - {step.subject for step in steps}, key=encode)

    def _take_up(
        self,
        table: TableMessages,
        begun: Sequence[Begun],
        records: Iterable[Shown],
        lost: Iterable[Subject],
        chosen: Begun | None,
    ) -> None:
        """Start the work on everything but the chosen message, which only the interaction's response may show."""
        table.records.update((each.subject, each) for each in records)
        for subject in lost:
            table.records.pop(subject, None)
        table.works.update((one.subject, one.work) for one in begun)
        if chosen is not None:
            chosen.work.held = True
        for one in sorted(begun, key=_urgency):
            self._reconciler.start(table, one.subject)
        table.left -= {*lost, *(one.subject for one in begun)}

    async def _briefing(self, table: TableMessages, *, always: bool) -> Briefing | None:
        """Return what to plan from, or None where nothing has changed and nothing is left of another run."""
        debts = [table.records[subject] for subject in table.left if subject in table.records]
        known = self._service.seq(table.id)
        if not debts and not always and known == table.cursor and table.channel_id:
            return None
        also = {each.entry for each in debts if each.entry <= table.cursor}
        offers = {each.subject.offer for each in debts if isinstance(each.subject, ABOUT_OFFERS)}
        return await self._service.briefing(
            table.id, table.cursor, also=also, offers=offers, as_known=not always and known > table.cursor
        )

    def _now(self) -> int:
        return int(self._clock().timestamp() * 1000)

    def _may_check(self, table_id: int) -> bool:
        """Return whether the last check is long enough ago; if so, remember this one as the last."""
        now = asyncio.get_running_loop().time()
        if now - self._checked_at.get(table_id, -CHECKED_EVERY) < CHECKED_EVERY:
            return False
        self._checked_at[table_id] = now
        return True


def newest_first(tables: Sequence[int]) -> list[int]:
    """Return tables that are in order of their last entry, newest first, with every fourth one taken from the oldest.

    So the most recent debts are paid first, and the oldest in the end too, even if this program is restarted often.
    """
    left, order = deque(tables), list[int]()
    while left:
        order += [left.popleft() for _ in range(min(3, len(left)))]
        order += [left.pop()] if left else []
    return order


def _urgency(one: Begun) -> Priority:
    return one.step.priority if isinstance(one.step, Desired) else Priority.CARD


def _recorded(one: Begun, chosen: Begun | None) -> Shown:
    """Return the record of what begins. A response has no nonce: if it is uncertain, it must be looked for."""
    assert one.record is not None
    answers = one is chosen and not one.record.message_id
    # The response may say more than the card that is planned.
    return replace(one.record, fate="answering", state="") if answers else one.record
