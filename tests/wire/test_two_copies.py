"""Two copies of the bot with one token, each with a ledger of its own: neither stays silent."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.loopback.loopback import Loopback
from tests.loopback.process import connected
from tests.wire.club import ALICE, BOB, sit_down

pytestmark = pytest.mark.wire

ANOTHER = "Another program with my token answered an interaction in my place"


async def test_the_slower_copy_says_so_and_tells_what_it_recorded(
    discord: Loopback, tmp_path: Path
) -> None:
    server, home = tmp_path / "server", tmp_path / "home"
    server.mkdir()
    home.mkdir()
    discord.gateway.copies = True
    async with connected(discord, server, f"sqlite:///{server}/bourse.db", aloud=False) as slower:
        await sit_down(discord)
        await discord.quiet(1)
        async with connected(discord, home, f"sqlite:///{home}/bourse.db", aloud=False) as quicker:
            await discord.until(lambda: discord.gateway.identified == 2)
            read = await discord.slash("offer post", user=ALICE, to=BOB, give="1 tg")
            assert "There is no table in this channel" in read.text
            await discord.sees(ALICE, "Offer 1 to bob is posted", dm=True)
            for _ in range(2):
                await discord.slash("table show", user=BOB)
            await slower.said(ANOTHER, times=3)
            assert "CRITICAL" in slower.err
            assert ANOTHER not in quicker.err
