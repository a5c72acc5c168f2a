"""Tests that strangers see nothing of private debts, in two worlds."""

from __future__ import annotations

import pytest

from bot.games.ti4.turns import StartTurn
from bot.rules.commands import Command
from bot.rules.features.negotiations import OpenNegotiation
from bot.rules.features.offers.debts import DisputeDebt, ForgiveDebt
from bot.rules.features.offers.posting import PostOffer
from bot.rules.features.offers.signing import Sign
from bot.rules.features.seats import Leave, Sit
from bot.rules.model.goods import Goods
from bot.rules.model.violation import Refused
from tests.show.playing import World, table_of


def played(owed: int, reason: str, *, paid: bool) -> tuple[World, list[object]]:
    """Return a table at which the first owes the second this much in private, and gives them 1
    trade good in public; and what a third and everybody saw after each step.
    """
    world, seen = table_of(3), list[object]()
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
        seen += [world.view(3), world.view(), world.pairs(3), list(world.view(3).offers.values())]
    assert [each.left for each in world.view(1).debts] == [5 - owed]
    return world, seen


def test_strangers_see_nothing_of_private_debts() -> None:
    (one, seen), (other, others) = (
        played(2, "a joke", paid=True),
        played(3, "never said", paid=False),
    )
    assert seen == others
    for person in (3, None):
        assert one.view(person or 0).debts == other.view(person or 0).debts == ()
        entries = [world.entries(person) if person else world.entries() for world in (one, other)]
        assert [(each.kind, each.entry) for each in entries[0]] == [
            (each.kind, each.entry) for each in entries[1]
        ]


@pytest.mark.parametrize("person", [1, 2])
def test_the_two_see_theirs(person: int) -> None:
    (one, _), (other, _) = played(2, "a joke", paid=True), played(3, "never said", paid=False)
    assert one.view(person).debts != other.view(person).debts
    assert [each.entry for each in one.entries(person)] != [
        each.entry for each in other.entries(person)
    ]


def test_a_debt_moves_with_the_seat() -> None:
    world = table_of(3)
    seat = world.seat(1)
    world.do(PostOffer(to=world.seat(2), give=Goods({"owed:trade_good": 2})), 1)
    world.do(Sign(1, 1), 2)
    world.do(Leave(), 1)
    world.do(Sit(seat, 9), 9)
    assert [(each.debtor, each.left) for each in world.view(9).debts] == [(seat, 2)]
    with pytest.raises(Refused):
        world.do(DisputeDebt(1, "not me"), 1)
    world.do(DisputeDebt(1, "not me"), 9)
