"""Tests of cards that chance takes from a hand, for a player or the stacks [24.51, 15.62]."""

from __future__ import annotations

from collections import Counter
from itertools import chain

import pytest

from bot.games.advciv.calamities import ShowCalamities
from bot.games.advciv.chance import from_hand
from bot.games.advciv.losing import LoseCards
from bot.games.advciv.stacks import StacksRestored
from bot.games.advciv.state import Stacks
from bot.games.advciv.surrendering import SurrenderCards, Surrenders
from bot.games.advciv.taking import AnswerTake, CardRequested, CardTaken, Requests, TakeCard
from bot.rules.features.holdings import Gain, SetHoldings
from bot.rules.features.seats import Leave
from bot.rules.features.tables import SetPhase
from bot.rules.model.goods import Goods
from bot.rules.model.parts import part
from tests.games.advciv.playing import Evening, cards, dealt


def hands(first: str = "salt", second: str = "3 iron, famine, grain") -> Evening:
    evening = Evening()
    evening.do(1, Gain(cards(first)))
    evening.do(2, Gain(cards(second)))
    return evening


def taken(evening: Evening) -> CardTaken:
    """Return what comes of it when Egypt takes a card from Crete."""
    assert evening.do(1, TakeCard("crete")) == (CardRequested(seat="egypt", other="crete"),)
    (entry,) = evening.do(2, AnswerTake("egypt", True))
    assert isinstance(entry, CardTaken)
    return entry


def test_the_chance_of_a_command_picks_nothing_where_the_seed_was_committed_to() -> None:
    table = hands().table
    picks = {from_hand(table, "crete", 1, f"chance {number}") for number in range(50)}
    assert len(picks) == 1


def test_any_commodity_of_the_hand_is_as_likely_and_no_calamity_goes() -> None:
    """Three of four commodities are iron; so are about 150 of 200 cards that are taken."""
    evening, picks = hands(), Counter[str]()
    for _ in range(200):
        entry = taken(evening)
        assert entry.hidden is not None
        card = entry.hidden["egypt"].gained
        picks.update(card.tokens())
        evening.do(1, SetHoldings("egypt", evening.hand(1) - card))
        evening.do(1, SetHoldings("crete", evening.hand(2) + card))
    assert 125 < picks["commodity:iron"] < 175
    assert picks.keys() == {"commodity:iron", "commodity:grain"}


# ---------------------------------------------------------------- taken from whom


def test_what_was_asked_for_ends_when_one_of_the_two_leaves_or_the_turn_ends() -> None:
    evening = hands()
    evening.do(1, TakeCard("crete"))
    evening.do(2, Leave())
    assert not part(evening.table, Requests).waiting
    evening.do(3, TakeCard("egypt"))
    evening.do(1, SetPhase("after"))
    evening.do(1, ShowCalamities())
    evening.do(1, SetPhase("acquire"))
    assert not part(evening.table, Requests).waiting


def test_what_is_taken_does_not_pay_for_what_was_kept_too_many() -> None:
    """31.71: of nine cards one is too many, also if another was taken before."""
    evening = hands(second="9 salt")
    evening.do(1, SetPhase("trade"))
    evening.do(1, SetPhase("after"))
    evening.do(1, ShowCalamities())
    evening.do(1, SetPhase("acquire"))
    assert part(evening.table, Surrenders).over == {"crete": 1}
    assert evening.refused(2, LoseCards(cards=1)).rule == "31.71"
    taken(evening)
    assert part(evening.table, Surrenders).over == {"crete": 1}
    evening.do(2, SurrenderCards(cards("salt")))
    assert evening.hand(2).total() == 7


# ---------------------------------------------------------------- lost


@pytest.mark.parametrize(("cities", "left"), [(0, 1), (2, 2), (5, 5), (9, 5)])
def test_one_card_stays_for_each_city_that_is_left_and_a_calamity_in_any_case(
    cities: int, left: int
) -> None:
    evening = hands()
    evening.do(2, LoseCards(cities=cities))
    assert evening.hand(2).total() == left
    assert cards("famine") == evening.hand(2).of_kind("calamity")


@pytest.mark.parametrize(("hand", "lost"), [("4 salt", "3 salt"), ("nothing", "nothing")])
def test_what_was_lost_goes_back_unseen_even_when_it_was_nothing(hand: str, lost: str) -> None:
    """Whether any card went must not show in whether the stacks are restored."""
    evening = dealt()
    evening.do(1, SetPhase("after"))
    evening.do(1, ShowCalamities())
    evening.sets("crete", cards(hand))
    evening.do(2, LoseCards(cities=1))
    aside = part(evening.table, Stacks).aside
    _, restored, _ = evening.do(1, SetPhase("acquire"))
    assert isinstance(restored, StacksRestored)
    assert restored.cards == aside
    assert restored.secret is not None
    assert Goods.of(chain(*restored.secret.stacks)) == aside + cards(lost)
    assert part(evening.table, Stacks).returned is None
    assert not any(evening.doubts())
