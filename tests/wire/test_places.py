"""Where a table is: its channel is deleted, or is one in which not everything is possible."""

from __future__ import annotations

import pytest

from tests.loopback import screen
from tests.loopback.loopback import Loopback
from tests.loopback.people import Person
from tests.loopback.world import CHANNEL, GUILD
from tests.wire.club import ALICE, BOB, sit_down
from tests.wire.conftest import Here

pytestmark = pytest.mark.wire


def texts(discord: Loopback, person: Person, channel: str) -> list[str]:
    seen = [each for each in discord.world.visible(person) if each["channel_id"] == channel]
    return [screen.text_of(each) for each in seen if not screen.is_ephemeral(each)]


async def test_a_table_whose_channel_is_deleted_goes_on_in_another(discord: Loopback, here: Here) -> None:
    new = discord.world.add_channel(GUILD)
    async with here():
        await sit_down(discord)
        await discord.slash("offer post", user=ALICE, to=BOB, give="1 tg")
        await discord.delete_channel(CHANNEL)
        told = await discord.sees(ALICE, "Its channel was deleted", button="Close it", dm=True)
        how = await discord.press("How to move it", user=ALICE, on=told)
        assert "/table move" in how.text
        await discord.slash("offer post", user=ALICE, give="2 tg", dm=True)
        asked = await discord.slash("table open", user=ALICE, game="ti4", at=new)
        assert "The channel of a table that you host was deleted." in asked.text
        brought = await discord.press("Bring Twilight Imperium 4 here", user=ALICE)
        assert "is here now" in brought.text
        await discord.sees(ALICE, "goes on", dm=True)
        await discord.press("Accept", user=BOB, on="1 trade good")
        await discord.quiet()
        seen = texts(discord, BOB, new)
        assert [sum(what in text for text in seen) for what in ("brought the table", "Offer 2 ·", "Action phase")] == [
            1
        ] * 3
        assert (
            sum("Its channel was deleted" in text for text in map(screen.text_of, discord.world.messages.values())) == 0
        )
        shown = await discord.slash("table show", user=BOB, at=new)
        assert "alice" in shown.text


async def test_a_host_of_two_tables_is_asked_which_to_bring_and_dms_are_about_the_one_that_has_a_channel(
    discord: Loopback, here: Here
) -> None:
    second, third = discord.world.add_channel(GUILD), discord.world.add_channel(GUILD)
    async with here():
        await sit_down(discord)
        await sit_down(discord, at=second)
        asked = await discord.slash("holdings show", user=BOB, dm=True)
        assert "Which one" in asked.text
        refused = await discord.slash("table move", user=BOB, at=third)
        assert "You host no table" in refused.text
        asked = await discord.slash("table move", user=ALICE, at=third)
        assert screen.labels(discord.world.messages[asked.answers[-1]]) == ["Bring Twilight Imperium 4 here"] * 2
        await discord.delete_channel(second)
        await discord.sees(ALICE, "Its channel was deleted", dm=True)
        assert "My goods" in (await discord.slash("holdings show", user=BOB, dm=True)).text
        taken = await discord.slash("table move", user=ALICE, at=CHANNEL)
        assert "already has a table" in taken.text
        moved = await discord.slash("table move", user=ALICE, at=third)
        assert "is here now" in moved.text
        await discord.sees(BOB, "brought the table to this channel")
