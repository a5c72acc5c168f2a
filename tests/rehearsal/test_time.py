"""Tests that long waits on a stage end when a play advances the clock, and never in real time."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import discord
import pytest

from bot.rehearsal import stage as stages
from bot.rehearsal.stage import staged
from tests.rehearsal.toy import Notes, toy

LONG = 1.5
"""Seconds, from which on a wait is long here."""


@pytest.mark.parametrize("advanced", [False, True])
async def test_a_long_wait_ends_only_when_the_clock_is_advanced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, advanced: bool
) -> None:
    monkeypatch.setattr(stages, "LONG_WAIT", LONG)
    rung: list[str] = []

    async def waiting(url: str, chance: str) -> tuple[discord.Client, Notes]:
        bot, notes = await toy(url)

        async def ring() -> None:
            await asyncio.sleep(LONG)
            rung.append("rung")

        async def setup() -> None:
            await begin()
            bot.ringing = asyncio.create_task(ring())  # type: ignore[attr-defined]

        begin, bot.setup_hook = bot.setup_hook, setup  # type: ignore[method-assign]
        return bot, notes

    async with staged(waiting, f"sqlite:///{tmp_path / 'toy.db'}") as stage:
        if advanced:
            await stage.wait(LONG)
        else:
            time.sleep(LONG)  # noqa: ASYNC251 - the machine is slow
            await asyncio.sleep(0.1)
        assert rung == ["rung"] * advanced
