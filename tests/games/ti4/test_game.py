"""Tests of Twilight Imperium 4 as the core sees it: its names, and that all it lists exists."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from bot.games.ti4 import GAME
from bot.games.ti4.boxes import NotesReprinted
from bot.games.ti4.counting import GoodsCounted
from bot.games.ti4.neighbors import NeighborsSet
from bot.games.ti4.note_moments import MomentOverruled
from bot.games.ti4.notes import NoteMovedWithPlanet
from bot.games.ti4.pillage import PillageSettled
from bot.games.ti4.turns import TurnEnded
from bot.rules.entries import Entry, Recorded
from bot.rules.model.goods import Change, Goods
from bot.rules.visible_entry import see_entry
from tests.games.ti4.tables import everybody_at, table_of

NOTE = "note:ceasefire:hacan"
CARD = Goods({NOTE: 1})
PILLAGED = Goods({"trade_good": 1})


JOINED, PARTED = (("hacan", "sol"),), (("letnev", "sol"),)
NO_CHANGE = {"sol": Change()}
TURNED = Change(lost=Goods({"commodity": 2}), gained=Goods({"trade_good": 2}))


class Sample(NamedTuple):
    """An entry, the seats that it is about, and its sentence."""

    entry: Entry
    seats: str
    sentence: str


TOLD = [
    Sample(TurnEnded(seat="sol", window=4), "sol", "<player:sol>'s turn is over."),
    Sample(
        NeighborsSet(seat="sol", order=("hacan",), joined=JOINED, parted=PARTED),
        "sol hacan letnev",
        "<seat:sol>'s neighbours now: <seat:hacan>. New: <seat:hacan>. No longer: <seat:letnev>.",
    ),
    Sample(
        NeighborsSet(order=("sol", "hacan", "letnev"), joined=JOINED),
        "sol hacan letnev",
        "Neighbours by the order of seats: <=seat:sol> – <=seat:hacan> – <=seat:letnev> – "
        "<=seat:sol>.",
    ),
    Sample(
        GoodsCounted(seat="sol", first=3, at=0, why=("turned",), changes={"sol": TURNED}),
        "sol",
        "<player:sol> counts **+2 trade goods, −2 commodities (turned over)**.",
    ),
    Sample(
        GoodsCounted(seat="sol", first=3, at=0, changes=NO_CHANGE),
        "sol",
        "<player:sol> counts **<their:sol> goods: there are as many as before**.",
    ),
    Sample(
        GoodsCounted(seat="sol", first=3, at=0, why=("replenished",), changes=NO_CHANGE),
        "sol",
        "<player:sol> counts **replenished, to as many as before**.",
    ),
    Sample(
        MomentOverruled(seat="sol", note="note:ceasefire:hacan"),
        "sol",
        "The host says that this is the moment of **Hacan's Ceasefire<beside:hacan>**: "
        "<player:sol> may play it now, "
        "until the next turn, agenda or phase.",
    ),
    Sample(
        NoteMovedWithPlanet(seat="sol", to="hacan", note="note:terraform:titans"),
        "sol",
        "The planet with **Titans' Terraform<beside:titans>** belongs to <player:hacan> now and no "
        "longer to "
        "<seat:sol>. The note stays with it [12.2].",
    ),
    Sample(
        NotesReprinted(hidden={"sol": Change(lost=CARD)}),
        "",
        "Promissory notes now match the boxes that this table plays with.",
    ),
    Sample(
        PillageSettled(seat="sol", other="mentak", since=3, stands=True, goods=PILLAGED),
        "sol mentak",
        "**Pillage** of <seat:sol> stands, as the host says: <seat:mentak> keeps what "
        "<they:mentak> took.",
    ),
]


def test_what_no_play_reads_is_told_as_well(subtests: pytest.Subtests) -> None:
    viewer = everybody_at(table_of())
    for entry, seats, sentence in TOLD:
        with subtests.test(sentence):
            assert entry.seats() == set(seats.split())
            view = see_entry(Recorded(1, 1, 0, 1, entry, ""), viewer, "ti4")
            assert view.entry.sentence(view.ruler) == sentence


def test_the_rehearsal_can_be_set_up() -> None:
    rehearsal = GAME.info.rehearsal
    assert rehearsal is not None
    chairs = list(rehearsal.seats.values())
    seats = [chair.seat for chair in chairs]
    for chair in chairs:
        assert GAME.seats.find(chair.seat)
        assert GAME.goods.read(chair.goods, seats, chair.seat, {})


def test_its_example_is_understood() -> None:
    example = GAME.goods.read(GAME.info.example, ["sol"], "sol", {})
    assert example == Goods({"trade_good": 2, "commodity": 1})
