"""Tests of a Discord that refuses, limits, breaks, or is gone for a moment."""

from __future__ import annotations

from itertools import product

import pytest

from tests.loopback import screen
from tests.wire.conftest import Table

pytestmark = [pytest.mark.wire, pytest.mark.asyncio(loop_scope="module")]


async def test_a_rate_limit_is_waited_for(table: Table) -> None:
    table.discord.fail("POST", table.cards, 429, times=2)
    await table.slash("offer post", user=table.alice, to=table.bob, give="3 tg")
    await table.discord.sees(table.bob, "3 trade goods", button="Accept")


async def test_what_discord_could_not_take_is_sent_later(table: Table) -> None:
    discord, alice, bob = table.discord, table.alice, table.bob
    discord.fail("POST", r"/messages$", 503)
    await table.slash("offer post", user=alice, to=bob, give="3 tg")
    await discord.quiet()
    assert table.recorded("offer.posted") == ["offer.posted"]
    await table.slash("holdings set", user=alice, player=bob, goods="1 c")
    card = await discord.sees(bob, "3 trade goods", button="Accept")
    await discord.press("Accept", user=bob, on=card)
    assert table.recorded("offer.transaction") == ["offer.transaction"]


async def test_a_closed_dm_falls_back_to_the_channel(table: Table) -> None:
    discord, bob = table.discord, table.bob
    discord.closed_dms.add(bob)
    await discord.quiet()
    before = len(discord.calls)
    posted = await table.slash("offer post", user=table.alice, to=bob, give="3 tg")
    await discord.until(lambda: f"<@{bob.id}>" in posted.text and "DM" in posted.text)
    pinged = list[str]()
    for call in discord.calls[before:]:
        if call.path == f"/channels/{table.at}/messages":
            pinged += map(str, call.json["allowed_mentions"].get("users", []))
    assert pinged == [str(bob.id)]
    card = await discord.sees(bob, f"<@{bob.id}>", button="Accept")
    assert card["channel_id"] == table.at
    await discord.press("Accept", user=bob, on=card)
    assert table.recorded("offer.transaction") == ["offer.transaction"]


async def test_the_poster_is_told_of_closed_dms_even_when_another_command_delivers(
    table: Table,
) -> None:
    discord, alice, bob = table.discord, table.alice, table.bob
    discord.closed_dms.add(bob)
    held = discord.hold("POST", r"/callback$")
    posted = await table.slash("offer post", user=alice, to=bob, give="3 tg", wait=False)
    await held.arrived.wait()
    # overtakes, and delivers the offer
    await table.slash("holdings set", user=alice, player=alice, goods="4 tg")
    await discord.sees(bob, f"<@{bob.id}>", button="Accept")
    held.released.set()
    await discord.until(lambda: posted.answers)
    await discord.quiet()
    assert "DM" in posted.text


async def test_a_dropped_gateway_is_resumed(table: Table) -> None:
    gateway = table.discord.gateway
    resumed, identified = gateway.resumed, gateway.identified
    await table.discord.drop()
    shown = await table.slash("holdings show", user=table.alice)
    assert "Trade goods: 5" in shown.text.replace("*", "")
    assert (gateway.resumed, gateway.identified) == (resumed + 1, identified)


async def test_a_response_that_is_limited_is_made_again(table: Table) -> None:
    """As by Cloudflare, which does not say for how long."""
    discord, alice, bob = table.discord, table.alice, table.bob

    def limit(*, html: bool, via: bool) -> None:
        fault = discord.fail("POST", r"/callback$", 429, times=2)
        fault.retry_after, fault.html, fault.via = None, html, via

    for offer, (html, via) in enumerate(product((False, True), repeat=2), start=1):
        limit(html=html, via=via)
        posted = await table.slash("offer post", user=alice, to=bob, give=f"{offer} tg")
        assert f"Offer {offer} to bob is posted" in posted.text
        limit(html=html, via=via)
        refused = await discord.press("End turn", user=bob)
        assert "🚫" in refused.text
    await discord.quiet()
    cards = [
        each for each in discord.world.history(table.at) if "Offer 1 ·" in screen.text_of(each)
    ]
    assert len(cards) == 1
