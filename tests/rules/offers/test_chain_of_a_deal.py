"""What becomes of an offer that was countered."""

from __future__ import annotations

from random import Random

import pytest

from bot.games.ti4.turns import StartTurn
from bot.rules.features.offers.entries import OfferBecameDeal, OfferSuperseded
from bot.rules.features.offers.posting import AlterOffer, CounterOffer, PostOffer
from bot.rules.features.offers.signing import Sign
from bot.rules.features.tables import SetPhase
from bot.rules.model.goods import NOTHING, Goods
from bot.rules.model.violation import Refused
from bot.testing import opened

OWED = Goods({"owed:trade_good": 1})


def test_an_offer_ends_with_its_counter_that_becomes_a_deal() -> None:
    world = opened("ti4", 3, Random(0))
    world.do(1, SetPhase("action"))
    second = world.table.seated()[1]
    world.do(1, PostOffer(second, OWED, OWED))
    world.do(2, CounterOffer(1, give=OWED, want=NOTHING))
    ends = OfferBecameDeal | OfferSuperseded
    entries = world.do(1, Sign(2, 1))
    deal, end = [entry for entry in entries if isinstance(entry, ends)]
    assert (deal.offer, end.offer) == (2, 1)
    assert 1 not in world.table.offers
    with pytest.raises(Refused, match="Offer 1 ended with offer 2"):
        world.do(1, AlterOffer(1, give=NOTHING))


def test_an_answer_to_a_wish_ends_once_with_its_counter() -> None:
    world = opened("ti4", 3, Random(0), inventory="untracked", rulings="warn")
    first = world.table.seated()[0]
    world.do(1, StartTurn(first))
    goods, price = Goods({"commodity": 1}), Goods({"trade_good": 1})
    world.do(1, PostOffer(want=goods))
    world.do(2, CounterOffer(1, give=goods, want=price))
    world.do(3, CounterOffer(1, give=goods, want=price))
    world.do(1, CounterOffer(2, give=price, want=goods))
    ended = [
        (entry.offer, entry.by, entry.chooser)
        for entry in world.do(2, Sign(4, 1))
        if isinstance(entry, OfferSuperseded)
    ]
    assert ended == [(2, 4, ""), (1, 4, ""), (3, 1, first)]
