"""Discord says no, wants us to wait, breaks, or is gone for a moment."""

from __future__ import annotations

from itertools import product

import pytest

from tests.loopback import screen
from tests.loopback.loopback import Loopback
from tests.loopback.world import CHANNEL
from tests.wire.club import ALICE, BOB, sit_down
from tests.wire.conftest import Ledger, Online

pytestmark = pytest.mark.wire

CARD, CALLBACK = r"/channels/\d+/messages$", r"/callback$"


async def test_a_rate_limit_is_waited_for(discord: Loopback, online: Online) -> None:
    async with online():
        await sit_down(discord)
        discord.fail("POST", CARD, 429, times=2)
        await discord.slash("offer post", user=ALICE, to=BOB, give="3 tg")
        await discord.sees(BOB, "3 trade goods", button="Accept")


async def test_what_discord_could_not_take_is_sent_later(discord: Loopback, online: Online, recorded: Ledger) -> None:
    async with online():
        await sit_down(discord)
        discord.fail("POST", CARD, 503)
        await discord.slash("offer post", user=ALICE, to=BOB, give="3 tg")
        await discord.quiet()
        assert recorded("offer.posted") == ["offer.posted"]
        await discord.slash("holdings set", user=ALICE, player=BOB, goods="1 c")
        card = await discord.sees(BOB, "3 trade goods", button="Accept")
        await discord.press("Accept", user=BOB, on=card)
        assert recorded("offer.transaction") == ["offer.transaction"]


async def test_a_closed_dm_falls_back_to_the_channel(discord: Loopback, online: Online, recorded: Ledger) -> None:
    async with online():
        await sit_down(discord)
        await discord.quiet()
        discord.closed_dms.add(BOB)
        posted = await discord.slash("offer post", user=ALICE, to=BOB, give="3 tg")
        await discord.until(lambda: f"<@{BOB.id}>" in posted.text and "DM" in posted.text)
        sent = [call.json for call in discord.calls if call.path == f"/channels/{CHANNEL}/messages"]
        pinged = [user for message in sent for user in message["allowed_mentions"].get("users", [])]
        assert list(map(str, pinged)) == [str(BOB.id)]
        card = await discord.sees(BOB, f"<@{BOB.id}>", button="Accept")
        assert card["channel_id"] == CHANNEL
        await discord.press("Accept", user=BOB, on=card)
        assert recorded("offer.transaction") == ["offer.transaction"]


async def test_the_poster_is_told_of_closed_dms_even_when_another_command_delivers(
    discord: Loopback, online: Online
) -> None:
    async with online():
        await sit_down(discord)
        await discord.quiet()
        discord.closed_dms.add(BOB)
        held = discord.hold("POST", r"/callback$")
        posted = await discord.slash("offer post", user=ALICE, to=BOB, give="3 tg", wait=False)
        await held.arrived.wait()
        await discord.slash("holdings set", user=ALICE, player=ALICE, goods="4 tg")  # overtakes, and delivers the offer
        await discord.sees(BOB, f"<@{BOB.id}>", button="Accept")
        held.released.set()
        await discord.until(lambda: posted.answers)
        await discord.quiet()
        assert "DM" in posted.text


async def test_a_dropped_gateway_is_resumed(discord: Loopback, online: Online) -> None:
    async with online():
        await sit_down(discord)
        await discord.drop()
        shown = await discord.slash("holdings show", user=ALICE)
        assert "Trade goods: 5" in shown.text.replace("*", "")
    assert (discord.gateway.resumed, discord.gateway.identified) == (1, 1)


async def test_a_response_that_is_limited_is_made_again(discord: Loopback, online: Online, recorded: Ledger) -> None:
    """As by Cloudflare, which does not say for how long."""

    def limit(*, html: bool, via: bool) -> None:
        fault = discord.fail("POST", CALLBACK, 429, times=2)
        fault.retry_after, fault.html, fault.via = None, html, via

    async with online():
        await sit_down(discord)
        for offer, (html, via) in enumerate(product((False, True), repeat=2), start=1):
            limit(html=html, via=via)
            posted = await discord.slash("offer post", user=ALICE, to=BOB, give=f"{offer} tg")
            assert f"Offer {offer} ·" in posted.text
            limit(html=html, via=via)
            refused = await discord.press("End turn", user=BOB)
            assert "🚫" in refused.text
        await discord.quiet()
        card = [each for each in discord.world.history(CHANNEL) if "Offer 1 ·" in screen.text_of(each)]
        assert len(card) == 1
