"""Tests of stops, whatever is under way. `tests/wire/test_starts_and_stops.py` has the signals."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest

from bot import app
from bot.lifecycle import signals
from bot.lifecycle.signals import GIVE_UP_AFTER
from tests.loopback.inside import Inside, inside
from tests.loopback.loopback import Loopback
from tests.wire.club import ALICE, BOB, sit_down


@pytest.fixture
async def bot(discord: Loopback, tmp_path: Path) -> AsyncIterator[Inside]:
    """A bot with Alice and Bob at a table, whose messages have all arrived."""
    async with inside(discord, f"sqlite:///{tmp_path / 'bourse.db'}") as bot:
        await bot.online()
        await sit_down(discord)
        await discord.quiet()
        yield bot


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for almost nothing."""
    for name in ("ANSWER_WITHIN", "DELIVER_WITHIN", "DISCONNECT_WITHIN"):
        monkeypatch.setattr(app, name, getattr(app, name) / 20)


@pytest.mark.usefixtures("impatient")
async def test_an_answer_that_hangs_does_not_keep_it(discord: Loopback, bot: Inside) -> None:
    held = discord.hold("POST", r"/callback$")
    await discord.slash("offer list", user=ALICE, wait=False)
    await held.arrived.wait()
    assert await bot.stop() == ""


@pytest.mark.usefixtures("impatient")
async def test_a_discord_that_is_away_does_not_keep_it(discord: Loopback, bot: Inside) -> None:
    discord.fail("POST", r"/channels/\d+/messages$", 503, times=1000)
    await discord.slash("offer post", user=ALICE, to=BOB, give="3 tg", want="2 c")
    assert await bot.stop() == ""


async def test_a_locked_database_does_not_keep_it(
    discord: Loopback, bot: Inside, tmp_path: Path
) -> None:
    with closing(sqlite3.connect(tmp_path / "bourse.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        await discord.slash("offer post", user=ALICE, to=BOB, give="3 tg", want="2 c", wait=False)
        async with asyncio.timeout(GIVE_UP_AFTER):
            assert await bot.stop() == ""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
async def test_each_signal_asks_it_to_stop(
    number: signal.Signals, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(signals, "give_up", lambda: None)
    before = signal.signal(number, signal.SIG_DFL)  # the tests may be run under nohup
    try:
        with signals.stop_signals() as stopped:
            assert signal.getsignal(number) is not signal.SIG_DFL
            os.kill(os.getpid(), number)
            await asyncio.wait_for(stopped.wait(), 10)
    finally:
        signal.signal(number, before)


async def test_what_nohup_ignores_stays_ignored() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with signals.stop_signals():
            assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)
