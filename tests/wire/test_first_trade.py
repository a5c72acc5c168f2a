"""Tests of the first play with the bot in its own process, and of what Discord says of people."""

from __future__ import annotations

import pytest

from tests.loopback import screen
from tests.loopback.exchange import UPDATE
from tests.wire.conftest import Table

pytestmark = [pytest.mark.wire, pytest.mark.asyncio(loop_scope="module")]


async def test_one_transaction_with_each_neighbour_a_turn(table: Table) -> None:
    discord, alice, bob = table.discord, table.alice, table.bob
    await table.slash("offer post", user=alice, to=bob, give="3 tg", want="2 c")
    card = await discord.sees(bob, "3 trade goods", button="Accept", dm=True)

    accepted = await discord.press("Accept", user=bob, on=card)
    assert accepted.type == UPDATE
    assert [message["id"] for message in accepted.messages] == [card["id"]]
    assert "got 3 trade goods\xa0🟡" in accepted.text.replace("*", "")
    assert table.recorded("offer.transaction") == ["offer.transaction"]
    resolved = await discord.until(lambda: _public_card(table, "Done · transaction 1"))
    assert "3 trade goods" in screen.text_of(resolved)
    assert "Accept" not in screen.labels(resolved)
    holdings = await table.slash("holdings show", user=alice)
    assert holdings.ephemeral
    assert "Trade goods: 4" in holdings.text.replace("*", "")

    await table.slash("offer post", user=alice, to=bob, give="1 tg")
    before = table.recorded()
    refused = await discord.press("Accept", user=bob)
    assert "[94.1]" in refused.text
    assert refused.ephemeral
    assert table.recorded() == before


def _public_card(table: Table, text: str) -> screen.Json | None:
    """Return the message in the table's channel that says this."""
    there = [
        each for each in table.discord.world.visible(table.alice) if each["channel_id"] == table.at
    ]
    return next((each for each in there if text in screen.text_of(each)), None)


async def test_who_may_and_where(table: Table) -> None:
    discord, alice, bob = table.discord, table.alice, table.bob
    before = table.recorded()
    refused = await table.slash("table host", user=bob, player=bob)
    assert refused.ephemeral
    assert table.recorded() == before
    allowed = await table.slash("table host", user=table.carol, player=bob)
    assert f"<@{bob.id}>" in allowed.text
    assert len(table.recorded()) == len(before) + 1

    hand = await discord.slash("holdings show", user=bob, dm=True)
    assert discord.world.is_dm(hand.channel)
    assert "Commodities: 2" in hand.text.replace("*", "")
    suggested = await discord.suggest("offer post", "give", "3 t", user=alice, at=table.at)
    assert any("trade good" in choice for choice in suggested)
