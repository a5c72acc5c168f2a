"""Who learns what in Advanced Civilization: nobody learns anything of what is not theirs, until the rules reveal it.

Two worlds are played side by side. What a viewer may know is the same in both: what everybody saw, their own cards,
what was offered to them and what they traded. All else differs: the cards in other hands and how many there are, how
the stacks lie, what others offer one another and hand over. Everything this viewer can see must be equal after every
step.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.rules.commands import Caller
from bot.rules.games.advciv.commands import OpenTrading
from bot.rules.holdings.commands import Gain
from bot.rules.model.goods import Goods
from bot.rules.offers.commands import HandOver, PostOffer
from bot.rules.seats.commands import Sit
from bot.rules.tables.commands import ChangeSettings, OpenTable
from tests.rules.games.advciv.machine import SEATS, hand_of, handed_for, now
from tests.rules.games.advciv.twins import PLAY, begun
from tests.rules.machines import laws
from tests.rules.machines.looks import assert_open
from tests.rules.machines.twins import HOST, WHOS, Pair, Who, closed, played, same
from tests.rules.machines.world import Ask

LIFE, AT_LENGTH, PROBES = 160, 60, 6
"""Commands at a pair, after how many all that is long is read, and what the viewer tries after each step."""

SEEDS = range(4 * laws.SCALE)

SALT = Goods({"commodity:salt": 2, "unnamed": 1})
IRON = Goods({"commodity:iron": 2, "unnamed": 1})


@cache
def met(seed: int, who: Who, swaps: bool) -> Counter[str]:
    """Play a pair of worlds to its end; return what came about there."""
    pair = begun(who, Random(f"{seed} {who} {swaps}"), swaps=swaps)
    played(pair, PLAY, LIFE, at_length=AT_LENGTH, probes=PROBES)
    return pair.met


@settings(max_examples=5 * laws.SCALE, deadline=None, phases=laws.PHASES)
@given(st.sampled_from(WHOS), st.booleans(), st.integers(0, 2**32))
def test_whatever_happens_a_viewer_learns_nothing(who: Who, swaps: bool, seed: int) -> None:
    pair = begun(who, Random(seed), swaps=swaps)
    played(pair, PLAY, 30, at_length=30, probes=2)


@settings(max_examples=5 * laws.SCALE, deadline=None, phases=laws.PHASES)
@given(st.sampled_from(WHOS), st.booleans(), st.integers(0, 2**32))
def test_nor_when_the_table_is_closed_and_its_secrets_stay(who: Who, swaps: bool, seed: int) -> None:
    pair = begun(who, Random(seed), swaps=swaps, open_on_close="no")
    played(pair, PLAY, 25, at_length=100, probes=0)
    closed(pair, PLAY)
    same(pair, 0, at_length=True)


@settings(max_examples=5 * laws.SCALE, deadline=None, phases=laws.PHASES)
@given(st.sampled_from(WHOS), st.booleans(), st.integers(0, 2**32))
def test_all_is_open_to_all_when_the_table_is_closed_and_they_open(who: Who, swaps: bool, seed: int) -> None:
    pair = begun(who, Random(seed), swaps=swaps)
    played(pair, PLAY, 25, at_length=100, probes=0)
    closed(pair, PLAY)
    assert_open(pair.one, pair.viewer(pair.one))


@pytest.mark.slow
@pytest.mark.parametrize("swaps", [True, False])
@pytest.mark.parametrize("who", WHOS)
@pytest.mark.parametrize("seed", SEEDS)
def test_two_worlds_look_the_same_to_who_may_not_know(seed: int, who: Who, swaps: bool) -> None:
    assert met(seed, who, swaps) is not None


@pytest.mark.slow
def test_the_worlds_did_differ() -> None:
    """So that the test above speaks of something: others traded other cards, and the viewer traded too."""
    found: Counter[str] = Counter()
    for seed, who, swaps in product(SEEDS, WHOS, (True, False)):
        found.update(met(seed, who, swaps))
    assert found["trades: others, other cards"] > 50, found
    assert found["trades: mine, the same"] > 15, found
    assert found["hands of other sizes"] > 500, found
    assert found["took over"] > 2, found


# ---------------------------------------------------------------- told one by one


def two(who: Who = "player", **settings: str | int) -> Pair:
    """Four at a real table, trading; the viewer is person 2, and persons 1, 3 and 4 have cards enough."""
    pair = Pair(who, Random(1))
    both(pair, HOST, OpenTable("advciv"))
    for person, seat in enumerate(SEATS[:4], start=1):
        both(pair, HOST, Sit(seat, person))
    if settings:
        both(pair, HOST, ChangeSettings(settings))
    for person in (1, 3, 4):
        both(pair, person, Gain(Goods({"commodity:salt": 2, "commodity:iron": 2, "calamity:epidemic": 1})))
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
            HandOver(1, handed_for(hand_of(world.table, seat), getattr(offer, promised), Random(1)), 1)
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
    back = [HandOver(2, Goods({"commodity:iron": 2}) + card, 1) for card in (epidemic, Goods({"commodity:salt": 1}))]
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


def test_that_terms_were_said_in_private_is_for_the_two() -> None:
    """A deal that stays behind would tell everybody that there were any."""
    pair = two("everybody")
    both(pair, 1, PostOffer(SEATS[2], SALT, IRON, "peace"), PostOffer(SEATS[2], SALT, IRON))
    for person, goods in ((3, IRON), (1, SALT)):
        cards = handed_for(hand_of(pair.one.table, pair.one.seat(person)), goods, Random(1))
        both(pair, person, HandOver(1, cards, 1))
    assert pair.one.table.transactions == 1
    assert [entry.kind for entry in pair.one.entries] == [entry.kind for entry in pair.other.entries]
