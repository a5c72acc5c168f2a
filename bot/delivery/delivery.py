"""Delivery: sends people the news of their table and keeps every message up to date.

Whenever a table changes, its messages are planned from a briefing of the service; then each message
is sent or edited independently. The database holds what is left to do: the cursor is the last entry
up to which all messages are planned, and each message has a record of its state.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import datetime
from functools import partial
from itertools import chain
from typing import Any, Literal, NamedTuple

import discord

from bot.delivery.budget import Budget
from bot.delivery.desired import (
    SAID_STANDS,
    Board,
    Departed,
    Desired,
    EveningPicture,
    GoneYes,
    NegotiationThread,
    NotChosen,
    OfferCard,
    PersonalOffer,
    Priority,
    Retired,
    SaidOffer,
    Subject,
    TakenAway,
    ToConfirm,
    Way,
    encode,
    user_of,
)
from bot.delivery.offer_messages import no_longer_undone
from bot.delivery.planner import evening, plan
from bot.delivery.receipts import Receipts
from bot.delivery.reconciler import PlannedWork, Reconciler
from bot.delivery.records import Lives, TableMessages, absent, open_thread
from bot.delivery.render import linked
from bot.delivery.tokens import Tokens
from bot.delivery.transport import QUIET, Notice, Transport
from bot.delivery.verdicts import FAILURES, FailureAction, judge
from bot.ledger import LedgerError, Tampered
from bot.rules.model.replacing import replace
from bot.rules.model.violation import Refused
from bot.service import Briefing, Service, TableChange
from bot.show.actions import SeeIt
from bot.show.cards import Card
from bot.tasks import Tasks, loop_time
from bot.watch import Watch

log = logging.getLogger(__name__)

CHECKED_EVERY = 60.0
"""The minimum time between two checks of one table, in seconds. A check edits all its messages, and
anybody can start one with /table show.
"""

LOGGING_IN = 7
"""Requests that the program makes at a start before delivery begins."""

PLANNED_AT_ONCE, REDRAWN_AT_ONCE = 2, 8
"""The number of tables planned at the same time after a start, and drawn anew after an update.
Planning is work of the processor, and who presses a button meanwhile waits for the plans begun.
"""

PLAN_AGAIN = 5.0
"""Seconds until planning a table is tried again after it failed."""

TABLE_SHARE = 100
"""The number of messages of one table that may wait to be sent. A table with more takes no commands
for the moment.

Discord accepts 50 requests a second for all tables, so this many takes some seconds at least. An
evening's busiest commands change a few dozen messages.
"""

REPORT_EVERY, REPORTED_AFTER = 60.0, 30.0
"""Seconds between two lines in the log about what is owed, and how old the oldest message must be
for a line.
"""

OWED_AFTER = 5.0
"""Seconds for which a message may differ from what its table wants before it is owed. Most take
less than one.
"""

SOON = 1.0
"""Seconds until a message is taken away that is just being sent."""

PICTURE_WITHIN = 5.0
"""Seconds that a new table waits for the picture of the one before it in its channel."""

MOMENT = 0.01
"""Seconds to let a due timer fire."""

SCREEN, MOVES_EVERY = 8, 60.0
"""How many messages this program may send below a board before the board moves down, which is more
than a phone shows at once; and the minimum time between two such moves, in seconds. People's own
messages are not counted: those that are not for the bot are dropped before any work.
"""

UNREACHABLE_WITHIN = 8.0
"""Seconds that a command waits to find out whom DMs do not reach."""

ANNOUNCE_AGAIN = (1.0, 4.0, 16.0)
"""Seconds between attempts to send a message that belongs to no table."""

ANNOUNCE_LATER = 60.0
"""Seconds until such a message is tried again after all those attempts."""

TABLES_KEPT = 2048
"""The number of tables whose messages stay in memory. The messages of other tables are read
again.
"""

ABOUT_OFFERS = (OfferCard, PersonalOffer, ToConfirm, GoneYes, NotChosen)
"""Subjects whose planning needs their offer, even if it is over."""


Announced = Literal["sent", "refused", "not now"]
"""What became of a message that belongs to no table; ``not now`` while Discord is down."""


class Delivery:
    """Keeps Discord up to date with every table.

    ``pace`` is the minimum time between two edits of one table's board or set-up, in seconds.
    ``clock`` must be the service's clock; the default is the system's. ``budget`` limits the
    requests; the default is Discord's limits. ``owns`` returns whether this process delivers for a
    server.
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
        watch: Watch | None = None,
    ) -> None:
        self._service = service
        self._clock = clock or discord.utils.utcnow
        self._owns = owns
        self._lives = Lives(service.messages)
        self._budget = budget or Budget()
        watch = watch or Watch()
        watch.owes(self.owed)
        self._transport = Transport(client, service.messages, service.members, self._budget, watch)
        self._reconciler = Reconciler(
            self._transport, self._lives, self._now, pace, partial(self.wake, always=True)
        )
        self.receipts = Receipts(self._reconciler.tokens)
        self._tables: dict[int, TableMessages] = {}
        self._checked_at: dict[int, float] = {}
        # tables to plan, and since when, in milliseconds since 1970
        self._unplanned: dict[int, int] = {}
        self._turn = asyncio.Lock()
        self._tasks = Tasks()
        self._started = self._closed = False
        self._report: asyncio.TimerHandle | None = None
        service.subscribe(self._changed)
        service.members.moved = self.server_changed

    # ---------------------------------------------------------------- interface

    def wake(self, table_id: int, *, always: bool = False) -> None:
        """Plan a table's messages soon, because it changed.

        ``always``: plan them even if this process knows of no new entries.
        """
        self._plan_soon(table_id, always, check=False)

    def _plan_soon(self, table_id: int, always: bool, check: bool) -> None:
        if not self._closed:
            self._tasks.start("planning", self._plan_alone(table_id, always=always, check=check))

    def check(self, table_id: int) -> None:
        """Check that the table's messages still exist, at most once in `CHECKED_EVERY` seconds."""
        now = loop_time()
        if now - self._checked_at.get(table_id, -CHECKED_EVERY) >= CHECKED_EVERY:
            self._checked_at[table_id] = now
            self._plan_soon(table_id, always=False, check=True)

    def server_changed(self, guild_id: int) -> None:
        """Bring all messages of a server's tables up to date at once, since the bot has left the
        server or is back.

        In the channels nobody else could change them meanwhile, so only those are edited that show
        something outdated.
        """
        if not self._closed and self._owns(guild_id):
            self._reconciler.try_anew()
            self._tasks.start("planning", self._plan_server(guild_id))

    async def _plan_server(self, guild_id: int) -> None:
        try:
            tables = await self._service.tables_on(guild_id)
        except LedgerError as error:
            log.error("the tables of a server could not be read: %s", error)
            asyncio.get_running_loop().call_later(PLAN_AGAIN, self.server_changed, guild_id)
            return
        away = self._service.members.removed(guild_id)  # then each DM is to say so
        for table_id in tables:
            await self._plan_alone(table_id, check=away, always=True)

    async def deliver(self, table_id: int, *subjects: Subject) -> None:
        """Plan a table's messages, and wait until the requests for these subjects, by default all,
        were tried once.

        Raises `bot.ledger.LedgerError`.
        """
        table = self._table(table_id)
        async with table.lock:
            await self._plan(table)
        works = [
            work for subject, work in table.works.items() if not subjects or subject in subjects
        ]
        for work in works:
            if not work.held:
                await work.tried.wait()

    @asynccontextmanager
    async def for_command(
        self, table_id: int, pressed: int | None = None
    ) -> AsyncIterator[CommandDelivery]:
        """Yield the messages of a command: to execute in its `CommandDelivery.lock`, and then to
        plan there.

        ``pressed`` is the message whose button was pressed. Inside the block only the response
        edits or deletes it. Raises `Refused` when too many of the table's messages wait to be sent.
        """
        table = self._table(table_id)
        if table.waiting >= TABLE_SHARE:
            raise Refused(
                "This table has more news than Discord lets me send at once.",
                "Try again in half a minute.",
            )
        messages = CommandDelivery(self._reconciler, table, partial(self._plan, table, pressed))
        try:
            yield messages
        finally:
            messages.release()

    async def ask_to_see(self, table_id: int, message: int, see: SeeIt) -> None:
        """Send **See it** under the message in which somebody said an offer. Raises
        `LedgerError`.
        """
        table, until = self._table(table_id), self._now() + SAID_STANDS
        said = SaidOffer(message, until, see.person, see.to, see.negotiation, see.give, see.want)
        async with table.lock:
            table.said.add(said)
            await self._plan(table, always=True)

    async def announce(
        self,
        channel_id: int,
        card: Card,
        nonce: str,
        *,
        notice: Notice = QUIET,
        way: Way = "v2",
    ) -> Announced:
        """Send a message that belongs to no table, trying again for a while if Discord is down."""
        for pause in (*ANNOUNCE_AGAIN, None):
            try:
                await self._transport.send(
                    channel_id,
                    card,
                    way,
                    marker=None,
                    nonce=nonce,
                    notice=notice,
                    priority=Priority.NEWS,
                )
            except (discord.HTTPException, discord.RateLimited, *FAILURES) as error:
                if judge(error).act is not FailureAction.RETRY:
                    return "refused"
                if pause is not None:
                    await asyncio.sleep(pause)
            else:
                return "sent"
        return "not now"

    async def tell(self, user_id: int, card: Card, nonce: str) -> None:
        """Send a person a message that belongs to no table, if DMs reach them."""
        try:
            channel_id = await self._transport.dm_channel(user_id, Priority.NEWS)
        except (discord.HTTPException, discord.RateLimited, *FAILURES) as error:
            log.info("a person could not be told what is recorded: %s", error)
            return
        await self.announce(channel_id, card, nonce, way="classical")

    async def newest(self, channel_id: int) -> Sequence[Mapping[str, Any]]:
        """Return the bot's own messages among the newest of a channel, newest first, as Discord has
        them. All else goes first. Raises what `Transport` raises.
        """
        return await self._transport.newest(channel_id, priority=Priority.AGAIN)

    async def announce_until_taken(self, channel_id: int, card: Card, nonce: str) -> None:
        """Send a message that belongs to no table; in the background if Discord is down."""
        announced = await self.announce(channel_id, card, nonce)
        if announced == "not now":
            later = self._announce_later(channel_id, card, nonce)
            self._tasks.start("an announcement", later)
        elif announced == "refused":
            log.warning("channel %d: Discord refused an announcement", channel_id)

    async def _announce_later(self, channel_id: int, card: Card, nonce: str) -> None:
        await asyncio.sleep(ANNOUNCE_LATER)
        await self.announce_until_taken(channel_id, card, nonce)

    def before_planning(self, table_id: int) -> asyncio.Lock:
        """Return the lock inside which nothing is planned for a table."""
        return self._table(table_id).lock

    def refused(self, status: int, banned_for: float) -> None:
        """Count a request that Discord refused; see `without_retries`."""
        self._transport.refused(status, banned_for)

    def reaches(self, user_id: int) -> bool:
        """Return whether DMs reach a user, as far as this process has learned."""
        return user_id not in self._reconciler.unreached

    @property
    def tokens(self) -> Tokens:
        """The tokens of interactions that reach messages."""
        return self._reconciler.tokens

    async def start(self) -> None:
        """Plan the tables with unfinished messages, in the order of `newest_first`.

        Call it when Discord is connected. Until then changes, such as those by other processes, are
        left to it.
        """
        self._started = True
        self._budget.spend(LOGGING_IN)
        gate = asyncio.Semaphore(PLANNED_AT_ONCE)

        async def planned(table_id: int) -> None:
            async with gate:
                await self._plan_alone(table_id)

        tables = newest_first(await self._service.undelivered())
        self._unplanned |= dict.fromkeys(tables, self._now())
        await asyncio.gather(*(planned(table_id) for table_id in tables))

    async def redraw(self, tables: Sequence[int]) -> None:
        """Bring all messages of these tables up to date, after an update of the program: it draws
        other buttons. Only edits are made, which notify nobody.

        A few tables at a time: what anybody does meanwhile goes first.
        """
        gate = asyncio.Semaphore(REDRAWN_AT_ONCE)

        async def redrawn(table_id: int) -> None:
            async with gate:
                await self._plan_alone(table_id, always=True)
                for work in [*self._table(table_id).works.values()]:
                    if not work.held:
                        await work.tried.wait()

        await asyncio.gather(*map(redrawn, newest_first(tables)))

    async def finish(self, seconds: float) -> None:
        """Accept no new work, and finish what can be finished within ``seconds``.

        Failed work is tried once more now; postponed work is tried if it is due in time.
        """
        loop = asyncio.get_running_loop()
        until = loop.time() + seconds
        self._closed = True
        self._reconciler.recovered()
        while (left := until - loop.time()) > 0:
            every = chain.from_iterable(table.works.values() for table in self._tables.values())
            works = [work for work in every if not work.held]
            running = [*self._tasks.running, *(work.task for work in works if work.task)]
            due = [work.due for work in works if work.timer and work.due < until]
            if running:
                await asyncio.wait(running, timeout=left)
            elif due:
                await asyncio.sleep(max(MOMENT, min(due) - loop.time()))
            else:
                return

    async def close(self) -> None:
        """Stop. What is stored tells the next process what is left to do."""
        self._closed = True
        if self._report is not None:
            self._report.cancel()
        await self.receipts.close()
        await self._reconciler.close()
        await self._tasks.close()

    def report(self) -> None:
        """Log how much is owed if some of it is old, and look again later while anything is
        owed.
        """
        owed, age = self.owed()
        tables = sum(bool(table.works) for table in self._tables.values())
        if age >= REPORTED_AFTER:
            log.warning(
                "%d messages are owed, at %d tables, the oldest for %.0f s", owed, tables, age
            )
        again = asyncio.get_running_loop().call_later
        self._report = (
            again(REPORT_EVERY, self.report) if self._differing() and not self._closed else None
        )

    def owed(self) -> tuple[int, float]:
        """Return how many messages are not as they should be for `OWED_AFTER` seconds, and for how
        long the oldest.

        A table whose messages could not be planned counts as one.
        """
        now = self._now()
        since = [each for each in self._differing() if now - each >= 1000 * OWED_AFTER]
        return len(since), (now - min(since, default=now)) / 1000

    def _differing(self) -> list[int]:
        """Return since when messages are not as they should be, in milliseconds since 1970.

        One that shows what it should, and is only looked for or edited once more, does not count.
        """
        owed = [*self._unplanned.values()]
        for table in self._tables.values():
            lives = table.read or {}
            for work in table.works.values():
                life = lives.get(work.step.subject)
                if not work.paced and not (life and life.good):
                    owed.append(work.since)
        return owed

    async def channel_deleted(self, channel_id: int) -> None:
        """Note that a channel or thread was deleted. The host of its table, if it has one, is
        told.
        """
        table_id = await self._service.table_in(channel_id)
        if table_id is not None:
            await self._service.messages.set_gone(channel_id)
            table = self._table(table_id)
            table.gone = table.channel_id == channel_id
            self.wake(table_id, always=True)

    async def thread_of(
        self, table_id: int, negotiation: int
    ) -> tuple[int | None, tuple[int, ...]]:
        """Return the id of a negotiation's thread, after opening it if it is planned; None when
        there is none.

        Return also the users who could not be added to it.
        """
        await self.deliver(table_id, NegotiationThread(negotiation))
        life = (await self._read(table_id)).lives.get(NegotiationThread(negotiation))
        return open_thread(life), absent(life)

    async def negotiation_in(self, table_id: int, thread_id: int) -> int | None:
        """Return the number of the negotiation in this thread, or None."""
        lives = (await self._read(table_id)).lives
        threads = {each.message_id: subject for subject, each in lives.items()}
        found = threads.get(thread_id)
        return found.negotiation if isinstance(found, NegotiationThread) else None

    # ---------------------------------------------------------------- planning

    def _changed(self, change: TableChange) -> None:
        if self._started and self._owns(change.guild_id):
            self.wake(change.table_id)

    def _table(self, table_id: int) -> TableMessages:
        table = self._tables.pop(table_id, None) or TableMessages(table_id)
        self._tables[table_id] = table  # the most recently used last
        if len(self._tables) > TABLES_KEPT:  # drop the least recently used one that has no work
            for each in self._tables.values():
                if each is not table and not each.works and not each.lock.locked():
                    del self._tables[each.id]
                    self._checked_at.pop(each.id, None)
                    break
        return table

    async def _read(self, table_id: int) -> TableMessages:
        """Return a table's messages. If they are in memory, do not wait for a command that holds
        the lock.
        """
        table = self._table(table_id)
        if table.read is None:
            async with table.lock:
                await self._lives.load(table)
        return table

    async def _plan_alone(
        self, table_id: int, *, always: bool = False, check: bool = False
    ) -> None:
        """Plan a table's messages. If that fails, log it, and if the ledger is the reason, try
        again later.
        """
        table = self._table(table_id)
        self._unplanned.setdefault(table_id, self._now())
        try:
            async with table.lock:
                await self._plan(table, always=always, check=check)
        except Tampered:
            return  # the ledger has told the operator, and only a restart can help
        except LedgerError as error:
            log.error(
                "a table's messages could not be planned", exc_info=error, extra={"table": table_id}
            )
            asyncio.get_running_loop().call_later(
                PLAN_AGAIN, self._plan_soon, table_id, always, check
            )
        # a defect at one table must not stop the others; the next change tries again
        except Exception:
            log.exception("a table's messages could not be planned", extra={"table": table_id})

    async def _plan(
        self,
        table: TableMessages,
        pressed: int | None = None,
        *,
        check: bool = False,
        always: bool = False,
    ) -> Sequence[PlannedWork]:
        """Plan all messages of a table, and start work on those that need it. The lock must be
        held.

        Return the work. That on the ``pressed`` message is held: the response may do it. ``check``:
        check that each message still exists. ``always``: plan even if nothing seems to have
        changed. Raises `LedgerError`, with nothing started.
        """
        await self._lives.load(table)
        briefing = await self._briefing(table, always=always or check)
        if briefing is None or not self._owns(briefing.guild_id):
            self._unplanned.pop(table.id, None)
            return ()
        moved = set[Subject]()
        if table.channel_id != briefing.channel_id:  # it has moved, or this is the first time
            if not table.cursor:
                await self._after_the_evening(briefing.channel_id)
            gone = await self._service.messages.gone(briefing.channel_id)
            moved = await self._reconciler.move(table, briefing.channel_id)
            table.gone = gone
        table.guild_id, table.channel_id = briefing.guild_id, briefing.channel_id
        briefing = replace(briefing, gone=table.gone)
        await self._pause()
        board_stood = loop_time() - table.posted_at
        buried = table.below > SCREEN and board_stood >= MOVES_EVERY
        known_over = no_longer_undone(briefing, table.lives)
        said = tuple(table.said)
        steps = plan(
            briefing,
            table.lives,
            buried=buried,
            now=self._now(),
            said=said,
            unreached=self._reconciler.unreached,
            departed=self._departed(table),
        )
        if briefing.evening:
            steps += await asyncio.to_thread(evening, briefing)
        begun = list[PlannedWork]()
        for step in steps:
            begun += self._reconciler.begin(table, step, briefing.seq, check=check)
        intents = [one.life for one in begun if one.life is not None]
        # Forgotten is what was left unfinished, at an earlier start or in an earlier channel, and
        # is no longer wanted, such as a settled notice; and the messages of trades that can't be
        # taken back any more.
        over = table.left | moved | known_over
        planned = {step.subject for step in steps}
        lost = sorted(over - planned - table.works.keys(), key=encode)
        # Read before the first request: a message whose recipients are looked up only when it is
        # sent is overtaken by less urgent ones.
        recipients = self._reconciler.prepare(begun)
        if intents or lost or briefing.seq > table.cursor:
            store = self._lives.store(table, *intents, forgotten=lost, cursor=briefing.seq)
            await asyncio.gather(store, recipients)
        else:
            await recipients
        self._unplanned.pop(table.id, None)
        works = {one.subject: one.work for one in sorted(begun, key=_priority)}
        table.works.update(works)
        for subject, work in works.items():
            life = table.lives.get(subject)
            message_id = life.message_id if life is not None else 0
            is_pressed = pressed is not None and message_id == pressed
            work.held = is_pressed and work.task is None
            self._reconciler.start(table, subject)
        table.left -= {*lost, *works}
        self.receipts.changed(briefing, [work.tried for work in works.values()])
        table.said.difference_update(said)
        self._take_away_in_time(table)
        if begun and self._report is None:
            self._report = asyncio.get_running_loop().call_later(REPORT_EVERY, self.report)
        return begun

    async def _after_the_evening(self, channel_id: int) -> None:
        """Wait until the picture that ends a table in this channel was sent, for a moment at most:
        it takes longer than the set-up of the next table, and would stand below it.
        """
        with suppress(TimeoutError):
            async with asyncio.timeout(PICTURE_WITHIN):
                for earlier in [*self._tables.values()]:
                    if earlier.channel_id != channel_id:
                        continue
                    if earlier.id in self._unplanned:
                        async with earlier.lock:  # until its plan, which has the picture, is made
                            pass
                    if picture := earlier.works.get(EveningPicture()):
                        await picture.tried.wait()

    def _departed(self, table: TableMessages) -> set[int]:
        """Return the users who were found to have left a table's server, and have not been seen
        there since.
        """
        table.departed.update(
            subject.person for subject in table.lives if isinstance(subject, Departed)
        )
        if table.guild_id is not None:
            known = self._service.members.known
            back = {user for user in table.departed if known(table.guild_id, user)}
            table.departed -= back
        return table.departed

    def _take_away_in_time(self, table: TableMessages) -> None:
        """Plan again when the time of an offer that was said is over."""
        works = table.works.values()
        going = {work.step.subject for work in works if isinstance(work.step, TakenAway)}
        stand = table.lives.keys() - going
        ends = [subject.until for subject in stand if isinstance(subject, SaidOffer)]
        if table.said_timer is not None:
            table.said_timer.cancel()
            table.said_timer = None
        if ends and not self._closed:
            seconds = max(SOON, (min(ends) - self._now()) / 1000)
            wake = partial(self.wake, table.id, always=True)
            table.said_timer = asyncio.get_running_loop().call_later(seconds, wake)

    async def _briefing(self, table: TableMessages, *, always: bool) -> Briefing | None:
        """Return what to plan from, or None when nothing has changed and nothing was left
        unfinished.
        """
        debts = [
            life for life in table.lives.values() if life.subject in table.left or life.left_behind
        ]
        known = self._service.seq(table.id)
        if not debts and not always and known == table.cursor and table.channel_id:
            return None
        also = {each.entry for each in debts if each.entry <= table.cursor}
        offers = {each.subject.offer for each in debts if isinstance(each.subject, ABOUT_OFFERS)}
        return await self._service.briefing(
            table.id,
            table.cursor,
            also=also,
            offers=offers,
            as_known=not always and known > table.cursor,
            pause=self._pause,
        )

    async def _pause(self) -> None:
        """Let others run, and only one who waits here go on in a round of the loop.

        The plan of a full table takes some 60 ms and each of its views 15. An answer needs some
        rounds, and keeps its time when many plans are due.
        """
        async with self._turn:
            await asyncio.sleep(0)

    def _now(self) -> int:
        return int(self._clock().timestamp() * 1000)


def _priority(planned: PlannedWork) -> Priority:
    return planned.step.priority if isinstance(planned.step, Desired) else Priority.CARD


def newest_first(tables: Sequence[int]) -> list[int]:
    """Return tables, given in the order of their last entry, with every fourth one taken from the
    oldest.

    The most recent messages go first, and the oldest are sent too even if this program is restarted
    often.
    """
    left, order = deque(tables), list[int]()
    while left:
        order += [left.popleft() for _ in range(min(3, len(left)))]
        order += [left.pop()] if left else []
    return order


# ---------------------------------------------------------------- a command


class Unreached(NamedTuple):
    """Whom DMs did not reach: those ``pinged`` in a channel, the other ``users``, and those who
    have ``left`` the server.

    ``channel``: Discord refused a message to a channel.
    """

    pinged: list[int]
    users: list[int]
    channel: bool
    left: list[int]


class PressedMessage:
    """The pressed message, which a command changes: the response may update it to ``card`` with
    ``marker``.

    That is the same edit, made through the interaction: whatever the response did not surely do,
    the reconciler does.

    ``retires``: it needs no answer any more. ``replaced``: it is not updated; a newer message takes
    its place or it is over, and it is deleted when the person has their answer.
    """

    def __init__(self, reconciler: Reconciler, table: TableMessages, begun: PlannedWork) -> None:
        self._reconciler, self._table, self._begun = reconciler, table, begun
        self._life = life = table.lives[begun.subject]
        self.subject, self.marker, self.way = begun.subject, life.marker(table.id), life.drawn
        self.retires = isinstance(begun.step, Retired)
        self.replaced = table.deletes(begun.step, life.channel_id)
        self.card = self._planned = table.card_for(begun.step, life.channel_id)
        if isinstance(begun.step, Desired):
            self.card = table.drawn(self._planned, life.channel_id)

    def with_card(self, card: Card) -> PressedMessage:
        """Show this card instead of the planned one until the message changes next. Return the
        message itself.
        """
        self.card = self._table.drawn(card, self._life.channel_id)
        return self

    def shown(self) -> None:
        """Record that the response shows the card."""
        self._reconciler.settle(self._table, self._begun, self._planned.digest)

    def doubted(self) -> None:
        """Record that the response may show the card later: an answer of Discord was lost."""
        self._reconciler.doubt(self._table, self._begun)


class CommandDelivery:
    """The messages that one command changes, while its person waits for the answer; see
    `Delivery.for_command`.

    Delivery sends every new message itself. The response can make one edit: that of the ``pressed``
    message, if the command changes it.
    """

    def __init__(
        self,
        reconciler: Reconciler,
        table: TableMessages,
        plan: Callable[[], Awaitable[Sequence[PlannedWork]]],
    ) -> None:
        """``plan`` plans the table's messages, and holds the work on the pressed one."""
        self._reconciler, self._table, self._plan = reconciler, table, plan
        self._begun: Sequence[PlannedWork] = ()
        self.pressed: PressedMessage | None = None

    @property
    def lock(self) -> asyncio.Lock:
        """Inside it nobody else plans the table's messages, so that the response may still hold the
        pressed one.
        """
        return self._table.lock

    async def plan(self) -> None:
        """Plan the messages that the command has changed. If that fails, delivery plans again
        later.
        """
        try:
            self._begun = await self._plan()
        except LedgerError as error:  # the command itself is recorded
            log.error("a table's messages could not be planned", exc_info=error)
        except Exception:  # a defect in planning must not make the command look failed
            log.exception("a table's messages could not be planned")
        self.pressed = None
        for one in self._begun:
            if one.work.held:
                self.pressed = PressedMessage(self._reconciler, self._table, one)

    def release(self) -> None:
        """Leave the pressed message to the reconciler, which edits it unless the response did."""
        for one in self._begun:
            if one.work.held:
                one.work.held = False
                self._reconciler.start(self._table, one.subject)

    def linked(self, message: str | Card) -> str | Card:
        """Return a private answer with its links; to the table's channel for a message that is not
        sent yet.
        """
        if isinstance(message, str):
            return message
        table = self._table
        return linked(message, lambda subject: table.address(subject) or table.address("table"))

    def changes_dm(self, subject: Subject) -> bool:
        """Return whether the command changes the message about this subject in the person's DMs."""
        for one in self._begun:
            life = one.life or self._table.lives.get(one.subject)
            channel_id = life.channel_id if life is not None else 0
            if one.subject == subject and self._table.in_dm(one.step, channel_id):
                return True  # not in a channel as the fallback
        return False

    async def unreached(self) -> Unreached:
        """Return what this command's messages did not reach, apart from those that nobody else may
        know of.
        """
        works = [
            one.work
            for one in self._begun
            if isinstance(one.step, Desired)
            and (one.step.fallback or not user_of(one.step))
            and one.subject != Board()
        ]
        with suppress(TimeoutError):
            async with asyncio.timeout(UNREACHABLE_WITHIN):
                for work in works:
                    await work.tried.wait()
        refused, left = list[int](), list[int]()
        for work in works:
            if work.refused and work.tried.is_set():
                (left if work.departed else refused).append(user_of(work.step))
        pinged = [work.pinged for work in works if work.pinged is not None]
        return Unreached(pinged, [user for user in refused if user], 0 in refused, left)
