"""Tests that the trades of others stay secret in Advanced Civilization, case by case.

That nobody learns more, whatever happens, is shown by ``tests/rules/test_noninterference.py``.
"""

from __future__ import annotations

from random import Random

import pytest

from bot.games.advciv.losing import LoseCards
from bot.games.advciv.taking import AnswerTake, TakeCard
from bot.games.advciv.trading import OpenTrading
from bot.rules.commands import Caller
from bot.rules.features.holdings import Gain
from bot.rules.features.offers.posting import PostOffer
from bot.rules.features.offers.signing import HandOver
from bot.rules.features.seats import Sit
from bot.rules.features.tables import ChangeSettings, OpenTable
from bot.rules.model.goods import Goods
from bot.testing.twins import HOST, Pair, Who, same
from bot.testing.world import Ask
from tests.games.advciv.machine import SEATS, hand_of, handed_for, now
from tests.games.advciv.playing import cards
from tests.games.advciv.twins import PLAY

SALT = cards("2 salt, ?")
IRON = cards("2 iron, ?")


def two(who: Who = "player", **settings: str | int) -> Pair:
    """Four trade at a real table. The viewer is person 2; persons 1, 3 and 4 have cards enough."""
    pair = Pair(who, Random(1))
    both(pair, HOST, OpenTable("advciv"))
    for person, seat in enumerate(SEATS[:4], start=1):
        both(pair, HOST, Sit(seat, person))
    if settings:
        both(pair, HOST, ChangeSettings(settings))
    for person in (1, 3, 4):
        both(pair, person, Gain(cards("2 salt, 2 iron, epidemic")))
    both(pair, HOST, OpenTrading())
    return pair


def both(pair: Pair, person: int, one: object, other: object = None) -> None:
    caller = Caller(person, at=now(pair.one.table))
    assert pair.both(PLAY, Ask(one, caller), Ask(other or one, caller))  # type: ignore[arg-type]


def traded(pair: Pair, one: PostOffer, other: PostOffer) -> None:
    """Persons 1 and 3 trade what is offered in each world, with the cards that it takes."""
    both(pair, 1, one, other)
    hands_over(pair, 3, one.want, other.want)
    hands_over(pair, 1, one.give, other.give)
    assert pair.one.table.transactions == 1


def hands_over(pair: Pair, person: int, one: Goods, other: Goods) -> None:
    """This person hands over what was promised in each world."""
    seat = pair.one.seat(person)
    here = handed_for(hand_of(pair.one.table, seat), one, Random(1))
    there = handed_for(hand_of(pair.other.table, seat), other, Random(1))
    both(pair, person, HandOver(1, here), HandOver(1, there))


@pytest.mark.parametrize("who", ["everybody", "player"])
def test_what_the_rules_said_of_a_private_offer_is_not_told_when_it_resolves(who: Who) -> None:
    pair = two(who, rulings="warn")
    three, two_cards = PostOffer("babylon", SALT, IRON), PostOffer("babylon", cards("2 salt"), IRON)
    traded(pair, three, two_cards)
    same(pair, 0, at_length=True)


def test_by_which_rule_a_private_offer_was_overruled_is_not_told() -> None:
    """Of what it breaks only what does not rest on its goods may stand in the transaction."""
    pair = two("everybody", rulings="warn")
    for_salt, for_nothing = PostOffer("babylon", SALT, IRON), PostOffer("babylon", want=IRON)
    traded(pair, for_salt, for_nothing)
    same(pair, 0)


def test_that_terms_were_said_in_private_is_for_the_two() -> None:
    """A deal that stays behind would tell everybody that there were any."""
    pair = two("everybody")
    peace, no_terms = PostOffer("babylon", SALT, IRON, "peace"), PostOffer("babylon", SALT, IRON)
    traded(pair, peace, no_terms)
    one, other = pair.worlds
    assert [entry.kind for entry in one.entries] == [entry.kind for entry in other.entries]


OTHERS: tuple[Who, ...] = ("everybody", "player", "moderator who has not looked")


@pytest.mark.parametrize("who", OTHERS)
def test_that_chance_had_no_card_to_take_is_for_the_two(who: Who) -> None:
    """Person 4 holds a calamity that stays in one world, and a card that goes in the other."""
    pair = Pair(who, Random(1))
    both(pair, HOST, OpenTable("advciv"))
    for person, seat in enumerate(SEATS[:4], start=1):
        both(pair, HOST, Sit(seat, person))
    both(pair, 4, Gain(cards("famine")), Gain(cards("salt")))
    taker, owner = pair.one.seat(1), pair.one.seat(4)
    both(pair, 1, TakeCard(owner))
    both(pair, 4, AnswerTake(taker, agreed=True))
    assert pair.one.table.seats[owner].holdings == cards("famine")
    assert not pair.other.table.seats[owner].holdings
    both(pair, 4, LoseCards(cities=0))
    same(pair, 0, at_length=True)


@pytest.mark.parametrize("who", OTHERS)
def test_what_was_traded_by_mistake_and_back_is_for_the_two(who: Who) -> None:
    """Persons 1 and 3 trade and trade back, with a calamity in one world, without in the other."""
    pair = two(who)
    both(pair, 1, PostOffer("babylon", SALT, IRON))
    both(pair, 3, HandOver(1, cards("2 iron, salt")))
    both(pair, 1, HandOver(1, cards("2 salt, epidemic")), HandOver(1, cards("2 salt, iron")))
    both(pair, 3, PostOffer("africa", SALT, IRON))
    both(pair, 1, HandOver(2, cards("2 iron, salt")))
    both(pair, 3, HandOver(2, cards("2 salt, epidemic")), HandOver(2, cards("2 salt, iron")))
    assert pair.one.table.transactions == 2
    same(pair, 0, at_length=True)
