"""What Discord tells of people is believed: who may manage the server, who is meant, where they type."""

from __future__ import annotations

import pytest

from tests.loopback.loopback import Loopback
from tests.wire.club import ALICE, BOB, CAROL, sit_down
from tests.wire.conftest import Ledger, Online

pytestmark = pytest.mark.wire


async def test_who_may_and_where(discord: Loopback, online: Online, recorded: Ledger) -> None:
    async with online():
        await sit_down(discord)
        before = recorded()
        refused = await discord.slash("table host", user=BOB, player=BOB)
        assert refused.ephemeral
        assert recorded() == before
        allowed = await discord.slash("table host", user=CAROL, player=BOB)
        assert f"<@{BOB.id}>" in allowed.text
        assert len(recorded()) == len(before) + 1

        hand = await discord.slash("holdings show", user=BOB, dm=True)
        assert discord.world.is_dm(hand.channel)
        assert "Commodities: 2" in hand.text.replace("*", "")
        assert any("trade good" in choice for choice in await discord.suggest("offer post", "give", "3 t", user=ALICE))
