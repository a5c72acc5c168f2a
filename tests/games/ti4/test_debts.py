"""Tests that strangers see nothing of private debts, in two worlds."""

from __future__ import annotations

import pytest

from bot.games.ti4.turns import StartTurn
from bot.rules.commands import Command
from bot.rules.entries import Entry
from bot.rules.features.negotiations import OpenNegotiation
from bot.rules.features.offers.debts import DisputeDebt, ForgiveDebt
from bot.rules.features.offers.posting import PostOffer
from bot.rules.features.offers.signing import Sign
from bot.rules.features.seats import Leave, Sit
from bot.rules.model.goods import Goods
from bot.rules.model.violation import Refused
from tests.show.playing import World, table_of

Sights = list[object]
"""What a third player and everybody saw after each step."""


def played(owed: int, reason: str, *, paid: bool) -> tuple[World, Sights]:
    """Play a table at which the first owes the second this much in private.

    They also give them 1 trade good in public.
    """
    world, sights = table_of(3), Sights()
    second = world.seat(2)
    owes, is_owed = Goods({"owed:trade_good": owed}), Goods({"owed:trade_good": 5 - owed})
    words = Goods({"pays:1:1": 1}) if paid else Goods()
    steps: list[tuple[Command, int]] = [
        (StartTurn(second), 1),
        (OpenNegotiation(second), 1),
        (PostOffer(give=owes, want=is_owed, negotiation=1), 1),
        (Sign(1, 1), 2),
        (PostOffer(to=second, give=Goods({"trade_good": 1}) + words), 1),
        (Sign(2, 1), 2),
        (DisputeDebt(1, reason), 1),
        (ForgiveDebt(1), 2),
        (StartTurn(world.seat(3)), 1),
        (StartTurn(world.seat(1)), 1),
    ]
    for command, person in steps:
        world.do(command, person)
        third = world.view(3)
        sights += [third, list(third.offers.values())]
        sights += [world.pairs(3), world.view()]
    (debt,) = world.view(1).debts
    assert debt.left == 5 - owed
    return world, sights


def read_by(world: World, person: int = 0) -> list[Entry]:
    """Return all entries as this person, or everybody, may read them."""
    return [view.entry for view in world.entries(person)]


def test_strangers_see_nothing_of_private_debts() -> None:
    one, sights = played(2, "a joke", paid=True)
    other, others = played(3, "never said", paid=False)
    assert sights == others
    assert one.view().debts == one.view(3).debts == ()
    assert other.view().debts == other.view(3).debts == ()
    assert read_by(one) == read_by(other)
    assert read_by(one, 3) == read_by(other, 3)


@pytest.mark.parametrize("person", [1, 2])
def test_the_two_see_theirs(person: int) -> None:
    one, _ = played(2, "a joke", paid=True)
    other, _ = played(3, "never said", paid=False)
    assert one.view(person).debts != other.view(person).debts
    assert read_by(one, person) != read_by(other, person)


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
