"""How cards are written and described."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.rules.games.advciv.cards import UNNAMED, box, claimed, describe, describe_short, named, tradable
from bot.rules.games.advciv.shorthand import read
from bot.rules.model.goods import NOTHING, Goods
from bot.rules.model.markup import quoted
from bot.rules.model.violation import Refused
from tests.rules.games.advciv.playing import cards

CLAIMS = ("claim:silver", "claim:salt", UNNAMED)
WRITABLE = st.dictionaries(st.sampled_from((*box(), *CLAIMS)), st.just(1)).map(Goods)
"""One each of any cards, named or not."""


@given(WRITABLE)
def test_what_is_described_can_be_read_again(goods: Goods) -> None:
    assert cards(describe(goods)) == goods
    assert cards(describe_short(goods)) == goods


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("2 salt, iron", {"commodity:salt": 2, "commodity:iron": 1}),
        ("Salt x3", {"commodity:salt": 3}),
        ("2 x salt + salt", {"commodity:salt": 3}),
        ("iron and salt", {"commodity:iron": 1, "commodity:salt": 1}),
        ("??", {UNNAMED: 2}),
        ("2 ?", {UNNAMED: 2}),
        ("an unnamed card", None),
        ("unnamed card", {UNNAMED: 1}),
        ("? (silver)", {"claim:silver": 1}),
        ("2 ? (said to be silver)", {"claim:silver": 2}),
        ("Iconoclasm and Heresy", {"calamity:iconoclasm_heresy": 1}),
        ("nothing", {}),
    ],
)
def test_the_ways_of_writing(text: str, tokens: dict[str, int] | None) -> None:
    if tokens is None:
        with pytest.raises(Refused):
            cards(text)
    else:
        assert cards(text) == Goods(tokens)


@pytest.mark.parametrize(
    ("text", "rule", "reason", "remedy"),
    [
        ("grian", "", "I don't know “grian”.", "Did you mean “grain”?"),
        (
            "pottery",
            "28.2",
            "“pottery” is no trade card.",
            "Only trade cards change hands: commodities and calamities.",
        ),
        ("salt?", "", "Is “salt?” named, or only said?", "Write salt for the one, ? (salt) for the other."),
        (
            "salt (iron)",
            "",
            "I don't know “salt (iron)”.",
            "What is only said of a card stands behind a ?: ? (silver).",
        ),
        ("0 salt", "", "“0 salt” is no amount I can move.", "Write a whole number from 1 to 999."),
        ("2", "", "“2” says how many, but not of what.", "For example: 2 salt, or 2 ?."),
        ("99 salt", "", "That makes 99 Salt in all.", "There are only 9."),
    ],
)
def test_mistakes_are_explained(text: str, rule: str, reason: str, remedy: str) -> None:
    with pytest.raises(Refused) as refused:
        cards(text)
    violation = refused.value.violation
    shown = text if len(text) < 60 else text[:60]
    assert (violation.rule, violation.remedy) == (rule, remedy)
    assert violation.reason.replace(quoted(shown), shown) == reason


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
