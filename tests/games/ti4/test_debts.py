"""Tests of whose a debt is."""

from __future__ import annotations

import pytest

from bot.rules.features.offers.debts import DisputeDebt
from bot.rules.features.offers.posting import PostOffer
from bot.rules.features.offers.signing import Sign
from bot.rules.features.seats import Leave, Sit
from bot.rules.model.goods import Goods
from bot.rules.model.violation import Refused
from tests.show.playing import table_of


def test_a_debt_moves_with_the_seat() -> None:
    world = table_of(3)
    seat = world.seat(1)
    owes = Goods({"owed:trade_good": 2})
    world.do(PostOffer(to=world.seat(2), give=owes), 1)
    world.do(Sign(1, 1), 2)
    world.do(Leave(), 1)
    world.do(Sit(seat, 9), 9)
    (debt,) = world.view(9).debts
    assert debt.debtor == seat
    assert debt.left == 2
    with pytest.raises(Refused):
        world.do(DisputeDebt(1, "not me"), 1)
    world.do(DisputeDebt(1, "not me"), 9)
