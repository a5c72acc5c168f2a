"""The same thing asked twice, and two things at once: the ledger decides, once."""

from __future__ import annotations

import asyncio

import pytest

from tests.loopback import screen
from tests.loopback.exchange import MESSAGE, UPDATE
from tests.loopback.loopback import CHANNEL, Loopback
from tests.wire.club import ALICE, BOB, sit_down
from tests.wire.conftest import Ledger, Online

pytestmark = pytest.mark.wire


async def test_one_interaction_delivered_twice(discord: Loopback, online: Online, recorded: Ledger) -> None:
    async with online():
        await sit_down(discord)
        posted = await discord.slash("offer post", user=ALICE, to=BOB, give="1 tg", want="1 c", times=2)
        await discord.quiet()
        assert recorded("offer.posted") == ["offer.posted"]
        assert len(posted.answers) == 1
        assert len(await cards(discord, "Offer 1 ·")) == 1

        accepted = await discord.press("Accept", user=BOB, times=2)
        await discord.quiet()
        assert recorded("offer.transaction") == ["offer.transaction"]
        await discord.redeliver(accepted)
        await discord.quiet()
        assert recorded("offer.transaction") == ["offer.transaction"]


async def test_a_double_click_is_one_trade(discord: Loopback, online: Online, recorded: Ledger) -> None:
    async with online():
        await sit_down(discord)
        await discord.slash("offer post", user=ALICE, to=BOB, give="1 tg", want="1 c")
        card = await discord.sees(BOB, "1 trade good", button="Accept")
        both = await asyncio.gather(*[discord.press("Accept", user=BOB, on=card) for _ in range(2)])
        assert recorded("offer.transaction") == ["offer.transaction"]
        assert sorted(click.type for click in both) == [MESSAGE, UPDATE]
        [updated] = [click for click in both if click.type == UPDATE]
        [refused] = [click for click in both if click.type == MESSAGE]
        assert updated.messages[0]["id"] == card["id"]
        assert refused.ephemeral
        assert "Done · transaction 1" not in refused.text
        assert len(await cards(discord, "Done · transaction 1")) == 1


async def test_accepted_or_withdrawn_but_never_both(discord: Loopback, online: Online, recorded: Ledger) -> None:
    async with online():
        await sit_down(discord)
        await discord.slash("offer post", user=ALICE, to=BOB, give="1 tg", want="1 c")
        accept = await discord.sees(BOB, "1 trade good", button="Accept")
        await discord.press("More…", user=ALICE, on="1 trade good")
        withdraw = await discord.sees(ALICE, "1 trade good", button="Withdraw")
        await asyncio.gather(
            discord.press("Accept", user=BOB, on=accept), discord.press("Withdraw", user=ALICE, on=withdraw)
        )
        assert len(recorded("offer.transaction", "offer.withdrawn")) == 1


async def test_the_other_one_knows_before_the_press_is_answered(discord: Loopback, online: Online) -> None:
    async with online():
        await sit_down(discord)
        await discord.slash("offer post", user=ALICE, to=BOB, give="1 tg", want="1 c")
        await discord.sees(BOB, "1 trade good", button="Accept")
        held = discord.hold("POST", r"/callback$")
        accepted = await discord.press("Accept", user=BOB, wait=False)
        await discord.sees(ALICE, "transaction 1", dm=True)
        assert not accepted.answers
        held.released.set()
        await discord.until(lambda: accepted.answers)


async def cards(discord: Loopback, text: str) -> list[screen.Json]:
    """Return the messages in the table's channel for everybody that say this, once there are any."""

    def found() -> list[screen.Json]:
        there = [each for each in discord.world.visible(BOB) if each["channel_id"] == CHANNEL]
        return [each for each in there if text in screen.text_of(each) and not screen.is_ephemeral(each)]

    await discord.until(found)
    return found()
