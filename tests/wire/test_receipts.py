"""Tests that a private receipt becomes what is true, by its interaction's token, last of all."""

from __future__ import annotations

import asyncio

import pytest

from tests.loopback import screen
from tests.loopback.exchange import Exchange
from tests.loopback.loopback import Loopback
from tests.wire.club import ALICE, BOB, sit_down
from tests.wire.conftest import Here

pytestmark = pytest.mark.wire


def edits_of(discord: Loopback, message: str = "@original") -> list[str]:
    """The edits that were made by a token, to a message that was no answer just then."""
    ending = f"/messages/{message}"
    return [
        call.path for call in discord.calls if call.method == "PATCH" and call.path.endswith(ending)
    ]


def shown(discord: Loopback, exchange: Exchange) -> str:
    """What the message that an interaction was answered with shows now."""
    return screen.text_of(discord.world.messages[exchange.answers[0]])


async def test_the_receipt_of_an_offer_becomes_what_is_true(discord: Loopback, here: Here) -> None:
    async with here():
        await sit_down(discord)
        posted = await discord.slash("offer post", user=ALICE, to=BOB, give="1 tg")
        assert "✅ **Offer 1 to bob is posted**" in shown(discord, posted)
        before = len(edits_of(discord))
        await discord.slash("offer decline", user=BOB, offer=1)
        await discord.quiet(0.5)
        assert "Declined by bob" in shown(discord, posted)
        assert screen.buttons(discord.world.messages[posted.answers[0]]) == []
        assert len(edits_of(discord)) == before + 1


async def test_so_does_that_of_a_deal(discord: Loopback, here: Here) -> None:
    async with here():
        await sit_down(discord)
        proposed = await discord.slash(
            "deal propose", user=ALICE, **{"with": BOB}, terms="peace", when="later"
        )
        assert "Waiting for bob to answer" in shown(discord, proposed)
        await discord.slash("deal accept", user=BOB, deal=1)
        await discord.quiet(0.5)
        assert "Agreed" in shown(discord, proposed)
        assert "Waiting for bob" not in shown(discord, proposed)


async def test_one_edit_for_all_that_happened_meanwhile(discord: Loopback, here: Here) -> None:
    async with here():
        await sit_down(discord)
        posted = await discord.slash("offer post", user=ALICE, to=BOB, give="1 tg")
        before = len(edits_of(discord))
        board = discord.hold("PATCH", r"/channels/\d+/messages/", text="Offer 1")
        await discord.slash("offer suspend", user=ALICE, offer=1)
        await board.arrived.wait()
        await discord.slash("offer resume", user=ALICE, offer=1)
        await discord.slash("offer withdraw", user=ALICE, offer=1)
        assert len(edits_of(discord)) == before, "other messages come first"
        board.released.set()
        await discord.quiet(0.5)
        assert "You withdrew it" in shown(discord, posted)
        assert len(edits_of(discord)) <= before + 3, "each answer is a receipt, and edited once"


async def test_what_happens_while_the_receipt_is_sent_is_in_it(
    discord: Loopback, here: Here
) -> None:
    async with here():
        await sit_down(discord)
        answer = discord.hold("POST", r"/interactions/.*/callback", text="is posted", late=True)
        posting = asyncio.create_task(
            discord.slash("offer post", user=ALICE, to=BOB, give="1 tg", wait=False)
        )
        await answer.arrived.wait()
        await discord.slash("offer decline", user=BOB, offer=1)
        answer.released.set()
        posted = await posting
        await discord.quiet(0.5)
        assert "Declined by bob" in shown(discord, posted)


async def test_a_receipt_that_is_gone_is_forgotten(discord: Loopback, here: Here) -> None:
    async with here():
        await sit_down(discord)
        await discord.slash("offer post", user=ALICE, to=BOB, give="1 tg")
        gone = discord.fail("PATCH", r"/messages/@original", 404, code=10008)
        await discord.slash("offer suspend", user=BOB, offer=1)
        await discord.slash("offer decline", user=BOB, offer=1)
        await discord.quiet(0.5)
        assert gone.met == 1
        await discord.slash("offer post", user=ALICE, to=BOB, give="2 tg")
        await discord.quiet(0.5)
        assert gone.met == 1


async def test_an_old_token_is_not_used(
    discord: Loopback, here: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.delivery.receipts.USED_FOR", 0.0)
    async with here():
        await sit_down(discord)
        posted = await discord.slash("offer post", user=ALICE, to=BOB, give="1 tg")
        before = len(edits_of(discord))
        await discord.slash("offer decline", user=BOB, offer=1)
        await discord.quiet(0.5)
        assert len(edits_of(discord)) == before
        pressed = await discord.press("Withdraw", user=ALICE, on=posted.messages[0])
        assert "Declined by bob" in shown(discord, posted), "pressed, it is replaced"
        assert pressed.answers == posted.answers
