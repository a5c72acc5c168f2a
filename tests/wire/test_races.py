"""Tests of double and simultaneous requests: the ledger decides, once."""

from __future__ import annotations

import asyncio

import pytest

from tests.loopback import screen
from tests.loopback.exchange import MESSAGE, UPDATE
from tests.wire.conftest import Table

pytestmark = [pytest.mark.wire, pytest.mark.asyncio(loop_scope="module")]

OFFER = {"give": "1 tg", "want": "1 c"}


async def test_one_interaction_delivered_twice(table: Table) -> None:
    discord = table.discord
    posted = await table.slash("offer post", user=table.alice, to=table.bob, **OFFER, times=2)
    await discord.sees(table.bob, "Offer 1 ·", button="Accept")
    await discord.quiet()
    assert table.recorded("offer.posted") == ["offer.posted"]
    assert len(posted.answers) == 1
    assert len(await cards(table, "Offer 1 ·")) == 1

    accepted = await discord.press("Accept", user=table.bob, times=2)
    await discord.quiet()
    assert table.recorded("offer.transaction") == ["offer.transaction"]
    await discord.redeliver(accepted)
    await discord.quiet()
    assert table.recorded("offer.transaction") == ["offer.transaction"]


async def test_a_double_click_is_one_trade(table: Table) -> None:
    await table.slash("offer post", user=table.alice, to=table.bob, **OFFER)
    card = await table.discord.sees(table.bob, "1 trade good", button="Accept")
    both = await asyncio.gather(
        *[table.discord.press("Accept", user=table.bob, on=card) for _ in range(2)]
    )
    assert table.recorded("offer.transaction") == ["offer.transaction"]
    assert sorted(click.type for click in both) == [MESSAGE, UPDATE]
    [updated] = [click for click in both if click.type == UPDATE]
    [refused] = [click for click in both if click.type == MESSAGE]
    assert updated.messages[0]["id"] == card["id"]
    assert refused.ephemeral
    assert "Done · transaction 1" not in refused.text
    assert len(await cards(table, "Done · transaction 1")) == 1


async def test_accepted_or_withdrawn_but_never_both(table: Table) -> None:
    discord, alice, bob = table.discord, table.alice, table.bob
    await table.slash("offer post", user=alice, to=bob, give="1 tg", want="1 c")
    accept = await discord.sees(bob, "1 trade good", button="Accept")
    await discord.press("More…", user=alice, on="1 trade good")
    withdraw = await discord.sees(alice, "1 trade good", button="Withdraw")
    await asyncio.gather(
        discord.press("Accept", user=bob, on=accept),
        discord.press("Withdraw", user=alice, on=withdraw),
    )
    assert len(table.recorded("offer.transaction", "offer.withdrawn")) == 1


async def test_the_other_one_knows_before_the_press_is_answered(table: Table) -> None:
    discord = table.discord
    await table.slash("offer post", user=table.alice, to=table.bob, **OFFER)
    await discord.sees(table.bob, "1 trade good", button="Accept")
    held = discord.hold("POST", r"/callback$")
    accepted = await discord.press("Accept", user=table.bob, wait=False)
    await discord.sees(table.alice, "transaction 1", dm=True)
    assert not accepted.answers
    held.released.set()
    await discord.until(lambda: accepted.answers)


async def cards(table: Table, text: str) -> list[screen.Json]:
    """Return the messages in the table's channel for everybody that say this, once there are
    any.
    """

    def found() -> list[screen.Json]:
        there = [
            each
            for each in table.discord.world.visible(table.bob)
            if each["channel_id"] == table.at
        ]
        return [
            each for each in there if text in screen.text_of(each) and not screen.is_ephemeral(each)
        ]

    await table.discord.until(found)
    return found()
