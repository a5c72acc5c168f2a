"""Tests that retrying the gateway for hours does not use up the stack."""

from __future__ import annotations

import sys
from collections.abc import Awaitable
from pathlib import Path

import pytest
import yarl

from bot.app import Bourse
from bot.ledger import Ledger
from bot.lifecycle.failures import PlainErrors
from bot.settings import Settings

ATTEMPTS = 300


class Enough(BaseException):
    """Ends the test; discord.py tries again after any ``Exception``."""


async def test_a_shard_is_launched_again_and_again_on_a_level_stack(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The log has one line of it."""
    caplog.handler.addFilter(PlainErrors())
    depths: list[int] = []

    async def connect(*_about: object, **_options: object) -> object:
        depths.append(len(list(_frames())))
        if len(depths) < ATTEMPTS:
            raise OSError("away")
        raise Enough

    async def no_pause(_seconds: float) -> None:
        pass

    monkeypatch.setattr("discord.shard.DiscordWebSocket.from_client", connect)
    monkeypatch.setattr("discord.shard.asyncio.sleep", no_pause)
    monkeypatch.setattr("discord.shard.asyncio.wait_for", _at_once)
    ledger = await Ledger.open(str(tmp_path / "bourse.db"))
    bot = Bourse(Settings(), ledger, shard_count=1)
    with pytest.raises(Enough):
        await bot.launch_shard(yarl.URL("ws://127.0.0.1:9"), 0, initial=True)
    await ledger.close()
    assert len(depths) == ATTEMPTS
    assert max(depths) - min(depths) < 10
    assert caplog.messages == ["Failed to connect for shard_id: 0. Retrying... (away)"]


async def _at_once(work: Awaitable[object], **_options: object) -> object:
    return await work


def _frames():
    frame = sys._getframe()
    while frame is not None:
        yield frame
        frame = frame.f_back
