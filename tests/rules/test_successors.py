"""Tests of what successors and predecessors in a seat can see."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from random import Random

import pytest

from bot.rules.features.deals import AnswerDeal, DealMarked, MarkDeal, ProposeDeal
from bot.rules.features.holdings import Gain
from bot.rules.features.offers.posting import PostOffer, RepeatOffer
from bot.rules.features.offers.signing import HandOver, Sign
from bot.rules.features.seats import Leave, Sit
from bot.rules.model.goods import Goods
from bot.rules.model.violation import Refused
from bot.testing.world import World
from tests.games.ti4.machine import opened
from tests.rules.viewing import cards, channel, looks, reads, viewer

SALT = Goods({"commodity:salt": 2, "unnamed": 1})
IRON = Goods({"commodity:iron": 2, "unnamed": 1})
SALT_AND_WINE = Goods({"commodity:salt": 2, "commodity:wine": 1})
IRON_AND_WINE = Goods({"commodity:iron": 2, "commodity:wine": 1})


def taken_over(world: World, seat: str, by: int = 10) -> None:
    """The person in this seat leaves, and another one takes it over."""
    holder = world.table.seats[seat].person
    assert holder is not None
    world.do(holder, Leave())
    world.do(by, Sit(seat))


def test_a_successor_does_not_learn_how_a_private_deal_of_before_is_judged() -> None:
    world = opened(4, Random(1))
    seat = world.seat(2)
    world.do(1, ProposeDeal(seat, "hostilities", later=True, private=True))
    world.do(2, AnswerDeal(1, agreed=True))
    taken_over(world, seat)
    world.do(1, MarkDeal(1, "broken"))
    for person in (1, 2, 3, 10):
        marked = reads(world, viewer(world, person))[-1].entry
        assert isinstance(marked, DealMarked)
        assert marked.said() == ("broken" if person == 1 else None)
        assert ("broken" in repr(marked)) == (person == 1)


def test_who_comes_back_to_an_empty_seat_finds_everything_but_not_after_another() -> None:
    world = opened(4, Random(1))
    seat = world.seat(2)
    world.do(1, PostOffer(seat, Goods({f"note:ceasefire:{world.seat(1)}": 1})))
    world.do(2, Leave())
    world.do(2, Sit(seat))
    assert looks(world, 2).offers[1].exact
    taken_over(world, seat)
    world.do(1, PostOffer(seat, Goods({f"note:ceasefire:{world.seat(1)}": 1})))
    world.do(10, Leave())
    world.do(2, Sit(seat))
    assert not looks(world, 2).offers[2].exact, "that one was for the person in between"


def test_an_entry_names_people_as_they_were() -> None:
    world = opened(3, Random(1))
    seat = world.seat(2)
    world.do(2, Gain(Goods({"trade_good": 1})))
    taken_over(world, seat)
    world.do(10, Gain(Goods({"trade_good": 1})))
    entries = [view for view in reads(world, channel(world)) if view.kind == "holdings.gained"]
    assert [view.names.holders[seat] for view in entries] == [2, 10]
    assert looks(world, 1).names.holders[seat] == 10
    left = next(view for view in reads(world, channel(world)) if view.kind == "seat.left")
    assert left.names.holders[seat] == 2


def test_an_entry_knows_nobody_who_had_not_sat_down_yet() -> None:
    world = opened(3, Random(1))
    first = reads(world, channel(world))[0]
    # the first holder of a seat has it from the beginning
    assert set(first.names.holders) == set(world.table.seats)
    seat = world.seat(2)
    world.do(2, Leave())
    world.do(3, Gain(Goods({"trade_good": 1})))
    assert reads(world, channel(world))[-1].names.holders[seat] is None


def test_a_successor_does_not_learn_why_an_offer_became_void() -> None:
    """The reason names cards that were in the hand of the one before."""
    world = World()
    cards(world)
    world.do(2, PostOffer(None, SALT, IRON, handed=SALT_AND_WINE))
    world.do(2, PostOffer("asia", SALT, IRON, handed=SALT_AND_WINE))
    world.do(3, HandOver(2, IRON_AND_WINE, 1))
    world.do(1, HandOver(1, IRON_AND_WINE, 1))
    assert "You no longer have" in looks(world, 2).offers[1].ruling.end_reason
    taken_over(world, "egypt")
    assert looks(world, 10).offers[1].ruling.end_reason == ""


def test_a_successor_of_the_taker_of_an_offer_to_all_is_one() -> None:
    """Who was picked became one of its two later than it was posted."""
    world = World()
    cards(world)
    world.do(2, PostOffer(None, SALT, IRON))
    world.do(3, Sign(1))
    world.do(2, HandOver(1, SALT_AND_WINE, 1))
    world.do(3, HandOver(1, IRON_AND_WINE, 1))
    assert world.table.transactions == 1
    taken_over(world, "asia")
    offer = world.recall(["offer:1"]).offers[1]
    assert offer.parties.people == {"egypt": 2, "asia": 3}
    with pytest.raises(Refused, match="between others"):
        world.do(10, RepeatOffer(1))


def test_a_successor_is_not_told_what_may_follow_from_before() -> None:
    """Only that person is told, in private, what they gave away and still offer."""
    world = World()
    cards(world)
    world.do(2, PostOffer("crete", SALT, IRON, handed=SALT_AND_WINE))
    world.do(2, PostOffer("asia", SALT, IRON, handed=SALT_AND_WINE))
    world.do(3, HandOver(2, IRON_AND_WINE, 1))
    others = chain.from_iterable(view.other_offers for view in reads(world, viewer(world, 2)))
    assert any(offer.unmet for offer in others)
    beside_others = replace(viewer(world, 2), shared=True)
    taken_over(world, "egypt")
    for who in (beside_others, viewer(world, 10)):
        for view in reads(world, who):
            assert view.follow_ups == view.other_offers == ()
