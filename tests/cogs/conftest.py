from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.rehearsal.plays import bourse
from bot.rehearsal.stage import staged
from cogs import answers
from tests.cogs.evening import Evening
from tests.ledger.prepared import prepared


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{prepared(tmp_path / 'bourse.db')}"


@asynccontextmanager
async def evening_on(url: str) -> AsyncIterator[Evening]:
    """Run the bot on a database while the block lasts."""
    async with staged(bourse, url) as stage:
        yield Evening(stage)


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is deferred because the machine is busy."""
    monkeypatch.setattr(answers, "DEFER_AFTER", 60.0)
    monkeypatch.setattr(answers, "GIVE_UP_AFTER", 90.0)


@pytest.fixture
async def evening(url: str, patient: None) -> AsyncIterator[Evening]:
    """A server with the bot and nobody in it; every request is checked against Discord's limits at
    the end.

    SimCord must be left in the context in which it was entered, and pytest ends a fixture in
    another one: so it runs in a task of its own.
    """
    begun: asyncio.Future[Evening] = asyncio.get_running_loop().create_future()
    over = asyncio.Event()

    async def run() -> None:
        async with evening_on(url) as evening:
            begun.set_result(evening)
            await over.wait()

    task = asyncio.create_task(run())
    await asyncio.wait([task, begun], return_when=asyncio.FIRST_COMPLETED)  # type: ignore[type-var]
    if task.done():
        await task
    yield (evening := begun.result())
    over.set()
    await task
    evening.check_contract()


@pytest.fixture
async def playing(evening: Evening) -> Evening:
    """A table at which alice (Hacan, the host), bob (Sol) and carol (Letnev) sit, in alice's
    turn.
    """
    await evening.seat("alice", "bob", "carol")
    return evening


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Attempts to answer follow each other at once."""
    monkeypatch.setattr(answers, "PAUSES", (0.0, 0.0, 0.0))


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Interactions are deferred soon."""
    monkeypatch.setattr(answers, "DEFER_AFTER", 0.01)
