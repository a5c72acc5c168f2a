"""Tests that a message keeps the way of drawing in which it was sent."""

from __future__ import annotations

from dataclasses import replace

import pytest
from discord import ui

from bot.delivery.desired import Board, Desired, PersonalOffer, Prompt, Retired
from bot.delivery.render import COMPONENTS_MAX, payload
from bot.show.actions import BoardPress
from bot.show.cards import Button, Card
from tests.delivery.briefings import BOB, CHANNEL
from tests.delivery.display import Display
from tests.delivery.near import BOBS
from tests.delivery.steps import CARD, LATER, OTHER, OVER, board, news, personal, public, whats
from tests.delivery.test_crashes import crashed_while_sending
from tests.loopback import screen

QUESTION = Prompt("which", BOB)


def asked() -> Desired:
    return Desired(QUESTION, CARD, call="confirm")


def ways(display: Display, channel: int) -> list[bool]:
    """Return which of a channel's messages are drawn with Components V2, oldest first."""
    messages = raw_messages(display, channel)
    return [bool(each["flags"] & screen.COMPONENTS_V2) for each in messages]


def raw_messages(display: Display, channel: int) -> list[screen.Json]:
    messages = display.discord.world.messages.values()
    return [each for each in messages if each["channel_id"] == str(channel)]


@pytest.fixture
async def earlier(display: Display, monkeypatch: pytest.MonkeyPatch) -> Display:
    """A table that a version showed which drew everything with Components V2, and did not store
    that.
    """
    with monkeypatch.context() as then:
        then.setattr(Desired, "__post_init__", lambda step: None)
        for kind in (Board, PersonalOffer, Prompt):
            then.setattr(kind, "drawn", "v2")
        await display.shows(board(), personal(), asked())
    assert ways(display, CHANNEL) == [True]
    assert ways(display, BOBS) == [True, True]
    assert not any("classical" in each.shown for each in display.store.kept.values())
    return display


async def test_what_an_earlier_version_sent_is_edited_as_it_was_sent(earlier: Display) -> None:
    await earlier.restart(board(OTHER), personal(OTHER), Retired(QUESTION, OVER, OVER))
    assert earlier.seen(CHANNEL) == ["two"]
    assert earlier.seen(BOBS) == ["two", "two, closed"]
    assert ways(earlier, CHANNEL) == [True]
    assert ways(earlier, BOBS) == [True, True]
    assert earlier.pauses == [], "Discord refused nothing"


async def test_the_next_one_is_drawn_as_this_version_does(earlier: Display) -> None:
    anew = board(OTHER, "2"), personal(OTHER, anchor="2")
    await earlier.restart(*anew, asked())
    assert ways(earlier, CHANNEL) == [False]
    assert ways(earlier, BOBS) == [True, False]
    assert earlier.seen(BOBS) == ["one", "two"]
    again = board(CARD, "2"), personal(CARD, anchor="2")
    await earlier.restart(*again, asked())
    assert earlier.seen(CHANNEL) == ["one"]
    assert ways(earlier, CHANNEL) == [False]


async def test_each_way_goes_through_edits_and_restarts(display: Display) -> None:
    line = replace(CARD, line="Alice offers you a trade · Friday")
    await display.shows(public(), personal(line))
    await display.restart(public(OTHER), personal(replace(OTHER, line=line.line)))
    assert ways(display, CHANNEL) == [True]
    assert ways(display, BOBS) == [False]
    [theirs] = raw_messages(display, BOBS)
    assert screen.push(theirs) == line.line
    [embed] = theirs["embeds"]
    assert embed["description"].startswith("two\n")


async def test_news_without_a_button_is_found_by_the_one_it_has_for_that(display: Display) -> None:
    await crashed_while_sending(display, news())
    display.discord.world.forget_nonces()
    assert whats(await display.restart(after=LATER)) == ["history"]
    assert display.seen(CHANNEL) == ["news"]


def test_a_card_with_more_lines_than_discord_has_components_keeps_them_all() -> None:
    """**Say it** at a table with a hundred offers says each in a sentence of its own."""
    sentences = tuple(f"Offer {number}: somebody offers something." for number in range(100))
    more = Button("More", BoardPress(1, "more"))
    view = payload(Card("open", sentences, ((more,),)), "v2")["view"]
    assert view._total_children <= COMPONENTS_MAX
    texts = [each for each in view.walk_children() if isinstance(each, ui.TextDisplay)]
    assert "\n".join(each.content for each in texts) == "\n".join(sentences)
