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
from tests.games.ti4.tables import after, all_done, having, refused, seen, table_of, with_goods

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
    for seat in SEATS:
        table = having(
            table, seat, {"trade_good": 2, "commodity": 1, "captured:cruiser:firmament": 1}
        )
    return replace(
        table, window=replace(table.window, used=frozenset({pair("firmament", "hacan")}))
    )


def with_hands_moved(table: Table, note: str, owner: str, holder: str) -> Table:
    """Return the table with a note of an owner in another hand."""
    card = Goods({note: 1})
    holdings = table.seats[owner].holdings - card
    table = table.with_seat(replace(table.seats[owner], holdings=holdings))
    return with_goods(table, holder, card)


# ---------------------------------------------------------------- what is shown


@pytest.mark.parametrize("seat", ["letnev", "firmament"])
def test_a_preview_rests_on_no_hand(seat: str) -> None:
    table = game()
    for moved in (
        with_hands_moved(table, f"note:ceasefire:{seat}", seat, "sol"),
        with_hands_moved(table, f"note:trade_agreement:{seat}", seat, "hacan"),
        with_hands_moved(table, "note:ceasefire:sol", "sol", seat),
    ):
        assert elimination(seen(moved, by=1), seat) == elimination(seen(table, by=1), seat)
        for lines in (of_elimination, of_change) if seat == "firmament" else (of_elimination,):
            shown, other = (
                lines(public_seats(each), seat, tracked=True) for each in (table, moved)
            )
            assert stamp(shown) == stamp(other)


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
