"""Tests that the clock rings for every table in time, also after failures and restarts."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.ledger import Deadline, Ledger, LedgerError
from bot.rules.features.offers.entries import OfferExpired
from bot.rules.features.offers.posting import PostOffer
from bot.rules.model.violation import Refused
from bot.service import Service, TableChange, clock
from bot.service.clock import DeadlineClock
from tests.scale import at_scale
from tests.service.club import ALICE, TABLE, Club, tg

SOON = 20
"""Milliseconds."""


def now() -> int:
    return int(datetime.now(UTC).timestamp() * 1000)


class Ticks(Service):
    """A service that only notes which tables are ticked, and does with them what a test says."""

    def __init__(self) -> None:
        self.stored: list[Deadline] = []
        self.ticked: list[int] = []
        self.broken: dict[int, Exception] = {}
        self.next: dict[int, int] = {}
        self.held: dict[int, asyncio.Event] = {}
        self.most = self.running = 0
        self._rang = asyncio.Event()
        self.listeners: list[Callable[[TableChange], None]] = []

    def subscribe(self, listener: Callable[[TableChange], None]) -> None:
        self.listeners.append(listener)

    async def deadlines(self) -> list[Deadline]:
        return self.stored

    async def tick(self, table_id: int) -> int | None:
        self.ticked.append(table_id)
        self._rang.set()
        self.running += 1
        self.most = max(self.most, self.running)
        try:
            if table_id in self.held:
                await self.held[table_id].wait()
            if table_id in self.broken:
                raise self.broken[table_id]
        finally:
            self.running -= 1
        return self.next.pop(table_id, None)

    async def rings(self, many: int) -> None:
        """Wait until so many have rung."""
        async with asyncio.timeout(30):
            while len(self.ticked) < many:
                self._rang.clear()
                await self._rang.wait()

    def changes(self, table_id: int, deadline: int | None, guild_id: int | None = 1) -> None:
        for listener in self.listeners:
            listener(TableChange(table_id, guild_id, 1, deadline))


@pytest.fixture
async def ticks() -> Ticks:
    return Ticks()


Started = Callable[..., DeadlineClock]


@pytest.fixture
async def started(ticks: Ticks) -> AsyncIterator[Started]:
    """Makes a clock on real time, for a service that only notes."""
    made: list[DeadlineClock] = []

    def make(owns: Callable[[int | None], bool] = lambda _guild_id: True) -> DeadlineClock:
        made.append(DeadlineClock(ticks, lambda: datetime.now(UTC), owns))
        return made[-1]

    yield make
    for each in made:
        await each.close()


async def test_the_earliest_rings_first(ticks: Ticks, started: Started) -> None:
    ringing = started()
    at = now()
    ringing.note(1, at + 3 * SOON)
    ringing.note(2, at + SOON)
    await ticks.rings(2)
    assert ticks.ticked == [2, 1]


async def test_what_fell_due_while_the_bot_was_down_rings_at_once_the_most_overdue_first(
    ticks: Ticks, started: Started
) -> None:
    at = now()
    a_minute_ago = at - 60_000
    for table in range(40, 0, -1):
        ticks.stored.append(Deadline(table, 1, a_minute_ago + table))
    ticks.stored.append(Deadline(99, 1, at + 60_000))
    await started().start()
    await ticks.rings(40)
    assert ticks.ticked == list(range(1, 41))


async def test_it_looks_at_the_time_now_and_then(ticks: Ticks) -> None:
    """While the machine sleeps its timers stand still, and somebody may set its clock."""
    at = datetime.now(UTC)
    asleep = DeadlineClock(ticks, lambda: at, looked_every=0.001)
    asleep.note(1, int(at.timestamp() * 1000) + 3_600_000)
    await asyncio.sleep(0.01)
    assert ticks.ticked == []
    at += timedelta(hours=8)
    await ticks.rings(1)
    await asleep.close()


async def test_changes_move_a_deadline(ticks: Ticks, started: Started) -> None:
    started()
    ticks.changes(1, now() + SOON)
    ticks.changes(1, None)
    ticks.changes(2, now() + 60_000)
    ticks.changes(2, now() + SOON)
    ticks.changes(3, now() + 2 * SOON)
    await ticks.rings(2)
    assert ticks.ticked == [2, 3]


async def test_deadlines_that_were_replaced_are_not_kept_for_ever(
    ticks: Ticks, started: Started
) -> None:
    ringing = started()
    for moved in range(2_000):
        for table in (1, 2, 3):
            ticks.changes(table, now() + 60_000 + moved)
    assert len(ringing._heap) < 200
    ticks.changes(2, now() + SOON)
    await ticks.rings(1)
    assert ticks.ticked == [2]


async def test_a_table_rings_again_at_its_next_deadline(ticks: Ticks, started: Started) -> None:
    ticks.next[1] = now() + 2 * SOON
    started().note(1, now() - 1)
    await ticks.rings(2)
    assert ticks.ticked == [1, 1]


async def test_a_deadline_that_comes_while_its_table_is_ticked_rings_afterwards(
    ticks: Ticks, started: Started
) -> None:
    ticks.held[1] = asyncio.Event()
    started().note(1, now() - 1)
    await ticks.rings(1)
    ticks.changes(1, now() - 1)
    ticks.changes(2, now())
    await ticks.rings(2)
    assert ticks.ticked == [1, 2]
    ticks.held.pop(1).set()
    await ticks.rings(3)
    assert ticks.ticked == [1, 2, 1]


async def test_one_that_fails_or_hangs_stops_nobody_and_is_tried_again(
    ticks: Ticks,
    started: Started,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(clock, "SHORTEST_WAIT", SOON)
    ticks.broken = {1: LedgerError("locked"), 2: RuntimeError("a defect")}
    ticks.held[3] = asyncio.Event()
    ringing = started()
    for each in (1, 2, 3, 4):
        ringing.note(each, now() - 1)
    await ticks.rings(8)
    assert ticks.ticked[:4] == [1, 2, 3, 4]
    assert set(ticks.ticked[4:]) == {1, 2}
    ticks.broken.clear()
    count = len(ticks.ticked)
    await ticks.rings(count)
    assert ringing._failures.keys() <= {1, 2}


async def test_the_pause_before_another_try_grows(ticks: Ticks, started: Started) -> None:
    ringing = started()
    waits = [ringing._retry_at(1) - now() for _ in range(12)]
    assert waits[0] == pytest.approx(clock.SHORTEST_WAIT, abs=500)
    assert waits[1] == pytest.approx(2 * clock.SHORTEST_WAIT, abs=500)
    assert waits[-1] == pytest.approx(clock.LONGEST_WAIT, abs=500)


async def test_a_deadline_of_which_nothing_comes_is_no_endless_loop(
    ticks: Ticks, started: Started, caplog: pytest.LogCaptureFixture
) -> None:
    at = now() - 1
    ticks.next[1] = at
    with caplog.at_level(logging.ERROR):
        started().note(1, at)
        await ticks.rings(1)
        await asyncio.sleep(0.05)
    assert ticks.ticked == [1]
    assert "a deadline had no effect" in caplog.text


async def test_a_removed_table_rings_no_more(ticks: Ticks, started: Started) -> None:
    ticks.broken[1] = Refused("There is no such table.")
    ringing = started()
    ringing.note(1, now() - 1)
    await ticks.rings(1)
    await asyncio.sleep(0)
    assert not ringing._at
    assert not ringing._running
    assert not ringing._failures


async def test_a_table_that_is_closed_after_a_failure_leaves_nothing(
    ticks: Ticks, started: Started
) -> None:
    ticks.broken[1] = LedgerError("the database does not answer")
    ringing = started()
    ringing.note(1, now() - 1)
    await ticks.rings(1)
    assert ringing._failures == {1: 1}
    ringing.note(1, None)
    assert ringing._failures == {}


async def test_only_tables_of_this_process_ring(ticks: Ticks, started: Started) -> None:
    ticks.stored = [
        Deadline(1, 7, now() - 1),
        Deadline(2, 8, now() - 1),
        Deadline(3, None, now() - 1),
    ]
    owned = {8}
    ringing = started(lambda guild_id: guild_id in owned)
    await ringing.start()
    ticks.changes(4, now() - 1, guild_id=7)
    ticks.changes(5, now() - 1, guild_id=8)
    await ticks.rings(2)
    assert ticks.ticked == [2, 5]
    owned.add(7)  # another process has gone, and its servers came here
    await ringing.start()
    await ticks.rings(4)
    assert set(ticks.ticked[2:]) >= {1}


async def test_what_falls_due_does_not_wait_for_what_is_overdue(
    ticks: Ticks, started: Started
) -> None:
    """After a start with thousands of tables, a bell rings in time all the same."""
    gate = asyncio.Event()
    for table in range(1, 200):
        ticks.stored.append(Deadline(table, 1, now() - 60_000))
        ticks.held[table] = gate
    ringing = started()
    await ringing.start()
    await ticks.rings(clock.LATE_TICKS_AT_ONCE)
    ringing.note(999, now())
    await ticks.rings(clock.LATE_TICKS_AT_ONCE + 1)
    assert ticks.ticked[-1] == 999
    assert ticks.most == clock.LATE_TICKS_AT_ONCE + 1
    gate.set()
    await ticks.rings(200)


async def test_many_at_once_are_bounded(ticks: Ticks, started: Started) -> None:
    gate = asyncio.Event()
    at = now() + SOON
    ringing = started()
    for each in range(3 * clock.TICKS_AT_ONCE):
        ticks.held[each] = gate
        ringing.note(each, at)
    await ticks.rings(clock.TICKS_AT_ONCE)
    gate.set()
    await ticks.rings(3 * clock.TICKS_AT_ONCE)
    assert ticks.most == clock.TICKS_AT_ONCE


async def test_after_the_stop_nothing_rings(ticks: Ticks, started: Started) -> None:
    ticks.held[1] = asyncio.Event()
    ringing = started()
    ringing.note(1, now() - 1)
    await ticks.rings(1)
    await ringing.close()
    assert ticks.running == 0, "what was under way has ended"
    ringing.note(2, now() - 1)
    await asyncio.sleep(2 * SOON / 1000)
    assert ticks.ticked == [1]


# ---------------------------------------------------------------- with a ledger


async def test_an_offer_runs_out_by_itself_and_those_who_subscribed_hear_of_it(club: Club) -> None:
    behind = timedelta(minutes=1) - timedelta(milliseconds=500)
    club.service._clock = lambda: datetime.now(UTC) - behind
    told: asyncio.Queue[TableChange] = asyncio.Queue()
    ringing = DeadlineClock(club.service, lambda: datetime.now(UTC))
    await ringing.start()
    await club.does(ALICE, PostOffer(to="sol", give=tg(1), lasts=60_000))
    club.service._clock = lambda: datetime.now(UTC)  # half a second is left
    club.service.subscribe(told.put_nowait)
    change = await asyncio.wait_for(told.get(), 30)
    assert change == TableChange(TABLE, 1, await club.seq(), None)
    last = (await club.entries())[-1].entry
    assert isinstance(last, OfferExpired)
    assert last.offer == 2
    await ringing.close()


TABLES = at_scale(400, 2000)


async def tables_with_deadlines(club: Club, at: int) -> None:
    """Make tables like that of the club, each with an offer that runs out at this time."""
    club.clock.now = datetime.fromtimestamp(at / 1000, UTC)
    club.clock.moves(minutes=-1)
    await club.does(ALICE, PostOffer(to="sol", give=tg(1), lasts=60_000))
    entries = [each.entry for each in await club.entries()]
    people = await club.ledger.tables.people(TABLE)
    created = [
        club.ledger.entries.create_table(
            guild_id=1,
            channel_id=channel,
            game="ti4",
            name="Friday",
            entries=entries,
            at=at - 60_000,
            by=1,
            people=people,
            interaction=None,
            deadline=at,
        )
        for channel in range(1, TABLES)
    ]
    await asyncio.gather(*created)


@pytest.mark.slow
async def test_a_bell_rings_in_time_right_after_a_start_with_many_tables(
    club: Club, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """None of many tables is in memory, and the first bell does not wait until all of them are."""
    at = now()
    await tables_with_deadlines(club, at + 60_000)
    await club.ledger.close()
    ledger = await Ledger.open(f"sqlite:///{file}")
    when = datetime.fromtimestamp((at + 30_000) / 1000, UTC)
    service = Service(ledger, lambda: when)
    ringing = DeadlineClock(service, lambda: when)
    rang: list[int] = []
    everybody = asyncio.Event()

    def ring(_change: TableChange) -> None:
        rang.append(len(begun))
        if len(rang) == TABLES:
            everybody.set()

    begun: list[int] = []
    tick = service.tick

    async def ticked(table_id: int) -> int | None:
        begun.append(table_id)
        return await tick(table_id)

    monkeypatch.setattr(service, "tick", ticked)
    service.subscribe(ring)
    await ringing.start()
    when = datetime.fromtimestamp((at + 60_000) / 1000, UTC)  # as the timer would see it
    ringing._pump()
    await everybody.wait()
    assert rang[0] < 100
    await ringing.close()
    await ledger.close()
