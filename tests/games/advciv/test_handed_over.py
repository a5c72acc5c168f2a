"""Tests that undoing a hand-over whose card has left the hand shows the card to its owner only
[28.3].
"""

from __future__ import annotations

import pytest

from bot.rules.features.holdings import Gain, Spend
from bot.rules.features.offers.entries import HandOverUndone
from bot.rules.features.offers.posting import PostOffer
from bot.rules.features.offers.signing import HandOver
from bot.testing.twins import Who, same
from tests.games.advciv.machine import SEATS
from tests.games.advciv.playing import cards
from tests.games.advciv.test_noninterference import IRON, SALT, both, two


@pytest.mark.parametrize("poster", [1, 2])
@pytest.mark.parametrize("who", ["everybody", "player"])
def test_nobody_else_reads_which_card_has_gone(who: Who, poster: int) -> None:
    """Person 3 hands over iron with grain in one world, with wine in the other, and that card goes;
    2 is the viewer.
    """
    pair = two(who)
    both(pair, 3, Gain(cards("grain, wine")))
    both(pair, 2, Gain(cards("2 salt, iron")))
    both(pair, poster, PostOffer("babylon", SALT, IRON))
    both(pair, 3, HandOver(1, cards("2 iron, grain")), HandOver(1, cards("2 iron, wine")))
    both(pair, 3, Spend(cards("grain")), Spend(cards("wine")))
    both(pair, poster, HandOver(1, cards("2 salt, iron")))
    for world in pair.worlds:
        assert isinstance(world.recorded[-1].entry, HandOverUndone)
        assert list(world.table.offers[1].handed) == [SEATS[poster - 1]]
    reasons = [world.table.offers[1].reasons for world in pair.worlds]
    assert reasons[0] != reasons[1]
    same(pair, 0, at_length=True)
