"""Tests of set-up buttons that are pressed too late, twice, or by somebody else."""

from __future__ import annotations

import pytest

from bot.games.ti4.neighbors import NobodyYet, SeatNeighbors
from bot.games.ti4.turns import AskOrder, StartTurn
from bot.rules.commands import Press
from bot.rules.features.seats import Leave, Sit
from bot.rules.features.tables import ChangeSetting
from bot.rules.model.actions import Action, SetupAction
from bot.show.actions import AskGoods, GoodsForm, OpenGame, SeatOrder, SetUpHere
from bot.show.custom_ids import encode
from tests.cogs.evening import TABLE, Evening


async def pressed(evening: Evening, who: str, action: Action) -> str:
    return "\n".join((await evening.forge(who, encode(action))).texts())


@pytest.mark.parametrize(
    ("who", "action", "says"),
    [
        ("alice", SetupAction(TABLE, "change"), "The game has begun"),
        ("bob", Press(TABLE, Leave()), "Leave Sol?"),
        ("dave", Press(TABLE, Sit("sol")), "already plays The Federation of Sol"),
        ("bob", Press(TABLE, Sit("hacan")), "You sit at this table already"),
        ("bob", SetupAction(TABLE, "seat"), "You already play Sol"),
        ("bob", SetupAction(TABLE, "order"), "Only the host may set the seating order. Ask @alice"),
        ("bob", SeatOrder(TABLE, "01", sure=True), "Only the host may"),
        ("bob", AskGoods(TABLE, "hacan"), "Only the host may say what a player has. Ask @alice"),
        ("bob", AskOrder(TABLE, "", "ask"), "Only the host can say the order of play. Ask @alice"),
        ("bob", AskGoods(TABLE, "yin"), "Nobody plays that seat"),
        ("bob", Press(TABLE, ChangeSetting("expansions", "base")), "Only the host may"),
        ("alice", Press(TABLE, ChangeSetting("expansions", "all of them")), "know the expansion"),
        ("bob", Press(TABLE, SeatNeighbors()), "Only the host may"),
        ("bob", Press(TABLE, NobodyYet()), "Only the host may"),
        ("alice", Press(TABLE, StartTurn("hacan")), "It is already"),
        ("alice", SetUpHere(0), "This channel already has a table"),
        ("dave", OpenGame(0, "ti4"), "This channel already has a table"),
    ],
)
async def test_an_old_button_says_how_things_are(
    playing: Evening, who: str, action: Action, says: str
) -> None:
    before = (await playing.table()).seq
    assert says in await pressed(playing, who, action)
    assert (await playing.table()).seq == before


async def test_a_form_for_a_seat_that_nobody_plays_says_so(playing: Evening) -> None:
    answer = await playing.forge("alice", encode(GoodsForm(TABLE, "yin")), form=True)
    assert "Nobody plays that seat" in "\n".join(answer.texts())


async def test_the_picture_of_an_evening_stands_above_the_next_set_up(playing: Evening) -> None:
    await playing.types("alice", "offer post", to="@bob", give="1 tg")
    await playing.press("bob", "Accept")
    await playing.types("alice", "table close", sure="yes")
    await playing.types("alice", "table open", game="ti4", name="Saturday")
    await playing.delivered()
    texts = playing.channel()
    [over] = [place for place, text in enumerate(texts) if "is over ·" in text]
    [set_up] = [place for place, text in enumerate(texts) if text.startswith("Saturday")]
    assert over < set_up


async def test_a_seat_taken_late_is_told_to_all(playing: Evening) -> None:
    assert (
        await pressed(playing, "dave", Press(TABLE, Sit("yin"))) == "You play The Yin Brotherhood."
    )
    assert any("The Yin Brotherhood" in text for text in playing.channel())


async def test_signs_of_nobody_are_left_out(playing: Evening) -> None:
    assert "who is next" in await pressed(playing, "alice", SeatOrder(TABLE, "1?zz1"))
