"""A board is edited once a second at most, however fast the table trades; and it ends up showing what is true."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest

from tests.loopback.loopback import Loopback
from tests.wire.club import ALICE, BOB, sit_down
from tests.wire.conftest import Online

pytestmark = pytest.mark.wire

OFFERS = 24
"""As many as come in 24 seconds at 60 a minute; here up to ten come in each second."""


def words(component: Any) -> str:
    """Everything written in a message."""
    if isinstance(component, list):
        return " ".join(map(words, component))
    if isinstance(component, dict):
        return " ".join([str(component.get("content", "")), words(component.get("components", []))])
    return ""


async def test_the_board_keeps_its_pace(discord: Loopback, online: Online) -> None:
    async with online():
        await sit_down(discord)
        await discord.quiet()
        before, began = len(discord.calls), time.monotonic()
        for number in range(1, OFFERS + 1):
            await discord.slash("offer post", user=ALICE, to=BOB, give="1 tg", terms=f"number {number}")
            await asyncio.sleep(0.1)
        took = time.monotonic() - began

        def boards() -> list[str]:
            sent = [call.json for call in discord.calls[before:] if call.method in ("POST", "PATCH") and call.json]
            written = [words(json.get("components", [])) for json in sent if "nonce" in json or "type" not in json]
            return [text for text in written if "Open offers" in text]

        while not any(f"#{OFFERS} alice" in text.replace("\\", "") for text in boards()):
            assert time.monotonic() - began < took + 10, "the board never showed the last offer"
            await asyncio.sleep(0.1)
        elapsed = time.monotonic() - began
        assert 1 <= len(boards()) <= elapsed + 2
        assert len(boards()) < OFFERS
