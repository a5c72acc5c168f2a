"""Tests of notes that effects move: only the two learn which, and nothing is used up."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.games.ti4.neighbors import JoinNeighbors
from bot.games.ti4.note_gifts import GiveNote, NoteGiven
from bot.rules.commands import Caller
from bot.rules.entries import Recorded
from bot.rules.model.goods import Goods
from bot.rules.visibility import person_viewer, redact, see_entry
from bot.testing.world import EVERYONE, look_by
from tests.games.ti4.tables import after, done, person_at, refused, table_of

TABLE = table_of(("hacan", "sol", "letnev", "mahact"))
HOST, SOL, LETNEV = 1, 2, 3
NOTE = "note:military_support:sol"
GIVE = GiveNote(NOTE, "letnev", "Diplomatic Pressure")


def test_the_note_is_in_the_other_hand_and_only_the_two_know() -> None:
    (entry,) = done(TABLE, GIVE, by=SOL)
    assert isinstance(entry, NoteGiven)
    assert entry.parties() == {"sol", "letnev"} == entry.seats()
    given = after(TABLE, GIVE, by=SOL)
    assert NOTE in given.seats["letnev"].holdings
    assert NOTE not in given.seats["sol"].holdings
    for person, knows in ((HOST, False), (SOL, True), (LETNEV, True), (4, False)):
        assert (redact(entry, person_at(given, person), given.seq).hidden is not None) == knows  # type: ignore[attr-defined]
        follow_ups = see_entry(
            Recorded(1, given.seq, 0, SOL, entry, ""), person_at(given, person), "ti4", given
        ).follow_ups
        assert ("Military Support" in "".join(each.text for each in follow_ups)) == (
            person == LETNEV
        )
    moderator = Caller(9, moderator=True)
    for look, knows in ((None, False), (look_by(9), True)):
        viewer = person_viewer(given, EVERYONE, moderator, look=look)
        assert (redact(entry, viewer, given.seq).hidden is not None) == knows  # type: ignore[attr-defined]


def test_malevolency_goes_from_hand_to_hand_and_out_of_a_play_area_of_former_days() -> None:
    malevolency = "note:malevolency:obsidian"
    table = after(table_of(("hacan", "obsidian")), JoinNeighbors("hacan", "obsidian"))
    (entry,) = done(table, GiveNote(malevolency, "hacan"), by=2)
    assert isinstance(entry, NoteGiven)
    assert (entry.hidden, entry.reason) == ({}, "Malevolency")
    passed = after(table, GiveNote(malevolency, "hacan"), by=2)
    assert malevolency in passed.seats["hacan"].holdings
    hand = passed.seats["hacan"]
    lies = passed.with_seat(
        replace(
            hand, holdings=hand.holdings - Goods({malevolency: 1}), in_play=Goods({malevolency: 1})
        )
    )
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
