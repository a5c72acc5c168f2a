"""Tests that a run ends in time, even if Discord or an interaction hangs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from discord.ext import commands

from bot.app import Bourse
from bot.ledger import Ledger
from bot.lifecycle import Interactions
from bot.settings import Settings


@pytest.fixture
async def bot(tmp_path: Path) -> AsyncIterator[Bourse]:
    ledger = await Ledger.open(str(tmp_path / "bourse.db"))
    yield await Bourse(Settings(), ledger, shard_count=1).__aenter__()
    await ledger.close()


async def forever() -> None:
    await asyncio.Event().wait()


async def running(interactions: Interactions, done: asyncio.Event) -> None:
    with interactions.running():
        await done.wait()


async def test_a_discord_that_says_no_goodbye(bot: Bourse, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.app.DISCONNECT_WITHIN", 0.01)
    monkeypatch.setattr(commands.AutoShardedBot, "close", lambda _self: forever())
    async with asyncio.timeout(30):
        await bot.close()


async def test_interactions_that_hang_are_cancelled(
    bot: Bourse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.app.ANSWER_WITHIN", 0.01)
    monkeypatch.setattr("bot.app.DELIVER_WITHIN", 0.02)
    hanging = asyncio.ensure_future(running(bot.interactions, asyncio.Event()))
    await asyncio.sleep(0)
    async with asyncio.timeout(30):
        await bot.drain()
        assert not hanging.done()
        await bot.close()
    assert hanging.cancelled()


async def test_those_under_way_are_waited_for() -> None:
    interactions, done = Interactions(), asyncio.Event()
    handled = asyncio.ensure_future(running(interactions, done))
    await asyncio.sleep(0)
    interactions.close()
    asyncio.get_running_loop().call_soon(done.set)
    await interactions.finish(30)
    assert handled.done()
