"""Tests of what people write to the bot."""

from __future__ import annotations

import pytest

from bot.rules.model.goods import Goods
from cogs.sentences import as_command, counter_in, is_answer, read_sentence
from tests.games.ti4.tables import seen, table_of

VIEW = seen(table_of(), 1)
"""A table as alice (Hacan) sees it, with bob (Sol) and carol (Letnev)."""

TG, C = "trade_good", "commodity"


@pytest.mark.parametrize("text", ["ok", "OK!", "deal.", "no", "nah, thanks", "yes deal", "👍"])
def test_a_yes_or_a_no(text: str) -> None:
    assert is_answer(text)


@pytest.mark.parametrize("text", ["2 tg", "no 2 tg", "okra", "ok for 3 tg", "hello"])
def test_what_is_no_answer(text: str) -> None:
    assert not is_answer(text)


@pytest.mark.parametrize(
    ("text", "instead"),
    [
        ("3 tg instead", "3 tg"),
        ("no, make it 3 tg", "3 tg"),
        ("how about 3 tg", "3 tg"),
        ("ok but 3 tg", "3 tg"),
        ("3 tg and it's yours", "3 tg"),
        ("3 tg to bob", ""),
    ],
)
def test_what_is_meant_instead(text: str, instead: str) -> None:
    assert counter_in(text) == instead


@pytest.mark.parametrize(
    ("text", "to", "give", "get"),
    [
        ("give bob 2 tg for 3 c", "sol", {TG: 2}, {C: 3}),
        ("2 tg for bob", "sol", {TG: 2}, {}),
        ("2 tg for 3 c, bob", "sol", {TG: 2}, {C: 3}),
        ("2 tg to everyone for 3 c", None, {TG: 2}, {C: 3}),
        ("3 c from bob for 2 tg", "sol", {TG: 2}, {C: 3}),
        ("i give 2 tg, you give 3 c", None, {TG: 2}, {C: 3}),
        ("2 tg for bobs ceasefire", "sol", {TG: 2}, {"note:ceasefire:sol": 1}),
    ],
)
def test_whom_an_offer_is_for(
    text: str, to: str | None, give: dict[str, int], get: dict[str, int]
) -> None:
    trade = read_sentence(VIEW, text).trade
    assert (trade.refused, trade.to) == (None, to)
    assert (trade.give, trade.get) == (Goods(give), Goods(get))


def test_terms_are_kept_for_the_command() -> None:
    sentence = read_sentence(VIEW, "2 tg to bob for 3 c, if you vote for me")
    assert sentence.terms == "if you vote for me"
    command = as_command(VIEW, sentence).replace("\ue000", "").replace("\ue001", "")
    assert command == '/offer post to:@bob give:"2 tg" want:"3 c" terms:"if you vote for me"'
