"""Tests that stacks are fair, complete and repeatable from the seed, and that anything else is
found.
"""

from __future__ import annotations

from collections import Counter

import pytest

from bot.api.chance import shuffled
from bot.games.advciv.calamities import ShowCalamities
from bot.games.advciv.cards import box, card_of, may_be_traded
from bot.games.advciv.drawing import BuyCard, DrawCards
from bot.games.advciv.losing import LoseCards
from bot.games.advciv.state import Stacks
from bot.games.advciv.surrendering import SurrenderCards
from bot.games.advciv.taking import AnswerTake, TakeCard
from bot.rules.entries import Entry
from bot.rules.features.tables import SetPhase
from bot.rules.model.parts import part
from tests.games.advciv.cheating import cheat, each_cheat
from tests.games.advciv.playing import Evening, dealt


def turn() -> Evening:
    """A turn of three, from the first draw to the cards that go back."""
    evening = dealt()
    evening.do(3, BuyCard())
    evening.do(1, SetPhase("after"))
    evening.do(1, ShowCalamities())
    evening.do(1, TakeCard("crete"))
    evening.do(2, AnswerTake("egypt", True))
    evening.do(3, LoseCards(cities=4))
    for person in (1, 2, 3):
        evening.do(person, SurrenderCards(evening.hand(person).of_kind("commodity")))
    evening.do(1, SetPhase("acquire"))
    evening.do(2, DrawCards(cities=2))
    return evening


def test_an_honest_dealer() -> None:
    assert not any(turn().doubts())


@each_cheat
def test_a_dealer_who_helps_chance_along(kind: type[Entry], doubt: str) -> None:
    evening = turn()
    at = cheat(evening.entries, kind)
    assert evening.doubts()[at] == doubt


def test_every_order_is_as_likely() -> None:
    """Of four cards all 24 orders come, none of them half as often again as it should."""
    orders = Counter(shuffled("abcd", f"seed {number}") for number in range(4800))
    assert len(orders) == 24
    assert max(orders.values()) < 300 > 1.5 * min(orders.values())


def test_a_seed_says_one_order_for_ever() -> None:
    """Written down once, so that no later version shuffles an old seed in another way."""
    assert "".join(shuffled("abcdefghij", "for ever")) == "ehgcfijabd"


def test_no_card_is_lost() -> None:
    evening = turn()
    hands = evening.hand(1) + evening.hand(2) + evening.hand(3)
    assert hands + evening.stacked() + part(evening.table, Stacks).aside == box()


@pytest.mark.parametrize("players", [1, 2, 4])
def test_the_first_draws_are_free_of_calamities(players: int) -> None:
    """15.2: as many commodities on top as there are players; what can't be traded lies at the
    bottom.
    """
    evening = Evening(players)
    evening.do(1, DrawCards(cities=0))
    stacks = part(evening.table, Stacks).stacks
    for number, stack in enumerate(stacks, start=1):
        assert all(card_of(token).stack == number for token in stack)
        assert all(token.startswith("commodity:") for token in stack[:players])
        stay = [token for token in stack if not may_be_traded(token)]
        assert list(stack[len(stack) - len(stay) :]) == stay
    assert all(token.startswith("commodity:") for token in stacks[0])
