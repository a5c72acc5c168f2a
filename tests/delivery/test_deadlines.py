"""Deadlines: one timer, which wakes for whichever table is due."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime

import pytest

from bot.delivery.deadlines import TRY_AGAIN, Deadlines

SOON = 20
"""Milliseconds."""


def now() -> int:
    return int(datetime.now(UTC).timestamp() * 1000)


class Clock:
    """Deadlines on the real clock, with the tables that were due."""

    def __init__(self) -> None:
        self.due: list[int] = []
        self.broken: set[int] = set()
        self.rang = asyncio.Event()
        self.deadlines = Deadlines(lambda: datetime.now(UTC), self._ring)

    async def _ring(self, table_id: int) -> None:
        self.due.append(table_id)
        self.rang.set()
        if table_id in self.broken:
            raise RuntimeError(table_id)

    async def rings(self, many: int) -> None:
        """Wait until so many have rung."""
        async with asyncio.timeout(5):
            while len(self.due) < many:
                self.rang.clear()
                await self.rang.wait()


@pytest.fixture
async def clock() -> AsyncIterator[Clock]:
    made = Clock()
    yield made
    await made.deadlines.close()


async def test_the_earliest_rings_first(clock: Clock) -> None:
    clock.deadlines.note(1, now() + 3 * SOON)
    clock.deadlines.note(2, now() + SOON)
    await clock.rings(2)
    assert clock.due == [2, 1]


async def test_what_fell_due_while_the_bot_was_down_rings_at_once(clock: Clock) -> None:
    clock.deadlines.seed([(1, now() - 60_000), (2, now() + 60_000)])
    await clock.rings(1)
    assert clock.due == [1]


async def test_a_table_rings_once(clock: Clock) -> None:
    clock.deadlines.note(1, now() - 1)
    await clock.rings(1)
    clock.deadlines.note(2, now() + SOON)
    await clock.rings(2)
    assert clock.due == [1, 2]


async def test_a_deadline_that_moved_rings_when_it_is_now(clock: Clock) -> None:
    clock.deadlines.note(1, now() + SOON)
    clock.deadlines.note(1, None)
    clock.deadlines.note(2, now() + 2 * SOON)
    await clock.rings(1)
    assert clock.due == [2]


async def test_what_is_stored_does_not_replace_what_was_noted_since(clock: Clock) -> None:
    clock.deadlines.note(1, now() + 60_000)
    clock.deadlines.seed([(1, now() - 1), (2, now() + SOON)])
    await clock.rings(1)
    assert clock.due == [2]


async def test_one_table_that_fails_does_not_stop_the_others(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.delivery.deadlines.TRY_AGAIN", SOON)
    clock.broken.add(1)
    clock.deadlines.seed([(1, now() - 2), (2, now() - 1)])
    await clock.rings(3)
    assert clock.due == [1, 2, 1]
    clock.broken.clear()
    await clock.rings(4)
    assert TRY_AGAIN == 30_000


async def test_after_the_stop_nothing_rings(clock: Clock) -> None:
    clock.deadlines.note(1, now() + SOON)
    await clock.deadlines.close()
    clock.deadlines.note(2, now() - 1)
    await asyncio.sleep(2 * SOON / 1000)
    assert clock.due == []


async def test_one_that_rings_as_it_closes_is_over_before_anything_else_closes() -> None:
    begun, ended = asyncio.Event(), asyncio.Event()

    async def ring(table_id: int) -> None:
        begun.set()
        try:
            await asyncio.sleep(60)
        finally:
            ended.set()

    deadlines = Deadlines(lambda: datetime.now(UTC), ring)
    deadlines.note(1, now())
    await begun.wait()
    await deadlines.close()
    assert ended.is_set()
