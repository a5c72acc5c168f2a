"""Tests of turns, combat and agendas beyond the plays, and of the board in each state."""

from __future__ import annotations

import pytest

from bot.games.ti4 import GAME
from bot.games.ti4.agendas import RevealAgenda
from bot.games.ti4.combat import BeginCombat
from bot.games.ti4.state import Agenda, Combat, Round
from bot.games.ti4.turns import (
    EndTurn,
    NextTurn,
    PassTurn,
    SetOrder,
    StartTurn,
)
from bot.rules.features.seats import Leave
from bot.rules.features.tables import SetPhase
from bot.rules.model.actions import Action
from bot.rules.model.parts import part
from bot.rules.model.table import Table
from tests.games.ti4.tables import after, refused, table_of

UNORDERED = table_of()
TABLE = after(UNORDERED, SetOrder(("hacan", "sol", "letnev")))
TURN = after(TABLE, StartTurn("hacan"))
HOST, BOB, CAROL, STRANGER = 1, 2, 3, 9


def buttons(table: Table) -> dict[str, Action]:
    """The board's buttons by label."""
    return {each.label: each.action for each in GAME.commands.board(table).buttons}


def menu(table: Table) -> list[str]:
    """What the board's menu has beyond that, by label."""
    return [each.label for each in GAME.commands.board(table).menu]


def test_without_a_seat_there_is_no_turn() -> None:
    assert refused(TABLE, StartTurn(), by=STRANGER).reason == "You have no seat at this table."
    assert (
        refused(after(TABLE, Leave(), by=BOB), StartTurn("sol")).reason
        == "Nobody plays that seat any more."
    )


@pytest.mark.parametrize("order", [(), ("sol", "sol")])
def test_an_order_names_each_seat_once(order: tuple[str, ...]) -> None:
    assert "once" in refused(TABLE, SetOrder(order)).reason
    assert GAME.order is not None
    assert GAME.order(("sol",)) == SetOrder(("sol",))


def test_a_turn_ends_combat_and_agenda() -> None:
    fighting = after(TURN, BeginCombat(None, "sol"))
    assert not part(after(fighting, EndTurn()), Combat).pairs
    assert part(after(fighting, RevealAgenda(title="Mutiny")), Agenda).title == "Mutiny"


def test_the_agenda_phase_begins_with_nobody_passed() -> None:
    assert not part(after(after(TURN, PassTurn()), RevealAgenda()), Round).passed


def test_slips_can_be_taken_back_while_they_can() -> None:
    ended = after(TURN, NextTurn())
    assert "Give <name:hacan> the turn back" in menu(ended)
    assert "<name:hacan> has not passed" in menu(after(TURN, PassTurn()))
    assert not any("back" in label for label in menu(after(ended, SetPhase("status"))))


def test_the_board_says_what_is_going_on() -> None:
    assert GAME.commands.board(TABLE).heading == "Strategy phase"
    fighting = after(after(TURN, PassTurn()), BeginCombat(None, "letnev"), by=BOB)
    assert GAME.commands.board(fighting).heading == "Action phase"
    assert GAME.commands.board(fighting).lines == (
        "**<player:sol>'s turn**, then <=name:letnev>",
        "-# <name:sol> can still trade with <=name:hacan>, <=name:letnev>",
        "⚔️ Combat: <=name:letnev> and <=name:sol>",
        "-# Passed: <=name:hacan>",
    )


def test_a_turn_whose_player_has_left_is_shown_too() -> None:
    left = after(TURN, Leave())
    assert (
        GAME.commands.board(left).lines[0]
        == "**<player:hacan>'s turn**, then <=name:sol>, <=name:letnev>"
    )
