"""Who learns what in Advanced Civilization: nobody learns anything of what is not theirs, until the rules reveal it.

Two worlds are played side by side. What a viewer may know is the same in both: what everybody saw, their own cards,
what was offered to them and what they traded. All else differs: the cards in other hands and how many there are, how
the stacks lie, what others offer one another and hand over. Then everything this viewer can be shown, all that
`tests.rules.looks` finds, must be the same too, to the byte, after every step.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import product
from random import Random

import pytest

from bot.rules.apply import replay
from bot.rules.books import Step
from bot.rules.commands import ChangeSettings, Gain, HandOver, OpenTable, PostOffer, Sit
from bot.rules.entries import Recorded
from bot.rules.games.advciv.commands import OpenTrading
from bot.rules.goods import Goods
from bot.rules.table import Settings
from tests.rules import looks
from tests.rules.advciv_machine import SEATS, command, hand_of, handed_for
from tests.rules.machine import World, likely
from tests.rules.two_tables import How, Pair, Who, begun, has_the_same_hand, left_out, parts_gone, side_by_side, tried

SCALE = int(os.environ.get("SCALE_OF_TESTS", "1"))
"""How many times the usual number of pairs."""

SEEDS, PAIRS = range(4), 2
"""Each seed has so many pairs of worlds of each kind."""

LIFE, AT_LENGTH = 160, 60
"""Commands at a pair, and after how many all that is long is read again; it is read at the end as well."""

PROBES = 6
"""Commands that the viewer tries after each step, to read the refusals."""

HOWS: tuple[How, ...] = ("swapped", "free")
WHOS: tuple[Who, ...] = ("seat", "host", "nobody")

SALT = Goods({"commodity:salt": 2, "unnamed": 1})
IRON = Goods({"commodity:iron": 2, "unnamed": 1})


@pytest.mark.parametrize("how", HOWS)
@pytest.mark.parametrize("who", WHOS)
@pytest.mark.parametrize("seed", SEEDS)
def test_two_worlds_look_the_same_to_who_may_not_know(seed: int, who: Who, how: How) -> None:
    assert met(seed, who, how)


def test_the_worlds_did_differ() -> None:
    """So that the test above speaks of something: others traded other cards, and the viewer traded too."""
    found: Counter[str] = Counter()
    for seed, who, how in product(SEEDS, WHOS, HOWS):
        found.update(met(seed, who, how))
    assert found["trades: others, other cards"] > 50
    assert found["trades: mine, the same"] > 15
    assert found["hands of other sizes"] > 500


# ---------------------------------------------------------------- told one by one


def test_why_an_offer_became_void_is_not_for_the_other_of_the_two() -> None:
    """Person 1 hands over for the viewer's trade, and then gives some of it to somebody else."""
    pair = two()
    wine = Goods({"commodity:wine": 2, "unnamed": 1})
    assert pair.both(Gain(by=4, goods=Goods({"commodity:wine": 3})))
    salt = Goods({"commodity:salt": 2})
    iron, epidemic = Goods({"commodity:iron": 1}), Goods({"calamity:epidemic": 1})
    assert pair.both(PostOffer(by=1, to=4, give=SALT, want=wine, handed=salt + iron))
    assert pair.both(PostOffer(by=1, to=2, give=SALT, want=IRON, handed=salt + epidemic))
    back = [
        HandOver(by=2, offer=2, revision=1, goods=Goods({"commodity:iron": 2}) + other)
        for other in (epidemic, Goods({"commodity:salt": 1}))
    ]
    assert pair.both(*back)
    assert pair.both(HandOver(by=4, offer=1, revision=1, goods=Goods({"commodity:wine": 3})))
    reasons = [world.table.offers[1].reasons for world in pair.worlds]
    assert reasons[0] != reasons[1]
    same(pair, 0, at_length=True)


# ---------------------------------------------------------------- leaks that there were


def test_what_the_rules_said_of_a_private_offer_is_not_told_when_it_resolves() -> None:
    """A host who plays can look the trade up."""
    pair = two(Settings(rulings="warn"))
    few = Goods({"commodity:salt": 2})
    traded(pair, PostOffer(by=1, to=2, give=SALT, want=IRON), PostOffer(by=1, to=2, give=few, want=IRON))
    same(pair, 0, at_length=True)


def test_by_which_rule_a_private_offer_was_overruled_is_not_told() -> None:
    """Of what it breaks only what does not rest on its goods may stand in the transaction."""
    pair = two(Settings(rulings="warn"))
    traded(pair, PostOffer(by=1, to=2, give=SALT, want=IRON), PostOffer(by=1, to=2, want=IRON))
    same(pair, 0, at_length=False)


def test_that_terms_were_said_in_private_is_nobodys_business() -> None:
    """A deal that stays behind would tell everybody that there were any."""
    pair = two()
    said = PostOffer(by=1, to=2, give=SALT, want=IRON, terms="peace")
    pair.both(said, said.model_copy(update={"terms": ""}))
    for person, goods in ((2, IRON), (1, SALT)):
        cards = handed_for(hand_of(pair.one.table, person), goods, Random(1))
        pair.both(HandOver(by=person, offer=1, revision=1, goods=cards))
    assert pair.one.table.transactions == 1
    assert [entry.kind for entry in pair.one.entries] == [entry.kind for entry in pair.other.entries]


# ---------------------------------------------------------------- what is played


@cache
def met(seed: int, who: Who, how: How) -> Counter[str]:
    """Some pairs of worlds, played to their end; what came about in them."""
    found: Counter[str] = Counter()
    for number in range(PAIRS * SCALE):
        pair = begun(who, how, Random(f"{seed} {who} {how} {number}"), dealt=number % 2 == 0)
        played(pair)
        found.update(pair.met)
    return found


def played(pair: Pair) -> None:
    """A life of many commands, after each of which the worlds are compared."""
    seen = 0
    pair.both(OpenTrading(by=pair.one.table.host))
    for number in range(1, LIFE + 1):
        asked = command(pair.one.table, pair.dice)
        if isinstance(asked, PostOffer) and pair.me and likely(pair.dice, 20):
            asked = asked.model_copy(update={"to": pair.me, "negotiation": None})
        if not left_out(pair, asked):
            side_by_side(pair, asked)
        at_length = number in (AT_LENGTH, LIFE)
        if at_length or seen < len(pair.one.entries):
            same(pair, seen, at_length=at_length)
            seen = len(pair.one.entries)
            if pair.me:
                same_when_tried(pair, 10**6 if at_length else PROBES)


def two(settings: Settings | None = None) -> Pair:
    """Four at a real table, trading; person 4 looks on, and all others have cards enough."""
    pair = Pair(4, Random(1), "free")
    pair.both(OpenTable(by=1, game="advciv"))
    for person, seat in enumerate(SEATS[:4], start=1):
        pair.both(Sit(by=1, seat=seat, person=person))
    if settings is not None:
        pair.both(ChangeSettings(by=1, settings=settings))
    for person in (1, 2, 3):
        pair.both(Gain(by=person, goods=Goods({"commodity:salt": 2, "commodity:iron": 2, "calamity:epidemic": 1})))
    pair.both(OpenTrading(by=1))
    return pair


def traded(pair: Pair, one: PostOffer, other: PostOffer) -> None:
    """Persons 1 and 2 trade what is offered in each world, with the cards that it takes."""
    assert pair.both(one, other)
    for person, promised in ((2, "want"), (1, "give")):
        parts = [
            HandOver(by=person, offer=1, revision=1, goods=handed_for(hand_of(world.table, person), offer, Random(1)))
            for world, offer in ((pair.one, getattr(one, promised)), (pair.other, getattr(other, promised)))
        ]
        assert pair.both(*parts)
    assert pair.one.table.transactions == 1


# ---------------------------------------------------------------- the same


def same(pair: Pair, seen: int, *, at_length: bool) -> None:
    """What the viewer can read, and what everybody can, is the same in both worlds."""
    assert has_the_same_hand(pair)
    new = [_steps(pair, world, seen) for world in pair.worlds]
    for person in dict.fromkeys((pair.me, 0)):
        _same(pair, (looks.shown(world, person, some) for world, some in zip(pair.worlds, new, strict=True)))
        if at_length:
            _same(pair, (looks.told_at_length(world, person, pair.by) for world in pair.worlds))


def _same(pair: Pair, read: Iterable[Iterator[tuple[str, object]]]) -> None:
    for (what, one), (_, other) in zip(*read, strict=True):
        if one != other:
            raise AssertionError(f"{what}: {one}\n\nbut: {other}\n\nafter {pair.done[-1:]}")


def _steps(pair: Pair, world: World, seen: int) -> list[Step]:
    """The steps after so many entries. Their hashes are of no matter here."""
    table, found = replay(world.entries[:seen]), []
    for seq, entry in enumerate(world.entries[seen:], start=seen + 1):
        one = Recorded(table_id=1, seq=seq, at=_at(pair), by=pair.by[seq - 1], entry=entry, hash="")
        after = replay([entry], table)
        found.append(Step(one, table, after))
        table = after
    return found


def same_when_tried(pair: Pair, most: int) -> None:
    """The viewer tries so many of these: it is refused in both worlds with the same words, or in none."""
    every = list(looks.probes(pair.one.table, pair.me, pair.dice))
    for probe in pair.dice.sample(every, min(most, len(every))):
        probe = probe.model_copy(update={"at": _at(pair)})
        answers = [tried(world, probe) for world in pair.worlds]
        if not parts_gone(answers):
            told = [looks.told(world, answer) for world, answer in zip(pair.worlds, answers, strict=True)]
            assert told[0] == told[1], (probe, told)


def _at(pair: Pair) -> int:
    return 1_000_000 + len(pair.one.entries) * 1000
