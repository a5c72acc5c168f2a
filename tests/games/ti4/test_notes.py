"""Tests of promissory notes: which one is meant, and who sends one back."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.games.ti4.components import describe_token
from bot.games.ti4.notes import (
    ReturnNote,
    note_meant,
    notes_in_hand,
    notes_to_give,
    notes_to_return,
)
from bot.games.ti4.requests import NoteAsked
from bot.rules.features.seats import Leave
from bot.rules.model.goods import Goods
from bot.rules.model.violation import Refused
from bot.rules.views import TableView
from bot.show import names
from tests.games.ti4.tables import (
    after,
    done,
    lent,
    refused,
    seen,
    table_of,
    taken,
    with_in_play,
)

SOLS, CAROLS = "note:ceasefire:sol", "note:ceasefire:letnev"
SUPPORT = "note:support_for_the_throne:sol"
TABLE = table_of()
ALICE, BOB, CAROL, STRANGER = 1, 2, 3, 9


LENT = lent(TABLE, SOLS, "hacan")
BOTH = lent(LENT, CAROLS, "hacan")
IN_PLAY = with_in_play(taken(TABLE, SUPPORT), "hacan", Goods({SUPPORT: 1}))


def meant(view: TableView, text: str) -> str:
    return note_meant(view, text, names.aliases(view))


def test_the_note_in_hand_is_meant_before_the_own_one() -> None:
    assert meant(seen(LENT, ALICE), "ceasefire") == SOLS
    assert meant(seen(TABLE, ALICE), "Ceasefire note") == "note:ceasefire:hacan"
    assert meant(seen(LENT, ALICE), "bob's  ceasefire") == SOLS


def test_a_note_in_play_is_meant_by_its_owner_too() -> None:
    assert meant(seen(IN_PLAY, BOB), "support for the throne") == SUPPORT


def test_of_several_one_has_to_be_named() -> None:
    with pytest.raises(Refused, match="Which one"):
        meant(seen(BOTH, ALICE), "ceasefire")
    assert meant(seen(BOTH, ALICE), "ceasefire of carol") == CAROLS


@pytest.mark.parametrize("text", ["bob's ceasefire", "ceasefire (bob)"])
def test_a_name_that_two_could_have_means_no_note(text: str) -> None:
    view = seen(BOTH, ALICE, names={ALICE: "alice", BOB: "bob", CAROL: "Bob"})
    with pytest.raises(Refused, match="can't tell whose"):
        meant(view, text)
    assert meant(view, "sol's ceasefire (bob)") == SOLS


def test_a_note_that_is_nowhere_in_view_is_named_all_the_same() -> None:
    assert meant(seen(TABLE, ALICE), "carol's ceasefire") == CAROLS
    assert meant(seen(TABLE, ALICE), "military support") == "note:military_support:sol"


def test_what_is_no_note_and_a_viewer_without_a_seat_are_refused() -> None:
    with pytest.raises(Refused, match="I don't know the note"):
        meant(seen(TABLE, ALICE), "hope")
    with pytest.raises(Refused, match="You have no seat"):
        meant(seen(TABLE, STRANGER), "ceasefire")


def test_notes_of_others_are_suggested() -> None:
    assert notes_in_hand(seen(LENT, ALICE)) == [SOLS]
    assert notes_to_return(seen(LENT, ALICE)) == []  # 69.4.1: unplayed, it goes nowhere
    for person in (ALICE, BOB):  # who has it in play, and whose it is
        assert notes_in_hand(seen(IN_PLAY, person)) == []
        assert notes_to_return(seen(IN_PLAY, person)) == [SUPPORT]
    for person in (CAROL, STRANGER):
        assert notes_to_return(seen(IN_PLAY, person)) == []
    assert notes_in_hand(seen(LENT, STRANGER)) == []
    assert notes_to_give(seen(LENT, STRANGER)) == []


def test_to_be_given_away_is_any_note_of_the_hand() -> None:
    assert {SOLS, "note:ceasefire:hacan"} <= set(notes_to_give(seen(LENT, ALICE)))
    with pytest.raises(Refused, match="Which one"):
        note_meant(seen(LENT, ALICE), "ceasefire", {}, own=True)
    own_one = note_meant(seen(LENT, ALICE), "hacan's ceasefire", {}, own=True)
    assert own_one == "note:ceasefire:hacan"
    assert SUPPORT not in notes_to_give(seen(IN_PLAY, ALICE))


def test_malevolency_is_given_away_out_of_a_play_area() -> None:
    malevolency = "note:malevolency:obsidian"
    table = taken(table_of(("hacan", "obsidian")), malevolency)
    passed = with_in_play(table, "hacan", Goods({malevolency: 1}))
    assert malevolency in notes_to_give(seen(passed, ALICE))


def test_a_host_without_a_seat_means_a_note_in_play() -> None:
    left = after(IN_PLAY, Leave(), by=CAROL)
    hosted = replace(left, host=STRANGER)
    assert meant(seen(hosted, STRANGER), "support") == SUPPORT
    assert notes_to_return(seen(hosted, STRANGER)) == [SUPPORT]
    assert done(hosted, ReturnNote(SUPPORT), by=STRANGER)
    with pytest.raises(Refused, match="is not in play"):
        meant(seen(hosted, STRANGER), "ceasefire")
    with pytest.raises(Refused, match="You have no seat"):
        note_meant(seen(hosted, STRANGER), "support", {}, own=True)
    assert describe_token(SOLS) == "Sol's Ceasefire<beside:sol>"


def test_its_owner_asks_though_they_host() -> None:
    """Nobody calls their own note home alone; a host whose note it is not may say so."""
    hosted = replace(IN_PLAY, host=BOB)
    asked = done(hosted, ReturnNote(SUPPORT), by=BOB)
    assert [type(entry) for entry in asked] == [NoteAsked]
    assert done(replace(IN_PLAY, host=CAROL), ReturnNote(SUPPORT), by=CAROL)
    empty = replace(after(IN_PLAY, Leave(), by=ALICE), host=BOB)
    assert "Nobody plays" in refused(empty, ReturnNote(SUPPORT), by=BOB).reason


def test_a_note_in_hand_does_not_go_back_and_nobody_else_learns_that_it_is_there() -> None:
    hidden = lent(TABLE, CAROLS, "sol")
    for table in (TABLE, hidden):
        refusal = refused(table, ReturnNote(CAROLS), by=ALICE).sentence()
        remedy = "The player who holds a note gives it back. **My goods** lists yours."
        assert refusal == f"You don't have Letnev's Ceasefire<beside:letnev>. {remedy}"
    assert "You don't have" in refused(hidden, ReturnNote(CAROLS), by=CAROL).reason
    assert refused(hidden, ReturnNote(CAROLS), by=BOB).rule == "69.4.1"
    assert "with its owner" in refused(TABLE, ReturnNote(CAROLS), by=CAROL).reason


# ---------------------------------------------------------------- what the host sets


SECRET, FORGERY = "note:political_secret:sol", "note:black_market_forgery:naaz"
