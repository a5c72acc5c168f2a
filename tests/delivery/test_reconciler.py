"""Tests of the reconciler on the loopback: its requests, Discord's answers, and the message's
state.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from bot.delivery.budget import Budget, Recall, Slot
from bot.delivery.desired import (
    Desired,
    GameNotice,
    OfferCard,
    Priority,
    Retired,
)
from bot.delivery.life import LEFT_SERVER
from bot.delivery.verdicts import BY_CODE, PATIENT, FailureAction
from bot.logs import fields_of
from bot.rules.entries import CallKind
from tests.delivery.briefings import BOB, CHANNEL
from tests.delivery.display import Display
from tests.delivery.near import BOBS
from tests.delivery.steps import (
    CARD,
    OTHER,
    THEIRS,
    THIRD,
    fate,
    news,
    personal,
    public,
    whats,
)
from tests.plays.test_evening import SILENT
from tests.test_watch import figures

# ---------------------------------------------------------------- one message about each subject


async def test_a_message_is_sent_once_and_edited_when_it_changes(display: Display) -> None:
    assert whats(await display.shows(public())) == ["send"]
    assert await display.shows(public()) == []
    [edited] = await display.shows(public(OTHER))
    message = display.only(CHANNEL).id
    assert (edited.what, edited.message) == ("edit", message)
    assert display.seen(CHANNEL) == ["two"]
    record = display.record(OfferCard(1))
    assert record.message_id == message
    assert record.channel_id == CHANNEL
    assert record.shown == OTHER.digest
    assert record.fate == "shown"


async def test_news_of_an_entry_that_was_told_are_not_told_again(display: Display) -> None:
    await display.shows(news())
    assert await display.shows(news()) == []
    assert whats(await display.shows(news(3))) == ["send"]


async def test_the_most_urgent_goes_first_although_more_must_be_read_for_it(
    display: Display, monkeypatch: pytest.MonkeyPatch
) -> None:
    await display.shows(personal())
    read = set[int]()

    async def muted(user_id: int) -> frozenset[CallKind]:
        if user_id not in read:
            await asyncio.sleep(0.05)
            read.add(user_id)
        return frozenset()

    monkeypatch.setattr(display.store, "muted", muted)
    urgent = replace(personal(OTHER, anchor="2"), priority=Priority.ACT)
    requests = await display.shows(public(), urgent)
    sent = [request.channel for request in requests if request.what == "send"]
    assert sent == [BOBS, CHANNEL]  # the old message is deleted at any time


async def test_what_is_being_sent_becomes_what_it_should_be_meanwhile(display: Display) -> None:
    gate = await display.hangs("send", CHANNEL, public())
    for card in (OTHER, THIRD):
        await display.plans(public(card))
    gate.released.set()
    await display.idle()
    assert whats(display.discord.requests) == ["send", "edit"]
    assert display.seen(CHANNEL) == ["three"]


async def test_what_is_being_sent_and_is_not_wanted_any_more_is_closed_and_forgotten(
    display: Display,
) -> None:
    gate = await display.hangs("send", BOBS, personal())
    await display.plans(Retired(THEIRS, OTHER, CARD))
    gate.released.set()
    await display.idle()
    assert display.seen(BOBS) == ["two, closed"]
    assert display.store.kept == {}


async def test_each_message_carries_its_marker(display: Display) -> None:
    await display.shows(public(), public(OTHER, offer=2))
    sent = {each.marker for each in display.discord.requests}
    await display.shows(public(OTHER), public(CARD, offer=2))
    assert len(sent) == 2
    assert {each.marker for each in display.discord.seen(CHANNEL)} == sent


# ---------------------------------------------------------------- each message has its own fate


async def test_messages_go_at_the_same_time(display: Display) -> None:
    gates = [display.discord.hangs("send", channel) for channel in (CHANNEL, BOBS)]
    display.begins(public(), personal())
    await display.until(lambda: whats(display.discord.requests).count("send") == 2)
    for gate in gates:
        gate.released.set()
    await display.idle()
    assert {each.channel for each in display.discord.messages} == {CHANNEL, BOBS}


@pytest.mark.parametrize(
    ("status", "code"),
    [
        (500, 0),
        (503, 0),
        (429, 0),
        *((400, code) for code in BY_CODE if code != 50083),
        (400, 50083),
        (404, 0),
    ],
)
async def test_one_that_fails_keeps_no_other_from_coming(
    display: Display, status: int, code: int
) -> None:
    display.discord.refuses("send", CHANNEL, status, code)
    await display.shows(public(), personal())
    assert display.seen(BOBS) == ["one"]


@pytest.mark.parametrize("status", [500, 502, 503, 504, 524, 429])
async def test_what_may_pass_is_tried_again_although_nobody_acts(
    display: Display, status: int
) -> None:
    display.discord.fails("send", CHANNEL, status, times=2)
    [first] = await display.shows(public())
    assert fate(display, OfferCard(1)) == "sending"
    [second], [third] = await display.later(), await display.later()
    # the same nonce, so that Discord finds it if it took one of them
    assert first == second == third
    assert display.seen(CHANNEL) == ["one"]
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
    assert display.seen(CHANNEL) == ["one"]


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
    display.waiting[0].fire()
    await display.until(lambda: len(display.discord.requests) == 4)
    await display.plans(public(OTHER))
    gate.released.set()
    await display.idle()
    assert whats(display.discord.requests) == [*["send"] * 4, "edit"]
    assert display.pauses[-1] == 0.5


async def test_what_was_put_off_is_tried_at_once_when_discord_works_again(display: Display) -> None:
    display.discord.fails("send", CHANNEL, 503, times=3)
    await display.shows(public(), public(offer=2), public(offer=3))
    assert len(display.pauses) == 3
    requests = await display.shows(*display.wanted, personal())
    assert sorted(each.channel for each in requests) == [CHANNEL] * 3 + [BOBS]
    assert display.pauses == []


@pytest.mark.parametrize("seconds", [1, 120])
async def test_a_request_that_took_effect_is_found_though_discord_has_forgotten_its_nonce(
    display: Display, seconds: int
) -> None:
    display.discord.fails("send", CHANNEL, 503, times=2, done=True)
    await display.shows(public())
    display.ahead += timedelta(seconds=seconds)
    await display.later()
    if seconds > 60:
        display.discord.world.forget_nonces()
    await display.later()
    assert display.seen(CHANNEL) == ["one"]


@pytest.mark.parametrize(
    "code", [code for code, (act, _) in BY_CODE.items() if act is FailureAction.GIVE_UP]
)
async def test_what_is_given_up_says_why_and_waits_until_it_changes(
    display: Display, code: int, caplog: pytest.LogCaptureFixture
) -> None:
    display.discord.fails("send", CHANNEL, 400, code)
    assert whats(await display.shows(public())) == ["send"]
    record = display.record(OfferCard(1))
    # a start looks whether it was invited again
    fate = "editing" if code == LEFT_SERVER else "given_up"
    assert (record.fate, record.reason) == (fate, BY_CODE[code][1])
    [said] = [each for each in caplog.records if record.reason in each.getMessage()]
    assert said.levelname == "WARNING"
    assert (await display.shows(public()), display.pauses) == ([], [])
    display.delivery._reconciler._sender.closed_channels.until.clear()
    assert whats(await display.shows(public(OTHER))) == ["send"]
    record = display.record(OfferCard(1))
    assert (record.fate, record.reason) == ("shown", "")


async def test_the_owner_reads_once_why_a_message_is_given_up(
    display: Display, caplog: pytest.LogCaptureFixture
) -> None:
    display.discord.refuses("send", CHANNEL, 400, 50035)
    for card in (CARD, OTHER, THIRD):
        await display.shows(public(card))
    assert whats(display.discord.requests) == ["send"] * 3
    [said] = [each for each in caplog.records if each.levelno >= logging.WARNING]
    assert fields_of(said) == {"table": 1, "offer": 1}
    found = await figures(display.delivery._reconciler._transport.watch)
    assert found["bourse_given_up_total", BY_CODE[50035][1]] == 3


async def test_a_defect_in_one_message_leaves_the_others_alone_and_passes(
    display: Display, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    broken = display.delivery._reconciler._transport
    send = broken.send

    async def breaks(channel_id: int, *about: Any, **options: Any) -> int:
        if channel_id == CHANNEL:
            raise ValueError("a card that can't be drawn")
        return await send(channel_id, *about, **options)

    with monkeypatch.context() as broke:
        broke.setattr(broken, "send", breaks)
        await display.shows(public(), personal())
    assert display.seen(BOBS) == ["one"]
    assert "met a defect" in caplog.text
    assert display.pauses == [60.0]
    await display.later()
    assert display.seen(CHANNEL) == ["one"]


async def test_a_message_that_is_gone_is_sent_anew(display: Display) -> None:
    [first] = await display.shows(public())
    display.discord.world.messages.clear()
    display.discord.fails("edit", CHANNEL, 404, 10008)
    _, second = await display.shows(public(OTHER))
    assert second.what == "send"
    # Discord would answer the old one with the message that is gone
    assert second.nonce != first.nonce
    assert second.marker != first.marker
    assert display.seen(CHANNEL) == ["two"]


@pytest.mark.parametrize("wanted", [True, False])
async def test_a_message_that_can_not_be_edited_any_more_is_deleted_and_sent_anew(
    display: Display, *, wanted: bool
) -> None:
    """Also one that is over: its buttons must go, and how it ended must be read."""
    await display.shows(public())
    display.discord.fails("edit", CHANNEL, 429, 30046, times=3)
    requests = (
        await display.shows(public(OTHER, wanted=wanted))
        + await display.later()
        + await display.later()
    )
    assert sorted(whats(requests)) == ["delete", "edit", "edit", "edit", "send"]
    assert display.seen(CHANNEL) == ["two"]


async def test_a_message_in_the_place_of_one_that_is_too_old_to_edit_rings_nobody(
    display: Display,
) -> None:
    """What it says is no news."""
    rings = Desired(GameNotice(1), CARD, call="confirm", rings=(BOB,))
    await display.shows(rings, personal())
    for channel in (CHANNEL, BOBS):
        display.discord.fails("edit", channel, 429, 30046, times=3)
    await display.shows(replace(rings, card=OTHER), personal(OTHER))
    for _ in range(2):
        await display.later()
    calls = [
        each.json
        for each in display.discord.rest.calls
        if each.method == "POST" and "nonce" in (each.json or {})
    ]
    first, *others = calls
    assert first["allowed_mentions"]["users"] == [BOB]
    assert not any("users" in each["allowed_mentions"] for each in others)
    silent = [each.get("flags", 0) & SILENT for each in calls]
    assert silent == [0, 0, SILENT, SILENT]


async def test_a_replaced_message_that_can_not_be_edited_any_more_is_deleted(
    display: Display,
) -> None:
    await display.shows(personal(anchor="1"))
    display.discord.fails("edit", BOBS, 429, 30046, times=3)
    await display.shows(personal(OTHER, anchor="2"))
    for _ in range(2):
        await display.later()
    assert display.seen(BOBS) == ["two"]


async def test_a_check_finds_out_that_a_message_was_deleted(display: Display) -> None:
    await display.shows(public())
    display.discord.world.messages.clear()
    assert await display.shows(public()) == []
    assert whats(await display.shows(public(), check=True)) == ["history", "send"]
    assert display.seen(CHANNEL) == ["one"]


async def test_one_look_checks_all_messages_of_a_channel(display: Display) -> None:
    """Discord takes few edits of a channel in a second, and a start checks every card that stands
    there.
    """
    await display.shows(*(public(offer=offer) for offer in range(1, 21)))
    assert whats(await display.shows(*display.wanted, check=True)) == ["history"]


async def test_a_check_edits_one_card_in_a_dm(display: Display) -> None:
    """Nobody but the bot can delete them; one edit finds out whether the person has left the
    server.
    """
    cards = [personal(offer=offer) for offer in (1, 2, 3)]
    await display.shows(*cards)
    assert whats(await display.shows(*cards, check=True)) == ["edit"]


async def test_a_check_of_old_messages_edits_none(display: Display) -> None:
    """Discord takes few edits of old messages, and a look takes none."""
    await display.shows(public(), public(OTHER, offer=2), personal())
    display.ahead += timedelta(hours=1)
    first, _second = display.discord.seen(CHANNEL)
    display.discord.world.delete(str(first.id))
    requests = await display.shows(*display.wanted, check=True)
    assert whats(requests) == ["history", "edit", "send"]
    assert sorted(display.seen(CHANNEL)) == ["one", "two"]


async def test_a_nonce_of_a_message_that_was_deleted_is_not_used_again(display: Display) -> None:
    """Discord answers it with 10008."""
    display.discord.fails("send", CHANNEL, 503, done=True)
    await display.shows(public())
    display.discord.world.delete(str(display.only(CHANNEL).id))
    [again], [anew] = await display.later(), await display.later()
    assert again.nonce != anew.nonce
    assert display.seen(CHANNEL) == ["one"]


async def test_a_check_asks_nobody_anew(display: Display) -> None:
    await display.shows(personal(anchor="1"))
    requests = await display.shows(personal(OTHER, anchor="1"), check=True)
    assert whats(requests) == ["edit"]


async def test_a_check_lets_all_news_go_first(
    display: Display, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A look at all messages of all tables must not hold up what somebody waits for."""
    take, asked = Budget.take, list[float]()

    async def noting(
        self: Budget, route: object, priority: float, recall: Recall | None = None
    ) -> Slot:
        asked.append(priority)
        return await take(self, route, priority, recall)

    monkeypatch.setattr(Budget, "take", noting)
    await display.shows(public())
    await display.shows(public(), check=True)
    assert asked == [public().priority, Priority.AGAIN]
