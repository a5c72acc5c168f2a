"""The example of the plays, with the bot as a process of its own."""

from __future__ import annotations

import pytest

from tests.loopback import screen
from tests.loopback.exchange import UPDATE
from tests.loopback.loopback import CHANNEL, Loopback
from tests.wire.club import ALICE, BOB, sit_down
from tests.wire.conftest import Ledger, Online

pytestmark = pytest.mark.wire


async def test_one_transaction_with_each_neighbour_a_turn(discord: Loopback, online: Online, recorded: Ledger) -> None:
    async with online():
        await sit_down(discord)
        await discord.slash("offer post", user=ALICE, to=BOB, give="3 tg", want="2 c")
        card = await discord.sees(BOB, "3 trade goods", button="Accept", dm=True)

        accepted = await discord.press("Accept", user=BOB, on=card)
        assert accepted.type == UPDATE
        assert [message["id"] for message in accepted.messages] == [card["id"]]
        assert "got 🟡 3 trade goods" in accepted.text.replace("*", "")
        assert recorded("offer.transaction") == ["offer.transaction"]
        resolved = await discord.until(lambda: _public_card(discord, "Done · transaction 1"))
        assert "3 trade goods" in screen.text_of(resolved)
        assert "Accept" not in screen.labels(resolved)
        holdings = await discord.slash("holdings show", user=ALICE)
        assert holdings.ephemeral
        assert "Trade goods: 4" in holdings.text.replace("*", "")

        await discord.slash("offer post", user=ALICE, to=BOB, give="1 tg")
        before = recorded()
        refused = await discord.press("Accept", user=BOB)
        assert "[94.1]" in refused.text
        assert refused.ephemeral
        assert recorded() == before


def _public_card(discord: Loopback, text: str) -> screen.Json | None:
    """Return the message in the table's channel that says this."""
    there = [each for each in discord.world.visible(ALICE) if each["channel_id"] == CHANNEL]
    return next((each for each in there if text in screen.text_of(each)), None)
