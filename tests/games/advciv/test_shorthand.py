"""Tests of how cards are written and described."""

from __future__ import annotations

from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.games.advciv.cards import UNNAMED, box, claimed, describe_short, named, tradable
from bot.games.advciv.shorthand import read
from bot.rules.model.goods import NOTHING, Goods
from bot.rules.model.text import convert
from bot.rules.model.violation import Refused
from data import not_traded
from tests.games.advciv.playing import cards
from tests.rules import ways_of_writing

CLAIMS = ("claim:silver", "claim:salt", UNNAMED)
CARDS = st.sampled_from((*box(), *CLAIMS))


def possible(counts: dict[str, int]) -> Goods:
    """Return these cards, of each at most as many as were printed."""
    return Goods({token: min(count, box().get(token, 9)) for token, count in counts.items()})


COUNTS = st.dictionaries(CARDS, st.integers(1, 9)).map(possible)


def _named(goods: Goods) -> list[ways_of_writing.Named]:
    """Return the cards by the names they are described with."""
    parts = []
    for token, count in goods.items():
        name = describe_short(Goods({token: 1})).removeprefix("1 ")
        parts.append((name, count, True))
    return parts


@given(st.data(), COUNTS)
def test_whichever_way_it_is_written_it_is_read_as_it_was_meant(
    data: st.DataObject, goods: Goods
) -> None:
    text = data.draw(ways_of_writing.written(_named(goods)))
    assert cards(text) == goods, text


@given(st.data(), COUNTS)
def test_names_need_nothing_between_them(data: st.DataObject, goods: Goods) -> None:
    parts = [part for part in _named(goods) if not part[0].startswith("unnamed")]
    if parts:
        text = data.draw(ways_of_writing.written(parts, (*ways_of_writing.BETWEEN, " ")))
        in_a_list = ", ".join(f"{count} {name}" for name, count, _ in parts)
        assert cards(f"{text} ? ? (silver)") == cards(f"{in_a_list}, ?, ? (silver)")


@given(st.data(), COUNTS)
def test_with_how_many_in_all_the_unnamed_ones_may_be_left_out(
    data: st.DataObject, goods: Goods
) -> None:
    parts = [part for part in _named(goods) if part[0] != "unnamed"]
    unnamed = goods.count(UNNAMED)
    listed = goods.total() - unnamed
    text = data.draw(ways_of_writing.written(parts))
    if listed + unnamed:
        read_back = cards(f"{listed + unnamed} cards: {text}")
        assert read_back.total() == listed + unnamed
        assert read_back.count(UNNAMED) == unnamed
    if listed > 1:
        with pytest.raises(Refused, match=f"You wrote {listed - 1} card"):
            cards(f"{listed - 1} cards: {text}")


def test_what_the_rules_keep_out_is_refused_by_them(subtests: pytest.Subtests) -> None:
    words = chain.from_iterable(group.words for group in not_traded("advciv"))
    for word in sorted(set(words)):
        with subtests.test(word):
            for text in (word, f"2 {word}s", f"a {word}", f"salt and one {word.upper()}"):
                with pytest.raises(Refused) as refused:
                    cards(text)
                assert refused.value.violation.rule == "28.2", text


def test_the_ways_of_writing(subtests: pytest.Subtests) -> None:
    for text, tokens in [
        ("2 salt, iron", {"commodity:salt": 2, "commodity:iron": 1}),
        ("Salt x3", {"commodity:salt": 3}),
        ("2 x salt + salt", {"commodity:salt": 3}),
        ("iron and salt", {"commodity:iron": 1, "commodity:salt": 1}),
        ("??", {UNNAMED: 2}),
        ("2 ?", {UNNAMED: 2}),
        ("an unnamed card", {UNNAMED: 1}),
        ("an iron", {"commodity:iron": 1}),
        ("two salt", {"commodity:salt": 2}),
        ("salt salt ?", {"commodity:salt": 2, UNNAMED: 1}),
        ("2 salt iron ? (silver)", {"commodity:salt": 2, "commodity:iron": 1, "claim:silver": 1}),
        ("2 salt, 1 hidden", {"commodity:salt": 2, UNNAMED: 1}),
        ("2 salt 1 hidden card", {"commodity:salt": 2, UNNAMED: 1}),
        ("two salt cards & an iron card", {"commodity:salt": 2, "commodity:iron": 1}),
        ("3 cards: salt, salt", {"commodity:salt": 2, UNNAMED: 1}),
        ("2 salt + 1", {"commodity:salt": 2, UNNAMED: 1}),
        ("2 salt + 1: what do I hear?", {"commodity:salt": 2, UNNAMED: 1}),
        ("3 cards wanted", {UNNAMED: 3}),
        ("any offers?", {}),
        ("2 grain or 2 oil", {"either:2*grain/2*oil": 1}),
        ("2 grain or 2 oil, ?", {"either:2*grain/2*oil": 1, UNNAMED: 1}),
        ("salt, Either grain OR oil/wine", {"commodity:salt": 1, "either:1*grain/1*oil/1*wine": 1}),
        ("4 cards: 2 grain or 3 oil", {"either:2*grain/3*oil": 1, UNNAMED: 2}),
        ("Four trade cards: salt, iron", {"commodity:salt": 1, "commodity:iron": 1, UNNAMED: 2}),
        ("3 cards: 2 salt and ? (silver)", {"commodity:salt": 2, "claim:silver": 1}),
        ("3 cards with salt salt", {"commodity:salt": 2, UNNAMED: 1}),
        ("3 cards:", {UNNAMED: 3}),
        ("3 cards", {UNNAMED: 3}),
        ("2 salt, 1 other, anything", {"commodity:salt": 2, UNNAMED: 2}),
        ("Iconoclasm & Heresy and salt", {"calamity:iconoclasm_heresy": 1, "commodity:salt": 1}),
        ("iconoclasm and salt", {"calamity:iconoclasm_heresy": 1, "commodity:salt": 1}),
        ("salt salt ? ? (silver) 2 hidden", {"commodity:salt": 2, UNNAMED: 3, "claim:silver": 1}),
        ("any salt", None),
        ("? silver", None),
        ("2 salt ? silver", None),
        ("salt 1 hidden silver", None),
        ("? salt", None),
        ("1 more salt", None),
        ("salt card 2 things", None),
        ("unnamed card", {UNNAMED: 1}),
        ("? (silver)", {"claim:silver": 1}),
        ("2 ? (said to be silver)", {"claim:silver": 2}),
        ("Iconoclasm and Heresy", {"calamity:iconoclasm_heresy": 1}),
        ("nothing", {}),
    ]:
        with subtests.test(text):
            if tokens is None:
                with pytest.raises(Refused):
                    cards(text)
            else:
                assert cards(text) == Goods(tokens)


def test_mistakes_are_explained(subtests: pytest.Subtests) -> None:
    for text, rule, reason, remedy in [
        ("grian", "", "I don't know “grian”.", "Did you mean “grain”?"),
        (
            "pottery",
            "28.2",
            "“pottery” is not a trade card.",
            "Only trade cards change hands: commodities and calamities.",
        ),
        (
            "salt?",
            "",
            "Is “salt?” a named card or only a claim?",
            "Write salt to name it, or ? (salt) to claim it.",
        ),
        (
            "salt (iron)",
            "",
            "I don't know “salt (iron)”.",
            "Put a claim after a question mark: ? (silver).",
        ),
        (
            "3 cards: 2 salt, iron, wine",
            "",
            "You wrote 3 cards, but named 4: 1 Iron, 2 Salt, 1 Wine.",
            "Try 4 cards, or leave some out.",
        ),
        (
            "salt, 3 cards: iron",
            "",
            "I don't know “3 cards: iron”.",
            "Put the total first: 3 cards: salt, salt.",
        ),
        ("two", "", "“two” says how many, but not what.", "Try: 2 salt, or 2 ?."),
        (
            "0 cards: salt",
            "",
            "I can't move “0 cards: salt”.",
            "Write a whole number from 1 to 999.",
        ),
        ("-1 salt", "", "I can't move “-1 salt”.", "Write a whole number from 1 to 999."),
        ("2", "", "“2” says how many, but not what.", "Try: 2 salt, or 2 ?."),
        ("99 salt", "", "That makes 99 Salt altogether.", "There are only 9."),
    ]:
        with subtests.test(text):
            with pytest.raises(Refused) as refused:
                cards(text)
            violation = refused.value.violation
            assert (violation.rule, violation.remedy) == (rule, remedy)
            assert convert(violation.reason, str, str) == reason


def test_a_long_mistake_is_not_quoted_whole() -> None:
    with pytest.raises(Refused) as refused:
        read("x" * 500, (), None, {})
    assert len(refused.value.violation.reason) < 100


def test_only_what_is_named_is_firm() -> None:
    side = cards("2 salt, ? (silver), ?")
    assert named(side) == cards("2 salt")
    assert claimed(side) == cards("silver")


def test_some_calamities_stay() -> None:
    assert tradable(cards("salt, famine, epidemic")) == cards("salt, epidemic")
    assert tradable(NOTHING) == NOTHING
