"""A pair of tables that are the same to one viewer: how they begin, and how a command is made for the other one when
all that this viewer may not know differs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Literal

from bot.rules.apply import replay
from bot.rules.commands import (
    AlterOffer,
    Audit,
    ChangeSettings,
    CloseTable,
    Command,
    CounterOffer,
    Gain,
    HandOver,
    Leave,
    OpenNegotiation,
    OpenTable,
    PostOffer,
    ProposeDeal,
    SetHoldings,
    SetHost,
    Sit,
    Spend,
)
from bot.rules.decide import decide
from bot.rules.entries import Entry, OfferVoided, Transaction
from bot.rules.games.advciv.commands import BuyCard, DrawCards, ShowCalamities, SurrenderCards
from bot.rules.games.advciv.entries import Shuffle, StacksShuffled
from bot.rules.games.advciv.stacks import box
from bot.rules.games.advciv.state import Stack, state_of
from bot.rules.goods import NOTHING, Goods
from bot.rules.offer_state import trade_of
from bot.rules.ruling import Refused
from bot.rules.table import Offer, Settings, Table
from tests.rules import looks
from tests.rules.advciv_machine import LOOKS_ON, SEATS, each, goods_of, hand_of, handed_for, side, some_cards
from tests.rules.machine import World, likely

TRIES = 4
"""How often another thing is looked for that somebody could have done in secret."""

Who = Literal["seat", "host", "nobody"]
"""Who looks: somebody who plays, the host who does so too, or anybody else."""

How = Literal["swapped", "free"]
"""How the worlds differ: two cards have changed their places in all that is not known, or anything has."""


@dataclass
class Pair:
    """Two worlds that are the same for one viewer: person ``me``, 0 for nobody at the table."""

    me: int
    dice: Random
    how: How
    one: World = field(default_factory=World)
    other: World = field(default_factory=World)
    by: list[int] = field(default_factory=list)
    done: list[tuple[Command, Command]] = field(default_factory=list)
    swapped: tuple[str, str] = ("", "")
    met: Counter[str] = field(default_factory=Counter)

    @property
    def worlds(self) -> tuple[World, World]:
        return self.one, self.other

    @property
    def seat(self) -> str | None:
        found = self.one.table.seat_of(self.me)
        return found.id if found else None

    def mine(self, *seats: str | None) -> bool:
        """Whether one of these is the viewer's seat, so that they may know."""
        return self.seat is not None and self.seat in seats

    def both(self, asked: Command, instead: Command | None = None) -> bool:
        """Do this in the one world and that, or the same, in the other, if it comes to the same for everybody."""
        commands = (asked, instead or asked)
        answers = [tried(world, each) for world, each in zip(self.worlds, commands, strict=True)]
        if asked.by == self.me:
            told = [looks.told(world, answer) for world, answer in zip(self.worlds, answers, strict=True)]
            assert told[0] == told[1] or parts_gone(answers), (commands, told)
        if any(isinstance(answer, Refused) for answer in answers):
            assert _of_a_hand(asked, answers), (commands, answers)
            return all(isinstance(answer, Refused) for answer in answers)
        if parts_gone(answers) or self._would_show_more(answers):
            return False
        for world, entries in zip(self.worlds, answers, strict=True):
            assert not isinstance(entries, Refused)
            world.table = replay(entries, world.table)
            world.entries += entries
        self.by += [asked.by] * (len(self.one.entries) - len(self.by))
        self.done.append((commands[0], commands[1]))
        self._count(answers)
        return True

    def _would_show_more(self, answers: Sequence[Sequence[Entry] | Refused]) -> bool:
        """Whether the viewer would receive other cards in the other world: of their own trades they learn all."""
        got = [
            [entry.hidden for entry in entries if isinstance(entry, Transaction) and self.mine(*entry.parties())]
            for entries in answers
            if not isinstance(entries, Refused)
        ]
        return got[0] != got[1]

    def _count(self, answers: Sequence[Sequence[Entry] | Refused]) -> None:
        """What came about, so that the tests can say that they have seen it."""
        for one, other in zip(*answers, strict=False):  # type: ignore[arg-type]
            if isinstance(one, Transaction):
                whose = "mine" if self.mine(*one.parties()) else "others"
                self.met[f"trades: {whose}, {'the same' if one == other else 'other cards'}"] += 1
        hands = [[seat.holdings.total() for seat in world.table.seats.values()] for world in self.worlds]
        self.met["hands of other sizes"] += hands[0] != hands[1]


def tried(world: World, command: Command) -> tuple[Entry, ...] | Refused:
    """What the rules would do, or why not; the world stays as it is."""
    try:
        return decide(world.table, command)
    except Refused as refused:
        return refused


def parts_gone(answers: Sequence[Sequence[Entry] | Refused]) -> bool:
    """Whether in one world a trade comes about, and in the other what was handed over has gone elsewhere since. That is
    seen by all, as it is by the rules; so such a step is not taken.
    """
    if any(isinstance(answer, Refused) for answer in answers):
        return False
    kinds = [[type(entry) for entry in answer] for answer in answers]  # type: ignore[union-attr]
    return kinds[0] != kinds[1] and any(OfferVoided in each for each in kinds)


def _of_a_hand(asked: Command, answers: Sequence[Sequence[Entry] | Refused]) -> bool:
    """Whether both were refused, or one because of what is in the hand of who asked, or what they said of it."""
    refused = [answer.ruling for answer in answers if isinstance(answer, Refused)]
    said = isinstance(asked, Gain | Spend | SetHoldings | AlterOffer) or refused[0].rule in ("28.3", "29.2")
    return len(refused) == 2 or said


# ---------------------------------------------------------------- what is done in the other world


REVEALS = (ShowCalamities, CloseTable)
"""29.3, and the end of a table: then everybody may know, and a pair is over."""


def left_out(pair: Pair, asked: Command) -> bool:
    """What is not asked for at a pair: what reveals, what would take the viewer away, and what would bring them cards
    that lie otherwise. Who draws after a hand was set would show which stack is how high.
    """
    reveals = isinstance(asked, REVEALS) or (isinstance(asked, SurrenderCards) and asked.by != pair.me)
    moves = isinstance(asked, Sit | Leave) and asked.person == pair.me
    hosts = isinstance(asked, SetHost) and pair.me in (1, asked.person)
    return reveals or moves or hosts or isinstance(asked, DrawCards | BuyCard | Audit)


def side_by_side(pair: Pair, asked: Command) -> bool:
    """A command in the one world, and in the other what it is when all that the viewer may not know is different."""
    for attempt in range(TRIES):
        one, other = _variants(pair, asked, pair.dice, as_swapped=attempt == 0 and pair.how == "swapped")
        if pair.both(one, other):
            return True
    return False


def _variants(pair: Pair, asked: Command, dice: Random, *, as_swapped: bool) -> tuple[Command, Command]:
    table = pair.other.table
    if asked.by == pair.me and pair.me:
        return asked, asked

    def secret(goods: Goods, person: int | None) -> Goods:
        return _swapped(pair, goods) if as_swapped else side(hand_of(table, person), dice)

    match asked:
        case HandOver(offer=number) if number in pair.one.table.offers:
            return _handed(pair, asked, dice, as_swapped=as_swapped)
        case PostOffer():
            to = _meant_for(pair.one.table, asked)
            if to is None or to == pair.me:
                return _alike(pair, asked, dice)
            give, want = secret(asked.give, asked.by), secret(asked.want, to)
            return asked, asked.model_copy(
                update={
                    "give": give, "want": want, "terms": _words(asked.terms, dice),
                    "handed": None if asked.handed is None else handed_for(hand_of(table, asked.by), give, dice),
                }
            )  # fmt: skip
        case CounterOffer(offer=number) | AlterOffer(offer=number) if number in pair.one.table.offers:
            offer = pair.one.table.offers[number]
            if _knows(pair, offer, asked):
                return asked, asked
            whose = offer.seat if isinstance(asked, CounterOffer) else offer.to
            to = pair.one.table.seats[whose].person if whose else None
            terms = asked.terms if isinstance(asked, AlterOffer) and not offer.private else _words(asked.terms, dice)
            said = {"give": secret(asked.give, asked.by), "want": secret(asked.want, to), "terms": terms}
            return asked, asked.model_copy(update=said)
        case OpenNegotiation(other=other, topic=topic) if other != pair.me:
            return asked, asked.model_copy(update={"topic": topic if len(topic) > 60 else f"about {dice.random()}"})
        case ProposeDeal(to=to, terms=terms) if to != pair.me and likely(dice, 50):
            hushed = asked.model_copy(update={"private": True})
            return hushed, hushed.model_copy(update={"terms": (_words(terms, dice) or "peace") if terms else ""})
        case Gain(goods=goods) | Spend(goods=goods) if goods:
            other_goods = some_cards(dice, dice.randint(1, 4)) if isinstance(asked, Gain) else _some_of(pair, asked)
            return asked, asked.model_copy(update={"goods": other_goods})
        case SetHoldings(person=person) if person != pair.me:
            return asked, asked.model_copy(update={"goods": _set(table, person, dice).goods})
    return asked, asked


def _handed(pair: Pair, asked: HandOver, dice: Random, *, as_swapped: bool) -> tuple[HandOver, HandOver]:
    """Others hand over something else. What the viewer will receive they may know: it is the same in both worlds."""
    mine = pair.one.table.seat_of(asked.by)
    offers = [world.table.offers[asked.offer] for world in pair.worlds]
    if mine is None or pair.mine(offers[0].seat, offers[0].to) or (offers[0].to is None and likely(dice, 50)):
        promised = trade_of(offers[0], mine.id).gives(mine.id) if mine else NOTHING
        goods = handed_for(_in_both_hands(pair, asked.by), promised, dice)
        same = asked.model_copy(update={"goods": goods}) if likely(dice, 95) else asked
        return same, same
    promised = trade_of(offers[1], mine.id).gives(mine.id)
    goods = _swapped(pair, asked.goods)
    if not as_swapped:
        goods = handed_for(hand_of(pair.other.table, asked.by), promised, dice)
    return asked, asked.model_copy(update={"goods": goods})


def _alike(pair: Pair, asked: PostOffer, dice: Random) -> tuple[PostOffer, PostOffer]:
    """An offer that the viewer may read, or everybody: it is the same, made so that both hands can keep it."""
    hand = _in_both_hands(pair, asked.by)
    give = side(hand, dice) if asked.give else asked.give
    handed = None if asked.handed is None else handed_for(hand, give, dice)
    same = asked.model_copy(update={"give": give, "handed": handed})
    return same, same


def _in_both_hands(pair: Pair, person: int) -> Goods:
    """What this person could give in either world."""
    one, other = (hand_of(world.table, person) for world in pair.worlds)
    return Goods({token: least for token, count in one.items() if (least := min(count, other.count(token)))})


def _some_of(pair: Pair, asked: Spend) -> Goods:
    cards = each(hand_of(pair.other.table, asked.by))
    return goods_of(pair.dice.sample(cards, min(len(cards), pair.dice.randint(1, 3))))


def _meant_for(table: Table, asked: PostOffer) -> int | None:
    """The person that an offer is for, where it is for one."""
    talks, seat = table.negotiations.get(asked.negotiation or 0), table.seat_of(asked.by)
    if talks is None or seat is None:
        return asked.to
    return table.seats[talks.other if seat.id == talks.seat else talks.seat].person


def _knows(pair: Pair, offer: Offer, asked: Command) -> bool:
    """Whether what is said of this offer is for the viewer too."""
    if isinstance(asked, CounterOffer):  # it is for who posted the first one
        return pair.mine(offer.seat)
    return offer.to is None or pair.mine(offer.seat, offer.to)


def _words(terms: str, dice: Random) -> str:
    """Other words, or none."""
    if len(terms) > 300:
        return terms
    return f"promised {dice.random()}" if likely(dice, 50) else ""


def _swapped(pair: Pair, goods: Goods) -> Goods:
    """These goods with the two cards in each other's place; as they are where worlds differ freely."""
    if pair.how == "free":
        return goods
    one, two = pair.swapped
    to = {one: two, two: one}
    turned = {token: f"{kind}:{to.get(id, id)}" for token in goods for kind, _, id in [token.partition(":")] if id}
    return Goods({turned.get(token, token): count for token, count in goods.items()})


# ---------------------------------------------------------------- how they begin


def begun(who: Who, how: How, dice: Random, *, dealt: bool) -> Pair:
    """Two tables after drawing, at which the viewer has the same hand and everybody else any other."""
    seats = dice.randint(3, 6)
    me = {"seat": dice.randint(2, seats), "host": 1, "nobody": 0}[who]
    pair = Pair(me, dice, how)
    pair.swapped = tuple(dice.choice([("ochre", "hides"), ("salt", "timber"), ("grain", "oil"), ("iron", "papyrus")]))
    pair.both(OpenTable(by=1, game="advciv", name="Friday"))
    for person, seat in enumerate(dice.sample(SEATS, seats), start=1):
        pair.both(Sit(by=1, seat=seat, person=person))
    if likely(dice, 40):
        rulings: Literal["warn", "refuse"] = "warn" if likely(dice, 25) else "refuse"
        settings = Settings(name_calamities="yes", rulings=rulings, timer=5)
        pair.both(ChangeSettings(by=1, settings=settings))
    (_dealt if dealt else _on_a_real_table)(pair, seats)
    assert has_the_same_hand(pair)
    return pair


def _on_a_real_table(pair: Pair, seats: int) -> None:
    """Each says what they took; nobody else knows what, or how many."""
    mine = some_cards(pair.dice, 9)
    hands = _hands(box() - mine, seats, pair.dice)
    others = hands if pair.how == "swapped" else _hands(box() - mine, seats, pair.dice)
    for person in range(1, seats + 1):
        here, there = hands[person], _swapped(pair, others[person])
        if person == pair.me:
            here = there = mine
        assert pair.both(Gain(by=person, goods=here), Gain(by=person, goods=there))


def _hands(cards: Goods, seats: int, dice: Random) -> dict[int, Goods]:
    """Hands of any size out of these cards."""
    lie = dice.sample(each(cards), cards.total())
    return {person: goods_of([lie.pop() for _ in range(dice.randint(6, 13))]) for person in range(1, seats + 1)}


def _dealt(pair: Pair, seats: int) -> None:
    """The bot deals; in the other world all that does not come to the viewer lies otherwise."""
    cities = {person: pair.dice.randint(5, 9) for person in range(1, seats + 1)}
    for person, many in cities.items():
        draws = DrawCards(by=1, person=person, cities=many, chance="chance")
        if person == 1:
            shuffled, *_ = decide(pair.one.table, draws)
            assert isinstance(shuffled, StacksShuffled)
            _begin_with(pair, shuffled, cities)
        assert pair.both(draws)
    if likely(pair.dice, 60):  # so that nobody knows any more how many cards there are in a hand
        for person in set(cities) - {pair.me}:
            one, other = (_set(world.table, person, pair.dice) for world in pair.worlds)
            pair.both(one, other)


def _begin_with(pair: Pair, shuffled: StacksShuffled, cities: dict[int, int]) -> None:
    assert shuffled.secret is not None
    stacks = tuple(_restacked(pair, number, stack, cities) for number, stack in enumerate(shuffled.secret.stacks, 1))
    otherwise = shuffled.model_copy(update={"secret": Shuffle(seed="another chance", stacks=stacks)})
    for world, entry in zip(pair.worlds, (shuffled, otherwise), strict=True):
        world.table = replay([entry], world.table)
        world.entries.append(entry)
    pair.by.append(1)


def _restacked(pair: Pair, number: int, stack: Stack, cities: dict[int, int]) -> Stack:
    """A stack that lies otherwise, but for the card that the viewer will draw from it."""
    drawn = [person for person, many in cities.items() if many >= number]
    mine = drawn.index(pair.me) if pair.me in drawn else -1
    places = [place for place in range(len(stack)) if place != mine]
    lies, cards = list(stack), [stack[place] for place in places]
    if pair.how == "free":
        pair.dice.shuffle(cards)
    else:
        first, second = ([at for at, card in enumerate(cards) if card == f"commodity:{id}"] for id in pair.swapped)
        for one, other in zip(first, second, strict=False):
            cards[one], cards[other] = cards[other], cards[one]
    for place, card in zip(places, cards, strict=True):
        lies[place] = card
    return tuple(lies)


def _set(table: Table, person: int, dice: Random) -> SetHoldings:
    """A moderator who does not play sets a hand to cards that it or the stacks hold."""
    seat = table.seat_of(person)
    lie = each(seat.holdings if seat else NOTHING) + [token for stack in state_of(table).stacks for token in stack]
    goods = goods_of(dice.sample(lie, min(len(lie), dice.randint(5, 12))))
    return SetHoldings(by=LOOKS_ON, moderator=True, person=person, goods=goods, reason="mistake")


def has_the_same_hand(pair: Pair) -> bool:
    hands = [world.table.seats[pair.seat].holdings if pair.seat else None for world in pair.worlds]
    return hands[0] == hands[1]
