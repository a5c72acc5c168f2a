"""Tests of a table whose channel is deleted, or lacks permissions."""

from __future__ import annotations

import pytest
from discord import Permissions

from tests.loopback import screen
from tests.loopback.loopback import Loopback
from tests.loopback.people import Person
from tests.loopback.places import ANNOUNCEMENT, FORUM, PUBLIC_THREAD, STAGE, TEXT, VOICE
from tests.loopback.world import CHANNEL, GUILD
from tests.wire.club import ALICE, BOB, CAROL, sit_down
from tests.wire.conftest import Here

pytestmark = pytest.mark.wire


def texts(discord: Loopback, person: Person, channel: str) -> list[str]:
    seen = [each for each in discord.world.visible(person) if each["channel_id"] == channel]
    return [screen.text_of(each) for each in seen if not screen.is_ephemeral(each)]


async def test_a_table_whose_channel_is_deleted_goes_on_in_another(
    discord: Loopback, here: Here
) -> None:
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
        for once in ("brought the table", "Offer 2 ·", "Action phase"):
            assert sum(once in text for text in seen) == 1
        every = map(screen.text_of, discord.world.messages.values())
        assert not any("Its channel was deleted" in text for text in every)
        shown = await discord.slash("table show", user=BOB, at=new)
        assert "alice" in shown.text


async def test_a_host_is_asked_before_a_table_takes_the_place_of_one_that_can_be_opened_again(
    discord: Loopback, here: Here
) -> None:
    second = discord.world.add_channel(GUILD)
    async with here():
        await sit_down(discord)
        await sit_down(discord, at=second)
        await discord.slash("table close", user=ALICE, sure="yes", at=second)
        asked = await discord.slash("table move", user=ALICE, at=second)
        assert "Another table here closes it for good" in asked.text
        [question] = [discord.world.messages[each] for each in asked.answers]
        await discord.slash("table reopen", user=ALICE, at=second)
        await discord.slash("table close", user=ALICE, sure="yes", at=second)
        again = await discord.press("Bring Twilight Imperium 4 here", user=ALICE, on=question)
        assert "Another table here closes it for good" in again.text
        question = discord.world.messages[question["id"]]
        brought = await discord.press("Bring Twilight Imperium 4 here", user=ALICE, on=question)
        assert "is here now" in brought.text


async def test_a_host_of_two_tables_is_asked_which_to_bring_and_dms_follow_the_one_with_a_channel(
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
        labels = screen.labels(discord.world.messages[asked.answers[-1]])
        # tables of one name say their channel, and here all channels have one name
        assert labels == ["Bring Twilight Imperium 4 · #table here"] * 2
        await discord.delete_channel(second)
        await discord.sees(ALICE, "Its channel was deleted", dm=True)
        assert "My goods" in (await discord.slash("holdings show", user=BOB, dm=True)).text
        taken = await discord.slash("table move", user=ALICE, at=CHANNEL)
        assert "already has a table" in taken.text
        moved = await discord.slash("table move", user=ALICE, at=third)
        assert "is here now" in moved.text
        await discord.sees(BOB, "brought the table to this channel")


async def test_who_asks_in_the_channel_that_the_table_has_left_reads_where_it_is(
    discord: Loopback, here: Here
) -> None:
    new = discord.world.add_channel(GUILD)
    async with here():
        await sit_down(discord)
        await discord.slash("table move", user=ALICE, at=new)
        lost = await discord.slash("holdings show", user=BOB)
        assert f"You have a table in <#{new}>." in lost.text
        assert f"You have a table in <#{new}>." in (await discord.slash("help", user=BOB)).text
        stranger = await discord.slash("holdings show", user=CAROL)
        assert "Try /table open." in stranger.text


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        (VOICE, "exist in text channels only"),
        (ANNOUNCEMENT, "exist in text channels only"),
        (STAGE, "exist in text channels only"),
        (FORUM, "exist in text channels only"),
        (TEXT, "Create Private Threads"),
    ],
)
async def test_where_there_is_no_private_thread_the_remedy_is_true(
    discord: Loopback, here: Here, kind: int, told: str
) -> None:
    at = discord.world.add_channel(GUILD, kind=kind)
    if kind == TEXT:
        discord.fail("POST", rf"/channels/{at}/threads$", 403, code=50013)
    async with here():
        if kind == FORUM:
            at = discord.world.start_thread(at, {"name": "game night", "type": PUBLIC_THREAD})["id"]
        await sit_down(discord, at=at)
        asked = await discord.slash("negotiate open", user=ALICE, with_=BOB, at=at)
        assert told in asked.text


async def test_in_a_voice_channel_the_bot_must_be_let_in(discord: Loopback, here: Here) -> None:
    at = discord.world.add_channel(GUILD, kind=VOICE)
    discord.world.denied[at] = Permissions(connect=True)
    discord.world.denied[CHANNEL] = Permissions(connect=True)  # where it does not matter
    async with here():
        refused = await discord.slash("table open", user=ALICE, game="ti4", at=at)
        assert "Others would see nothing of the table" in refused.text
        assert "(**Connect**)" in refused.text
        assert "threads" not in refused.text
        assert "Connect" not in (await discord.slash("table open", user=ALICE, game="ti4")).text
        moved = await discord.slash("table move", user=ALICE, at=at)
        assert "(**Connect**)" in moved.text


@pytest.mark.parametrize(("status", "code"), [(404, 10007), (403, 50001)])
async def test_who_can_not_be_added_to_a_thread_is_named(
    discord: Loopback, here: Here, status: int, code: int
) -> None:
    async with here():
        await sit_down(discord)
        discord.fail("PUT", rf"/thread-members/{BOB.id}$", status, code=code)
        asked = await discord.slash("negotiate open", user=ALICE, with_=BOB)
        assert "couldn't add <@12>" in asked.text
        [thread] = discord.world.threads()
        assert discord.world.thread_members[thread] == {str(ALICE.id)}
        await discord.sees(ALICE, "couldn't add <@12>")
        await discord.until(
            lambda: any("couldn't add" in text for text in texts(discord, ALICE, thread))
        )
        await discord.slash("negotiate close", user=ALICE, at=thread)
        again = await discord.slash("negotiate open", user=ALICE, with_=BOB)
        assert "You and <@12> can talk in" in again.text
