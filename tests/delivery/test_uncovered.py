"""Tests of agreed trades that can't be covered: who is told, and that no hidden hand shows."""

from __future__ import annotations

import pytest

from bot.delivery.desired import Step, ToConfirm, user_of
from bot.delivery.planner import plan
from bot.games.ti4.neighbors import JoinNeighbors
from bot.games.ti4.turns import StartTurn
from bot.rules.features.holdings import SetHoldings
from bot.rules.features.offers.posting import PostOffer
from bot.rules.features.offers.signing import Agree
from bot.rules.features.seats import Sit
from bot.rules.features.tables import OpenTable
from bot.rules.model.goods import Goods
from bot.testing.world import EVERYONE, World
from tests.delivery.test_pings import briefed

ALICE, BOB, CAROL, DAVE = 1, 2, 3, 4
USERS = {person.number: person.user_id for person in EVERYONE}
OFFERED, OTHER = "note:ceasefire:xxcha", "note:trade_agreement:xxcha"


def agreed(*, left: int, alice_has: str, dave_has: str) -> list[Step]:
    """Return what is sent as Alice's turn comes: Bob had agreed to 3 trade goods and a note of
    Carol's.

    Alice has so many trade goods ``left``, and since then the host has set which notes she and Dave
    have.
    """
    world = World()
    world.do(ALICE, OpenTable("ti4", "Friday"))
    for person, seat in enumerate(("hacan", "sol", "xxcha", "letnev"), 1):
        world.do(ALICE, Sit(seat, person))
    world.do(ALICE, SetHoldings("hacan", Goods({"trade_good": 3, OFFERED: 1})))
    world.do(ALICE, SetHoldings("letnev", Goods({OTHER: 1})))
    world.do(ALICE, JoinNeighbors("hacan", "sol"))
    world.do(ALICE, StartTurn("xxcha"))
    world.do(ALICE, PostOffer("sol", Goods({"trade_good": 3, OFFERED: 1})))
    world.do(BOB, Agree(1, 1))
    world.do(ALICE, SetHoldings("letnev", Goods({dave_has: 1})))
    world.do(ALICE, SetHoldings("hacan", Goods({"trade_good": left, alice_has: 1})))
    before = world.table.seq
    world.do(ALICE, StartTurn("hacan"))
    return list(plan(briefed(world, before), {}))


def sent(steps: list[Step], *persons: int) -> list[Step]:
    """Return what these people and the channel are sent."""
    users = {USERS[person] for person in persons}
    return [each for each in steps if user_of(each) in {0, *users}]


@pytest.mark.parametrize("left", [3, 2])
def test_the_other_side_and_a_third_seat_are_sent_the_same_whatever_hidden_hands_hold(
    left: int,
) -> None:
    has = agreed(left=left, alice_has=OFFERED, dave_has=OTHER)
    lacks = agreed(left=left, alice_has=OTHER, dave_has=OFFERED)
    assert sent(has, BOB, CAROL) == sent(lacks, BOB, CAROL)
    # she is told of the open shortage first
    assert (sent(has, ALICE) == sent(lacks, ALICE)) == (left == 2)
    assert any(each.subject == ToConfirm(1, USERS[BOB]) for each in sent(has, BOB))


def test_an_open_shortage_is_told_to_both_and_to_nobody_else() -> None:
    steps = agreed(left=2, alice_has=OFFERED, dave_has=OTHER)
    told = {user_of(each) for each in steps if isinstance(each.subject, ToConfirm)}
    assert told == {USERS[ALICE], USERS[BOB]}
