"""Tests of what everybody may see of a seat's holdings."""

from __future__ import annotations

import pytest

from bot.games.ti4.components import in_front_of
from bot.rules.model.goods import Goods
from tests.games.advciv.playing import held
from tests.games.ti4.tables import seen, table_of, with_goods, with_in_play

NOTE = "note:ceasefire:letnev"


@pytest.mark.parametrize("by", [None, 1, 2, 3, 9])
def test_the_number_of_notes_in_hand_is_public_and_which_they_are_is_not(by: int | None) -> None:
    table = with_goods(table_of(), "sol", Goods({"trade_good": 3, NOTE: 1}))
    table = with_in_play(table, "sol", Goods({"note:alliance:hacan": 1}))
    seat = seen(table, by).seats["sol"]
    assert seat.hidden_count == table.seats["sol"].holdings.of_kind("note").total()
    assert seat.open + seat.in_play == in_front_of(table.seats["sol"])
    assert (seat.hidden is not None) == (by == 2)


def test_which_notes_they_are_changes_nothing_that_others_see() -> None:
    ceasefire = with_goods(table_of(), "sol", Goods({NOTE: 1}))
    alliance = with_goods(table_of(), "sol", Goods({"note:alliance:letnev": 1}))
    assert seen(ceasefire, 1).seats["sol"] == seen(alliance, 1).seats["sol"]
    assert seen(ceasefire, 2).seats["sol"] != seen(alliance, 2).seats["sol"]


def test_of_a_hand_of_trade_cards_not_even_the_number_is_public() -> None:
    evening = held({1: "2 salt", 2: "3 iron, wine"})
    assert evening.seat_seen(1, "crete").hidden_count is None
    assert evening.seat_seen(3, "crete").hidden_count is None
    assert evening.seat_seen(2, "crete").hidden_count == 4
