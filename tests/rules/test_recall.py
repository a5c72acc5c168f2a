"""Tests that recalled deals and offers are as they were. `laws.Memory` checks random tables."""

from __future__ import annotations

from random import Random

from bot.games.ti4.neighbors import JoinNeighbors
from bot.games.ti4.turns import StartTurn
from bot.rules.features.offers.posting import PostOffer
from bot.rules.features.offers.signing import EndOffer, PickTaker, Sign
from bot.rules.features.seats import Leave, Sit
from bot.rules.features.tables import ChangeSettings
from bot.rules.model.goods import Goods
from bot.rules.recall import recalled, with_ended
from bot.testing.world import World
from tests.games.ti4.machine import opened

ONE = Goods({"trade_good": 1})


def traded() -> World:
    """Return a table where person 1's offer to person 2 resolved."""
    world = opened(3, Random(1))
    world.do(1, StartTurn())
    world.do(1, PostOffer(world.seat(2), ONE, terms="and peace"))
    world.do(2, Sign(1))
    return world


def test_what_a_seat_agreed_to_under_its_last_holder_is_not_the_next_ones() -> None:
    """The first signed and left, the next agreed ahead of time: no signature is left."""
    world = opened(3, Random(1))
    seat = world.seat(2)
    world.do(1, StartTurn())
    world.do(1, PostOffer(give=ONE))
    world.do(2, Sign(1))
    world.do(2, Leave())
    world.do(1, Sit(seat, 9))
    world.do(1, ChangeSettings({"confirm": "twice"}))
    world.do(9, Sign(1))
    before = world.table
    entries = world.do(1, EndOffer(1, "withdraw"))
    offer = with_ended(before, world.table, entries).offers[1]
    assert set(offer.agreed) == {seat}
    assert seat not in offer.signatures
    assert world.recall(["offer:1"]).offers[1] == offer


def test_entries_after_the_table_are_of_the_future() -> None:
    """A table may be an earlier one than the ledger has entries for."""
    world = traded()
    then = next(table for table in world.tables if table.offers_posted == 1)
    again = recalled(then, {"offer:1": world.by_subject["offer:1"]})
    assert again.offers[1].status == "open"


def test_what_was_said_by_one_who_left_before_the_end_is_unsaid() -> None:
    """A successor did not accept the offer that another one was picked for."""
    world = opened(4, Random(1))
    taker, other = world.seat(2), world.seat(3)
    world.do(1, JoinNeighbors(world.seat(1), other))
    world.do(1, StartTurn())
    world.do(1, PostOffer(None, ONE))
    world.do(2, Sign(1))
    world.do(3, Sign(1))
    world.do(2, Leave())
    world.do(10, Sit(taker))
    world.do(1, PickTaker(1, 1, other))
    assert world.table.transactions == 1
    offer = world.recall(["offer:1"]).offers[1]
    assert set(offer.signatures) == {world.seat(1), other}
