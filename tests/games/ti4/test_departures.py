"""Elimination, and a faction that becomes another: what is shown rests on no hand, and everything moves in one step."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.games.ti4 import GAME
from bot.games.ti4.combat import BeginCombat
from bot.games.ti4.departures import (
    ChangeFaction,
    Eliminate,
    elimination,
    of_change,
    of_elimination,
    public_seats,
    stamp,
)
from bot.games.ti4.neighbors import ClaimNeighbor, SeatNeighbors, SetNeighbors
from bot.games.ti4.permits import GrantPermit
from bot.games.ti4.state import Combat, InForce, Map, are_neighbors, turn_order
from bot.games.ti4.turns import PassTurn, SetOrder, StartTurn
from bot.rules.features.offers.posting import PostOffer
from bot.rules.features.seats import Leave, Sit
from bot.rules.features.tables import ChangeSettings
from bot.rules.model.goods import Goods
from bot.rules.model.parts import part
from bot.rules.model.table import Table
from bot.rules.model.violation import Refused
from bot.rules.model.windows import pair
from tests.games.ti4.tables import after, all_done, having, refused, seen, table_of, with_goods
from tests.games.ti4.witness import sound

BOB, CAROL = 2, 3
SEATS = ("letnev", "firmament", "hacan", "sol")


def game() -> Table:
    table = all_done(
        table_of(SEATS), [SeatNeighbors(), SetOrder(SEATS), StartTurn("firmament"), BeginCombat("firmament", "letnev")]
    )
    for seat in SEATS:
        table = having(table, seat, {"trade_good": 2, "commodity": 1, "captured:cruiser:firmament": 1})
    return replace(table, window=replace(table.window, used=frozenset({pair("firmament", "hacan")})))


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
            shown, other = (lines(public_seats(each), seat, tracked=True) for each in (table, moved))
            assert stamp(shown) == stamp(other)


def test_a_preview_is_the_same_from_a_view_and_from_the_table() -> None:
    table = game()
    assert elimination(seen(table, by=1), "sol").lines == of_elimination(public_seats(table), "sol", tracked=True)


def test_only_what_was_shown_is_done() -> None:
    table = game()
    shown = stamp(of_elimination(public_seats(table), "sol", tracked=True))
    richer = having(table, "sol", {"trade_good": 3})
    assert "changed since" in refused(richer, Eliminate("sol", shown)).reason
    assert after(table, Eliminate("sol", shown)).seats["sol"].person is None
    assert "host" in refused(table, Eliminate("sol", shown), by=BOB).reason
    assert "host" in refused(table, ChangeFaction("firmament"), by=BOB).reason
    with pytest.raises(Refused, match="host"):
        elimination(seen(table, by=BOB), "sol")


# ---------------------------------------------------------------- elimination


def test_nothing_is_left_of_an_eliminated_player() -> None:
    table = after(game(), ClaimNeighbor("sol"), by=BOB)
    table = after(table, GrantPermit("firmament", "sol", lifts="limit", reason="a card"))
    table = with_hands_moved(table, "note:ceasefire:firmament", "firmament", "sol")
    out = after(table, Eliminate("firmament"))
    sound(out)
    assert (part(out, Map).claims, part(out, Combat).pairs, part(out, InForce).permits) == (
        frozenset(),
        frozenset(),
        (),
    )
    assert not any(are_neighbors(out, "firmament", seat) for seat in SEATS)
    assert turn_order(out) == ["letnev", "hacan", "sol"]
    assert out.window.holder == "hacan", "the turn of who is out goes to the next"
    assert out.seats["sol"].holdings["captured:cruiser:firmament"] == 1, "17: their captured units stay"
    assert "note:ceasefire:firmament" not in out.seats["sol"].holdings
    assert out.seats["firmament"].holdings == Goods()


def test_a_seat_that_is_out_stays_out() -> None:
    out = after(game(), Eliminate("sol"))
    for command in (Sit("sol"), Sit("sol", 9), Eliminate("sol")):
        assert refused(out, command).rule == "33.2"
    assert not refused(out, ClaimNeighbor("sol")).rule
    assert "own neighbour" in refused(out, SetNeighbors("letnev", ("letnev",))).reason
    assert refused(out, SetNeighbors("letnev", ("sol",))).reason.startswith("Nobody plays")


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


def test_where_nothing_is_counted_the_seat_is_empty_all_the_same() -> None:
    table = after(game(), ChangeSettings({"inventory": "untracked"}))
    shown = of_elimination(public_seats(table), "sol", tracked=False)
    assert not any("trade goods" in line for line in shown)
    for out in (after(table, Eliminate("firmament")), after(table, ChangeFaction("firmament"))):
        sound(out)
        sound(after(out, ChangeSettings({"inventory": "tracked"})))


# ---------------------------------------------------------------- a faction that becomes another


@pytest.mark.parametrize("order", [(), ("sol", "firmament", "letnev", "hacan"), ("hacan",)])
def test_the_other_has_the_same_place_in_everything(order: tuple[str, ...]) -> None:
    table = after(game(), SetOrder(order)) if order else game()
    now = after(table, ChangeFaction("firmament"))
    sound(now)
    assert turn_order(now) == [{"firmament": "obsidian"}.get(seat, seat) for seat in turn_order(table)]
    assert now.window.holder == "obsidian"
    assert now.window.used == {pair("hacan", "obsidian")}, "nobody trades twice for it"
    assert part(now, Combat).pairs == {pair("letnev", "obsidian")}
    assert are_neighbors(now, "obsidian", "hacan")
    assert now.seats["obsidian"].person == BOB
    assert now.seats["obsidian"].holdings.of_kind("trade_good", "commodity") == Goods({"trade_good": 2, "commodity": 1})
    assert now.seats["hacan"].holdings["captured:cruiser:obsidian"] == 1


def test_each_note_is_there_once_wherever_it_was() -> None:
    table = with_hands_moved(game(), "note:ceasefire:firmament", "firmament", "sol")
    table = with_hands_moved(table, "note:black_ops:firmament", "firmament", "hacan")  # a slip of the host
    table = with_hands_moved(table, "note:alliance:firmament", "firmament", "hacan")
    table = with_goods(table, "letnev", Goods(), Goods({"note:support_for_the_throne:firmament": 1}))
    held = table.seats["firmament"].holdings - Goods({"note:support_for_the_throne:firmament": 1})
    table = table.with_seat(replace(table.seats["firmament"], holdings=held))
    now = after(table, ChangeFaction("firmament"))
    sound(now)
    assert "note:ceasefire:obsidian" in now.seats["sol"].holdings
    assert "note:support_for_the_throne:obsidian" in now.seats["letnev"].in_play
    assert not any("black_ops" in token for seat in now.seats.values() for token in seat.holdings)
    assert "note:malevolency:obsidian" in now.seats["obsidian"].holdings


def test_nobody_sits_with_a_second_set() -> None:
    table = game()
    assert "Nobody starts the game" in refused(table, Sit("obsidian", 9)).reason
    left = after(table, Leave(), by=BOB)
    assert "Nobody starts the game" in refused(left, Sit("obsidian"), by=BOB).reason
    assert "Nobody plays" in refused(left, ChangeFaction("firmament")).reason
    now = after(table, ChangeFaction("firmament"))
    assert "is The Obsidian now" in refused(now, Sit("firmament", 9)).reason
    assert "can't become" in refused(now, ChangeFaction("obsidian")).reason
    assert "already" in refused(now, Sit("obsidian"), by=CAROL).reason
    empty = after(now, Leave(), by=BOB)
    sound(after(empty, Sit("obsidian", 9)))
    sound(after(empty, Eliminate("obsidian")))


def test_a_view_says_which_seats_nobody_takes() -> None:
    now = after(after(game(), ChangeFaction("firmament")), Eliminate("sol"))
    assert {seat.id for seat in seen(now).seats.values() if seat.barred} == {"firmament", "sol"}
    assert GAME.departures is not None
    assert [option.id for option in GAME.departures.changeable(seen(game()))] == ["firmament"]
    assert not GAME.departures.changeable(seen(now))
