"""kill -9 at the worst moments: what was recorded stands, what was not delivered is, nothing happens twice."""

from __future__ import annotations

import pytest

from bot.loopback import screen
from bot.loopback.loopback import Loopback
from bot.loopback.people import Person
from bot.loopback.rest import Call
from tests.wire.club import ALICE, BOB, sit_down
from tests.wire.conftest import Ledger, Online

pytestmark = pytest.mark.wire

CARD = r"/channels/\d+/messages$"
CALLBACK = r"/callback$"


def registrations(discord: Loopback) -> list[Call]:
    """Every time that commands were registered."""
    return [call for call in discord.calls if call.path.endswith("/commands") and call.method != "GET"]


def cards(discord: Loopback, person: Person) -> list[screen.Json]:
    """The cards with an Accept button that this person sees."""
    return [message for message in discord.world.visible(person) if "Accept" in screen.labels(message)]


async def test_an_offer_outlives_the_bot(discord: Loopback, online: Online, recorded: Ledger) -> None:
    async with online() as bot:
        await sit_down(discord)
        await discord.slash("offer post", user=ALICE, to=BOB, give="3 tg", want="2 c")
        card = await discord.sees(BOB, "3 trade goods", button="Accept")
        await discord.quiet()
        await bot.kill()
    before = cards(discord, BOB)
    async with online():
        await discord.quiet()
        assert [message["id"] for message in cards(discord, BOB)] == [message["id"] for message in before]
        assert len(registrations(discord)) == 1
        await discord.press("Accept", user=BOB, on=card)
        await discord.quiet()
        assert recorded("offer.transaction") == ["offer.transaction"]
        assert cards(discord, BOB) == []


@pytest.mark.parametrize("late", [False, True], ids=["before Discord has the card", "before the bot knows of it"])
async def test_a_card_that_was_not_delivered_comes_once(
    discord: Loopback, online: Online, recorded: Ledger, *, late: bool
) -> None:
    async with online() as bot:
        await sit_down(discord)
        held = discord.hold("POST", CARD, late=late)
        await discord.slash("offer post", user=ALICE, to=BOB, give="3 tg", want="2 c", wait=False)
        await held.arrived.wait()
        await bot.kill()
    async with online():
        await discord.until(lambda: len(cards(discord, BOB)) >= 2)
        await discord.quiet()
        places = [message["channel_id"] for message in cards(discord, BOB)]
        assert len(places) == len(set(places)) == 2, "one in the channel, one in Bob's DM"
        await discord.press("Accept", user=BOB)
        assert recorded("offer.transaction") == ["offer.transaction"]


async def test_a_trade_that_was_not_delivered_stands(discord: Loopback, online: Online, recorded: Ledger) -> None:
    async with online() as bot:
        await sit_down(discord)
        await discord.slash("offer post", user=ALICE, to=BOB, give="3 tg", want="2 c")
        await discord.quiet()
        held = discord.hold("POST", CALLBACK)
        accepted = await discord.press("Accept", user=BOB, wait=False)
        await held.arrived.wait()
        await bot.kill()
    assert recorded("offer.transaction") == ["offer.transaction"]
    async with online():
        await discord.until(lambda: not cards(discord, BOB))
        holdings = await discord.slash("holdings show", user=ALICE)
        assert "Trade goods: 4" in holdings.text.replace("*", "")

        before = recorded()
        await discord.redeliver(accepted)  # Discord had no answer from the bot that died
        await discord.until(lambda: accepted.answers)
        assert accepted.ephemeral
        assert recorded() == before


async def test_commands_are_registered_when_they_changed(discord: Loopback, online: Online) -> None:
    async with online():
        assert len(registrations(discord)) == 1
    discord.world.commands.pop()  # as another program might do
    async with online():
        assert len(registrations(discord)) == 2
