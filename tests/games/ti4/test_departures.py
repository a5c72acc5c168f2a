"""Tests of elimination and of factions that become others, beyond the plays."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.games.ti4.combat import BeginCombat
from bot.games.ti4.departures import (
    Eliminate,
    elimination,
    of_change,
    of_elimination,
    public_seats,
    stamp,
)
from bot.games.ti4.neighbors import SeatNeighbors
from bot.games.ti4.turns import PassTurn, SetOrder, StartTurn
from bot.rules.features.offers.posting import PostOffer
from bot.rules.model.goods import Goods
from bot.rules.model.table import Table
from bot.rules.model.windows import pair
from tests.games.ti4.tables import after, all_done, having, lent, refused, seen, table_of

BOB, CAROL = 2, 3
SEATS = ("letnev", "firmament", "hacan", "sol")


def game() -> Table:
    table = all_done(
        table_of(SEATS),
        [
            SeatNeighbors(),
            SetOrder(SEATS),
            StartTurn("firmament"),
            BeginCombat("firmament", "letnev"),
        ],
    )
    goods = {"trade_good": 2, "commodity": 1, "captured:cruiser:firmament": 1}
    for seat in SEATS:
        table = having(table, seat, goods)
    used = frozenset({pair("firmament", "hacan")})
    return replace(table, window=replace(table.window, used=used))


# ---------------------------------------------------------------- what is shown


@pytest.mark.parametrize("seat", ["letnev", "firmament"])
def test_a_preview_rests_on_no_hand(seat: str) -> None:
    table = game()
    for moved in (
        lent(table, f"note:ceasefire:{seat}", "sol"),
        lent(table, f"note:trade_agreement:{seat}", "hacan"),
        lent(table, "note:ceasefire:sol", seat),
    ):
        assert elimination(seen(moved, by=1), seat) == elimination(seen(table, by=1), seat)
        lines = of_elimination(public_seats(table), seat, tracked=True)
        lines_moved = of_elimination(public_seats(moved), seat, tracked=True)
        assert stamp(lines_moved) == stamp(lines)


def test_a_preview_of_another_faction_rests_on_no_hand() -> None:
    table = game()
    moved = lent(table, "note:ceasefire:firmament", "sol")
    lines = of_change(public_seats(table), "firmament", tracked=True)
    lines_moved = of_change(public_seats(moved), "firmament", tracked=True)
    assert stamp(lines_moved) == stamp(lines)


# ---------------------------------------------------------------- elimination


def test_who_is_out_lifts_no_rule_any_more() -> None:
    cards = PostOffer(give=Goods({"action_card": 1}))
    table = having(game(), "letnev", {"action_card": 1})
    assert after(table, cards).open_offers()
    assert refused(after(table, Eliminate("hacan")), cards).rule == "94.3"


def test_the_last_one_in_a_round_ends_it() -> None:
    table = all_done(table_of(("letnev", "sol")), [StartTurn("letnev"), PassTurn()])
    assert table.window.holder == "sol"
    out = after(table, Eliminate("sol"))
    assert out.window.holder is None
