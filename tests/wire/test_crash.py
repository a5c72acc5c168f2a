"""Tests of kill -9 at the worst moments: records stay, messages arrive, nothing happens twice.

What is killed is a process. The next start on its database runs in the test's own.
"""

from __future__ import annotations

import asyncio
import signal

import pytest

from tests.loopback import screen
from tests.loopback.loopback import Loopback
from tests.loopback.people import Person
from tests.loopback.rest import Call
from tests.loopback.world import CHANNEL
from tests.scale import long
from tests.wire.club import ALICE, BOB, sit_down
from tests.wire.conftest import Here, Ledger, Online
from tests.wire.test_delivery_under_fire import by_dm, dm_of, seen

pytestmark = pytest.mark.wire

CARD = r"/channels/\d+/messages$"
CALLBACK = r"/callback$"


def registrations(discord: Loopback) -> list[Call]:
    """Every time that commands were registered."""
    return [
        call for call in discord.calls if call.path.endswith("/commands") and call.method != "GET"
    ]


def cards(discord: Loopback, person: Person) -> list[screen.Json]:
    """The cards with an Accept button that this person sees."""
    return [
        message for message in discord.world.visible(person) if "Accept" in screen.labels(message)
    ]


def boards(discord: Loopback) -> list[screen.Json]:
    """The messages in the channel that have the board's buttons."""
    return [
        message
        for message in seen(discord, ALICE, "", at=CHANNEL)
        if "End turn" in screen.labels(message)
    ]


async def test_an_offer_outlives_the_bot(
    discord: Loopback, online: Online, here: Here, recorded: Ledger
) -> None:
    async with online() as bot:
        await sit_down(discord)
        await discord.slash("offer post", user=ALICE, to=BOB, give="3 tg", want="2 c")
        card = await discord.sees(BOB, "3 trade goods", button="Accept")
        await discord.until(lambda: len(cards(discord, BOB)) == 2)
        await discord.quiet()
        await bot.kill()
    before = cards(discord, BOB)
    async with here():
        await discord.quiet()
        assert [message["id"] for message in cards(discord, BOB)] == [
            message["id"] for message in before
        ]
        assert len(registrations(discord)) == 1
        await discord.press("Accept", user=BOB, on=card)
        await discord.until(lambda: not cards(discord, BOB))
        assert recorded("offer.transaction") == ["offer.transaction"]


@pytest.mark.parametrize(
    "late", [False, True], ids=["before Discord has the card", "before the bot knows of it"]
)
async def test_a_card_that_was_not_delivered_comes_once(
    discord: Loopback, online: Online, here: Here, recorded: Ledger, *, late: bool
) -> None:
    async with online() as bot:
        await sit_down(discord)
        await discord.quiet()
        held = discord.hold("POST", CARD, late=late)
        await discord.slash("offer post", user=ALICE, to=BOB, give="3 tg", want="2 c", wait=False)
        await discord.until(held.arrived.is_set)
        await bot.kill()
    async with here():
        await discord.until(lambda: len(cards(discord, BOB)) >= 2)
        await discord.quiet()
        places = [message["channel_id"] for message in cards(discord, BOB)]
        assert len(places) == len(set(places)) == 2, "one in the channel, one in Bob's DM"
        await discord.press("Accept", user=BOB)
        assert recorded("offer.transaction") == ["offer.transaction"]


async def test_a_trade_that_was_not_delivered_stands(
    discord: Loopback, online: Online, here: Here, recorded: Ledger
) -> None:
    async with online() as bot:
        await sit_down(discord)
        await discord.slash("offer post", user=ALICE, to=BOB, give="3 tg", want="2 c")
        await discord.until(lambda: len(cards(discord, BOB)) == 2)
        held = discord.hold("POST", CALLBACK)
        [card] = [each for each in cards(discord, BOB) if each["channel_id"] == CHANNEL]
        accepted = await discord.press("Accept", user=BOB, on=card, wait=False)
        await discord.until(held.arrived.is_set)
        await bot.kill()
    assert recorded("offer.transaction") == ["offer.transaction"]
    async with here():
        await discord.until(lambda: not cards(discord, BOB))
        holdings = await discord.slash("holdings show", user=ALICE)
        assert "Trade goods: 4" in holdings.text.replace("*", "")

        before = recorded()
        await discord.redeliver(accepted)  # Discord had no answer from the bot that died
        await discord.until(lambda: accepted.answers)
        assert accepted.ephemeral
        assert recorded() == before


async def test_commands_are_registered_when_they_changed(discord: Loopback, here: Here) -> None:
    async with here():
        assert len(registrations(discord)) == 1
    discord.world.commands.pop()  # as another program might do
    async with here():
        assert len(registrations(discord)) == 2


async def test_a_card_is_found_though_somebody_has_pressed_on_it(
    discord: Loopback, online: Online, here: Here
) -> None:
    """Choosing cards redraws the message: whatever it shows then, it is still recognised."""
    async with online() as bot:
        await discord.slash("table open", user=ALICE, game="advciv")
        for person, seat in ((ALICE, "egypt"), (BOB, "crete")):
            await discord.slash("table sit", user=person, seat=seat)
            await discord.slash(
                "holdings set", user=ALICE, player=person, goods="3 grain, 3 salt, 3 iron"
            )
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
    async with here():
        await discord.quiet()
        assert [each["id"] for each in _to_hand_over(discord)] == [card["id"]]


def _to_hand_over(discord: Loopback) -> list[screen.Json]:
    """The messages by which Alice hands cards over."""
    return [
        each
        for each in discord.world.visible(ALICE)
        if "Choose 1 more card" in screen.text_of(each)
    ]


# ---------------------------------------------------------------- once


async def test_a_crash_that_outlasts_the_nonces_doubles_nothing(
    discord: Loopback, online: Online, here: Here
) -> None:
    discord.world.nonces_last = 0.0
    async with online() as bot:
        await sit_down(discord)
        await discord.quiet(1.5)  # a board may wait a second, and is not what is to be held
        held = discord.hold("POST", CARD, late=True)
        await discord.slash("offer post", user=ALICE, to=BOB, give="3 tg", want="2 c", wait=False)
        await held.arrived.wait()
        await bot.kill()
    async with here():
        await discord.until(lambda: by_dm(discord, BOB, "Offer 1"))
        await discord.until(lambda: seen(discord, BOB, "Offer 1 ·", at=CHANNEL))
        await discord.quiet(1.0)
        assert len(by_dm(discord, BOB, "Offer 1")) == 1
        assert len(seen(discord, BOB, "Offer 1 ·", at=CHANNEL)) == 1


async def test_a_result_is_told_once_after_a_crash_that_outlasts_the_nonces(
    discord: Loopback, online: Online, here: Here
) -> None:
    discord.world.nonces_last = 0.0
    async with online() as bot:
        await sit_down(discord)
        await discord.slash("offer post", user=ALICE, to=BOB, give="3 tg")
        await discord.until(lambda: by_dm(discord, BOB, "Offer 1"))
        await discord.quiet()
        held = discord.hold("POST", dm_of(discord, ALICE), late=True)
        await discord.press("Accept", user=BOB, on=by_dm(discord, BOB, "Offer 1")[0], wait=False)
        await held.arrived.wait()
        await bot.kill()
    async with here():
        await discord.until(lambda: by_dm(discord, ALICE, "· transaction 1\n"))
        await discord.quiet(1.0)
        assert len(by_dm(discord, ALICE, "· transaction 1\n")) == 1


async def test_a_command_whose_reply_was_the_card_leaves_one_card_after_a_crash(
    discord: Loopback, online: Online, here: Here
) -> None:
    async with online() as bot:
        await sit_down(discord)
        await discord.quiet()
        held = discord.hold("POST", CALLBACK, late=True)
        await discord.slash("offer post", user=ALICE, to=BOB, give="3 tg", wait=False)
        await held.arrived.wait()
        await bot.kill()
    async with here():
        await discord.until(lambda: by_dm(discord, BOB, "Offer 1"))
        await discord.until(lambda: seen(discord, BOB, "Offer 1 ·", at=CHANNEL))
        await discord.quiet(1.0)
        assert len(seen(discord, BOB, "Offer 1 ·", at=CHANNEL)) == 1


DELETED, EDITED = ("DELETE", r"/messages/\d+$"), ("PATCH", r"/messages/\d+$")
POSTED = ("POST", CARD)


@pytest.mark.parametrize(
    ("route", "late"),
    [
        (DELETED, False),
        (EDITED, True),
        (POSTED, True),
        *long([(DELETED, True), (EDITED, False), (POSTED, False)]),
    ],
    ids=lambda each: each[0] if isinstance(each, tuple) else f"after its effect {each}",
)
async def test_a_board_that_was_replaced_has_no_buttons(
    discord: Loopback, online: Online, here: Here, route: tuple[str, str], late: bool
) -> None:
    async with online() as bot:
        await sit_down(discord)
        await discord.until(lambda: boards(discord))
        await discord.quiet(1.5)
        held = discord.hold(*route, late=late)
        await discord.slash("turn start", user=ALICE, player=BOB, wait=False)
        arriving = asyncio.create_task(held.arrived.wait())
        await asyncio.wait(
            [arriving, asyncio.create_task(discord.quiet(1.5))], return_when=asyncio.FIRST_COMPLETED
        )
        if not arriving.done():
            held.over()  # the bot does without such a request
            arriving.cancel()
        discord.world.nonces_last = 0.0
        await bot.kill()
    async with here():
        await discord.until(lambda: len(boards(discord)) == 1)
        await discord.quiet(1.5)
        assert len(boards(discord)) == 1


# ---------------------------------------------------------------- a process that stood still


async def test_what_discord_gave_up_on_while_a_new_process_was_stopped_is_not_carried_out(
    discord: Loopback, online: Online, here: Here, recorded: Ledger
) -> None:
    async with here():
        await sit_down(discord)
        await discord.quiet()
    before = recorded()
    async with online(
        constants={"cogs.answers:DEFER_AFTER": 1.5, "cogs.answers:GIVE_UP_AFTER": 2.8}
    ) as bot:
        bot.process.send_signal(signal.SIGSTOP)
        posted = [
            await discord.slash("offer post", user=ALICE, to=BOB, give="1 tg", wait=False)
            for _ in range(3)
        ]
        # as the real Discord has it
        patience, discord.rest.callback_within = discord.rest.callback_within, 3.0
        while any(each.age() <= discord.rest.callback_within for each in posted):  # noqa: ASYNC110  (time passes)
            await asyncio.sleep(0.1)
        bot.process.send_signal(signal.SIGCONT)
        await discord.until(lambda: all(each.too_late for each in posted))
        for each in posted:
            await bot.said(
                "an interaction was not answered in time and is not carried out [interaction "
                f"{each.id}]"
            )
        assert recorded() == before
        discord.rest.callback_within = patience
        await discord.slash("offer post", user=ALICE, to=BOB, give="2 tg")
        assert recorded("offer.posted") == ["offer.posted"]
