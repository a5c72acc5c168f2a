"""Tests that whether the dealer can be changed depends on public facts only [27.1]."""

from __future__ import annotations

from random import Random

import pytest

from bot.games.advciv.dealing import HandsPutAway
from bot.rules.features.holdings import Gain, Spend
from bot.rules.features.seats import Sit
from bot.rules.features.tables import ChangeSetting, OpenTable
from bot.rules.model.goods import NOTHING, Goods
from bot.testing.twins import HOST, Pair, Who, same
from tests.games.advciv.machine import SEATS
from tests.games.advciv.test_noninterference import both

SALT = Goods({"commodity:salt": 1})


@pytest.mark.parametrize("who", ["everybody", "player", "overheard"])
def test_a_hand_that_is_not_empty_is_put_away_like_one_that_is(who: Who) -> None:
    """Person 3 has typed one card in one world, and two in the other, and takes one back."""
    pair = Pair(who, Random(1))
    both(pair, HOST, OpenTable("advciv"))
    for person, seat in enumerate(SEATS[:4], start=1):
        both(pair, HOST, Sit(seat, person))
    both(pair, 3, Gain(SALT), Gain(SALT + SALT))
    both(pair, 3, Spend(SALT))
    both(pair, HOST, ChangeSetting("cards", "dealt"))
    for world in pair.worlds:
        assert isinstance(world.recorded[-1].entry, HandsPutAway)
        assert world.table.seats[SEATS[2]].holdings == NOTHING
    same(pair, 0, at_length=True)
