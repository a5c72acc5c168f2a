"""Tests of which turn is a new one; plays show turns that are given back after a slip [94.1]."""

from __future__ import annotations

from dataclasses import replace

from bot.games.ti4.state import Round, active_seat
from bot.games.ti4.turns import EndTurn, NextTurn, PassTurn, SetOrder, StartTurn
from bot.rules.features.tables import SetPhase
from bot.rules.model.parts import part
from bot.rules.model.table import Table
from bot.rules.model.windows import pair
from tests.games.ti4.tables import after, all_done, table_of

TABLE = after(table_of(), SetOrder(("hacan", "sol", "letnev")))
TWO = pair("hacan", "sol")


def traded(table: Table) -> Table:
    """Return the table after Hacan and Sol have had their transaction in the open window."""
    used = table.window.used | {TWO}
    window, trades = replace(table.window, used=used), table.transactions + 1
    return replace(table, window=window, transactions=trades)


TURN = traded(after(TABLE, StartTurn("sol")))
SAME = frozenset({TWO})


def test_around_the_table_by_start_alone_each_turn_is_new() -> None:
    table = all_done(TURN, [StartTurn("letnev"), StartTurn("hacan"), StartTurn("sol")])
    assert table.window.used == frozenset()


def test_a_turn_that_goes_on_interrupts_no_other() -> None:
    back = after(traded(after(TURN, StartTurn("hacan"))), StartTurn("sol", "same"))
    letnev = traded(after(back, StartTurn("letnev")))
    goes_on = after(letnev, StartTurn("hacan"))
    assert goes_on.window.used == SAME
    assert part(goes_on, Round).interrupted == ()


def test_the_last_who_has_not_passed_has_one_turn_after_the_other() -> None:
    alone = traded(all_done(TABLE, [StartTurn("hacan"), PassTurn(), PassTurn()]))
    assert active_seat(alone) == "letnev"
    assert after(after(alone, EndTurn()), StartTurn("letnev")).window.used == frozenset()
    assert after(alone, NextTurn()).window.used == frozenset()


def test_nothing_is_given_back_across_phases() -> None:
    table = after(after(TURN, SetPhase("strategy")), StartTurn("sol"))
    assert table.window.used == frozenset()


def test_where_two_take_turns_each_turn_is_new() -> None:
    of_two = traded(after(table_of(("hacan", "sol")), StartTurn("sol")))
    back = all_done(of_two, [NextTurn(), NextTurn()])
    assert active_seat(back) == "sol"
    assert back.window.used == frozenset()
