"""kill -9 at the worst moments: what was recorded stands, what was not delivered is, nothing happens twice."""

from __future__ import annotations

import pytest

from tests.loopback import screen
from tests.loopback.loopback import Loopback
from tests.loopback.people import Person
from tests.loopback.rest import Call
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
        await discord.until(held.arrived.is_set)
        await bot.kill()
    async with online():
        await discord.sees(BOB, "3 trade goods", button="Accept", dm=True)
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
        await discord.until(held.arrived.is_set)
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


async def test_a_card_is_found_though_somebody_has_pressed_on_it(discord: Loopback, online: Online) -> None:
    """Choosing cards redraws the message: whatever it shows then, it is still recognised."""
    async with online() as bot:
        await discord.slash("table open", user=ALICE, game="advciv")
        for person, seat in ((ALICE, "egypt"), (BOB, "crete")):
            await discord.slash("table sit", user=person, seat=seat)
            await discord.slash("holdings set", user=ALICE, player=person, goods="3 grain, 3 salt, 3 iron")
        await discord.slash("trading open", user=ALICE, minutes=0)
        await discord.slash("offer post", user=ALICE, to=BOB, give="2 salt, ?", want="2 grain, ?")
        await discord.sees(BOB, "2 Salt", button="Agree")
        await discord.quiet()
        held = discord.hold("POST", CARD, text="Choose 1 more card", late=True)
        await discord.press("Agree", user=BOB, wait=False)
        await discord.until(held.arrived.is_set)
        [card] = _to_hand_over(discord)
        await discord.choose("Iron", user=ALICE, on="Choose 1 more card")
        await bot.kill()
    discord.world.forget_nonces()
    async with online():
        await discord.quiet()
        assert [each["id"] for each in _to_hand_over(discord)] == [card["id"]]


def _to_hand_over(discord: Loopback) -> list[screen.Json]:
    """The messages by which Alice hands cards over."""
    return [each for each in discord.world.visible(ALICE) if "Choose 1 more card" in screen.text_of(each)]
