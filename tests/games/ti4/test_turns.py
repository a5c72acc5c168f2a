"""Turns, passing, combat and agendas: who may move the game on, and what the board shows of it."""

from __future__ import annotations

import pytest

from bot.games.ti4 import GAME
from bot.games.ti4.agendas import AskAboutAgenda, ResolveAgenda, RevealAgenda
from bot.games.ti4.combat import BeginCombat, EndCombat
from bot.games.ti4.state import Agenda, Combat, Round, active_seat
from bot.games.ti4.turns import (
    AskOrder,
    AskWhoIsNext,
    EndTurn,
    GiveTurn,
    NextTurn,
    PassTurn,
    SetOrder,
    StartTurn,
    UndoPass,
)
from bot.rules.commands import Press
from bot.rules.features.seats import Leave
from bot.rules.features.tables import ChangeSettings, SetPhase
from bot.rules.model.actions import Action
from bot.rules.model.parts import part
from bot.rules.model.table import Table
from bot.rules.model.violation import Undecided
from tests.games.ti4.tables import after, all_done, done, refused, table_of

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


def test_a_player_begins_their_own_turn_when_there_is_none() -> None:
    table = after(TABLE, StartTurn(), by=BOB)
    assert (active_seat(table), table.phase, table.window.number) == ("sol", "action", 1)


def test_only_the_host_begins_the_turn_of_another() -> None:
    assert "Only the host" in refused(TABLE, StartTurn("letnev"), by=BOB).reason
    assert active_seat(after(TURN, StartTurn("letnev"))) == "letnev"


def test_without_a_seat_there_is_no_turn() -> None:
    assert refused(TABLE, StartTurn(), by=STRANGER).reason == "You have no seat at this table."
    assert refused(after(TABLE, Leave(), by=BOB), StartTurn("sol")).reason == "Nobody plays that seat any more."


def test_several_actions_are_one_turn() -> None:
    assert refused(TURN, StartTurn()).rule == "94 note 4"
    ended = after(after(TURN, StartTurn("sol")), EndTurn(), by=BOB)
    assert refused(ended, StartTurn(), by=BOB).rule == "94 note 4"


def test_the_host_begins_the_round_and_each_player_ends_their_own_turn() -> None:
    assert "Only the host" in refused(TABLE, NextTurn(), by=BOB).reason
    table = all_done(TABLE, [SetOrder(("letnev", "sol")), NextTurn()])
    for person, following in ((CAROL, "sol"), (BOB, "hacan"), (HOST, "letnev")):
        table = after(table, NextTurn(), by=person)
        assert active_seat(table) == following


def test_when_all_have_passed_the_status_phase_begins() -> None:
    table = TURN
    for person in (HOST, BOB, CAROL):
        assert active_seat(table) is not None
        table = after(table, PassTurn(), by=person)
    assert (active_seat(table), table.phase, part(table, Round).passed) == (None, "status", frozenset())


def test_where_nobody_has_said_the_order_who_ends_a_turn_says_who_is_next() -> None:
    turn = after(UNORDERED, StartTurn("sol"))
    assert buttons(turn)["End turn"] == AskWhoIsNext(turn.id, passing=False)
    with pytest.raises(Undecided) as asked:
        done(turn, NextTurn(), by=BOB)
    given = [GiveTurn("hacan"), GiveTurn("letnev")]
    assert [each.action for each in asked.value.options] == [Press(turn.id, command) for command in given]
    assert active_seat(after(turn, GiveTurn("letnev"), by=BOB)) == "letnev"
    assert "only they or the host" in refused(turn, GiveTurn("letnev"), by=CAROL).reason
    assert "can't be next" in refused(turn, GiveTurn("sol"), by=BOB).reason
    passed = after(turn, GiveTurn("letnev", passing=True), by=BOB)
    assert (active_seat(passed), part(passed, Round).passed) == ("letnev", {"sol"})
    assert "<seat:hacan> is next" in refused(passed, GiveTurn("sol"), by=CAROL).reason, "only Hacan is left"
    assert active_seat(after(passed, NextTurn(), by=CAROL)) == "hacan"
    assert "<seat:sol> is next" in refused(TURN, GiveTurn("letnev")).reason, "the order was said"


def test_a_round_has_an_order_of_its_own() -> None:
    assert AskOrder(UNORDERED.id) in buttons(UNORDERED).values()
    assert AskOrder(TABLE.id) not in buttons(TABLE).values()
    assert part(after(TABLE, SetPhase("action")), Round).order
    assert not part(after(TABLE, SetPhase("status")), Round).order
    assert not part(after(TURN, RevealAgenda()), Round).order
    over = TURN
    for person in (HOST, BOB, CAROL):
        over = after(over, PassTurn(), by=person)
    assert (over.phase, part(over, Round).order) == ("status", ())
    assert part(after(over, UndoPass("letnev")), Round).order == part(TABLE, Round).order


@pytest.mark.parametrize("order", [(), ("sol", "sol")])
def test_an_order_names_each_seat_once(order: tuple[str, ...]) -> None:
    assert "once" in refused(TABLE, SetOrder(order)).reason
    assert GAME.order is not None
    assert GAME.order(("sol",)) == SetOrder(("sol",))


def test_a_combat_is_of_the_active_player_and_one_other() -> None:
    assert "during a turn" in refused(TABLE, BeginCombat(None, "sol")).reason
    assert "yourself" in refused(TURN, BeginCombat("hacan", "hacan")).reason
    assert "must be one of the two" in refused(TURN, BeginCombat("sol", "letnev")).reason
    assert "only say who your own neighbours are" in refused(TURN, BeginCombat("hacan", "sol"), by=CAROL).reason
    fighting = after(TURN, BeginCombat(None, "hacan"), by=BOB)
    assert "already" in refused(fighting, BeginCombat(None, "sol")).reason
    assert "not in this combat" in refused(fighting, EndCombat(), by=CAROL).reason
    assert not part(after(fighting, EndCombat(), by=BOB), Combat).pairs


def test_where_only_the_host_declares_only_the_host_says_who_fights() -> None:
    table = after(TURN, ChangeSettings({"declare_neighbors": "host"}))
    assert "Only the host may say who fights" in refused(table, BeginCombat(None, "hacan"), by=BOB).reason


def test_a_turn_ends_combat_and_agenda() -> None:
    fighting = after(TURN, BeginCombat(None, "sol"))
    assert not part(after(fighting, EndTurn()), Combat).pairs
    assert part(after(fighting, RevealAgenda(title="Mutiny")), Agenda).title == "Mutiny"


def test_an_agenda_comes_one_at_a_time() -> None:
    assert "no agenda to replace" in refused(TABLE, RevealAgenda(replaces=True)).reason
    table = after(after(TABLE, SetPhase("agenda")), RevealAgenda())
    assert "already" in refused(table, RevealAgenda()).reason
    replaced = after(table, RevealAgenda(replaces=True))
    assert replaced.window.number == table.window.number + 1
    assert after(replaced, ResolveAgenda(), by=BOB).window.kind == "none"
    assert "No agenda" in refused(TABLE, ResolveAgenda()).reason


def test_in_the_action_phase_only_the_host_reveals_an_agenda() -> None:
    assert refused(TURN, RevealAgenda(), by=BOB).rule == "94.6"
    assert refused(after(TABLE, SetPhase("action")), RevealAgenda(), by=BOB).rule == "94.6"
    assert "no seat" in refused(TABLE, RevealAgenda(), by=STRANGER).reason


@pytest.mark.parametrize("by", [HOST, BOB])
def test_nobody_reveals_an_agenda_in_the_strategy_phase(by: int) -> None:
    assert refused(TABLE, RevealAgenda(), by).rule == "94.6"


@pytest.mark.parametrize("phase", ["status", "agenda"])
def test_after_the_status_phase_anybody_reveals_an_agenda(phase: str) -> None:
    table = after(after(TABLE, SetPhase(phase)), RevealAgenda(), by=BOB)
    assert (table.phase, table.window.kind) == ("agenda", "agenda")


def test_an_agenda_within_a_turn_leaves_its_window_as_it_is() -> None:
    voting = after(TURN, RevealAgenda("Mutiny", during="turn"))
    assert (voting.window, voting.phase, part(voting, Agenda).title) == (TURN.window, "action", "Mutiny")
    replaced = after(voting, RevealAgenda("Another", replaces=True))
    assert (replaced.window, part(replaced, Agenda).title) == (TURN.window, "Another")
    assert after(replaced, ResolveAgenda(), by=BOB).window == TURN.window
    assert part(after(voting, EndTurn()), Agenda).title is None


def test_only_the_active_player_or_the_host_has_an_agenda_voted_on_within_a_turn() -> None:
    of_bob = after(TURN, StartTurn("sol"))
    assert part(after(of_bob, RevealAgenda(during="turn"), by=BOB), Agenda).title == ""
    assert "Only they or the host" in refused(of_bob, RevealAgenda(during="turn"), by=CAROL).remedy
    assert "no turn in which" in refused(TABLE, RevealAgenda(during="turn")).reason


def test_the_agenda_phase_begins_with_nobody_passed() -> None:
    assert not part(after(after(TURN, PassTurn()), RevealAgenda()), Round).passed


def test_the_board_has_the_next_step_and_the_menu_the_rest() -> None:
    assert buttons(TABLE) == {"Start my turn": Press(TABLE.id, StartTurn())}
    assert menu(TABLE) == ["Agenda", "Neighbours", "Begin the next turn", "Order of play"]
    assert buttons(TURN) == {"End turn": Press(TURN.id, NextTurn())}
    assert menu(TURN) == [
        "<name:hacan> passes for this round",
        "Trade",
        "Combat",
        "I activated a system of …",
        "Agenda",
        "Neighbours",
        "Order of play",
    ]
    assert "The combat is over" in menu(after(TURN, BeginCombat(None, "sol")))
    assert buttons(after(TURN, RevealAgenda()))["Agenda"] == AskAboutAgenda(TURN.id, False)


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
        "**<player:sol>'s turn**, then <name:letnev>",
        "-# <name:sol> can still trade with <name:hacan>, <name:letnev>",
        "⚔️ Combat: <name:letnev> and <name:sol>",
        "-# Passed: <name:hacan>",
    )


def test_a_turn_whose_player_has_left_is_shown_too() -> None:
    left = after(TURN, Leave())
    assert GAME.commands.board(left).lines[0] == "**<player:hacan>'s turn**, then <name:sol>, <name:letnev>"
