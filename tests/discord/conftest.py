from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.rehearsal.stage import staged
from tests.discord.evening import Evening, bourse


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'bourse.db'}"


@asynccontextmanager
async def evening_on(url: str) -> AsyncIterator[Evening]:
    async with staged(bourse, url) as stage:
        yield Evening(stage)


@pytest.fixture
async def evening(url: str) -> AsyncIterator[Evening]:
    """A server with the bot and nobody in it; every request is held against Discord's limits at the end."""
    async with evening_on(url) as evening:
        yield evening
        evening.none_against_the_contract()


@pytest.fixture
async def playing(evening: Evening) -> Evening:
    """A table at which alice (Hacan, the host), bob (Sol) and carol (Letnev) sit; alice's turn; nothing is owed."""
    await evening.seat("alice", "bob", "carol")
    return evening
