"""Tests of a game's own texts: the table's words, goods in steps, and a picture on the board."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest

from bot.delivery.render import render_files, with_picture
from bot.rules.features.holdings import Corrected, Gained
from bot.rules.features.seats import Sit
from bot.rules.features.tables import OpenTable
from bot.rules.game import Game, Suggestion
from bot.rules.model.goods import NOTHING, Change, Goods
from bot.rules.model.violation import Refused
from bot.rules.views import BalanceView, BoardView, TableView
from bot.show import stock
from bot.show.board import board_card
from bot.show.drafts import OfferDraft, build_card
from bot.show.goods import balances_text
from bot.show.goods_choices import goods_choices
from bot.show.names import format_text, name_text, plain_text
from bot.show.narration import sentence
from bot.show.pictures import Picture, Sketch
from tests.plugin.bazaar.bourse_bazaar import GAME
from tests.plugin.bazaar.installing import installed, point
from tests.show.playing import World, labels_of

PNG = b"\x89PNG and what is in it: "
CASH = Suggestion("silk", "cent", "cents", most=12, step=10)


@contextmanager
def table(game: Game = GAME) -> Iterator[World]:
    """Return a table of the bazaar, changed as an author might, with two players and play begun."""
    with installed(point(game)):
        world = World()
        world.do(OpenTable("bazaar", "Friday"))
        for person, seat in ((1, "red"), (2, "green")):
            world.do(Sit(seat), person)
        yield world


# ---------------------------------------------------------------- words


def test_a_word_of_the_table_stands_wherever_the_game_names_the_thing() -> None:
    with table(replace(GAME, words=lambda table: {"lot-7": "*Silk*  Row"})) as world:
        for named in (world.view(1), world.entries()[0]):
            assert format_text(named, "In <word:lot-7>.") == r"In \*Silk\* Row."
            assert name_text(named, "In <word:lot-7>.") == r"In \*Silk\* Row."
            assert plain_text(named, "In <word:lot-7>.") == "In *Silk* Row."
            assert plain_text(named, "In <word:lot-8>.") == "In lot-8."


# ---------------------------------------------------------------- steps


def suggested(view: TableView, typed: str) -> list[str]:
    goods = stock.Stock("red", lambda beside: [CASH])

    def read(view: TableView, text: str, giver: str | None) -> Goods:
        number, *_ = text.split()
        if not number.isdecimal() or int(number) % CASH.step or not int(number):
            raise Refused(f"“{text}” is no number of tens.", "For example: 20 cents.")
        return Goods({"silk": int(number) // CASH.step})

    return [each.label for each in goods_choices(view, goods, typed, read)]


def test_goods_in_steps_are_suggested_as_they_are_written() -> None:
    with table() as world:
        view = world.view(1)
        assert suggested(view, "") == ["10 cents"]
        assert suggested(view, "30 c") == ["30 cents"]
        assert suggested(view, "0 c") == []
        assert suggested(view, "3 c") == ["30 cents", "10 cents"]
        assert suggested(view, "35 c") == ["30 cents", "40 cents"]
        assert suggested(view, "500 c") == ["120 cents (all you have)"]
        assert suggested(view, "cents")[:3] == ["10 cents", "20 cents", "30 cents"]


def test_buttons_of_goods_in_steps_say_the_step() -> None:
    language = replace(
        GAME.goods,
        describe=lambda goods: f"{10 * goods.total()} cents",
        suggest=lambda seat, beside: [CASH],
        every=lambda view: [CASH],
    )
    with table(replace(GAME, goods=language)) as world:
        view = world.view(1)
        give, get, _ = labels_of(build_card(view, OfferDraft("green")))
        assert give == ["Give −10 cents", "Give +10 cents"]
        assert get == ["Get −10 cents", "Get +10 cents"]
        assert balances_text(view, [BalanceView("silk", 5, 3)]) == "-# 50 → 30 cents"
        assert balances_text(view, [BalanceView("silk", 2, 0)]) == "-# 20 → 0 cents"


# ---------------------------------------------------------------- the picture


def pictured(**changes: Any) -> Game:
    board = BoardView((), pictured="Three stalls: <word:red>.")
    made = replace(
        GAME,
        commands=replace(GAME.commands, board=lambda table: board),
        words=lambda table: {"red": "Red"},
    )
    return replace(
        made,
        **{
            "public": lambda table: len(table.seated()),
            "draw": lambda at: PNG + str(at).encode(),
            **changes,
        },
    )


async def test_the_board_has_the_picture_that_the_game_draws_of_its_public_state() -> None:
    with table(pictured()) as world:
        card = board_card(world.view())
        assert card.picture == Sketch("bazaar", 2, "Three stalls: Red.")
        drawn = await with_picture(card)
        assert drawn.picture == Picture(PNG + b"2", "board.png", "Three stalls: Red.")
        assert [each.fp.read() for each in render_files(drawn)] == [PNG + b"2"]
        again = board_card(world.view())
        assert (again.picture is not card.picture, again.digest) == (True, card.digest)
        world.do(Sit("blue"), 3)
        assert board_card(world.view()).digest != card.digest


async def test_a_game_that_cannot_draw_shows_its_board_without_a_picture(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with table(pictured(draw=lambda public: PNG + bytes(1 // (2 - public)))) as world:
        card = board_card(world.view())
        assert (await with_picture(card)) == replace(card, picture=None)
    assert caplog.messages == ["the game bazaar failed in draw; what it should have shown counts"]


# ---------------------------------------------------------------- what is set


def test_what_setting_goods_takes_from_others_is_said() -> None:
    silk = Goods({"silk": 1})
    with table() as world:
        world.adds(Gained(seat="green", changes={"green": Change(gained=silk)}))
        moved = {"red": Change(gained=silk), "green": Change(lost=silk)}
        for reason in ("", "a slip"):
            corrected = Corrected(
                seat="red", changes=moved, before=NOTHING, after=silk, reason=reason
            )
            world.adds(corrected)
            assert "<@1000000000000000002> lost **1 silk**." in sentence(world.entries()[-1])
            world.adds(
                Corrected(
                    seat="green", changes={"green": Change(gained=silk)}, before=NOTHING, after=silk
                )
            )
            assert "lost" not in sentence(world.entries()[-1])
