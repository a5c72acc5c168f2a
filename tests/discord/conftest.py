from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.rehearsal.plays import bourse
from bot.rehearsal.stage import staged
from tests.discord.evening import Evening


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'bourse.db'}"


@asynccontextmanager
async def evening_on(url: str) -> AsyncIterator[Evening]:
    async with staged(bourse, url) as stage:
        yield Evening(stage)


@pytest.fixture
async def evening(url: str) -> AsyncIterator[Evening]:
    """A server with the bot and nobody in it; every request is held against Discord's limits at the end.

    SimCord wants to be left in the context it was entered in, and pytest ends a fixture in another: so it lives in a
    task of its own.
    """
    begun: asyncio.Future[Evening] = asyncio.get_running_loop().create_future()
    over = asyncio.Event()

    async def lives() -> None:
        async with evening_on(url) as evening:
            begun.set_result(evening)
            await over.wait()

    task = asyncio.create_task(lives())
    await asyncio.wait([task, begun], return_when=asyncio.FIRST_COMPLETED)  # type: ignore[type-var]
    if task.done():
        await task
    yield (evening := begun.result())
    over.set()
    await task
    evening.none_against_the_contract()


@pytest.fixture
async def playing(evening: Evening) -> Evening:
    """A table at which alice (Hacan, the host), bob (Sol) and carol (Letnev) sit; alice's turn; nothing is owed."""
    await evening.seat("alice", "bob", "carol")
    return evening
