"""Tests that a run ends in time, even if Discord or an interaction hangs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from discord.ext import commands

from bot.app import Bourse
from bot.ledger import Ledger
from bot.lifecycle import Interactions
from bot.settings import Settings

NOBODY: Any = None  # an interaction that no handler looks at


@pytest.fixture
async def bot(tmp_path: Path) -> AsyncIterator[Bourse]:
    ledger = await Ledger.open(str(tmp_path / "bourse.db"))
    yield await Bourse(Settings(), ledger, shard_count=1).__aenter__()
    await ledger.close()


async def forever() -> None:
    await asyncio.Event().wait()


async def test_a_discord_that_says_no_goodbye(bot: Bourse, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.app.DISCONNECT_WITHIN", 0.01)
    monkeypatch.setattr(commands.AutoShardedBot, "close", lambda _self: forever())
    async with asyncio.timeout(30):
        await bot.close()


async def test_interactions_that_hang_are_cancelled(bot: Bourse, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.app.ANSWER_WITHIN", 0.01)
    monkeypatch.setattr("bot.app.DELIVER_WITHIN", 0.02)
    hanging = asyncio.ensure_future(bot.interactions.handle(NOBODY, forever))
    await asyncio.sleep(0)
    async with asyncio.timeout(30):
        await bot.drain()
        assert not hanging.done()
        await bot.close()
    assert hanging.cancelled()


async def test_those_under_way_are_waited_for() -> None:
    interactions, done = Interactions(), asyncio.Event()
    handled = asyncio.ensure_future(interactions.handle(NOBODY, lambda: _set(done)))
    await asyncio.sleep(0)
    interactions.close()
    await interactions.finish(30)
    assert handled.done()
    assert done.is_set()


async def _set(done: asyncio.Event) -> None:
    for _ in range(10):
        await asyncio.sleep(0)
    done.set()
