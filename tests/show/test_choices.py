"""Tests of what a typed name means: exact, another name, beginning, words, inside, alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.show.choices import MatchQuality, folded, rank, ranked
from data import rules
from data.ti4 import factions, promissory_notes
from tests.work import calls

FACTIONS = list(factions().values())


def meant(typed: str) -> list[str]:
    """The factions that may be meant, by their short names."""
    return [
        each.short
        for each in ranked(typed, FACTIONS, lambda each: (each.name, each.short, *each.aliases))
    ]


@pytest.mark.parametrize(
    ("typed", "fit"),
    [
        ("trade agreement", MatchQuality.EXACT),
        ("TA", MatchQuality.ALIAS),
        ("trade ag", MatchQuality.PREFIX),
        ("tradeag", MatchQuality.PREFIX),
        ("agree", MatchQuality.WORDS),
        ("a tr", MatchQuality.WORDS),
        ("reem", MatchQuality.INSIDE),
        ("tarde ag", MatchQuality.ALIKE),
        ("agremnt", MatchQuality.ALIKE),
        ("ceasefire", None),
        ("zq", None),
    ],
)
def test_how_well_it_fits(typed: str, fit: MatchQuality | None) -> None:
    found = rank(typed, ("Trade Agreement", "ta"))
    assert (found.fit if found else None) == fit


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("hacn", "Hacan"),
        ("jolnar", "Jol-Nar"),
        ("jol nar", "Jol-Nar"),
        ("norr", "N'orr"),
        ("sardak", "N'orr"),
        ("letnv", "Letnev"),
        ("barony", "Letnev"),
        ("the x", "Xxcha"),
        ("xcha", "Xxcha"),
        ("vuilrait", "Vuil'raith"),
        ("sol", "Sol"),
        ("nalu", "Naalu"),
    ],
)
def test_a_faction_is_found_by_every_name_and_past_a_slip(typed: str, first: str) -> None:
    assert meant(typed)[0] == first


def test_what_is_only_alike_comes_where_nothing_else_does() -> None:
    assert meant("sol") == ["Sol"], "and not Xxcha's or Jol-Nar's neighbours by spelling"


@given(st.text(max_size=30))
def test_nothing_typed_breaks_it(typed: str) -> None:
    ranked(typed, FACTIONS, lambda faction: (faction.name, faction.short))
    folded(typed)


def test_every_name_finds_itself_first() -> None:
    names = [note.name for note in promissory_notes().values()]
    for name in names:
        assert ranked(name, names, lambda name: (name,))[0] == name


def test_twice_as_many_names_are_twice_the_work() -> None:
    every = [*rules("ti4").values(), *rules("advciv").values()] * 2
    assert len(every) > 200

    def rank(names: Sequence[Any]) -> int:
        return calls(lambda: ranked("repelnish", names, lambda rule: (rule.title, rule.number)))

    rank(every)  # what is folded once is remembered
    assert rank(every * 2) < 2.2 * rank(every) < 1_000 * len(every)
