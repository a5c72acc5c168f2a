"""A table on the loopback whose planner wants what a test says, with a store and timers in
memory.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any, cast

import pytest

from bot.delivery import Delivery, budget, delivery, verdicts
from bot.delivery.budget import Budget
from bot.delivery.desired import Replaced, SaidOffer, Step, Subject, TakenAway, decode, encode
from bot.delivery.life import Life
from bot.delivery.records import TableMessages, Work
from bot.delivery.transport import membership
from bot.ledger import LedgerError
from bot.ledger.messages import Messages
from bot.rules.entries import CallKind
from bot.service import Briefing, Members, Message, MessageStore, Service
from tests.delivery import briefings
from tests.delivery.near import BOBS, LoggedRequest, Near, Sent, near
from tests.loopback.faults import Held

START = datetime(2026, 11, 21, 20, tzinfo=UTC)


@dataclass
class Saved:
    """What was stored at once, after how many requests to Discord."""

    messages: tuple[Message, ...]
    requests: int


class Store(MessageStore):
    """A message store in memory. ``asked`` returns how many requests there were."""

    def __init__(self, asked: Callable[[], int] = lambda: 0) -> None:
        self.asked = asked
        self.saved: list[Saved] = []
        self.kept: dict[str, Message] = {}
        self.at = 0
        self.dms: dict[int, tuple[int, int]] = {}  # and the application
        self.deleted: set[int] = set()
        self.mutes: dict[int, frozenset[CallKind]] = {}
        self.broken = False
        self.forgetful = False
        self.messages = cast(Messages, self)

    async def of_table(self, table_id: int) -> list[Message]:
        self._works()
        return list(self.kept.values())

    async def save(
        self,
        table_id: int,
        saved: Sequence[Message],
        *,
        forgotten: Sequence[str] = (),
        cursor: int | None = None,
    ) -> None:
        self._works()
        await asyncio.sleep(0)
        self.saved.append(Saved(tuple(saved), self.asked()))
        self.kept.update((each.subject, each) for each in saved)
        for subject in forgotten:
            self.kept.pop(subject, None)
        self.at = max(self.at, cursor or 0)

    def buffer(
        self, table_id: int, saved: Sequence[Message], *, forgotten: Sequence[str] = ()
    ) -> None:
        """Store it, as if something else had been saved at once; or lose it in the crash that is to
        come.
        """
        self.saved.append(Saved(tuple(saved), self.asked()))
        if not self.forgetful:
            self.kept.update((each.subject, each) for each in saved)
            for subject in forgotten:
                self.kept.pop(subject, None)

    async def cursor(self, table_id: int) -> int:
        self._works()
        return self.at

    async def dm_channel(self, user_id: int, application_id: int) -> int | None:
        channel, application = self.dms.get(user_id, (0, 0))
        return channel if application == application_id else None

    async def set_dm_channel(self, user_id: int, channel_id: int, application_id: int) -> None:
        self.dms[user_id] = channel_id, application_id

    async def gone(self, channel_id: int) -> bool:
        return channel_id in self.deleted

    async def set_gone(self, channel_id: int) -> None:
        self.deleted.add(channel_id)

    async def muted(self, user_id: int) -> frozenset[CallKind]:
        return self.mutes.get(user_id, frozenset())

    def _works(self) -> None:
        if self.broken:
            raise LedgerError("The ledger could not be written: disk full.")


class FakeService:
    """A service with one table, of which nothing is known but its number and its last entry."""

    members: Members

    def __init__(self, store: Store) -> None:
        self.messages = store
        self.last = 0
        self.briefed: list[Mapping[str, Any]] = []
        self.channel = briefings.CHANNEL

    def subscribe(self, listener: Callable[..., None]) -> None:
        """Tests wake delivery themselves."""

    def seq(self, table_id: int) -> int:
        return self.last

    async def briefing(self, table_id: int, after: int, **also: Any) -> Briefing:
        self.briefed.append({"after": after, **also})
        return replace(
            briefings.briefing(), table_id=table_id, seq=self.last, channel_id=self.channel
        )

    async def undelivered(self) -> list[int]:
        return [1]

    async def tables_on(self, guild_id: int) -> list[int]:
        return [1]


class Timer:
    """What would be done in so many seconds."""

    def __init__(
        self, seconds: float, callback: Callable[..., object], args: tuple[Any, ...]
    ) -> None:
        self.seconds, self._callback, self._args = seconds, callback, args
        self.waiting = True

    def cancel(self) -> None:
        self.waiting = False

    def fire(self) -> None:
        self.waiting = False
        self._callback(*self._args)


async def idle(delivery: Delivery) -> None:
    """Wait until nothing is under way but what was put off."""
    planning, requests = delivery._tasks, delivery._reconciler._tasks
    async with asyncio.timeout(60):
        while tasks := planning.running + requests.running:
            await asyncio.wait(tasks)
            await asyncio.sleep(0)


class Display:
    """Delivery as one process after another runs it."""

    discord: Near
    delivery: Delivery

    def __init__(self) -> None:
        self.ahead = timedelta()
        self.store = Store(lambda: len(self.discord.requests))
        self.service = FakeService(self.store)
        self.wanted: Sequence[Step] = ()
        self.timers: list[Timer] = []

    def now(self) -> datetime:
        return START + self.ahead

    async def begin(self) -> None:
        """Start a process: it remembers only what is stored."""
        self.client = await self.discord.client(lambda *refused: self.delivery.refused(*refused))  # noqa: PLW0108  (made below)
        self.service.members = Members(membership(self.client))
        service = cast(Service, self.service)
        self.delivery = Delivery(
            self.client, service, 0.0, clock=self.now, budget=Budget(None, None)
        )

    def plan(
        self,
        briefing: Briefing,
        shown: Mapping[Subject, Life],
        *,
        buried: bool,
        now: int,
        said: tuple[SaidOffer, ...],
        unreached: Collection[int],
        departed: Collection[int],
    ) -> list[Step]:
        self.buried, self.briefing = buried, briefing
        self.departed = set(departed)
        over = (TakenAway(subject) for subject in shown if isinstance(subject, Replaced))
        return [*self.wanted, *over]

    # ------------------------------------------------------------ what happens

    def wants(self, *steps: Step) -> None:
        """Let something happen at the table after which these are the messages to be shown."""
        self.wanted, self.service.last = steps, self.service.last + 1

    def begins(self, *steps: Step) -> None:
        """Want these messages, and have them planned soon."""
        self.wants(*steps)
        self.delivery.wake(1)

    async def plans(self, *steps: Step) -> None:
        """Want these messages, and wait until they are planned."""
        self.wants(*steps)
        await self.delivery._plan_alone(1)

    async def hangs(self, what: str, channel: int, *steps: Step, done: bool = False) -> Held:
        """Want these messages, and wait until a request for them hangs."""
        request = self.discord.hangs(what, channel, done=done)
        self.begins(*steps)
        await self.until(request.arrived.is_set)
        return request

    def closes_dms(self) -> None:
        """Let bob take no DMs."""
        self.discord.refuses("send", BOBS, 403, 50007)

    async def shows(self, *steps: Step, check: bool = False) -> list[LoggedRequest]:
        """Want these messages, wait until each was tried, and return what that asked of Discord."""
        before = len(self.discord.requests)
        self.wants(*steps)
        if check:
            self.delivery.check(1)
        else:
            await self.delivery.deliver(1)
        await self.idle()
        return self._since(before)

    async def later(self) -> list[LoggedRequest]:
        """Let the time pass until everything that was put off is due, and return what that asked of
        Discord.
        """
        before = len(self.discord.requests)
        due, self.timers = self.waiting, []
        for timer in due:
            timer.fire()
        await self.idle()
        return self._since(before)

    async def restart(self, *steps: Step, after: timedelta = timedelta()) -> list[LoggedRequest]:
        """Have the process die where it is and start another one, which wants these messages, or
        the same.
        """
        before = len(self.discord.requests)
        await self.crash()
        self.ahead += after
        self.wanted = steps or self.wanted
        await self.begin()
        await self.delivery.start()
        await self.idle()
        return self._since(before)

    async def crash(self) -> None:
        """Have the process die where it is."""
        await self.delivery.close()
        self.timers.clear()

    async def idle(self) -> None:
        await idle(self.delivery)

    async def until(self, true: Callable[[], object]) -> None:
        async with asyncio.timeout(60):
            while not true():  # noqa: ASYNC110  (the store and the planner tell nobody)
                await asyncio.sleep(0)

    # ------------------------------------------------------------ what there is

    @property
    def waiting(self) -> list[Timer]:
        """The timers of what is put off just now."""
        return [each for each in self.timers if each.waiting]

    @property
    def pauses(self) -> list[float]:
        """The seconds for which something is put off just now."""
        return [each.seconds for each in self.waiting]

    @property
    def table(self) -> TableMessages:
        return self.delivery._tables[1]

    @property
    def works(self) -> dict[Subject, Work]:
        return self.table.works

    def record(self, subject: Subject) -> Message:
        """Return what is stored about a message."""
        return self.store.kept[encode(subject)]

    def subjects(self) -> set[Subject]:
        """Return what the stored messages are about."""
        return {found for each in self.store.kept if (found := decode(each)) is not None}

    def seen(self, channel: int) -> list[str]:
        """Return the texts of the messages in a channel. Those without buttons are closed."""
        messages = self.discord.seen(channel)
        return [each.text if each.buttons else f"{each.text}, closed" for each in messages]

    def only(self, channel: int) -> Sent:
        [message] = self.discord.seen(channel)
        return message

    def _since(self, before: int) -> list[LoggedRequest]:
        return [each for each in self.discord.requests[before:] if each.what != "dm"]


@pytest.fixture
async def display(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Display]:
    """One table. What is put off happens when the test says so."""
    made = Display()
    loop = asyncio.get_running_loop()
    real = loop.call_later

    def call_later(
        seconds: float, callback: Callable[..., object], *args: Any, **options: Any
    ) -> Any:
        if getattr(callback, "__name__", "") not in ("start", "_plan_soon", "server_changed"):
            return real(seconds, callback, *args, **options)
        made.timers.append(Timer(seconds, callback, args))
        return made.timers[-1]

    monkeypatch.setattr(loop, "call_later", call_later)
    monkeypatch.setattr(delivery, "plan", made.plan)
    monkeypatch.setattr(budget, "PROBE", 0.0)
    began = loop.time()
    monkeypatch.setattr(verdicts, "loop_time", lambda: began)
    async with near(monkeypatch, made.now) as made.discord:
        await made.begin()
        yield made
        await made.delivery.close()
