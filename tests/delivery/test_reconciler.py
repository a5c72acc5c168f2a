"""The reconciler: what Discord is asked, and what it answers, on a Discord of a few lines."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from datetime import timedelta
from typing import Any

import discord
import pytest

from bot.delivery import pauses, reconciler, shut
from bot.delivery.budget import Budget, Recall, Slot
from bot.delivery.desired import (
    ArchiveThread,
    Desired,
    DirectMessages,
    Fallback,
    NegotiationRoom,
    OpenThread,
    Priority,
    Retired,
    Step,
    TableChannel,
)
from bot.delivery.messages import digest_of
from bot.delivery.outcomes import BY_CODE, Act
from bot.delivery.pauses import PATIENT
from bot.delivery.subjects import (
    Board,
    Headlines,
    NegotiationThread,
    OfferCard,
    PersonalOffer,
    Prompt,
    Replaced,
    Result,
    encode,
)
from bot.rules.model.actions import OfferAction
from bot.service import members
from bot.show.cards import Button, Card
from tests.delivery.briefings import ALICE, BOB, CAROL, CHANNEL
from tests.delivery.display import Display, Saved
from tests.delivery.fake import DMS, Channel, Request

CARD = Card("open", ("one",), ((Button("Accept", OfferAction(1, 1, 1, "accept")),),))
OTHER = replace(CARD, blocks=("two",))
THIRD = replace(CARD, blocks=("three",))
OVER = Card("over", ("two",))
THEIRS = PersonalOffer(1, "addressed", BOB)
ROOM = 8
LATER = timedelta(seconds=61)
"""Longer than Discord surely remembers a nonce."""

AFTERWARDS = [(403, 50001), (403, 50013), (404, 10003)]
"""What Discord answers about a channel that is closed to us."""


def public(card: Card = CARD, *, offer: int = 1, wanted: bool = True) -> Desired:
    return Desired(OfferCard(offer), TableChannel(), card, wanted=wanted)


def personal(card: Card = CARD, *, anchor: str | None = None, wanted: bool = True) -> Desired:
    fallback = Fallback(TableChannel(), replace(card, blocks=("overheard",)), Card("over", ("replaced",)))
    return Desired(THEIRS, DirectMessages(BOB), card, wanted=wanted, anchor=anchor, fallback=fallback, call="offer")


def news(seq: int = 1, *, text: str = "news") -> Desired:
    return Desired(Headlines(seq), TableChannel(), Card("open", (text,), plain=True), final=True, entry=seq)


def board(card: Card = CARD, anchor: str = "1", *, wanted: bool = True) -> Desired:
    return Desired(Board(), TableChannel(), card, anchor=anchor, wanted=wanted)


def whats(requests: list[Request]) -> list[str]:
    return [each.what for each in requests]


def fate(display: Display, subject: Any) -> str:
    record = display.record(subject)
    return record.fate if record else "forgotten"


# ---------------------------------------------------------------- one message about each subject


async def test_a_message_is_sent_once_and_edited_when_it_changes(display: Display) -> None:
    assert whats(await display.shows(public())) == ["send"]
    assert await display.shows(public()) == []
    [edited] = await display.shows(public(OTHER))
    assert (edited.what, edited.message) == ("edit", 101)
    assert display.seen(CHANNEL) == [("two", True)]
    record = display.record(OfferCard(1))
    assert record is not None
    assert (record.message_id, record.channel_id, record.shown, record.fate) == (
        101,
        CHANNEL,
        digest_of(OTHER),
        "shown",
    )


async def test_what_is_not_wanted_is_not_sent_but_kept_up_to_date(display: Display) -> None:
    assert await display.shows(public(wanted=False)) == []
    assert display.store.kept == {}
    await display.shows(public())
    assert whats(await display.shows(public(OTHER, wanted=False))) == ["edit"]


async def test_what_will_not_change_any_more_is_forgotten(display: Display) -> None:
    assert whats(await display.shows(news())) == ["send"]
    assert display.store.kept == {}
    await display.shows(public())
    assert whats(await display.shows(replace(public(OTHER), final=True))) == ["edit"]
    assert display.store.kept == {}


async def test_news_of_an_entry_that_was_told_are_not_told_again(display: Display) -> None:
    await display.shows(news())
    assert await display.shows(news()) == []
    assert whats(await display.shows(news(3))) == ["send"]


async def test_what_is_being_sent_becomes_what_it_should_be_meanwhile(display: Display) -> None:
    gate = display.discord.hangs("send", CHANNEL)
    display.wants(public())
    display.delivery.wake(1)
    await display.until(lambda: display.discord.requests)
    for card in (OTHER, THIRD):
        display.wants(public(card))
        display.delivery.wake(1)
    await display.until(lambda: display.works[OfferCard(1)].step == public(THIRD))
    gate.set()
    await display.idle()
    assert whats(display.discord.requests) == ["send", "edit"]
    assert display.seen(CHANNEL) == [("three", True)]


async def test_what_is_being_sent_and_is_not_wanted_any_more_is_closed_and_forgotten(display: Display) -> None:
    gate = display.discord.hangs("send", BOB + DMS)
    display.wants(personal())
    display.delivery.wake(1)
    await display.until(lambda: whats(display.discord.requests) == ["dm", "send"])
    display.wants(Retired(THEIRS, OTHER, CARD))
    display.delivery.wake(1)
    await display.until(lambda: isinstance(display.works[THEIRS].step, Retired))
    gate.set()
    await display.idle()
    assert display.seen(BOB + DMS) == [("two", False)]
    assert display.store.kept == {}


async def test_each_message_carries_its_marker(display: Display) -> None:
    await display.shows(public(), public(OTHER, offer=2))
    sent = {each.marker for each in display.discord.requests}
    await display.shows(public(OTHER), public(CARD, offer=2))
    assert len(sent) == 2
    assert {each.marker for each in display.discord.seen(CHANNEL)} == sent


# ---------------------------------------------------------------- each message has its own fate


async def test_messages_go_at_the_same_time(display: Display) -> None:
    gates = [display.discord.hangs("send", CHANNEL), display.discord.hangs("send", BOB + DMS)]
    display.wants(public(), personal())
    display.delivery.wake(1)
    await display.until(lambda: whats(display.discord.requests).count("send") == 2)
    for gate in gates:
        gate.set()
    await display.idle()
    assert {each.channel for each in display.discord.messages.values()} == {CHANNEL, BOB + DMS}


@pytest.mark.parametrize(
    ("status", "code"),
    [(500, 0), (503, 0), (429, 0), *((400, code) for code in BY_CODE if code != 50083), (400, 50083), (404, 0)],
)
async def test_one_that_fails_keeps_no_other_from_coming(display: Display, status: int, code: int) -> None:
    display.discord.refusing["send", CHANNEL] = (status, code)
    await display.shows(public(), personal())
    assert display.seen(BOB + DMS) == [("one", True)]


@pytest.mark.parametrize("status", [500, 502, 503, 504, 524, 429])
async def test_what_may_pass_is_tried_again_although_nobody_acts(display: Display, status: int) -> None:
    display.discord.fails("send", CHANNEL, status, times=2)
    [first] = await display.shows(public())
    assert fate(display, OfferCard(1)) == "sending"
    [second], [third] = await display.later(), await display.later()
    assert first == second == third  # the same nonce, so that Discord finds it if it took one of them
    assert display.seen(CHANNEL) == [("one", True)]
    assert (fate(display, OfferCard(1)), display.pauses) == ("shown", [])


async def test_the_pauses_grow_and_it_is_never_given_up(display: Display) -> None:
    display.discord.fails("send", CHANNEL, 503, times=PATIENT + 1)
    await display.shows(public())
    pauses = []
    while display.pauses:
        pauses += display.pauses
        await display.later()
    assert pauses[:6] == [0.5, 1.0, 2.0, 4.0, 8.0, 8.0]
    assert (pauses[PATIENT - 2], pauses[PATIENT - 1]) == (8.0, 60.0)
    assert display.seen(CHANNEL) == [("one", True)]


async def test_after_success_the_pauses_begin_anew(display: Display) -> None:
    display.discord.fails("send", CHANNEL, 503, times=3)
    await display.shows(public())
    for _ in range(3):
        await display.later()
    display.discord.fails("edit", CHANNEL, 503)
    await display.shows(public(OTHER))
    assert display.pauses == [0.5]


async def test_so_they_do_when_it_had_to_become_something_else_meanwhile(display: Display) -> None:
    display.discord.fails("send", CHANNEL, 503, times=3)
    await display.shows(public())
    for _ in range(2):
        await display.later()
    gate = display.discord.hangs("send", CHANNEL)
    display.discord.fails("edit", CHANNEL, 503)
    [timer] = [each for each in display.timers if each.waiting]
    timer.fire()
    await display.until(lambda: len(display.discord.requests) == 4)
    display.wants(public(OTHER))
    display.delivery.wake(1)
    await display.until(lambda: display.works[OfferCard(1)].step == public(OTHER))
    gate.set()
    await display.idle()
    assert whats(display.discord.requests) == [*["send"] * 4, "edit"]
    assert display.pauses[-1] == 0.5


async def test_what_was_put_off_is_tried_at_once_when_discord_works_again(display: Display) -> None:
    display.discord.fails("send", CHANNEL, 503, times=3)
    await display.shows(public(), public(offer=2), public(offer=3))
    assert len(display.pauses) == 3
    requests = await display.shows(*display.wanted, personal())
    assert sorted(each.channel for each in requests) == [CHANNEL] * 3 + [BOB + DMS]
    assert display.pauses == []


async def test_a_request_that_took_effect_although_it_failed_leaves_one_message(display: Display) -> None:
    display.discord.fails("send", CHANNEL, 503, done=True)
    await display.shows(public())
    await display.later()
    assert display.only(CHANNEL).id == 101
    assert whats(await display.shows(public(OTHER))) == ["edit"]


@pytest.mark.parametrize("seconds", [1, 120])
async def test_a_request_that_took_effect_is_found_though_discord_has_forgotten_its_nonce(
    display: Display, seconds: int
) -> None:
    display.discord.fails("send", CHANNEL, 503, times=2, done=True)
    await display.shows(public())
    display.ahead += timedelta(seconds=seconds)
    await display.later()
    if seconds > 60:
        display.discord.forget_nonces()
    await display.later()
    assert display.seen(CHANNEL) == [("one", True)]


@pytest.mark.parametrize("code", [code for code, (act, _) in BY_CODE.items() if act is Act.GIVE_UP])
async def test_what_is_given_up_says_why_and_waits_until_it_changes(
    display: Display, code: int, caplog: pytest.LogCaptureFixture
) -> None:
    display.discord.fails("send", CHANNEL, 400, code)
    assert whats(await display.shows(public())) == ["send"]
    record = display.record(OfferCard(1))
    assert record is not None
    assert (record.fate, record.reason) == ("given_up", BY_CODE[code][1])
    assert [each.levelname for each in caplog.records if BY_CODE[code][1] in each.getMessage()] == ["WARNING"]
    assert (await display.shows(public()), display.pauses) == ([], [])
    display.delivery._reconciler._shut.until.clear()
    assert whats(await display.shows(public(OTHER))) == ["send"]
    record = display.record(OfferCard(1))
    assert record is not None
    assert (record.fate, record.reason) == ("shown", "")


async def test_the_owner_reads_once_why_a_message_is_given_up(
    display: Display, caplog: pytest.LogCaptureFixture
) -> None:
    display.discord.refusing["send", CHANNEL] = (400, 50035)
    for card in (CARD, OTHER, THIRD):
        await display.shows(public(card))
    assert whats(display.discord.requests) == ["send"] * 3
    assert len([each for each in caplog.records if each.levelno >= logging.WARNING]) == 1


async def test_a_defect_in_one_message_leaves_the_others_alone_and_passes(
    display: Display, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    broken = display.delivery._reconciler._transport
    send = broken.send

    async def breaks(channel_id: int, card: Card, **options: Any) -> int:
        if channel_id == CHANNEL:
            raise ValueError("a card that can't be drawn")
        return await send(channel_id, card, **options)

    monkeypatch.setattr(broken, "send", breaks)
    await display.shows(public(), personal())
    assert display.seen(BOB + DMS) == [("one", True)]
    assert "met a defect" in caplog.text
    monkeypatch.undo()
    assert display.pauses == [60.0]
    for timer in display.timers:
        timer.fire()
    await display.idle()
    assert display.seen(CHANNEL) == [("one", True)]


async def test_news_that_are_given_up_are_forgotten(display: Display) -> None:
    display.discord.fails("send", CHANNEL, 400, 50035)
    await display.shows(news())
    assert display.store.kept == {}


async def test_a_message_that_is_gone_is_sent_anew(display: Display) -> None:
    [first] = await display.shows(public())
    display.discord.messages.clear()
    display.discord.fails("edit", CHANNEL, 404, 10008)
    _, second = await display.shows(public(OTHER))
    assert second.what == "send"
    assert second.nonce != first.nonce  # Discord would answer the old one with the message that is gone
    assert second.marker != first.marker
    assert display.seen(CHANNEL) == [("two", True)]


@pytest.mark.parametrize("wanted", [True, False])
async def test_a_message_that_can_not_be_edited_any_more_is_deleted_and_sent_anew(
    display: Display, *, wanted: bool
) -> None:
    """Also one that is over: its buttons must go, and how it ended must be read."""
    await display.shows(public())
    display.discord.fails("edit", CHANNEL, 400, 30046)
    assert sorted(whats(await display.shows(public(OTHER, wanted=wanted)))) == ["delete", "edit", "send"]
    assert display.seen(CHANNEL) == [("two", True)]


async def test_a_replaced_message_that_can_not_be_edited_any_more_is_deleted(display: Display) -> None:
    await display.shows(personal(anchor="1"))
    display.discord.fails("edit", BOB + DMS, 400, 30046)
    await display.shows(personal(OTHER, anchor="2"))
    assert display.seen(BOB + DMS) == [("two", True)]


async def test_what_is_not_wanted_and_was_deleted_is_forgotten(display: Display) -> None:
    await display.shows(public())
    display.discord.messages.clear()
    assert whats(await display.shows(public(OTHER, wanted=False))) == ["edit"]
    assert display.store.kept == {}


async def test_a_check_finds_out_that_a_message_was_deleted(display: Display) -> None:
    await display.shows(public())
    display.discord.messages.clear()
    assert await display.shows(public()) == []
    assert whats(await display.shows(public(), check=True)) == ["edit", "send"]
    assert display.seen(CHANNEL) == [("one", True)]


async def test_a_check_asks_nobody_anew(display: Display) -> None:
    await display.shows(personal(anchor="1"))
    assert whats(await display.shows(personal(OTHER, anchor="2"), check=True)) == ["edit"]


async def test_a_check_lets_all_news_go_first(display: Display, monkeypatch: pytest.MonkeyPatch) -> None:
    """A look at all messages of all tables must not hold up what somebody waits for."""
    take, asked = Budget.take, list[float]()

    async def noting(self: Budget, route: object, priority: float, recall: Recall | None = None) -> Slot:
        asked.append(priority)
        return await take(self, route, priority, recall)

    monkeypatch.setattr(Budget, "take", noting)
    await display.shows(public())
    await display.shows(public(), check=True)
    assert asked == [public().priority, Priority.AGAIN]


# ---------------------------------------------------------------- channels that are closed to us


@pytest.mark.parametrize(("status", "code"), [*AFTERWARDS, (403, 10004)])
async def test_a_channel_that_is_closed_is_left_alone_for_a_minute(
    display: Display, status: int, code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """10,000 invalid requests in ten minutes bring a ban."""
    display.discord.refusing["send", CHANNEL] = (status, code)
    assert whats(await display.shows(public())) == ["send"]
    assert await display.shows(public(OTHER), public(offer=2)) == []
    assert [each.channel for each in await display.shows(public(OTHER), personal())] == [BOB + DMS]
    assert fate(display, OfferCard(1)) == "given_up"
    until, code = display.delivery._reconciler._shut.until[CHANNEL]
    display.delivery._reconciler._shut.until[CHANNEL] = until - shut.SHUT_FOR, code
    assert whats(await display.shows(public(THIRD))) == ["send"]


@pytest.mark.parametrize("code", [50001, 50007, 50033, 50035])
async def test_a_message_that_shows_what_is_over_is_edited_stubbornly(display: Display, code: int) -> None:
    """Its buttons must go, so a refusal is not the end of it."""
    await display.shows(personal())
    display.discord.fails("edit", BOB + DMS, 403, code, times=3)
    await display.shows(Retired(THEIRS, OTHER, OTHER))
    for _ in range(3):
        display.delivery._reconciler._shut.until.clear()
        await display.later()
    assert display.seen(BOB + DMS) == [("two", False)]
    assert display.record(THEIRS) is None


async def test_an_edit_that_discord_never_takes_is_given_up_in_the_end(
    display: Display, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reconciler, "STUBBORN", 3)
    await display.shows(public())
    display.discord.refusing["edit", CHANNEL] = (400, 50035)
    await display.shows(public(OTHER))
    await display.later()
    await display.later()
    assert fate(display, OfferCard(1)) == "given_up"
    assert await display.later() == []


async def test_any_other_refusal_shuts_no_channel(display: Display) -> None:
    display.discord.fails("send", CHANNEL, 400, 50035)
    assert whats(await display.shows(public(), public(offer=2))) == ["send", "send"]
    assert whats(await display.shows(public(OTHER))) == ["send"]


# ---------------------------------------------------------------- intents


async def test_the_intent_is_stored_before_the_request(display: Display) -> None:
    await display.shows(public())
    intent, request, done = display.log
    assert isinstance(intent, Saved)
    assert isinstance(request, Request)
    assert isinstance(done, Saved)
    assert [(each.subject, each.fate, each.message_id) for each in intent.messages] == [("offer:1", "sending", 0)]
    assert [(each.subject, each.fate, each.message_id) for each in done.messages] == [("offer:1", "shown", 101)]


async def test_an_edit_has_an_intent_too(display: Display) -> None:
    await display.shows(public())
    del display.log[:]
    await display.shows(public(OTHER))
    intent, request, _done = display.log
    assert isinstance(intent, Saved)
    assert isinstance(request, Request)
    assert [each.fate for each in intent.messages] == ["editing"]


@pytest.mark.parametrize("deleted", [False, True])
async def test_a_message_that_is_sent_anew_has_an_intent_too(display: Display, deleted: bool) -> None:
    await display.shows(personal(anchor="1"))
    if deleted:
        display.discord.messages.clear()
    del display.log[:]
    await display.shows(personal(OTHER, anchor="1" if deleted else "2"))
    at = next(n for n, each in enumerate(display.log) if isinstance(each, Request) and each.what == "send")
    intents = [each for saved in display.log[:at] if isinstance(saved, Saved) for each in saved.messages]
    assert (encode(THEIRS), "sending", 1) in [(each.subject, each.fate, each.generation) for each in intents]


async def test_without_an_intent_nothing_is_sent(display: Display, caplog: pytest.LogCaptureFixture) -> None:
    display.store.broken = True
    display.wants(public())
    display.delivery.wake(1)
    await display.idle()
    assert (display.discord.requests, display.works) == ([], {})
    display.store.broken = False
    assert whats(await display.later()) == ["send"]
    assert "could not be planned" in caplog.text


async def test_a_message_is_not_replaced_by_one_without_an_intent(
    display: Display, caplog: pytest.LogCaptureFixture
) -> None:
    await display.shows(public())
    display.discord.messages.clear()
    gate = display.discord.hangs("edit", CHANNEL, status=404)
    display.discord.faults[-1].code = 10008
    display.wants(public(OTHER))
    display.delivery.wake(1)
    await display.until(lambda: whats(display.discord.requests) == ["send", "edit"])
    display.store.broken = True
    gate.set()
    await display.idle()
    assert "send" not in whats(display.discord.requests[1:])
    assert "record can't be written" in caplog.text
    display.store.broken = False
    assert "send" in whats(await display.later())
    assert display.seen(CHANNEL) == [("two", True)]


async def test_what_was_shown_is_noted_while_the_store_is_broken(display: Display) -> None:
    gate = display.discord.hangs("send", CHANNEL)
    display.wants(public())
    display.delivery.wake(1)
    await display.until(lambda: display.discord.requests)
    display.store.broken = True
    gate.set()
    await display.idle()
    display.store.broken = False
    assert fate(display, OfferCard(1)) == "shown"
    assert whats(await display.shows(public(OTHER))) == ["edit"]


# ---------------------------------------------------------------- after a crash that took what was noted along


@pytest.mark.parametrize("after", [timedelta(), timedelta(hours=1)], ids=["at once", "an hour later"])
async def test_outcomes_that_were_lost_are_found_out_once_more(display: Display, after: timedelta) -> None:
    """Messages that were sent, edited, and sent for good: each is there once, and shows what it should."""
    display.store.forgetful = True
    steps = (public(), board(), personal(anchor="1"), news())
    assert sorted(whats(await display.shows(*steps))) == ["send"] * 4
    await display.restart(*steps, after=after)
    await display.shows(public(OTHER), board(OTHER), personal(OTHER, anchor="1"))
    await display.restart(public(OTHER), board(OTHER), personal(OTHER, anchor="1"), after=after)
    while await display.later():
        pass
    assert [text for text, _ in display.seen(CHANNEL)] == ["two", "two", "news"]
    sent = [each.what for each in display.discord.requests]
    assert sent.count("delete") == 0
    display.store.forgetful = False
    await display.shows(public(), board(), personal(anchor="1"))
    assert [text for text, _ in display.seen(CHANNEL)] == ["one", "one", "news"]
    assert {fate(display, each) for each in (OfferCard(1), Board())} == {"shown"}


# ---------------------------------------------------------------- after a crash


async def crashed_while_sending(display: Display, *steps: Desired, done: bool = True, what: str = "send") -> Request:
    """Have the process die when Discord has taken a request (``done``) or has not, and return the request."""
    before = len(display.discord.requests)
    for step in steps:
        channel = BOB + DMS if isinstance(step.place, DirectMessages) else CHANNEL
        display.discord.hangs(what, channel, done=done)
    display.wants(*steps)
    display.delivery.wake(1)
    await display.until(lambda: whats(display.discord.requests[before:]).count(what) == len(steps))
    await display.crash()
    return display.discord.requests[-1]


@pytest.mark.parametrize("done", [True, False])
async def test_it_is_looked_for_and_sent_with_the_same_nonce_unless_it_is_there(display: Display, done: bool) -> None:
    first = await crashed_while_sending(display, public(), done=done)
    looked, *again = await display.restart()
    assert looked.what == "history"
    assert [(each.what, each.nonce, each.marker) for each in again] == (
        [] if done else [("send", first.nonce, first.marker)]
    )
    assert display.seen(CHANNEL) == [("one", True)]
    assert fate(display, OfferCard(1)) == "shown"
    assert whats(await display.shows(public(OTHER))) == ["edit"]


async def test_a_request_that_outlives_its_process_doubles_nothing(display: Display) -> None:
    """It reaches Discord after the next process has looked for the message. The nonce is the same, so it is the one."""
    first = await crashed_while_sending(display, public(), done=False)
    gate = display.discord.hangs("history", CHANNEL, done=True)
    restarted = asyncio.create_task(display.restart(public(OTHER)))
    await display.until(lambda: whats(display.discord.requests)[-1] == "history")
    Channel(display.discord, CHANNEL)._sent(first)
    gate.set()
    await restarted
    assert display.seen(CHANNEL) == [("two", True)]
    assert await display.shows(public(OTHER)) == []


async def test_the_nonce_does_not_depend_on_what_the_message_shows_meanwhile(display: Display) -> None:
    first = await crashed_while_sending(display, public(), done=False)
    display.service.last += 5
    _, again, *_ = await display.restart(public(OTHER))
    assert (again.nonce, again.marker) == (first.nonce, first.marker)


async def test_what_is_found_is_brought_up_to_date(display: Display) -> None:
    await crashed_while_sending(display, public())
    assert whats(await display.restart(public(OTHER))) == ["history", "edit"]
    assert display.seen(CHANNEL) == [("two", True)]
    assert await display.shows(public(OTHER)) == []


async def test_a_retry_that_finds_what_an_attempt_sent_brings_it_up_to_date(display: Display) -> None:
    display.discord.fails("send", CHANNEL, 503, done=True)
    display.discord.fails("edit", CHANNEL, 503)
    await display.shows(public())
    await display.shows(public(OTHER))
    await display.later()
    await display.later()
    assert display.seen(CHANNEL) == [("two", True)]
    assert display.pauses == []


async def test_news_that_a_retry_finds_are_brought_up_to_date_too(display: Display) -> None:
    display.discord.fails("send", BOB + DMS, 503, done=True)
    await display.shows(personal())
    await display.shows(replace(personal(OTHER), final=True))
    await display.later()
    assert (display.seen(BOB + DMS), display.store.kept) == ([("two", True)], {})


async def test_long_after_the_crash_the_message_is_found_by_its_marker_and_adopted(display: Display) -> None:
    await crashed_while_sending(display, public(), public(offer=2))
    display.discord.forget_nonces()
    requests = await display.restart(public(OTHER), public(THIRD, offer=2), after=LATER)
    assert sorted(whats(requests)) == ["edit", "edit", "history"]  # one search in each channel
    assert sorted(display.seen(CHANNEL)) == [("three", True), ("two", True)]
    assert {fate(display, OfferCard(n)) for n in (1, 2)} == {"shown"}


async def test_long_after_the_crash_what_is_not_there_is_sent(display: Display) -> None:
    await crashed_while_sending(display, public(), done=False)
    display.discord.forget_nonces()
    assert whats(await display.restart(after=LATER)) == ["history", "send"]
    assert display.seen(CHANNEL) == [("one", True)]


async def test_a_dm_is_adopted_as_well(display: Display) -> None:
    await crashed_while_sending(display, personal())
    display.discord.forget_nonces()
    await display.restart(personal(OTHER), after=LATER)
    assert display.seen(BOB + DMS) == [("two", True)]


async def test_news_that_were_sent_are_not_sent_again(display: Display) -> None:
    await crashed_while_sending(display, news())
    display.discord.forget_nonces()
    assert "send" not in whats(await display.restart(after=LATER))
    assert len(display.discord.seen(CHANNEL)) == 1
    assert display.store.kept == {}


async def test_news_that_were_not_sent_are(display: Display) -> None:
    await crashed_while_sending(display, news(), done=False)
    assert whats(await display.restart()) == ["history", "send"]
    assert display.store.kept == {}


async def test_looking_for_a_message_may_fail_and_is_repeated(display: Display) -> None:
    await crashed_while_sending(display, public())
    display.discord.forget_nonces()
    display.discord.fails("history", CHANNEL, 503)
    assert whats(await display.restart(after=LATER)) == ["history"]
    await display.later()
    assert len(display.discord.seen(CHANNEL)) == 1
    assert fate(display, OfferCard(1)) == "shown"


async def test_an_edit_that_was_under_way_is_made_again(display: Display) -> None:
    await display.shows(public())
    await crashed_while_sending(display, public(OTHER), done=False, what="edit")
    assert fate(display, OfferCard(1)) == "editing"
    assert whats(await display.restart()) == ["edit"]
    assert display.seen(CHANNEL) == [("two", True)]


@pytest.mark.parametrize(
    "wanted",
    [personal(THIRD, anchor="1"), personal(anchor="1"), Retired(THEIRS, THIRD, THIRD), personal(THIRD, anchor="2")],
    ids=["another card", "the card it had", "retired", "sent anew"],
)
async def test_an_edit_that_takes_effect_after_the_crash_is_undone(display: Display, wanted: Step) -> None:
    """Discord was slow with it: the next process has made its own edit before."""
    await display.shows(personal(anchor="1"))
    await crashed_while_sending(display, personal(OTHER, anchor="1"), done=False, what="edit")
    await display.restart(wanted)
    shown = display.seen(BOB + DMS)
    late = next(iter(display.discord.messages.values()))
    late.text, late.buttons = "two", True
    assert display.seen(BOB + DMS) != shown
    await display.later()
    assert display.seen(BOB + DMS) == shown
    await display.later()
    assert all(each.fate == "shown" for each in display.store.kept.values())


async def test_news_do_not_wait_for_an_edit_that_may_have_to_be_repeated(display: Display) -> None:
    await display.shows(public())
    await crashed_while_sending(display, public(OTHER), done=False, what="edit")
    await display.restart()
    assert whats(await display.shows(public(THIRD))) == ["edit"]
    assert whats(await display.later()) == ["edit"]
    assert display.seen(CHANNEL) == [("three", True)]


async def test_news_during_that_edit_do_not_wait_either(display: Display) -> None:
    await display.shows(public())
    await crashed_while_sending(display, public(OTHER), done=False, what="edit")
    gate, before = display.discord.hangs("edit", CHANNEL), len(display.discord.requests)
    starting = asyncio.create_task(display.restart())
    await display.until(lambda: "edit" in whats(display.discord.requests[before:]))
    planned = len(display.service.briefed)
    display.wants(public(THIRD))
    display.delivery.wake(1)
    await display.until(lambda: len(display.service.briefed) > planned)
    gate.set()
    await starting
    assert display.seen(CHANNEL) == [("three", True)]
    assert whats(await display.later()) == ["edit"]
    assert await display.later() == []


async def test_an_edit_that_was_made_is_made_again_later_after_another_crash(display: Display) -> None:
    """Else a bot that is killed often would do the same again and again, and nothing else."""
    await display.shows(public())
    await crashed_while_sending(display, public(OTHER), done=False, what="edit")
    assert whats(await display.restart()) == ["edit"]
    assert fate(display, OfferCard(1)) == "edited"
    assert await display.restart() == []
    assert whats(await display.later()) == ["edit"]
    assert fate(display, OfferCard(1)) == "shown"
    assert await display.restart() == []


async def test_a_message_sent_anew_after_a_deletion_is_not_doubled_by_a_crash(display: Display) -> None:
    await display.shows(public())
    display.discord.messages.clear()
    await crashed_while_sending(display, public(OTHER))
    display.discord.forget_nonces()
    await display.restart(after=LATER)
    assert display.seen(CHANNEL) == [("two", True)]


async def test_an_edit_that_waits_for_its_turn_gives_way_to_more_urgent_news(display: Display) -> None:
    """What it would show is not so any more, and it would come after what is less urgent."""
    await display.shows(public())
    display.delivery._budget.limited(("edit", CHANNEL), 0.1)
    works = display.delivery._tables[1].works
    display.wants(replace(public(OTHER), priority=Priority.LEISURE))
    display.delivery.wake(1)
    await display.until(lambda: OfferCard(1) in works)
    display.wants(replace(public(THIRD), priority=Priority.ACT))
    display.delivery.wake(1)
    await display.until(lambda: not works)
    assert [each.text for each in display.discord.requests] == ["one", "three"]


async def test_what_nobody_wants_any_more_is_closed_if_it_is_there(display: Display) -> None:
    await crashed_while_sending(display, personal())
    display.discord.forget_nonces()
    await display.restart(Retired(THEIRS, OTHER, CARD), after=LATER)
    assert display.seen(BOB + DMS) == [("two", False)]
    assert display.store.kept == {}


async def test_what_nobody_wants_any_more_is_closed_also_if_it_comes_late(display: Display) -> None:
    request = await crashed_while_sending(display, personal(), done=False)
    assert whats(await display.restart(Retired(THEIRS, OTHER, CARD))) == ["history"]
    display.discord.lands(request)
    assert whats(await display.later()) == ["history", "edit"]
    assert display.seen(BOB + DMS) == [("two", False)]
    assert display.store.kept == {}


async def test_what_nobody_wanted_any_more_and_is_wanted_again_does_not_wait(display: Display) -> None:
    await crashed_while_sending(display, personal(), done=False)
    await display.restart(Retired(THEIRS, OTHER, CARD))
    assert whats(await display.shows(personal())) == ["history", "send"]
    assert display.seen(BOB + DMS) == [("one", True)]


async def test_what_was_not_sent_and_nobody_wants_any_more_is_owed_no_longer(display: Display) -> None:
    await crashed_while_sending(display, public(), done=False)
    assert [each.channel for each in await display.restart(personal())] == [BOB + DMS]
    assert display.subjects() == {THEIRS}


async def test_a_table_with_nothing_left_asks_discord_for_nothing(display: Display) -> None:
    await display.shows(public(), personal())
    assert await display.restart() == []


# ---------------------------------------------------------------- one person


async def test_a_person_who_must_act_anew_gets_a_new_message_and_the_old_one_is_closed(display: Display) -> None:
    await display.shows(personal(anchor="1"))
    requests = await display.shows(personal(OTHER, anchor="2"))
    assert sorted(whats(requests)) == ["edit", "send"]
    assert display.seen(BOB + DMS) == [("two", False), ("two", True)]
    assert "send" not in whats(await display.shows(personal(OTHER, anchor="2")))
    assert display.subjects() == {THEIRS}


async def test_without_an_anchor_the_message_stays_where_it_is(display: Display) -> None:
    await display.shows(personal(anchor="1"))
    assert whats(await display.shows(personal(OTHER))) == ["edit"]
    assert await display.shows(personal(OTHER, anchor="1")) == []


async def test_closing_the_old_one_is_tried_until_it_works(display: Display) -> None:
    await display.shows(personal(anchor="1"))
    display.discord.fails("edit", BOB + DMS, 503, times=2)
    await display.shows(personal(OTHER, anchor="2"))
    assert display.seen(BOB + DMS) == [("one", True), ("two", True)]
    assert any(isinstance(each, Replaced) for each in display.subjects())
    await display.later()
    await display.later()
    assert display.seen(BOB + DMS) == [("two", False), ("two", True)]
    assert display.subjects() == {THEIRS}


async def test_closing_the_old_one_survives_a_restart(display: Display) -> None:
    await display.shows(personal(anchor="1"))
    display.discord.fails("edit", BOB + DMS, 503)
    await display.shows(personal(OTHER, anchor="2"))
    await display.restart(personal(OTHER, anchor="2"))
    assert display.seen(BOB + DMS) == [("there is a newer one", False), ("two", True)]
    await display.later()
    assert display.subjects() == {THEIRS}


async def test_of_several_old_ones_each_is_closed(display: Display) -> None:
    await display.shows(personal(anchor="1"))
    display.discord.fails("edit", BOB + DMS, 503, times=2)
    await display.shows(personal(OTHER, anchor="2"))
    await display.shows(personal(THIRD, anchor="3"))
    await display.later()
    await display.later()
    assert [buttons for _, buttons in display.seen(BOB + DMS)] == [False, False, True]
    assert display.subjects() == {THEIRS}


async def test_an_old_one_that_was_deleted_needs_no_closing(display: Display) -> None:
    await display.shows(personal(anchor="1"))
    display.discord.messages.clear()
    await display.shows(personal(OTHER, anchor="2"))
    assert (display.seen(BOB + DMS), display.subjects()) == ([("two", True)], {THEIRS})


async def test_a_message_asked_anew_while_the_first_is_being_sent_closes_the_first(display: Display) -> None:
    gate = display.discord.hangs("send", BOB + DMS)
    display.wants(personal(anchor="1"))
    display.delivery.wake(1)
    await display.until(lambda: "send" in whats(display.discord.requests))
    display.wants(personal(OTHER, anchor="2"))
    display.delivery.wake(1)
    await display.until(lambda: display.works[THEIRS].step == personal(OTHER, anchor="2"))
    gate.set()
    await display.idle()
    assert display.seen(BOB + DMS) == [("two", False), ("two", True)]


@pytest.mark.parametrize(
    "code", [code for code, (act, _) in BY_CODE.items() if act is Act.FALL_BACK and code != 40003] + [40003]
)
async def test_a_person_who_takes_no_dms_is_pinged_where_others_read(display: Display, code: int) -> None:
    display.discord.refusing["send", BOB + DMS] = (403, code)
    refused, ping = await display.shows(personal())
    assert (ping.channel, ping.pings) == (CHANNEL, (BOB,))
    assert ping.text == f"<@{BOB}>, I can't reach you by DM, so this waits for you here. overheard"
    assert ping.nonce != refused.nonce
    assert await display.shows(personal()) == []  # their DMs are not tried again
    assert display.pauses == []


async def test_a_person_whose_dms_can_not_be_opened_is_pinged_too(display: Display) -> None:
    display.discord.refusing["dm", BOB + DMS] = (400, 50033)
    [ping] = await display.shows(personal())
    assert (ping.channel, ping.pings) == (CHANNEL, (BOB,))


async def test_the_place_of_the_ping_is_remembered_before_it_is_sent(display: Display) -> None:
    """Else, after a crash, the person's DMs would be tried again, and they would have it twice."""
    display.discord.refusing["send", BOB + DMS] = (403, 50007)
    display.discord.hangs("send", CHANNEL, done=True)
    display.wants(personal())
    display.delivery.wake(1)
    await display.until(lambda: display.discord.seen(CHANNEL))
    display.discord.refusing.clear()
    assert [each.channel for each in await display.restart()] == [CHANNEL]
    assert display.seen(BOB + DMS) == []
    assert len(display.seen(CHANNEL)) == 1


async def test_where_they_were_pinged_a_newer_message_leaves_only_that_there_is_one(display: Display) -> None:
    display.discord.refusing["send", BOB + DMS] = (403, 50007)
    await display.shows(personal(anchor="1"))
    display.discord.refusing.clear()
    await display.shows(personal(OTHER, anchor="2"))
    assert display.seen(CHANNEL) == [("replaced", False)]
    assert display.seen(BOB + DMS) == [("two", True)]


async def test_a_ping_is_kept_up_to_date_with_what_others_may_read(display: Display) -> None:
    display.discord.refusing["send", BOB + DMS] = (403, 50007)
    await display.shows(personal())
    step = personal(OTHER)
    assert step.fallback is not None
    heard = Fallback(step.fallback.place, replace(OTHER, blocks=("heard anew",)), step.fallback.replaced)
    await display.shows(replace(step, fallback=heard))
    assert "heard anew" in display.only(CHANNEL).text
    assert "two" not in display.only(CHANNEL).text


async def test_what_only_one_person_may_know_is_not_told_elsewhere(
    display: Display, caplog: pytest.LogCaptureFixture
) -> None:
    display.discord.refusing["send", BOB + DMS] = (403, 50007)
    [tried] = await display.shows(replace(personal(), fallback=None))
    assert tried.channel == BOB + DMS
    assert (display.seen(CHANNEL), display.pauses) == ([], [])
    assert [each for each in caplog.records if each.levelno > logging.DEBUG] == []  # nor is it in the log


async def test_a_person_whom_neither_way_reaches_is_tried_again_now_and_then(
    display: Display, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pauses, "SOON_AT_MOST", 60.0)
    monkeypatch.setattr(pauses, "SOON", 50.0)
    display.discord.fails("send", BOB + DMS, 403, 50007, times=3)
    display.discord.refusing["send", CHANNEL] = (403, 50013)
    assert [each.channel for each in await display.shows(personal())] == [BOB + DMS, CHANNEL]
    waited = []
    for _ in range(3):
        waited += display.pauses
        await display.later()
    assert waited == sorted(waited)
    assert (len(waited), waited[-1]) == (3, 60.0)
    assert display.seen(BOB + DMS) == [("one", True)]
    assert (fate(display, THEIRS), display.pauses) == ("shown", [])


async def test_dms_that_are_opened_too_fast_are_opened_later(display: Display) -> None:
    display.discord.fails("dm", BOB + DMS, 400, 40003, times=2)
    await display.shows(replace(personal(), fallback=None))
    assert display.pauses == [30.0]
    await display.later()
    assert display.pauses == [60.0]
    await display.later()
    assert display.seen(BOB + DMS) == [("one", True)]


async def test_a_user_who_is_gone_is_left_in_peace(display: Display) -> None:
    display.discord.refusing["dm", BOB + DMS] = (400, 10013)
    assert await display.shows(personal()) == []
    assert (display.seen(CHANNEL), display.pauses, fate(display, THEIRS)) == ([], [], "given_up")


async def test_dms_are_opened_once(display: Display) -> None:
    result = Desired(Result(1, BOB), DirectMessages(BOB), CARD, final=True, entry=1)
    await display.shows(personal(), result)
    await display.crash()
    display.delivery = display.started()
    await display.shows(Desired(Result(2, BOB), DirectMessages(BOB), CARD, final=True, entry=2))
    assert len(display.discord.seen(BOB + DMS)) == 3
    assert whats(display.discord.requests).count("dm") == 1


# ---------------------------------------------------------------- the end of a message


async def test_a_retired_message_loses_its_buttons_and_is_forgotten(display: Display) -> None:
    await display.shows(personal())
    await display.shows(Retired(THEIRS, OTHER, CARD))
    assert display.seen(BOB + DMS) == [("two", False)]
    assert display.store.kept == {}
    assert await display.shows(Retired(THEIRS, OTHER, CARD)) == []


async def test_retiring_is_tried_until_it_works(display: Display) -> None:
    await display.shows(personal())
    display.discord.fails("edit", BOB + DMS, 502)
    await display.shows(Retired(THEIRS, OTHER, CARD))
    assert display.seen(BOB + DMS) == [("one", True)]
    await display.later()
    assert display.seen(BOB + DMS) == [("two", False)]


@pytest.mark.parametrize("step", [Retired(THEIRS, OVER, CARD), personal(OVER, wanted=False)])
async def test_what_was_sent_though_discord_said_503_is_retired_though_nobody_wants_it_any_more(
    display: Display, step: Retired | Desired
) -> None:
    display.discord.fails("send", BOB + DMS, 503, done=True)
    await display.shows(personal())
    await display.shows(step)
    await display.later()
    assert display.seen(BOB + DMS) == [("two", False)]


async def test_what_was_sent_though_discord_said_503_and_then_refused_it_is_retired_too(display: Display) -> None:
    display.discord.fails("send", CHANNEL, 503, done=True)
    await display.shows(public())
    display.discord.fails("send", CHANNEL, 400, 50035)
    await display.later()
    await display.shows(Retired(OfferCard(1), CARD, OTHER))
    await display.later()
    assert display.seen(CHANNEL) == [("two", False)]


async def test_retiring_survives_a_restart(display: Display) -> None:
    await display.shows(personal())
    display.discord.fails("edit", BOB + DMS, 502)
    await display.shows(Retired(THEIRS, OTHER, CARD))
    await display.restart()
    assert display.seen(BOB + DMS) == [("two", False)]
    await display.later()
    assert display.store.kept == {}


async def test_where_others_read_it_says_no_more_than_they_may_know(display: Display) -> None:
    question = Prompt("deal-1", BOB, 1)
    display.discord.refusing["send", BOB + DMS] = (403, 50007)
    await display.shows(replace(personal(), subject=question))
    await display.shows(Retired(question, CARD, OTHER))
    assert display.seen(CHANNEL) == [("two", False)]


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


# ---------------------------------------------------------------- boards


async def test_the_board_moves_down_with_each_window(display: Display) -> None:
    await display.shows(board())
    assert whats(await display.shows(board(OTHER))) == ["edit"]
    assert sorted(whats(await display.shows(board(OTHER, "2")))) == ["delete", "send"]
    assert display.seen(CHANNEL) == [("two", True)]
    assert display.subjects() == {Board()}


async def test_the_board_of_a_closed_table_stays_where_it_is(display: Display) -> None:
    await display.shows(board())
    assert whats(await display.shows(board(OTHER, "2", wanted=False))) == ["edit"]
    assert display.only(CHANNEL).id == 101


async def test_an_old_board_is_deleted_however_often_that_takes(display: Display) -> None:
    await display.shows(board())
    display.discord.fails("delete", CHANNEL, 503, times=2)
    await display.shows(board(OTHER, "2"))
    assert len(display.seen(CHANNEL)) == 2
    await display.restart()
    await display.later()
    assert display.seen(CHANNEL) == [("two", True)]


async def test_a_board_keeps_its_pace_and_shows_the_newest(display: Display) -> None:
    display.delivery._reconciler._pace = 60.0
    assert whats(await display.shows(board())) == ["send"]
    assert await display.shows(board(OTHER)) == []
    assert await display.shows(board(THIRD)) == []
    [pause] = display.pauses
    assert 55 < pause <= 60
    display.table.board_at -= 60.0
    [edited] = await display.later()
    assert (edited.what, edited.text) == ("edit", "three")


async def test_the_pace_of_the_board_delays_nothing_else(display: Display) -> None:
    display.delivery._reconciler._pace = 60.0
    await display.shows(board(), public())
    assert [each.text for each in await display.shows(board(OTHER), public(OTHER))] == ["two"]


# ---------------------------------------------------------------- the end


async def test_after_the_end_nothing_is_sent(display: Display) -> None:
    display.discord.fails("send", CHANNEL, 503)
    await display.shows(public())
    await display.delivery.close()
    display.delivery.wake(1)
    await display.idle()
    assert whats(display.discord.requests) == ["send"]


async def test_finishing_leaves_what_takes_too_long(display: Display) -> None:
    display.discord.hangs("send", CHANNEL)
    gate = display.discord.hangs("send", CAROL + DMS)
    display.wants(public(), replace(personal(), place=DirectMessages(CAROL), fallback=None))
    display.delivery.wake(1)
    await display.until(lambda: whats(display.discord.requests).count("send") == 2)
    gate.set()
    await display.delivery.finish(0.05)
    assert display.seen(CAROL + DMS) == [("one", True)]
    assert fate(display, OfferCard(1)) == "sending"


# ---------------------------------------------------------------- who has left the server


async def test_nothing_is_sent_to_a_person_who_has_left_the_server(
    display: Display, caplog: pytest.LogCaptureFixture
) -> None:
    display.discord.gone.add(BOB)
    assert await display.shows(personal()) == []
    assert display.seen(CHANNEL) == display.seen(BOB + DMS) == []
    assert fate(display, THEIRS) == "given_up"
    assert "this person has left the server" in caplog.text
    assert await display.shows(personal()) == []  # and nothing is tried again by itself
    assert not [each for each in display.timers if each.waiting]


async def test_what_a_person_has_is_not_kept_up_to_date_once_they_have_left(
    display: Display, monkeypatch: pytest.MonkeyPatch
) -> None:
    await display.shows(personal())
    display.discord.gone.add(BOB)
    monkeypatch.setattr(members, "KEPT_FOR", 0.0)  # a minute passes
    assert await display.shows(personal(OTHER)) == []
    assert display.seen(BOB + DMS) == [("one", True)]


async def test_a_ping_is_no_way_around_it(display: Display, monkeypatch: pytest.MonkeyPatch) -> None:
    """Their DMs are closed, so they were pinged in the channel, which they can't read any more."""
    display.discord.refusing["send", BOB + DMS] = (403, 50007)
    await display.shows(personal(anchor="1"))
    display.discord.gone.add(BOB)
    monkeypatch.setattr(members, "KEPT_FOR", 0.0)  # a minute passes
    assert "send" not in whats(await display.shows(personal(OTHER, anchor="2")))


async def test_the_last_edit_tells_a_person_who_has_left_nothing(
    display: Display, monkeypatch: pytest.MonkeyPatch
) -> None:
    await display.shows(personal())
    display.discord.gone.add(BOB)
    monkeypatch.setattr(members, "KEPT_FOR", 0.0)  # a minute passes
    await display.shows(Retired(THEIRS, OTHER, OTHER))
    assert display.seen(BOB + DMS) == [("You are not on the server of this table any more.", False)]


async def test_a_person_who_comes_back_is_told_what_is_new(display: Display, monkeypatch: pytest.MonkeyPatch) -> None:
    display.discord.gone.add(BOB)
    await display.shows(personal())
    display.discord.gone.clear()
    monkeypatch.setattr(members, "KEPT_FOR", 0.0)  # a minute passes
    await display.shows(personal(OTHER))
    assert display.seen(BOB + DMS) == [("two", True)]


async def test_while_nobody_says_who_is_on_the_server_dms_wait(display: Display) -> None:
    display.discord.silent = True
    assert [each.channel for each in await display.shows(personal(), public())] == [CHANNEL]
    display.discord.silent = False
    await display.later()
    assert display.seen(BOB + DMS) == [("one", True)]
