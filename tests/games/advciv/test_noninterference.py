"""Tests that the trades of others stay secret in Advanced Civilization, case by case.

That nobody learns more, whatever happens, is shown by ``tests/rules/test_noninterference.py``.
"""

from __future__ import annotations

from random import Random

import pytest

from bot.games.advciv.calamities import ShowCalamities
from bot.games.advciv.cities import SayCities
from bot.games.advciv.drawing import missing
from bot.games.advciv.trading import CloseTrading, OpenTrading
from bot.rules.commands import Caller
from bot.rules.features.holdings import Gain
from bot.rules.features.offers.posting import PostOffer
from bot.rules.features.offers.signing import HandOver
from bot.rules.features.seats import Sit
from bot.rules.features.tables import ChangeSettings, OpenTable, SetPhase
from bot.rules.model.goods import Goods
from bot.testing.twins import HOST, Pair, Who, same
from bot.testing.world import Ask
from tests.games.advciv.machine import SEATS, hand_of, handed_for, now
from tests.games.advciv.twins import PLAY

SALT = Goods({"commodity:salt": 2, "unnamed": 1})
IRON = Goods({"commodity:iron": 2, "unnamed": 1})


def two(who: Who = "player", **settings: str | int) -> Pair:
    """Four at a real table, trading; the viewer is person 2, and persons 1, 3 and 4 have cards
    enough.
    """
    pair = Pair(who, Random(1))
    both(pair, HOST, OpenTable("advciv"))
    for person, seat in enumerate(SEATS[:4], start=1):
        both(pair, HOST, Sit(seat, person))
    if settings:
        both(pair, HOST, ChangeSettings(settings))
    for person in (1, 3, 4):
        both(
            pair,
            person,
            Gain(Goods({"commodity:salt": 2, "commodity:iron": 2, "calamity:epidemic": 1})),
        )
    both(pair, HOST, OpenTrading())
    return pair


def both(pair: Pair, person: int, one: object, other: object = None) -> None:
    caller = Caller(person, at=now(pair.one.table))
    assert pair.both(PLAY, Ask(one, caller), Ask(other or one, caller))  # type: ignore[arg-type]


def traded(pair: Pair, one: PostOffer, other: PostOffer) -> None:
    """Persons 1 and 3 trade what is offered in each world, with the cards that it takes."""
    both(pair, 1, one, other)
    for person, promised in ((3, "want"), (1, "give")):
        seat = pair.one.seat(person)
        parts = [
            HandOver(
                1, handed_for(hand_of(world.table, seat), getattr(offer, promised), Random(1)), 1
            )
            for world, offer in zip(pair.worlds, (one, other), strict=True)
        ]
        both(pair, person, *parts)
    assert pair.one.table.transactions == 1


def test_why_an_offer_became_void_is_not_for_the_other_of_the_two() -> None:
    """Person 1 hands over for the viewer's trade, and then gives some of it to somebody else."""
    pair, wine = two(), Goods({"commodity:wine": 2, "unnamed": 1})
    both(pair, 2, Gain(Goods({"commodity:wine": 3})))
    salt, iron = Goods({"commodity:salt": 2}), Goods({"commodity:iron": 1})
    epidemic = Goods({"calamity:epidemic": 1})
    both(pair, 1, PostOffer(SEATS[1], SALT, wine, handed=salt + iron))
    both(pair, 1, PostOffer(SEATS[2], SALT, IRON, handed=salt + epidemic))
    back = [
        HandOver(2, Goods({"commodity:iron": 2}) + card, 1)
        for card in (epidemic, Goods({"commodity:salt": 1}))
    ]
    both(pair, 3, *back)
    both(pair, 2, HandOver(1, Goods({"commodity:wine": 3}), 1))
    reasons = [world.recall(["offer:1"]).offers[1].reasons for world in pair.worlds]
    assert reasons[0] != reasons[1]
    same(pair, 0, at_length=True)


@pytest.mark.parametrize("who", ["seated host", "everybody", "player"])
def test_what_the_rules_said_of_a_private_offer_is_not_told_when_it_resolves(who: Who) -> None:
    """A host who plays can look the trade up."""
    pair = two(who if who != "seated host" else "player", rulings="warn")
    pair.who = who if who != "seated host" else "player"
    few = Goods({"commodity:salt": 2})
    traded(pair, PostOffer(SEATS[2], SALT, IRON), PostOffer(SEATS[2], few, IRON))
    same(pair, 0, at_length=True)


def test_by_which_rule_a_private_offer_was_overruled_is_not_told() -> None:
    """Of what it breaks only what does not rest on its goods may stand in the transaction."""
    pair = two("everybody", rulings="warn")
    traded(pair, PostOffer(SEATS[2], SALT, IRON), PostOffer(SEATS[2], want=IRON))
    same(pair, 0)


@pytest.mark.parametrize("who", ["everybody", "player"])
def test_that_a_hand_is_over_the_limit_is_for_its_player(who: Who) -> None:
    """Person 3 keeps eight cards in one world, and nine in the other."""
    pair = two(who)
    both(pair, 3, Gain(Goods({"commodity:wine": 4})), Gain(Goods({"commodity:wine": 5})))
    both(pair, HOST, CloseTrading())
    both(pair, HOST, ShowCalamities())
    both(pair, HOST, SetPhase("acquire"))
    same(pair, 0, at_length=True)


@pytest.mark.parametrize("who", ["everybody", "player"])
def test_that_somebody_typed_fewer_cards_than_cities_is_for_them(who: Who) -> None:
    """Person 3 has three cities, and types two cards in one world, and three in the other."""
    pair = two(who)
    both(pair, HOST, CloseTrading())
    both(pair, HOST, ShowCalamities())
    both(pair, HOST, SetPhase("acquire"))
    both(pair, 3, SayCities(3))
    both(pair, 3, Gain(Goods({"commodity:wine": 2})), Gain(Goods({"commodity:wine": 3})))
    both(pair, HOST, OpenTrading(anyway=True))
    assert [bool(missing(world.table)) for world in pair.worlds] == [True, False]
    same(pair, 0, at_length=True)


def test_that_terms_were_said_in_private_is_for_the_two() -> None:
    """A deal that stays behind would tell everybody that there were any."""
    pair = two("everybody")
    both(pair, 1, PostOffer(SEATS[2], SALT, IRON, "peace"), PostOffer(SEATS[2], SALT, IRON))
    for person, goods in ((3, IRON), (1, SALT)):
        cards = handed_for(hand_of(pair.one.table, pair.one.seat(person)), goods, Random(1))
        both(pair, person, HandOver(1, cards, 1))
    assert pair.one.table.transactions == 1
    assert [entry.kind for entry in pair.one.entries] == [
        entry.kind for entry in pair.other.entries
    ]
