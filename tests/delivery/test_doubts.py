"""Tests that a message that may have been sent is never sent twice."""

from __future__ import annotations

from dataclasses import replace

import pytest
from aiohttp import ClientTimeout

from bot.delivery import transport
from bot.delivery.desired import (
    Desired,
    NegotiationRoom,
    NegotiationThread,
    OfferCard,
    OpenThread,
    Retired,
    Step,
)
from tests.delivery.briefings import ALICE, BOB, CHANNEL
from tests.delivery.display import Display
from tests.delivery.near import BOBS
from tests.delivery.steps import (
    LATER,
    OTHER,
    OVER,
    THEIRS,
    THIRD,
    board,
    fate,
    personal,
    public,
    whats,
)

OPENED = OpenThread(NegotiationThread(2), "alice and bob", (ALICE, BOB))
IN_THREAD = replace(public(), place=NegotiationRoom(2))
THREAD = -1
"""The channel of that thread, which has none before it is opened."""

PRIVATE = replace(personal(), fallback=None)
"""A card that nobody else may read, so that there is no other way to the person."""


def _reopen(display: Display) -> None:
    """Let what was closed to us be open again, some minutes later."""
    display.discord.works()
    display.discord.world.forget_nonces()
    display.ahead += LATER
    display.delivery._reconciler._sender.closed_channels.until.clear()


async def _given_up(display: Display, step: Desired, channel: int) -> None:
    """Have a message sent that Discord denies, and then refuses."""
    display.discord.fails("send", channel, 503, done=True)
    display.discord.fails("send", channel, 400, 50035)
    await display.shows(step)
    await display.later()
    assert fate(display, step.subject) == "given_up"


@pytest.mark.parametrize("killed", [False, True])
@pytest.mark.parametrize(
    ("step", "channel"),
    [(public(), CHANNEL), (PRIVATE, BOBS)],
    ids=["public", "private"],
)
async def test_what_was_given_up_is_looked_for_before_it_is_sent(
    display: Display, step: Desired, channel: int, *, killed: bool
) -> None:
    await _given_up(display, step, channel)
    _reopen(display)
    if killed:
        await display.restart()
    assert whats(await display.shows(replace(step, card=OTHER))) == ["history", "edit"]
    assert display.seen(channel) == ["two"]


async def test_it_is_found_however_often_it_is_given_up(display: Display) -> None:
    """The search goes back to the first attempt."""
    await _given_up(display, public(), CHANNEL)
    for card in (OTHER, THIRD):
        _reopen(display)
        display.discord.fails("history", CHANNEL, 400, 50035)
        await display.restart()
        await display.shows(public(card))
        assert fate(display, OfferCard(1)) == "given_up"
    _reopen(display)
    await display.shows(public(OTHER))
    assert display.seen(CHANNEL) == ["two"]


async def test_it_is_closed_if_its_offer_ends_meanwhile(display: Display) -> None:
    await _given_up(display, public(), CHANNEL)
    _reopen(display)
    await display.shows(Retired(OfferCard(1), OVER, OVER))
    assert display.seen(CHANNEL) == ["two, closed"]


async def test_what_was_refused_at_once_is_not_looked_for(display: Display) -> None:
    display.discord.fails("send", CHANNEL, 400, 50035)
    await display.shows(public())
    _reopen(display)
    assert whats(await display.shows(public(OTHER))) == ["send"]


async def test_a_dm_that_may_be_there_is_looked_for_before_the_person_is_pinged(
    display: Display,
) -> None:
    """Else a card with buttons would stay in the DMs that nobody keeps up to date."""
    display.discord.fails("send", BOBS, 503, done=True)
    display.discord.fails("send", BOBS, 403, 50007)
    await display.shows(personal())
    await display.later()
    assert display.seen(BOBS) == ["one"]
    assert display.seen(CHANNEL) == []
    display.discord.world.forget_nonces()
    await display.shows(personal(OTHER))
    assert display.seen(BOBS) == ["two"]
    assert display.seen(CHANNEL) == []


async def test_one_that_is_not_there_is_pinged(display: Display) -> None:
    display.discord.fails("send", BOBS, 503)
    display.discord.fails("send", BOBS, 403, 50007, times=2)
    await display.shows(personal())
    await display.later()
    assert display.seen(BOBS) == []
    assert len(display.seen(CHANNEL)) == 1
    assert fate(display, THEIRS) == "shown"


# ---------------------------------------------------------------- withdrawn while it is being sent

WITHDRAWN: list[tuple[Step, Step, int]] = [
    (personal(), personal(OVER, wanted=False), BOBS),
    (personal(), Retired(THEIRS, OVER, OVER), BOBS),
    (public(), public(OVER, wanted=False), CHANNEL),
    (board(), board(OVER, wanted=False), CHANNEL),
    (IN_THREAD, replace(IN_THREAD, card=OVER, wanted=False), THREAD),
]


@pytest.mark.parametrize("killed", [False, True])
@pytest.mark.parametrize(
    ("step", "then", "channel"), WITHDRAWN, ids=["dm", "retired", "public", "board", "thread"]
)
async def test_what_is_withdrawn_while_it_is_being_sent_is_found_again(
    display: Display,
    monkeypatch: pytest.MonkeyPatch,
    step: Step,
    then: Step,
    channel: int,
    *,
    killed: bool,
) -> None:
    """The request gets no answer, and takes effect only after the first look."""
    if channel == THREAD:
        await display.shows(OPENED)
        channel = display.discord.threads[0]
    under_way = display.discord.hangs("send", channel)
    with monkeypatch.context() as impatient:
        impatient.setattr(transport, "TIMEOUT", ClientTimeout(sock_read=0.5))
        display.begins(*_with(step))
        await display.until(under_way.arrived.is_set)
        await display.shows(*_with(then))
    await display.later()
    under_way.released.set()
    await under_way.answered.wait()
    if killed:
        await display.restart()
    await display.later()
    assert display.seen(channel) == ["two, closed"]


def _with(step: Step) -> tuple[Step, ...]:
    return (
        (OPENED, step)
        if isinstance(step, Desired) and isinstance(step.place, NegotiationRoom)
        else (step,)
    )


async def test_what_was_found_for_another_message_is_not_believed(display: Display) -> None:
    """A search is remembered for a moment, and this message was sent after it."""
    display.discord.fails("send", CHANNEL, 503, done=True)
    await display.shows(public(offer=2))
    await display.shows(public(OVER, offer=2, wanted=False))
    await display.later()
    display.discord.fails("send", CHANNEL, 503, done=True)
    await display.shows(public())
    await display.shows(public(OVER, wanted=False))
    await display.later()
    assert display.seen(CHANNEL) == ["two, closed", "two, closed"]
