"""Tests of notes that effects move: only the two learn which, and nothing is used up."""

from __future__ import annotations

import pytest

from bot.games.ti4.neighbors import JoinNeighbors
from bot.games.ti4.note_gifts import GiveNote, NoteGiven
from bot.rules.model.goods import Goods
from tests.games.ti4.tables import (
    after,
    done,
    refused,
    table_of,
    with_in_play,
    without_goods,
)

TABLE = table_of(("hacan", "sol", "letnev", "mahact"))
HOST, SOL, LETNEV, MAHACT = 1, 2, 3, 4
NOTE = "note:military_support:sol"
GIVE = GiveNote(NOTE, "letnev", "Diplomatic Pressure")


def test_malevolency_goes_from_hand_to_hand_and_out_of_a_play_area_of_former_days() -> None:
    malevolency = "note:malevolency:obsidian"
    table = after(table_of(("hacan", "obsidian")), JoinNeighbors("hacan", "obsidian"))
    (entry,) = done(table, GiveNote(malevolency, "hacan"), by=2)
    assert isinstance(entry, NoteGiven)
    assert entry.hidden == {}
    assert entry.reason == "Malevolency"
    passed = after(table, GiveNote(malevolency, "hacan"), by=2)
    assert malevolency in passed.seats["hacan"].holdings
    card = Goods({malevolency: 1})
    lies = with_in_play(without_goods(passed, "hacan", card), "hacan", card)
    back = after(lies, GiveNote(malevolency, "obsidian"))
    assert malevolency in back.seats["obsidian"].holdings
    assert not back.seats["hacan"].in_play
    assert refused(table, GiveNote("note:ceasefire:obsidian", "hacan", ""), by=2).rule == ""


@pytest.mark.parametrize(
    ("command", "says"),
    [
        (GiveNote(NOTE, "letnev", ""), "Name the effect"),
        (GiveNote(NOTE, "letnev", " \n "), "Name the effect"),
        (GiveNote(NOTE, "letnev", "x" * 61), "60 characters"),
        (GiveNote(NOTE, "sol", "The Oracle"), "to yourself"),
        (GiveNote(NOTE, "xxcha", "The Oracle"), "Nobody plays"),
        (GiveNote("note:ceasefire:hacan", "letnev", "The Oracle"), "You don't have"),
        (GiveNote("note:ceasefire:letnev", "letnev", "The Oracle"), "You don't have"),
    ],
)
def test_what_is_refused(command: GiveNote, says: str) -> None:
    assert says in refused(TABLE, command, by=SOL).reason
