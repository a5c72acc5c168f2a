"""Tests of the reconciler's threads: opened, archived, unarchived, and gone."""

from __future__ import annotations

from dataclasses import replace

import pytest
from aiohttp import ClientTimeout

from bot.delivery import transport
from bot.delivery.desired import (
    ArchiveThread,
    Desired,
    Fallback,
    NegotiationRoom,
    NegotiationThread,
    OfferCard,
    OpenThread,
)
from bot.delivery.records import absent
from tests.delivery.briefings import ALICE, BOB, CHANNEL
from tests.delivery.display import Display
from tests.delivery.near import BOBS, SERVER
from tests.delivery.steps import (
    CARD,
    OTHER,
    OVER,
    board,
    fate,
    personal,
    whats,
)

# ---------------------------------------------------------------- threads

THREAD = OpenThread(NegotiationThread(2), "alice and bob: the planet", (ALICE, BOB))
IN_IT = Desired(OfferCard(1), CARD, NegotiationRoom(2))


async def the_bot_is(display: Display, *, here: bool) -> None:
    """Let the bot be removed from the server, or invited again."""
    display.service.members.note_bot(SERVER, here=here)
    await display.idle()


def thread_of(display: Display) -> int:
    [thread] = display.discord.threads
    return thread


async def test_a_thread_is_opened_once_and_then_what_belongs_in_it_is_sent(
    display: Display,
) -> None:
    requests = await display.shows(THREAD, IN_IT)
    assert whats(requests) == ["thread", "add", "add", "send"]
    assert requests[1].pings == (ALICE,)
    assert requests[2].pings == (BOB,)
    assert requests[-1].channel == thread_of(display)
    assert await display.shows(THREAD, IN_IT) == []
    record = display.record(THREAD.subject)
    assert record.message_id == thread_of(display)
    assert record.shown == "open"
    assert record.fate == "shown"


@pytest.mark.parametrize("done", [False, True])
async def test_one_that_was_opened_although_discord_said_no_is_found(
    display: Display, done: bool
) -> None:
    display.discord.fails("thread", CHANNEL, 503, done=done)
    await display.shows(THREAD, IN_IT)
    assert display.pauses == [0.5]
    opened = [] if done else ["thread"]
    assert whats(await display.later()) == ["threads", *opened, "add", "add", "send"]
    assert len(display.discord.threads) == 1


async def test_an_error_when_people_are_added_does_not_open_a_second_one(display: Display) -> None:
    display.discord.fails("add", None, 503)
    assert whats(await display.shows(THREAD, IN_IT)) == ["thread", "add"]
    assert whats(await display.later()) == ["add", "add", "send"]
    assert len(display.discord.threads) == 1


async def test_a_thread_that_a_crash_left_is_found_by_its_name(display: Display) -> None:
    await display.hangs("thread", CHANNEL, THREAD, IN_IT, done=True)
    requests = await display.restart()
    assert whats(requests) == ["threads", "add", "add", "send"]
    assert len(display.discord.threads) == 1
    assert requests[-1].channel == thread_of(display)


async def test_a_thread_that_a_crash_prevented_is_opened(display: Display) -> None:
    await display.hangs("thread", CHANNEL, THREAD, IN_IT)
    assert whats(await display.restart()) == ["threads"]
    assert whats(await display.later()) == ["threads", "thread", "add", "add", "send"]


async def test_a_request_for_a_thread_that_outlives_its_process_doubles_nothing(
    display: Display,
) -> None:
    """It reaches Discord after the next process has looked for the thread."""
    under_way = await display.hangs("thread", CHANNEL, THREAD, IN_IT)
    await display.restart()
    under_way.released.set()
    await under_way.answered.wait()
    assert whats(await display.later()) == ["threads", "add", "add", "send"]
    assert len(display.discord.threads) == 1


@pytest.mark.parametrize("killed", [False, True])
@pytest.mark.parametrize("done", [False, True])
async def test_one_whose_negotiation_closes_while_it_is_opened_is_archived_if_it_is_there(
    display: Display, monkeypatch: pytest.MonkeyPatch, *, killed: bool, done: bool
) -> None:
    """The request gets no answer, and takes effect, if at all, only after the first look."""
    under_way = display.discord.hangs("thread", CHANNEL)
    with monkeypatch.context() as impatient:
        impatient.setattr(transport, "TIMEOUT", ClientTimeout(sock_read=0.5))
        display.begins(THREAD, IN_IT)
        await display.until(under_way.arrived.is_set)
        await display.shows(ArchiveThread(THREAD.subject, THREAD.name))
    await display.later()
    under_way.lost = not done
    under_way.released.set()
    await under_way.answered.wait()
    if killed:
        await display.restart()
    await display.later()
    await display.later()
    archived = [
        display.discord.world.channel(str(each))["thread_metadata"]["archived"]
        for each in display.discord.threads
    ]
    assert archived == [True] * done
    assert (display.pauses, display.works) == ([], {})


async def test_where_no_thread_can_be_opened_one_does_without(display: Display) -> None:
    display.discord.has_no_threads()
    assert await display.shows(THREAD, IN_IT, personal()) != []
    record = display.record(THREAD.subject)
    assert (record.shown, record.message_id, record.fate) == ("none", 0, "shown")
    assert {each.channel for each in display.discord.messages} == {BOBS}
    assert await display.shows(THREAD, IN_IT, personal()) == []


async def test_where_threads_are_forbidden_one_does_without(display: Display) -> None:
    display.discord.refuses("thread", CHANNEL, 403, 50013)
    assert whats(await display.shows(THREAD, IN_IT)) == ["thread"]
    assert await display.shows(THREAD, IN_IT) == []
    assert display.pauses == []


@pytest.mark.parametrize("code", [50001, 10004])
@pytest.mark.parametrize("known_first", [False, True])
async def test_one_that_was_refused_as_the_bot_was_thrown_out_is_opened_when_it_is_back(
    display: Display, *, known_first: bool, code: int
) -> None:
    """Discord may tell of it before the refusal, or after."""
    if known_first:
        await the_bot_is(display, here=False)
    display.discord.refuses("thread", CHANNEL, 403, code)
    asked = [] if known_first else ["thread"]
    assert whats(await display.shows(THREAD, IN_IT)) == asked
    await the_bot_is(display, here=False)
    assert await display.shows(THREAD, IN_IT, board()) == []
    assert display.works == {}
    assert display.pauses == []
    assert display.delivery.owed()[0] == 0
    display.discord.works()
    await the_bot_is(display, here=True)
    assert display.seen(thread_of(display)) == ["one"]
    assert absent(display.table.lives[THREAD.subject]) == ()
    assert await display.shows(THREAD, IN_IT, board()) == []


async def test_of_one_that_is_opened_late_it_is_known_who_is_not_in_it_yet(
    display: Display,
) -> None:
    display.discord.refuses("thread", CHANNEL, 403, 50001)
    await display.shows(THREAD, IN_IT)
    display.discord.works()
    display.discord.fails("add", None, 503)
    await the_bot_is(display, here=True)
    assert absent(display.table.lives[THREAD.subject]) == ()
    assert whats(await display.later()) == ["add", "add", "send"]


async def test_so_it_is_after_a_restart(display: Display) -> None:
    display.discord.refuses("thread", CHANNEL, 403, 50001)
    await display.shows(THREAD, IN_IT)
    await display.restart()
    assert display.discord.threads == []
    display.discord.works()
    await the_bot_is(display, here=True)
    assert display.seen(thread_of(display)) == ["one"]


async def test_a_refusal_that_comes_after_the_invitation_keeps_no_thread_away(
    display: Display,
) -> None:
    world = display.discord.world
    world.refuse(str(CHANNEL), 403, 50001)
    slow = await display.hangs("channel", CHANNEL, THREAD, IN_IT, done=True)
    world.readmit(str(CHANNEL))
    for here in (False, True):
        display.service.members.note_bot(SERVER, here=here)
    slow.released.set()
    await display.idle()
    assert display.seen(thread_of(display)) == ["one"]
    assert display.pauses == []


async def test_one_that_may_have_been_opened_before_the_bot_was_thrown_out_is_found(
    display: Display,
) -> None:
    display.discord.fails("thread", CHANNEL, 503, done=True)
    await display.shows(THREAD, IN_IT)
    display.discord.refuses("threads", SERVER, 403, 50001)
    await display.later()
    await the_bot_is(display, here=False)
    display.discord.works()
    await the_bot_is(display, here=True)
    assert display.seen(thread_of(display)) == ["one"]


async def test_without_access_to_the_channel_one_request_a_minute_asks_for_a_thread(
    display: Display,
) -> None:
    display.discord.refuses("thread", CHANNEL, 403, 50001)
    await display.shows(THREAD, IN_IT)
    assert await display.shows(THREAD, IN_IT) == []
    closed = display.delivery._reconciler._sender.closed_channels.until
    closed[CHANNEL] = 0.0, 50001  # a minute passes
    assert whats(await display.shows(THREAD, IN_IT)) == ["threads", "thread"]
    assert await display.shows(THREAD, IN_IT) == []
    display.discord.works()
    closed[CHANNEL] = 0.0, 50001
    await display.shows(THREAD, IN_IT)
    assert display.seen(thread_of(display)) == ["one"]
    assert CHANNEL not in closed


async def test_one_that_waits_for_an_invitation_is_forgotten_when_its_negotiation_closes(
    display: Display,
) -> None:
    display.discord.refuses("thread", CHANNEL, 403, 50001)
    await display.shows(THREAD, IN_IT)
    await display.shows(ArchiveThread(THREAD.subject, THREAD.name))
    await display.later()
    assert display.subjects() == set()
    display.discord.works()
    await the_bot_is(display, here=True)
    assert display.discord.threads == []


@pytest.mark.parametrize("code", [50013, 50001, 10007, 10003])
async def test_where_people_can_t_be_added_the_thread_stays_without_them(
    display: Display, code: int
) -> None:
    display.discord.refuses("add", None, 403, code)
    await display.shows(THREAD, board())
    assert await display.shows(THREAD, board(OTHER)) != []
    assert len(display.discord.threads) == 1
    assert absent(display.table.lives[THREAD.subject]) == (ALICE, BOB)
    assert display.seen(CHANNEL) == ["two"]
    assert display.pauses == []


async def test_that_a_thread_was_deleted_is_nothing_against_the_channel(display: Display) -> None:
    """It comes out when its messages are closed and it is archived."""
    await display.shows(THREAD, IN_IT, board())
    display.discord.world.remove_channel(str(thread_of(display)))
    requests = await display.shows(
        replace(IN_IT, card=OTHER), ArchiveThread(THREAD.subject), board(OTHER)
    )
    assert "archive" not in whats(requests)
    assert display.seen(CHANNEL) == ["two"]
    assert not display.table.gone
    assert (display.pauses, display.works) == ([], {})


async def test_nor_when_only_archiving_finds_out(display: Display) -> None:
    await display.shows(THREAD, board())
    display.discord.world.remove_channel(str(thread_of(display)))
    await display.shows(ArchiveThread(THREAD.subject), board())
    await display.shows(board(OTHER))
    assert display.seen(CHANNEL) == ["two"]
    assert not display.table.gone
    assert (display.pauses, display.works) == ([], {})


async def test_a_person_pinged_about_what_is_in_a_thread_is_pinged_there(display: Display) -> None:
    await display.shows(THREAD)
    display.closes_dms()
    step = personal()
    assert step.fallback is not None
    there = replace(step, fallback=Fallback(NegotiationRoom(2), step.fallback.card))
    _, ping = await display.shows(THREAD, there)
    assert (ping.channel, ping.pings) == (thread_of(display), (BOB,))


async def test_a_thread_is_archived_after_the_messages_inside(display: Display) -> None:
    await display.shows(THREAD, IN_IT)
    gate = await display.hangs(
        "edit", thread_of(display), replace(IN_IT, card=OTHER), ArchiveThread(THREAD.subject)
    )
    for _ in range(20):
        await display.until(lambda: True)
    assert "archive" not in whats(display.discord.requests)
    gate.released.set()
    await display.idle()
    assert whats(display.discord.requests)[-2:] == ["edit", "archive"]
    record = display.record(THREAD.subject)
    assert record.shown == "closed"
    assert await display.shows(IN_IT, ArchiveThread(THREAD.subject)) != []


async def test_nor_before_what_discord_did_not_take_yet(display: Display) -> None:
    await display.shows(THREAD, IN_IT)
    over = replace(IN_IT, card=OVER, wanted=False)
    display.discord.fails("edit", thread_of(display), 503, times=2)
    await display.shows(over, ArchiveThread(THREAD.subject))
    while display.pauses:
        await display.later()
    assert display.seen(thread_of(display)) == ["two, closed"]
    assert display.record(THREAD.subject).shown == "closed"
    assert whats(display.discord.requests)[-1] == "archive"


async def test_archiving_is_tried_until_it_works(display: Display) -> None:
    await display.shows(THREAD)
    display.discord.fails("archive", thread_of(display), 503)
    await display.shows(ArchiveThread(THREAD.subject))
    assert whats(await display.later()) == ["archive"]
    assert display.record(THREAD.subject).shown == "closed"


async def test_a_thread_that_was_archived_by_others_is_taken_out_of_the_archive(
    display: Display,
) -> None:
    await display.shows(THREAD, IN_IT)
    display.discord.fails("edit", thread_of(display), 400, 50083)
    assert whats(await display.shows(THREAD, replace(IN_IT, card=OTHER))) == [
        "edit",
        "reopen",
        "edit",
    ]
    assert display.seen(thread_of(display)) == ["two"]


async def test_so_is_one_after_discord_was_out_of_order(display: Display) -> None:
    """Its card had kept its buttons for good."""
    await display.shows(THREAD, IN_IT)
    display.discord.fails("edit", thread_of(display), 500)
    await display.shows(THREAD, replace(IN_IT, card=OTHER))
    display.discord.fails("edit", thread_of(display), 400, 50083)
    assert whats(await display.later()) == ["edit", "reopen", "edit"]
    assert display.seen(thread_of(display)) == ["two"]


async def test_so_is_one_that_can_t_be_taken_out_just_now(display: Display) -> None:
    await display.shows(THREAD, IN_IT)
    display.discord.fails("edit", thread_of(display), 400, 50083, times=2)
    display.discord.fails("archive", thread_of(display), 500)
    await display.shows(THREAD, replace(IN_IT, card=OTHER))
    assert whats(await display.later()) == ["edit", "reopen", "edit"]
    assert display.seen(thread_of(display)) == ["two"]


async def test_so_is_one_for_a_new_message_after_discord_was_out_of_order(
    display: Display,
) -> None:
    """It was given up."""
    await display.shows(THREAD)
    display.discord.fails("send", thread_of(display), 500)
    await display.shows(THREAD, IN_IT)
    display.discord.fails("send", thread_of(display), 400, 50083)
    assert whats(await display.later()) == ["send", "reopen", "send"]
    assert display.seen(thread_of(display)) == ["one"]


async def test_one_that_stays_archived_is_left_alone(display: Display) -> None:
    await display.shows(THREAD, IN_IT)
    display.discord.refuses("edit", thread_of(display), 400, 50083)
    assert whats(await display.shows(THREAD, replace(IN_IT, card=OTHER))) == [
        "edit",
        "reopen",
        "edit",
    ]
    assert (fate(display, OfferCard(1)), display.pauses) == ("given_up", [])


async def test_the_thread_of_a_closed_negotiation_stays_archived(display: Display) -> None:
    await display.shows(THREAD, IN_IT)
    await display.shows(ArchiveThread(THREAD.subject))
    display.discord.refuses("edit", thread_of(display), 400, 50083)
    assert whats(await display.shows(replace(IN_IT, card=OTHER))) == ["edit"]
    assert display.pauses == []


async def test_a_thread_that_can_t_be_archived_just_now_stays_the_place_of_its_messages(
    display: Display,
) -> None:
    await display.shows(THREAD, IN_IT)
    display.discord.refuses("archive", thread_of(display), 403, 50001)
    archive = ArchiveThread(THREAD.subject)
    await display.shows(IN_IT, archive)
    await display.shows(replace(IN_IT, card=OTHER), archive)
    assert display.seen(thread_of(display)) == ["two"]
    display.discord.works()
    await display.later()
    assert display.record(THREAD.subject).shown == "closed"


async def test_a_thread_whose_negotiation_ends_while_the_bot_is_out_is_archived_once_it_is_back(
    display: Display,
) -> None:
    await display.shows(THREAD, IN_IT)
    display.service.members.note_bot(SERVER, here=False)
    await display.idle()
    display.discord.refuses("archive", thread_of(display), 403, 50001)
    await display.shows(replace(IN_IT, card=OVER, wanted=False), ArchiveThread(THREAD.subject))
    display.discord.works()
    display.service.members.note_bot(SERVER, here=True)
    await display.idle()
    assert display.seen(thread_of(display)) == ["two, closed"]
    assert display.record(THREAD.subject).shown == "closed"


async def test_it_is_archived_after_what_waits_for_an_invitation(display: Display) -> None:
    """Discord takes no edit in an archived thread, so its buttons would stay."""
    ended = replace(IN_IT, card=OVER, wanted=False)
    await display.shows(THREAD, IN_IT)
    await the_bot_is(display, here=False)
    assert await display.shows(ended, ArchiveThread(THREAD.subject)) == []
    display.wanted = (ArchiveThread(THREAD.subject),)
    await the_bot_is(display, here=True)
    assert whats(await display.shows(ended, ArchiveThread(THREAD.subject))) == ["edit"]
    assert whats(await display.later()) == ["archive"]
    assert display.seen(thread_of(display)) == ["two, closed"]


async def test_the_thread_of_an_earlier_negotiation_of_the_same_two_is_not_taken_for_the_next(
    display: Display,
) -> None:
    """It may not be archived yet."""
    again = replace(THREAD, subject=NegotiationThread(3))
    await display.shows(THREAD)
    display.discord.fails("thread", CHANNEL, 503)
    await display.shows(THREAD, again)
    await display.later()
    assert len(display.discord.threads) == 2
    assert display.record(again.subject).message_id != display.record(THREAD.subject).message_id
