"""A message that may have been sent, though Discord said otherwise, and is then refused: it never gets a twin."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.delivery.desired import Desired, OfferCard, Retired
from tests.delivery.briefings import CHANNEL
from tests.delivery.display import Display
from tests.delivery.near import BOBS
from tests.delivery.steps import LATER, OTHER, OVER, THEIRS, THIRD, fate, personal, public, whats

PRIVATE = replace(personal(), fallback=None)
"""A card that nobody else may read, so that there is no other way to the person."""


def _reopen(display: Display) -> None:
    """Let what was closed to us be open again, some minutes later."""
    display.discord.works()
    display.discord.world.forget_nonces()
    display.ahead += LATER
    display.delivery._reconciler._shut.until.clear()


async def _given_up(display: Display, step: Desired, channel: int) -> None:
    """Have a message sent that Discord denies, and then refuses."""
    display.discord.fails("send", channel, 503, done=True)
    display.discord.fails("send", channel, 403, 50001)
    await display.shows(step)
    await display.later()
    assert fate(display, step.subject) == "given_up"


@pytest.mark.parametrize("killed", [False, True])
@pytest.mark.parametrize(("step", "channel"), [(public(), CHANNEL), (PRIVATE, BOBS)], ids=["public", "private"])
async def test_what_was_given_up_is_looked_for_before_it_is_sent(
    display: Display, step: Desired, channel: int, *, killed: bool
) -> None:
    await _given_up(display, step, channel)
    _reopen(display)
    if killed:
        await display.restart()
    assert whats(await display.shows(replace(step, card=OTHER))) == ["history", "edit"]
    assert display.seen(channel) == [("two", True)]


async def test_it_is_found_however_often_it_is_given_up(display: Display) -> None:
    """The search goes back to the first attempt."""
    await _given_up(display, public(), CHANNEL)
    for card in (OTHER, THIRD):
        _reopen(display)
        display.discord.fails("history", CHANNEL, 403, 50001)
        await display.restart()
        await display.shows(public(card))
        assert fate(display, OfferCard(1)) == "given_up"
    _reopen(display)
    await display.shows(public(OTHER))
    assert display.seen(CHANNEL) == [("two", True)]


async def test_it_is_closed_if_its_offer_ends_meanwhile(display: Display) -> None:
    await _given_up(display, public(), CHANNEL)
    _reopen(display)
    await display.shows(Retired(OfferCard(1), OVER, OVER))
    assert display.seen(CHANNEL) == [("two", False)]


async def test_what_was_refused_at_once_is_not_looked_for(display: Display) -> None:
    display.discord.fails("send", CHANNEL, 403, 50001)
    await display.shows(public())
    _reopen(display)
    assert whats(await display.shows(public(OTHER))) == ["send"]


async def test_a_dm_that_may_be_there_is_looked_for_before_the_person_is_pinged(display: Display) -> None:
    """Else a card with buttons would stay in the DMs that nobody keeps up to date."""
    display.discord.fails("send", BOBS, 503, done=True)
    display.discord.fails("send", BOBS, 403, 50007)
    await display.shows(personal())
    await display.later()
    assert (display.seen(BOBS), display.seen(CHANNEL)) == ([("one", True)], [])
    display.discord.world.forget_nonces()
    await display.shows(personal(OTHER))
    assert (display.seen(BOBS), display.seen(CHANNEL)) == ([("two", True)], [])


async def test_one_that_is_not_there_is_pinged(display: Display) -> None:
    display.discord.fails("send", BOBS, 503)
    display.discord.fails("send", BOBS, 403, 50007, times=2)
    await display.shows(personal())
    await display.later()
    assert (display.seen(BOBS), len(display.seen(CHANNEL)), fate(display, THEIRS)) == ([], 1, "shown")
