"""Tests of the reconciler when a message ends, a board is replaced, or the program stops."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.delivery.desired import (
    Desired,
    Priority,
    Prompt,
    Retired,
)
from bot.delivery.send import REDRAWN_EVERY
from bot.show.cards import Card
from tests.delivery.briefings import BOB, CHANNEL
from tests.delivery.display import Display
from tests.delivery.near import BOBS
from tests.delivery.steps import (
    CARD,
    OTHER,
    OVER,
    THEIRS,
    THIRD,
    board,
    personal,
    public,
    whats,
)

# ---------------------------------------------------------------- the end of a message


@pytest.mark.parametrize("restarted", [False, True])
async def test_retiring_is_tried_until_it_works(display: Display, *, restarted: bool) -> None:
    await display.shows(personal())
    display.discord.fails("edit", BOBS, 502)
    await display.shows(Retired(THEIRS, OTHER, CARD))
    assert display.seen(BOBS) == ["one"]
    await (display.restart() if restarted else display.later())
    assert display.seen(BOBS) == ["two, closed"]
    await display.later()
    assert display.store.kept == {}


@pytest.mark.parametrize(
    "step",
    [Retired(THEIRS, OVER, CARD), personal(OVER, wanted=False)],
)
async def test_what_was_sent_though_discord_said_503_is_retired_though_nobody_wants_it_any_more(
    display: Display, step: Retired | Desired
) -> None:
    display.discord.fails("send", BOBS, 503, done=True)
    await display.shows(personal())
    await display.shows(step)
    await display.later()
    assert display.seen(BOBS) == ["two, closed"]


async def test_where_others_read_it_says_no_more_than_they_may_know(display: Display) -> None:
    question = Prompt("deal-1", BOB, 1)
    display.closes_dms()
    await display.shows(replace(personal(), subject=question))
    [edited] = await display.shows(Retired(question, CARD, OTHER))
    assert edited.pings == (BOB,), "their mention keeps its mark"
    assert display.seen(CHANNEL) == [f"<@{BOB}> two, closed"]


# ---------------------------------------------------------------- boards


async def test_the_board_of_a_closed_table_stays_where_it_is(display: Display) -> None:
    await display.shows(board())
    assert whats(await display.shows(board(OTHER, "2", wanted=False))) == ["edit"]
    assert display.seen(CHANNEL) == ["two"]


async def test_a_board_keeps_its_pace_and_shows_the_newest(display: Display) -> None:
    display.delivery._reconciler._sender._pace = 3600.0
    assert whats(await display.shows(board())) == ["send"]
    assert await display.shows(board(OTHER)) == []
    assert await display.shows(board(THIRD)) == []
    [pause] = display.pauses
    assert 1800 < pause <= 3600
    display.table.board_at -= 3600.0
    [edited] = await display.later()
    assert (edited.what, edited.text) == ("edit", "three")


async def test_the_pace_of_the_board_delays_nothing_else(display: Display) -> None:
    display.delivery._reconciler._sender._pace = 60.0
    await display.shows(board(), public())
    [request] = await display.shows(board(OTHER), public(OTHER))
    assert request.text == "two"


def figures(card: Card) -> Desired:
    """Return a card on which only figures have changed."""
    return replace(personal(card), priority=Priority.REFRESH)


async def test_what_a_hand_changes_on_a_card_within_ten_seconds_is_one_edit(
    display: Display,
) -> None:
    display.delivery._reconciler._sender._pace = 1.0
    await display.shows(personal())
    assert [each.text for each in await display.shows(figures(OTHER))] == ["two"]
    assert await display.shows(figures(CARD)) == []
    assert await display.shows(figures(THIRD)) == []
    [pause] = display.pauses
    assert 1 < pause <= REDRAWN_EVERY
    display.table.redrawn[THEIRS] -= REDRAWN_EVERY
    [request] = await display.later()
    assert (request.what, request.text) == ("edit", "three")
    assert display.seen(BOBS) == ["three"]


async def test_what_somebody_did_to_an_offer_does_not_wait_for_the_ten_seconds(
    display: Display,
) -> None:
    display.delivery._reconciler._sender._pace = 1.0
    await display.shows(personal())
    await display.shows(figures(OTHER))
    assert [each.text for each in await display.shows(personal(THIRD))] == ["three"]


# ---------------------------------------------------------------- the end


async def test_after_the_end_nothing_is_sent(display: Display) -> None:
    display.discord.fails("send", CHANNEL, 503)
    await display.shows(public())
    await display.delivery.close()
    display.delivery.wake(1)
    await display.idle()
    assert whats(display.discord.requests) == ["send"]
