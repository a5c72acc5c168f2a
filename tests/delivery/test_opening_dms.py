"""Tests that opening DMs waits no longer than Discord's limit fails."""

from __future__ import annotations

from dataclasses import replace

from bot.delivery.desired import DirectMessages, PersonalOffer
from tests.delivery.briefings import BOB, CAROL
from tests.delivery.display import Display
from tests.delivery.near import BOBS, CAROLS
from tests.delivery.steps import personal


async def test_when_one_can_be_opened_again_whoever_pauses_is_tried_at_once(
    display: Display,
) -> None:
    carols = replace(
        personal(), subject=PersonalOffer(1, "addressed", CAROL), place=DirectMessages(CAROL)
    )
    display.discord.fails("dm", BOB, 500)
    display.discord.fails("dm", CAROL, 500)
    await display.shows(personal(), carols)
    assert len(display.pauses) == 2
    display.waiting[0].fire()
    await display.idle()
    assert display.pauses == []
    assert display.seen(BOBS) == display.seen(CAROLS) == ["one"]
