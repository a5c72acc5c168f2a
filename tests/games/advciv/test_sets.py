"""Tests of the worth of sets, now and after a trade."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.games.advciv.cards import box, claimed, named, tradable
from bot.games.advciv.sets import describe_sets, mined, prospect, worth
from bot.rules.model.goods import Goods
from bot.rules.model.violation import Refused
from data.advciv import commodities
from tests.games.advciv.playing import cards

COMMODITIES = ("commodity:salt", "commodity:iron", "commodity:gold")
CALAMITIES = ("calamity:epidemic", "calamity:famine")
GAINED = ("commodity:salt", "commodity:gold", "claim:iron")
HANDS = st.lists(st.sampled_from(COMMODITIES + CALAMITIES), max_size=7).map(Goods.of)
GAINS = st.lists(st.sampled_from(GAINED), max_size=4).map(Goods.of)


def test_a_set_is_number_times_number_times_value() -> None:
    assert worth(cards("3 salt")) == 27
    assert worth(cards("3 salt, gold")) == 27 + 9
    assert worth(cards("epidemic")) == 0


def test_no_set_is_worth_more_than_was_printed() -> None:
    for card in commodities().values():
        token = f"commodity:{card.id}"
        most = card.set_value(card.count)
        assert worth(Goods({token: card.count})) == most
        assert worth(Goods({token: card.count + 3})) == most


def test_mining_counts_for_one_more() -> None:
    bronze = mined(cards("2 bronze, salt"), "Bronze")
    assert worth(cards("2 bronze"), bronze) == worth(cards("3 bronze"))
    assert describe_sets(cards("2 bronze, salt"), bronze) == [
        "Salt x1 = 3\u00a0<icon:advciv_salt:🧂>",
        f"Bronze x2 = {9 * 6} with Mining\u00a0<icon:advciv_bronze:🥉>",
    ]


def test_a_complete_set_is_celebrated() -> None:
    most = commodities()["salt"].count
    [whole] = describe_sets(cards(f"{most} salt"))
    [short] = describe_sets(cards(f"{most - 1} salt"))
    assert whole.endswith("🎉")
    assert not short.endswith("🎉")


@pytest.mark.parametrize(
    ("held", "text", "reason"),
    [
        ("2 salt", "salt", "Mining counts for one set of metal or gems."),
        ("2 salt", "famine", "Mining counts for one set of metal or gems."),
        ("2 salt", "gold", "These cards include no Gold."),
    ],
)
def test_mining_is_for_metal_and_gems_that_are_there(held: str, text: str, reason: str) -> None:
    with pytest.raises(Refused) as refused:
        mined(cards(held), text)
    assert refused.value.violation.rule == "28.53"
    assert refused.value.violation.reason == reason


def test_mining_does_not_go_beyond_what_was_printed() -> None:
    gold = commodities()["gold"]
    with pytest.raises(Refused, match="printed maximum"):
        mined(Goods({"commodity:gold": gold.count}), "gold")


# ---------------------------------------------------------------- after a trade


def ways(hand: Goods, gains: Goods, gives: int) -> list[int]:
    """Return what sets can be worth after gaining and giving so much, by trying every way."""
    given = combinations(tradable(hand).tokens(), gives)
    return [worth(hand - Goods.of(way) + gains) for way in given]


@given(HANDS, st.integers(0, 3), GAINS)
def test_what_is_not_named_is_any_card_from_what_costs_most_to_what_costs_least(
    hand: Goods, unnamed: int, gets: Goods
) -> None:
    gives = Goods({"unnamed": unnamed}) if unnamed else Goods()
    effect = prospect(hand, gives, gets, None)
    if tradable(hand).total() < unnamed:
        assert effect is None
        return
    assert effect is not None
    assert effect.now == worth(hand)
    in_full = named(gets) + claimed(gets)
    for outcome, gains in ((effect.sure, named(gets)), (effect.claimed, in_full)):
        assert outcome.least.worth == min(ways(hand, gains, unnamed))
        assert outcome.most.worth == max(ways(hand, gains, unnamed))
        for way in outcome:
            assert way.given.total() == unnamed
            assert not tradable(hand).missing(way.given)
            assert worth(hand - way.given + gains) == way.worth


@given(HANDS, GAINS, st.data())
def test_what_was_handed_over_is_known(hand: Goods, gets: Goods, data: st.DataObject) -> None:
    order = data.draw(st.permutations(list(tradable(hand).tokens())))
    handed = Goods.of(order[:2])
    effect = prospect(hand, Goods({"unnamed": 2}), gets, handed)
    assert effect is not None
    left = worth(hand - handed + named(gets))
    assert effect.sure.least.worth == left
    assert effect.sure.most.worth == left


def test_what_is_named_and_missing_is_no_prospect() -> None:
    assert prospect(cards("salt"), cards("iron"), cards("gold"), None) is None


def test_the_box_holds_every_card() -> None:
    printed = sum(card.count for card in commodities().values())
    assert box().of_kind("commodity").total() == printed
