"""Turns that are given back after a slip, and passes that are taken back."""

from __future__ import annotations

from dataclasses import replace

from bot.games.ti4.state import Round, active_seat
from bot.games.ti4.turns import EndTurn, NextTurn, PassTurn, SetOrder, StartTurn, UndoPass
from bot.rules.features.tables import ChangeSettings, SetPhase
from bot.rules.model.parts import part
from bot.rules.model.table import Table
from bot.rules.model.windows import pair
from tests.games.ti4.tables import after, all_done, refused, table_of

TABLE = after(table_of(), SetOrder(("hacan", "sol", "letnev")))
TWO = pair("hacan", "sol")
BOB = 2


def traded(table: Table) -> Table:
    """Return the table after Hacan and Sol have had their transaction in the window that is open."""
    return replace(table, window=replace(table.window, used=table.window.used | {TWO}))


TURN = traded(after(TABLE, StartTurn("sol")))
SAME = frozenset({TWO})


def test_an_ended_turn_that_is_given_back_is_the_same_turn() -> None:
    back = after(after(TURN, EndTurn()), StartTurn("sol"))
    assert (active_seat(back), back.window.used) == ("sol", SAME)
    assert back.window.number > TURN.window.number, "signatures from before are given anew"


def test_a_turn_is_given_back_after_the_next_one_began_by_a_slip() -> None:
    for slip in (NextTurn(), StartTurn("letnev")):
        assert after(after(TURN, slip), StartTurn("sol")).window.used == SAME


def test_after_another_turn_has_ended_it_is_a_new_one() -> None:
    table = all_done(TURN, [EndTurn(), StartTurn("letnev"), EndTurn()])
    assert after(table, StartTurn("sol")).window.used == frozenset()
    assert "can't be given back" in refused(table, StartTurn("sol", "same")).reason


def test_around_the_table_by_start_alone_each_turn_is_new() -> None:
    table = all_done(TURN, [StartTurn("letnev"), StartTurn("hacan"), StartTurn("sol")])
    assert table.window.used == frozenset()


def test_where_somebody_has_traded_since_it_is_a_new_turn_unless_the_host_says_otherwise() -> None:
    since = traded(after(TURN, StartTurn("hacan")))
    assert after(since, StartTurn("sol")).window.used == frozenset()
    back = after(since, StartTurn("sol", "same"))
    assert back.window.used == SAME
    assert after(after(back, EndTurn()), StartTurn("hacan")).window.used == SAME, "the interrupted turn goes on"


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


def test_the_host_can_correct_which_turn_it_is() -> None:
    back = after(after(TURN, EndTurn()), StartTurn("sol"))
    assert after(back, StartTurn("sol", "new")).window.used == frozenset()
    new = after(after(TURN, EndTurn()), StartTurn("sol", "new"))
    assert after(new, StartTurn("sol", "same")).window.used == SAME
    assert "Only the host" in refused(new, StartTurn("sol", "same"), by=BOB).reason


def test_nothing_is_given_back_across_phases() -> None:
    table = after(after(TURN, SetPhase("strategy")), StartTurn("sol"))
    assert table.window.used == frozenset()


def test_after_a_turn_the_next_in_order_is_next() -> None:
    assert active_seat(all_done(TURN, [EndTurn(), NextTurn()])) == "letnev"


def test_a_pass_that_is_taken_back_gives_the_turn_back_too() -> None:
    back = after(after(TURN, PassTurn()), UndoPass("sol"))
    assert (active_seat(back), back.window.used, part(back, Round).passed) == ("sol", SAME, frozenset())


def test_a_pass_that_is_taken_back_late_only_brings_them_back_in() -> None:
    table = all_done(TURN, [PassTurn(), NextTurn(), UndoPass("sol")])
    assert (active_seat(table), part(table, Round).passed) == ("hacan", frozenset())


def test_the_last_pass_is_taken_back_with_the_status_phase() -> None:
    over = traded(all_done(TABLE, [StartTurn("hacan"), PassTurn(), PassTurn()]))
    over = after(over, PassTurn())
    assert over.phase == "status"
    back = after(over, UndoPass("letnev"))
    assert (back.phase, active_seat(back), part(back, Round).passed) == ("action", "letnev", {"hacan", "sol"})
    assert back.window.used == SAME
    other = after(over, UndoPass("sol"))
    assert (other.phase, active_seat(other), part(other, Round).passed) == ("action", None, {"hacan", "letnev"})
    assert "has not passed" in refused(after(over, SetPhase("strategy")), UndoPass("sol")).reason


def test_whoever_has_passed_has_no_turn_before_it_is_taken_back() -> None:
    assert "/turn unpass" in refused(after(TURN, PassTurn()), StartTurn("sol")).remedy
    assert "has not passed" in refused(TURN, UndoPass("sol")).reason
    assert "Only the host" in refused(after(TURN, PassTurn()), UndoPass("sol"), by=BOB).reason


def test_a_pass_may_leave_the_turn_open() -> None:
    passed = all_done(TURN, [ChangeSettings({"after_pass": "stay"}), PassTurn()])
    assert (active_seat(passed), part(passed, Round).passed) == ("sol", {"sol"})
    assert "already passed" in refused(passed, PassTurn()).reason
    assert active_seat(after(passed, UndoPass("sol"))) == "sol"
    assert active_seat(after(passed, NextTurn())) == "letnev"
    alone = all_done(passed, [NextTurn(), PassTurn(), NextTurn(), PassTurn()])
    assert (alone.phase, active_seat(alone)) == ("action", "hacan")
    assert after(alone, EndTurn()).phase == "status"


def test_where_two_take_turns_each_turn_is_new() -> None:
    of_two = traded(after(table_of(("hacan", "sol")), StartTurn("sol")))
    back = all_done(of_two, [NextTurn(), NextTurn()])
    assert (active_seat(back), back.window.used) == ("sol", frozenset())
