"""Recalling what is over: the same as it was when it ended. Random tables are held to it by `laws.Memory`."""

from __future__ import annotations

from random import Random

import pytest

from bot.games.ti4.neighbors import JoinNeighbors
from bot.games.ti4.turns import StartTurn
from bot.rules.features.deals import AnswerDeal, MarkDeal, ProposeDeal
from bot.rules.features.offers.posting import PostOffer, RepeatOffer
from bot.rules.features.offers.signing import EndOffer, PickTaker, Sign
from bot.rules.features.seats import Leave, Sit
from bot.rules.features.tables import ChangeSettings
from bot.rules.model.goods import Goods
from bot.rules.model.violation import Refused
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


def test_a_table_does_not_hold_what_is_over() -> None:
    world = traded()
    assert not world.table.offers
    assert not world.table.deals
    assert (world.table.offers_posted, world.table.transactions, world.table.deals_proposed) == (1, 1, 1)


def test_an_offer_that_resolved_is_recalled_as_it_ended() -> None:
    world = traded()
    offer = world.recall(["offer:1"]).offers[1]
    assert (offer.status, offer.transaction, offer.give, offer.terms) == ("resolved", 1, ONE, "and peace")
    assert set(offer.signatures) == {world.seat(1), world.seat(2)}


def test_what_ended_with_a_command_is_put_back_for_its_answer() -> None:
    world = opened(3, Random(1))
    world.do(1, PostOffer(world.seat(2), ONE))
    before = world.table
    entries = world.do(1, EndOffer(1, "withdraw"))
    assert world.table.offers == {}
    assert with_ended(before, world.table, entries).offers[1].status == "withdrawn"
    assert with_ended(before, world.table, entries).offers == world.recall(["offer:1"]).offers


def test_what_a_seat_agreed_to_under_its_last_holder_is_not_the_next_ones() -> None:
    """The first accepted it and left, the next agreed ahead of time: the first's signature is gone for good."""
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
    assert (set(offer.agreed), seat in offer.signatures) == ({seat}, False)
    assert world.recall(["offer:1"]).offers[1] == offer


def test_what_the_table_still_has_stays_as_it_is() -> None:
    world = opened(3, Random(1))
    world.do(1, PostOffer(world.seat(2), ONE))
    assert world.recall(["offer:1"]) == world.table


def test_what_there_never_was_is_not_recalled() -> None:
    world = opened(3, Random(1))
    assert world.recall(["offer:1", "deal:4", "negotiation:2", "nothing"]) == world.table


def test_entries_after_the_table_are_of_the_future() -> None:
    """A table may be an earlier one than the ledger has entries for."""
    world = traded()
    then = next(table for table in world.tables if table.offers_posted == 1)
    again = recalled(then, {"offer:1": world.by_subject["offer:1"]})
    assert again.offers[1].status == "open"


def test_an_offer_that_is_over_is_refused_by_what_became_of_it() -> None:
    world = traded()
    world.do(1, PostOffer(world.seat(2), ONE))
    world.do(2, EndOffer(2, "decline"))
    with pytest.raises(Refused, match=r"Offer 1 has been resolved. That can't be undone. \[94.4.1\]"):
        world.do(2, Sign(1))
    with pytest.raises(Refused, match="Offer 2 was declined"):
        world.do(2, Sign(2))
    with pytest.raises(Refused, match="There is no offer 3"):
        world.do(2, Sign(3))


def test_either_of_the_two_repeats_what_resolved_and_nobody_else() -> None:
    world = traded()
    with pytest.raises(Refused, match="between others"):
        world.do(3, RepeatOffer(1))
    world.do(1, RepeatOffer(1))
    world.do(2, RepeatOffer(1))
    one, other = world.table.offers[2], world.table.offers[3]
    assert (one.seat, one.give, one.want) == (world.seat(1), ONE, Goods())
    assert (other.seat, other.give, other.want) == (world.seat(2), Goods(), ONE)


def test_a_deal_is_answered_and_marked_when_it_has_left_the_table() -> None:
    world = opened(3, Random(1))
    world.do(1, ProposeDeal(world.seat(2), "peace", later=True))
    world.do(2, AnswerDeal(1, agreed=True))
    assert world.table.deals == {}
    world.do(1, MarkDeal(1, "kept"))
    world.do(2, MarkDeal(1, "broken"))
    assert world.recall(["deal:1"]).deals[1].marks == {world.seat(1): "kept", world.seat(2): "broken"}
    assert (world.table.deal_tally.promises, world.table.deal_tally.broken) == (1, 1)
    with pytest.raises(Refused, match="already agreed"):
        world.do(2, AnswerDeal(1, agreed=False))


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
    assert set(world.recall(["offer:1"]).offers[1].signatures) == {world.seat(1), other}
