"""The example of the plays, with the bot as a process of its own."""

from __future__ import annotations

import pytest

from tests.wire import screen
from tests.wire.club import ALICE, BOB, sit_down
from tests.wire.conftest import Ledger, Online
from tests.wire.loopback import Loopback

pytestmark = pytest.mark.wire


async def test_one_transaction_with_each_neighbour_a_turn(discord: Loopback, online: Online, recorded: Ledger) -> None:
    async with online():
        await sit_down(discord)
        await discord.slash("offer post", user=ALICE, to=BOB, give="3 tg", want="2 c")
        card = await discord.sees(BOB, "3 trade goods", button="Accept", dm=True)

        accepted = await discord.press("Accept", user=BOB, on=card)
        assert accepted.ephemeral
        assert recorded("offer.transaction") == ["offer.transaction"]
        resolved = await discord.until(lambda: _without_accept(discord, card["id"]))
        assert "3 trade goods" in screen.text_of(resolved)
        holdings = await discord.slash("holdings show", user=ALICE)
        assert holdings.ephemeral
        assert "Trade goods: 4" in holdings.text.replace("*", "")

        await discord.slash("offer post", user=ALICE, to=BOB, give="1 tg")
        before = recorded()
        refused = await discord.press("Accept", user=BOB)
        assert "[94.1]" in refused.text
        assert refused.ephemeral
        assert recorded() == before


def _without_accept(discord: Loopback, message: str) -> screen.Json | None:
    card = discord.world.messages[message]
    return None if "Accept" in screen.labels(card) else card
