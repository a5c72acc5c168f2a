"""Tests of Twilight Imperium 4 as the core sees it: its names, and that all it lists exists."""

from __future__ import annotations

import pytest

from bot.games.ti4 import GAME
from bot.games.ti4.boxes import NotesReprinted
from bot.games.ti4.counting import GoodsCounted
from bot.games.ti4.neighbors import (
    NeighborsSet,
)
from bot.games.ti4.note_moments import MomentOverruled
from bot.games.ti4.notes import NoteMovedWithPlanet
from bot.games.ti4.pillage import (
    PillageSettled,
)
from bot.games.ti4.turns import TurnEnded
from bot.rules.entries import Entry, Recorded
from bot.rules.model.goods import Change, Goods
from bot.rules.visibility import see_entry
from tests.games.ti4.tables import everybody_at, table_of

NOTE = "note:ceasefire:hacan"
CARD = Goods({NOTE: 1})


def sample(entry: Entry, seats: str, sentence: str) -> tuple[Entry, set[str], str]:
    return entry, set(seats.split()), sentence


TOLD = [
    sample(TurnEnded(seat="sol", window=4), "sol", "<player:sol>'s turn is over."),
    sample(
        NeighborsSet(
            seat="sol", order=("hacan",), joined=(("hacan", "sol"),), parted=(("letnev", "sol"),)
        ),
        "sol hacan letnev",
        "<seat:sol>'s neighbours now: <seat:hacan>. New: <seat:hacan>. No longer: <seat:letnev>.",
    ),
    sample(
        NeighborsSet(order=("sol", "hacan", "letnev"), joined=(("hacan", "sol"),)),
        "sol hacan letnev",
        "Neighbours by the order of seats: <=seat:sol> – <=seat:hacan> – <=seat:letnev> – "
        "<=seat:sol>.",
    ),
    sample(
        GoodsCounted(
            seat="sol",
            first=3,
            at=0,
            why=("turned",),
            changes={"sol": Change(lost=Goods({"commodity": 2}), gained=Goods({"trade_good": 2}))},
        ),
        "sol",
        "<player:sol> counts **+2 trade goods, −2 commodities (turned over)**.",
    ),
    sample(
        GoodsCounted(seat="sol", first=3, at=0, changes={"sol": Change()}),
        "sol",
        "<player:sol> counts **<their:sol> goods: there are as many as before**.",
    ),
    sample(
        GoodsCounted(seat="sol", first=3, at=0, why=("replenished",), changes={"sol": Change()}),
        "sol",
        "<player:sol> counts **replenished, to as many as before**.",
    ),
    sample(
        MomentOverruled(seat="sol", note="note:ceasefire:hacan"),
        "sol",
        "The host says that this is the moment of **Hacan's Ceasefire<beside:hacan>**: "
        "<player:sol> may play it now, "
        "until the next turn, agenda or phase.",
    ),
    sample(
        NoteMovedWithPlanet(seat="sol", to="hacan", note="note:terraform:titans"),
        "sol",
        "The planet with **Titans' Terraform<beside:titans>** belongs to <player:hacan> now and no "
        "longer to "
        "<seat:sol>. The note stays with it [12.2].",
    ),
    sample(
        NotesReprinted(hidden={"sol": Change(lost=CARD)}),
        "",
        "Promissory notes now match the boxes that this table plays with.",
    ),
    sample(
        PillageSettled(
            seat="sol", other="mentak", since=3, stands=True, goods=Goods({"trade_good": 1})
        ),
        "sol mentak",
        "**Pillage** of <seat:sol> stands, as the host says: <seat:mentak> keeps what "
        "<they:mentak> took.",
    ),
]


def test_what_no_play_reads_is_told_as_well(subtests: pytest.Subtests) -> None:
    for entry, seats, sentence in TOLD:
        with subtests.test(sentence):
            assert entry.seats() == seats
            view = see_entry(Recorded(1, 1, 0, 1, entry, ""), everybody_at(table_of()), "ti4")
            assert view.entry.sentence(view.ruler) == sentence


def test_the_rehearsal_can_be_set_up() -> None:
    rehearsal = GAME.info.rehearsal
    assert rehearsal is not None
    seats = [each.seat for each in rehearsal.seats.values()]
    for each in rehearsal.seats.values():
        assert GAME.seats.find(each.seat)
        assert GAME.goods.read(each.goods, seats, each.seat, {})


def test_its_example_is_understood() -> None:
    assert GAME.goods.read(GAME.info.example, ["sol"], "sol", {}) == Goods(
        {"trade_good": 2, "commodity": 1}
    )
