"""Tests of a table's boxes, and of what exists with each."""

from __future__ import annotations

import pytest

from bot.games.ti4 import GAME
from bot.games.ti4.boxes import EXPANSIONS, lacks, read_boxes
from bot.rules.features.tables import ChangeSettings
from bot.rules.model.goods import NOTHING
from bot.rules.model.table import TableSettings
from bot.rules.model.violation import Refused
from data.ti4 import promissory_notes
from tests.games.ti4.tables import after, seen, table_of


def playing(boxes: str) -> TableSettings:
    return TableSettings(options={EXPANSIONS.name: boxes})


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("base", "base"),
        ("pok", "base, pok"),
        ("Prophecy of Kings", "base, pok"),
        ("codex + thunder’s edge", "base, te, codex"),
        ("base game, PoK and te", "base, pok, te"),
        ("te, codex, pok, base", "all"),
        ("All", "all"),
        ("", "base"),
    ],
)
def test_boxes_are_read_as_people_write_them(typed: str, kept: str) -> None:
    assert read_boxes(typed) == kept
    assert read_boxes(kept) == kept


@pytest.mark.parametrize("typed", ["lunch", "base, lunch", "codex 9"])
def test_what_is_no_box_is_refused_with_those_there_are(typed: str) -> None:
    with pytest.raises(Refused, match="base, pok, te, codex"):
        read_boxes(typed)


def test_what_is_suggested_is_how_it_is_kept() -> None:
    for value in EXPANSIONS.values:
        assert read_boxes(value) == value


def test_factions_come_with_their_boxes() -> None:
    offered = GAME.seats.offered
    assert offered is not None
    counts = {boxes: len(offered(playing(boxes))) for boxes in EXPANSIONS.values}
    assert counts == {
        "all": 30,
        "base": 17,
        "base, codex": 18,
        "base, pok": 24,
        "base, pok, codex": 25,
        "base, pok, te": 29,
        "base, te": 22,
    }
    assert "obsidian" not in offered(playing("all")), "nobody begins as that"


def test_four_notes_in_every_colour_and_five_with_prophecy_of_kings() -> None:
    assert GAME.seats.start("sol", playing("base")).total() == 5
    assert GAME.seats.start("sol", playing("base, pok")).total() == 6
    assert GAME.seats.start("mahact", playing("all")).total() == 5


def test_the_newest_printing_that_is_played_with() -> None:
    newer = [note for note in promissory_notes().values() if note.replaces]
    assert newer
    for note in newer:
        new, old = f"note:{note.id}:{note.owner}", f"note:{note.replaces}:{note.owner}"
        for boxes in ("base, codex", "all"):
            notes = GAME.seats.start(note.owner, playing(boxes))
            assert new in notes
            assert old not in notes
        notes = GAME.seats.start(note.owner, playing("base, pok"))
        assert old in notes
        assert new not in notes


def test_components_come_with_their_boxes() -> None:
    for token, box in {
        "fragment:unknown": "base, pok",
        "relic:The Codex": "base, pok",
        "captured:cruiser:sol": "base, pok",
        "station:Oluz": "base, te",
        "note:alliance:sol": "base, pok",
    }.items():
        assert lacks(token, playing("base"))
        assert not lacks(token, playing(box))
    assert lacks("relic:Dynamis Core", playing("base, pok"))
    assert not lacks("trade_good", playing("base"))
    assert not lacks("note", playing("base"))


def test_nothing_is_suggested_that_is_not_played_with() -> None:
    table = after(table_of(("letnev", "sol")), ChangeSettings({"expansions": "base"}))
    view = seen(table, by=1)
    own = GAME.goods.suggest(view.seats["letnev"], NOTHING)
    all_there_is = GAME.goods.every(view)
    assert own
    assert all_there_is
    for suggestion in (*own, *all_there_is):
        for name in ("fragment", "Alliance", "Omega", "captured"):
            assert name not in suggestion.one
