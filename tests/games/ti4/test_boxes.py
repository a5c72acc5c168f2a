"""Which boxes a table plays with, and what exists there."""

from __future__ import annotations

import pytest

from bot.games.ti4 import GAME
from bot.games.ti4.boxes import OPTION, lacks, read_boxes
from bot.games.ti4.departures import ChangeFaction
from bot.rules.features.holdings import Gain
from bot.rules.features.offers.posting import PostOffer
from bot.rules.features.seats import Leave, Sit
from bot.rules.features.tables import ChangeSettings
from bot.rules.model.goods import NOTHING, Goods
from bot.rules.model.table import TableSettings
from bot.rules.model.violation import Refused
from data.ti4 import promissory_notes
from tests.games.ti4.tables import after, having, refused, seen, table_of, with_goods
from tests.games.ti4.witness import sound

BOB = 2


def playing(boxes: str) -> TableSettings:
    return TableSettings(options={OPTION.name: boxes})


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
    assert [read_boxes(value) for value in OPTION.values] == list(OPTION.values)


def test_factions_come_with_their_boxes() -> None:
    assert GAME.seats.offered is not None
    counts = {boxes: len(GAME.seats.offered(playing(boxes))) for boxes in OPTION.values}
    assert counts == {
        "all": 30, "base": 17, "base, codex": 18, "base, pok": 24, "base, pok, codex": 25, "base, pok, te": 29,
        "base, te": 22,
    }  # fmt: skip
    assert "obsidian" not in GAME.seats.offered(playing("all")), "nobody begins as that"


def test_four_notes_in_every_colour_and_five_with_prophecy_of_kings() -> None:
    assert GAME.seats.start("sol", playing("base")).total() == 5
    assert GAME.seats.start("sol", playing("base, pok")).total() == 6
    assert GAME.seats.start("mahact", playing("all")).total() == 5


def test_the_newest_printing_that_is_played_with() -> None:
    newer = {note.id: note for note in promissory_notes().values() if note.replaces}
    assert newer
    for note in newer.values():
        for boxes, has in (("base, pok", note.replaces), ("base, codex", note.id), ("all", note.id)):
            own = {token.split(":")[1] for token in GAME.seats.start(note.owner, playing(boxes))}
            assert own & {note.id, note.replaces} == {has}, (note.id, boxes)


def test_components_come_with_their_boxes() -> None:
    for token, box in {
        "fragment:unknown": "base, pok", "relic:The Codex": "base, pok", "captured:cruiser:sol": "base, pok",
        "station:Oluz": "base, te", "note:alliance:sol": "base, pok",
    }.items():  # fmt: skip
        assert lacks(token, playing("base"))
        assert not lacks(token, playing(box))
    assert lacks("relic:Dynamis Core", playing("base, pok"))
    assert not lacks("trade_good", playing("base"))
    assert not lacks("note", playing("base"))


# ---------------------------------------------------------------- at a table


def test_what_is_not_played_with_can_be_neither_had_nor_offered() -> None:
    table = after(table_of(("letnev", "sol")), ChangeSettings({"expansions": "base"}))
    fragment = Goods({"fragment:unknown": 1})
    assert "Prophecy of Kings" in refused(table, Gain(fragment)).reason
    assert "Prophecy of Kings" in refused(table, PostOffer(to="sol", give=fragment)).reason
    assert "Prophecy of Kings" in refused(table, PostOffer(to="sol", want=fragment)).reason
    uncounted = after(table, ChangeSettings({"inventory": "untracked"}))
    assert "Prophecy of Kings" in refused(uncounted, PostOffer(to="sol", give=fragment)).reason
    assert "Prophecy of Kings" in refused(table, Sit("argent", 9)).reason
    view = seen(table, by=1)
    for found in (GAME.goods.suggest(view.seats["letnev"], NOTHING), GAME.goods.every(view)):
        assert found
        for word in (each.one for each in found):
            assert not any(name in word for name in ("fragment", "Alliance", "Omega", "captured")), word


def test_notes_in_hands_follow_wherever_they_are() -> None:
    table = table_of(("letnev", "sol"))
    omega = Goods({"note:war_funding_omega:letnev": 1})
    moved = table.with_seat(table.seats["letnev"].__class__("letnev", 1, 1, table.seats["letnev"].holdings - omega))
    moved = with_goods(moved, "sol", omega)
    for here, holder in ((table, "letnev"), (moved, "sol")):
        based = after(here, ChangeSettings({"expansions": "base"}))
        sound(based)
        assert "note:war_funding:letnev" in based.seats[holder].holdings
        back = after(based, ChangeSettings({"expansions": "all"}))
        sound(back)
        assert back.seats == here.seats


def test_nobody_plays_with_what_would_not_exist() -> None:
    to_base = ChangeSettings({"expansions": "base"})
    assert "Thunder's Edge" in refused(table_of(("letnev", "firmament")), to_base).reason
    with_fragment = having(table_of(("letnev", "sol")), "sol", {"fragment:cultural": 1})
    assert "cultural fragment" in refused(with_fragment, to_base).reason
    in_play = with_goods(table_of(("letnev", "sol")), "letnev", Goods(), Goods({"note:alliance:sol": 1}))
    assert "is in play" in refused(in_play, to_base).reason
    kept = after(with_fragment, ChangeSettings({"expansions": "pok"}))
    assert kept.seats["sol"].holdings["fragment:cultural"] == 1


def test_a_seat_that_is_gone_keeps_no_box() -> None:
    table = after(table_of(("letnev", "firmament")), ChangeFaction("firmament"))
    assert "Thunder's Edge" in refused(table, ChangeSettings({"expansions": "base"})).reason
    left = after(table, Leave(), by=BOB)
    assert "Thunder's Edge" in refused(left, ChangeSettings({"expansions": "base"})).reason
