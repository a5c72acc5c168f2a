"""Tests of trades that are said in a sentence."""

from __future__ import annotations

import pytest

from bot.rules.model.goods import Goods
from bot.show.said import understand
from tests.games.ti4.tables import seen, table_of

VIEW = seen(table_of(), 1)
"""A table as alice (Hacan) sees it, with bob (Sol) and carol (Letnev)."""

TG, C = "trade_good", "commodity"
SOLS = "note:support_for_the_throne:sol"
OWN = "note:trade_agreement:hacan"

SENTENCES: list[tuple[str, str | None, dict[str, int], dict[str, int]]] = [
    ("2 tg to bob for 3 c", "sol", {TG: 2}, {C: 3}),
    ("i want 3 c", None, {}, {C: 3}),
    ("2 tg", None, {TG: 2}, {}),
    ("sell ta 2tg", None, {OWN: 1}, {TG: 2}),
    ("buy 2 c 1 tg", None, {TG: 1}, {C: 2}),
    ("gimme 2 c for 1 tg", None, {TG: 1}, {C: 2}),
    ("bob: 2tg -> 1 c", "sol", {TG: 2}, {C: 1}),
    ("@bob 2 tg for bob's support for the throne", "sol", {TG: 2}, {SOLS: 1}),
    ("bob's support for the throne for 2 tg", None, {SOLS: 1}, {TG: 2}),
    ("looking for 2 c, have 2 tg", None, {TG: 2}, {C: 2}),
    ("1 trade good for 1 commodity", None, {TG: 1}, {C: 1}),
    ("support for the throne", None, {"note:support_for_the_throne:hacan": 1}, {}),
]


@pytest.mark.parametrize(("text", "to", "give", "get"), SENTENCES)
def test_a_sentence_has_two_sides(
    text: str, to: str | None, give: dict[str, int], get: dict[str, int]
) -> None:
    said = understand(VIEW, text)
    assert (said.refused, said.to) == (None, to)
    assert (said.give, said.get) == (Goods(give), Goods(get))


def test_what_is_no_trade_says_what_is_not_understood() -> None:
    said = understand(VIEW, "see you on friday")
    assert said.refused is not None
    assert "I don't know" in said.refused.violation.reason


def test_a_suggestion_is_the_whole_sentence(subtests: pytest.Subtests) -> None:
    for text, meant in [
        ("2 coins to bob for 3 c", "2 tg to bob for 3 c"),
        ("i want 3 comns for 2 credits", "i want 3 comms for 2 tg"),
        ("gimme 2 tg next round", ""),
    ]:
        with subtests.test(text):
            said = understand(VIEW, text)
            assert said.refused is not None
            assert said.suggestion == meant
            assert not meant or understand(VIEW, meant).refused is None
