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
from bot.rules.model.goods import NOTHING, Change, Goods
from bot.rules.model.parts import part
from bot.rules.visible_entry import redact
from bot.testing import laws
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


def test_of_an_empty_hand_none_is_taken_and_it_looks_the_same() -> None:
    full, empty = hands(), hands()
    empty.do(1, SetHoldings("crete", NOTHING))
    a_card, no_card = taken(full), taken(empty)
    assert no_card.hidden == {"egypt": Change(), "crete": Change()}
    italy = laws.of_seat("italy")
    assert redact(a_card, italy, 99) == redact(no_card, italy, 99)


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


@pytest.mark.parametrize("cities", [2, 5])
def test_one_card_stays_for_each_city_that_is_left(cities: int) -> None:
    evening = hands(second="3 iron, famine, grain")
    evening.do(2, LoseCards(cities=cities))
    assert evening.hand(2).total() == cities


def test_with_no_city_only_a_calamity_stays() -> None:
    evening = hands(second="3 iron, famine, grain")
    evening.do(2, LoseCards(cities=0))
    assert evening.hand(2) == cards("famine")


def test_with_more_cities_than_cards_nothing_is_lost() -> None:
    evening = hands(second="3 iron, famine, grain")
    evening.do(2, LoseCards(cities=9))
    assert evening.hand(2) == cards("3 iron, famine, grain")


def test_a_host_says_how_many_cities_are_left_and_learns_nothing() -> None:
    full, empty = hands(), hands()
    empty.do(1, SetHoldings("crete", NOTHING))
    seen = []
    for evening in (full, empty):
        evening.do(2, Leave())
        assert evening.refused(1, LoseCards(cards=1, seat="crete")).rule == "15.62"
        assert evening.refused(3, LoseCards(cities=1, seat="crete")).rule == ""
        (lost,) = evening.do(1, LoseCards(cities=2, seat="crete"))
        seen.append(redact(lost, laws.of_seat("egypt"), 99))
    assert seen[0] == seen[1]
    assert full.hand_of("crete").total() == 2


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
