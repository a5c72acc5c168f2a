"""The reconciler and threads: opened, archived, taken out of the archive, and gone."""

from __future__ import annotations

from dataclasses import replace

import discord
import pytest

from bot.delivery.desired import (
    ArchiveThread,
    Desired,
    Fallback,
    NegotiationRoom,
    OpenThread,
)
from bot.delivery.subjects import (
    NegotiationThread,
    OfferCard,
)
from tests.delivery.briefings import ALICE, BOB, CHANNEL
from tests.delivery.display import Display
from tests.delivery.fake import DMS
from tests.delivery.steps import (
    CARD,
    OTHER,
    fate,
    personal,
    whats,
)

# ---------------------------------------------------------------- threads

THREAD = OpenThread(NegotiationThread(2), "alice and bob: the planet", (ALICE, BOB))
IN_IT = Desired(OfferCard(1), NegotiationRoom(2), CARD)


@pytest.fixture
def roomy(display: Display) -> Display:
    """A table in whose channel threads can be opened."""
    display.discord.with_threads = True
    return display


def thread_of(display: Display) -> int:
    [thread] = display.discord.threads
    return int(thread["id"])


async def test_a_thread_is_opened_once_and_then_what_belongs_in_it_is_sent(roomy: Display) -> None:
    requests = await roomy.shows(THREAD, IN_IT)
    assert whats(requests) == ["thread", "add", "add", "send"]
    assert [each.pings for each in requests[1:3]] == [(ALICE,), (BOB,)]
    assert requests[-1].channel == thread_of(roomy)
    assert await roomy.shows(THREAD, IN_IT) == []
    record = roomy.record(THREAD.subject)
    assert record is not None
    assert (record.message_id, record.shown, record.fate) == (thread_of(roomy), "open", "shown")


@pytest.mark.parametrize("done", [False, True])
async def test_one_that_was_opened_although_discord_said_no_is_found(roomy: Display, done: bool) -> None:
    roomy.discord.fails("thread", CHANNEL, 503, done=done)
    await roomy.shows(THREAD, IN_IT)
    assert roomy.pauses == [0.5]
    assert whats(await roomy.later()) == ["threads", *([] if done else ["thread"]), "add", "add", "send"]
    assert len(roomy.discord.threads) == 1


async def test_an_error_when_people_are_added_does_not_open_a_second_one(roomy: Display) -> None:
    gate = roomy.discord.hangs("thread", CHANNEL)
    roomy.wants(THREAD, IN_IT)
    roomy.delivery.wake(1)
    await roomy.until(lambda: roomy.discord.requests)
    added = discord_id(roomy)
    roomy.discord.fails("add", added, 503)
    gate.set()
    await roomy.idle()
    assert whats(roomy.discord.requests) == ["thread", "add"]
    assert whats(await roomy.later()) == ["add", "add", "send"]
    assert len(roomy.discord.threads) == 1


def discord_id(display: Display) -> int:
    """Return the id that the next thread will have."""
    return discord.utils.time_snowflake(display.now()) + len(display.discord.threads)


async def test_a_thread_that_a_crash_left_is_found_by_its_name(roomy: Display) -> None:
    roomy.discord.hangs("thread", CHANNEL, done=True)
    roomy.wants(THREAD, IN_IT)
    roomy.delivery.wake(1)
    await roomy.until(lambda: roomy.discord.threads)
    requests = await roomy.restart()
    assert whats(requests) == ["threads", "add", "add", "send"]
    assert len(roomy.discord.threads) == 1
    assert requests[-1].channel == thread_of(roomy)


async def test_a_thread_that_a_crash_prevented_is_opened(roomy: Display) -> None:
    roomy.discord.hangs("thread", CHANNEL)
    roomy.wants(THREAD, IN_IT)
    roomy.delivery.wake(1)
    await roomy.until(lambda: roomy.discord.requests)
    assert whats(await roomy.restart()) == ["threads", "thread", "add", "add", "send"]


async def test_where_no_thread_can_be_opened_one_does_without(display: Display) -> None:
    assert await display.shows(THREAD, IN_IT, personal()) != []
    record = display.record(THREAD.subject)
    assert record is not None
    assert (record.shown, record.message_id, record.fate) == ("none", 0, "shown")
    assert {each.channel for each in display.discord.messages.values()} == {BOB + DMS}
    assert await display.shows(THREAD, IN_IT, personal()) == []


async def test_where_threads_are_forbidden_one_does_without(roomy: Display) -> None:
    roomy.discord.refusing["thread", CHANNEL] = (403, 50013)
    assert whats(await roomy.shows(THREAD, IN_IT)) == ["thread"]
    assert await roomy.shows(THREAD, IN_IT) == []
    assert roomy.pauses == []


async def test_a_person_pinged_about_what_is_in_a_thread_is_pinged_there(roomy: Display) -> None:
    await roomy.shows(THREAD)
    roomy.discord.refusing["send", BOB + DMS] = (403, 50007)
    step = personal()
    assert step.fallback is not None
    there = replace(step, fallback=Fallback(NegotiationRoom(2), step.fallback.card, step.fallback.replaced))
    _, ping = await roomy.shows(THREAD, there)
    assert (ping.channel, ping.pings) == (thread_of(roomy), (BOB,))


async def test_a_thread_is_archived_after_the_messages_inside(roomy: Display) -> None:
    await roomy.shows(THREAD, IN_IT)
    gate = roomy.discord.hangs("edit", thread_of(roomy))
    roomy.wants(replace(IN_IT, card=OTHER), ArchiveThread(THREAD.subject))
    roomy.delivery.wake(1)
    await roomy.until(lambda: whats(roomy.discord.requests)[-1] == "edit")
    for _ in range(20):
        await roomy.until(lambda: True)
    assert "archive" not in whats(roomy.discord.requests)
    gate.set()
    await roomy.idle()
    assert whats(roomy.discord.requests)[-2:] == ["edit", "archive"]
    record = roomy.record(THREAD.subject)
    assert record is not None
    assert record.shown == "closed"
    assert await roomy.shows(IN_IT, ArchiveThread(THREAD.subject)) != []


async def test_archiving_is_tried_until_it_works(roomy: Display) -> None:
    await roomy.shows(THREAD)
    roomy.discord.fails("archive", thread_of(roomy), 503)
    await roomy.shows(ArchiveThread(THREAD.subject))
    assert whats(await roomy.later()) == ["archive"]
    assert roomy.record(THREAD.subject).shown == "closed"  # type: ignore[union-attr]


async def test_a_thread_that_was_archived_by_others_is_taken_out_of_the_archive(roomy: Display) -> None:
    await roomy.shows(THREAD, IN_IT)
    roomy.discord.fails("edit", thread_of(roomy), 400, 50083)
    assert whats(await roomy.shows(THREAD, replace(IN_IT, card=OTHER))) == ["edit", "reopen", "edit"]
    assert roomy.seen(thread_of(roomy)) == [("two", True)]


async def test_one_that_stays_archived_is_left_alone(roomy: Display) -> None:
    await roomy.shows(THREAD, IN_IT)
    roomy.discord.refusing["edit", thread_of(roomy)] = (400, 50083)
    assert whats(await roomy.shows(THREAD, replace(IN_IT, card=OTHER))) == ["edit", "reopen", "edit"]
    assert (fate(roomy, OfferCard(1)), roomy.pauses) == ("given_up", [])


async def test_the_thread_of_a_closed_negotiation_stays_archived(roomy: Display) -> None:
    await roomy.shows(THREAD, IN_IT)
    await roomy.shows(ArchiveThread(THREAD.subject))
    roomy.discord.refusing["edit", thread_of(roomy)] = (400, 50083)
    assert whats(await roomy.shows(replace(IN_IT, card=OTHER))) == ["edit"]
    assert roomy.pauses == []
