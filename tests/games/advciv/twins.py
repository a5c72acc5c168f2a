"""Pairs of tables of Advanced Civilization that differ in what one viewer may not know.

That is: the cards in other hands and how many there are, how the stacks lie, what others offer one
another, hand over and trade, what they say in private.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from random import Random

from bot.games.advciv.calamities import ShowCalamities
from bot.games.advciv.cards import box
from bot.games.advciv.drawing import CardBought, CardsDrawn, DrawCards
from bot.games.advciv.losing import CardsLost, LoseCards
from bot.games.advciv.stacks import Shuffle, StacksShuffled
from bot.games.advciv.state import Calamities, Stack, Stacks
from bot.games.advciv.surrendering import SurrenderCards, SurrenderPicked
from bot.games.advciv.taking import AnswerTake, CardTaken, TakeCard
from bot.games.advciv.trading import OpenTrading, UndoTrading
from bot.rules.commands import Caller, Command, Press
from bot.rules.engine import decide
from bot.rules.features.deals import AnswerDeal, MarkDeal, ProposeDeal
from bot.rules.features.holdings import Gain, SetHoldings, Spend
from bot.rules.features.negotiations import OpenNegotiation
from bot.rules.features.offers.posting import (
    AlterOffer,
    CounterOffer,
    PauseOffer,
    PostOffer,
    RepeatOffer,
    SameOffer,
)
from bot.rules.features.offers.signing import Agree, EndOffer, HandOver, PickTaker, Sign
from bot.rules.features.offers.state import trade_of
from bot.rules.features.seats import Sit
from bot.rules.features.tables import ChangeSettings, CloseTable, OpenTable, SetPhase
from bot.rules.model.goods import NOTHING, Goods
from bot.rules.model.offer import Offer
from bot.rules.model.parts import part
from bot.rules.model.table import Table
from bot.rules.model.violation import Refused
from bot.testing.makers import likely
from bot.testing.twins import (
    HOST,
    LOOKS_ON,
    MODERATOR,
    ROOM,
    Pair,
    PairMoves,
    Who,
    person_of,
)
from bot.testing.world import Ask, Decision
from tests.games.advciv.machine import (
    MACHINE,
    SEATS,
    USUAL,
    every_card_of,
    hand_of,
    handed_for,
    now,
    side,
    some_cards,
    some_of,
)
from tests.games.pairs import looks_first, of_deal, other_words, own

Cities = dict[str, int]
"""How many cities each seat has."""

Hands = dict[str, Goods]
"""The hand of each seat."""

Asks = tuple[Ask, Ask]
"""A command in the one world, and in the other."""

Secret = Callable[[Goods | None, str | None], Goods | None]
"""What stands in place of one side of an offer in the other world: its goods, and whose hand."""

OWN_SECRETS = (Gain, Spend, SetHoldings, AlterOffer, RepeatOffer, MarkDeal, Agree)
"""What may be refused because of the asker's own hand or offers."""

TRIES = 4
"""How often another thing is looked for that could have been done in secret."""

ALIKE = (
    ("commodity:ochre", "commodity:hides"),
    ("commodity:salt", "commodity:timber"),
    ("commodity:grain", "commodity:oil"),
)
"""Commodities that come in equal numbers from one stack."""

REVEALS = (ShowCalamities, CloseTable)
"""29.3, and the end of a table: then everybody may know, and a pair is over."""

PICKS = (CardTaken, CardsLost)
"""What chance picks from a hand."""

DRAWS = (CardsDrawn, CardBought)
"""Who draws after a hand was set would show which stack is how high."""


# ---------------------------------------------------------------- how they begin


def begun(who: Who, dice: Random, *, swaps: bool, open_on_close: str = "yes") -> Pair:
    """Return two tables in trading, at which only the viewer has the same hand.

    ``swaps``: two cards have changed their places in all that is not known; else anything may
    differ.
    """
    many = dice.randint(3, 6)
    host = LOOKS_ON if who == "host who looks on" else HOST
    swapped = dice.choice(ALIKE) if swaps else None
    pair = Pair(who, dice, swapped)
    assert _both(pair, host, OpenTable("advciv", "Friday", open_on_close))  # type: ignore[arg-type]
    looks_first(pair, PLAY)
    seats = dice.sample(SEATS, many)
    for person, seat in enumerate(seats, start=1):
        assert _both(pair, host, Sit(seat, person))
    if likely(dice, 40):
        changes: dict[str, str | int] = {
            "name_calamities": "yes",
            "timer": 5,
            "rulings": "warn" if likely(dice, 25) else "refuse",
        }
        assert _both(pair, host, ChangeSettings(changes))
    if who == "room":
        assert _both(pair, HOST, OpenNegotiation(seats[1], "peace"))
    if likely(dice, 50) or who == "moderator":
        _dealt(pair, host)
    else:
        _on_a_real_table(pair, host)
    assert _both(pair, host, OpenTrading())
    return pair


def _both(pair: Pair, person: int, command: Command) -> bool:
    return _each(pair, person, command, command)


def _each(pair: Pair, person: int, command: Command, instead: Command) -> bool:
    """Do a command in the one world, and ``instead`` in the other."""
    caller = Caller(person, moderator=person == MODERATOR, at=now(pair.one.table))
    return pair.both(PLAY, Ask(command, caller), Ask(instead, caller))


def _on_a_real_table(pair: Pair, host: int) -> None:
    """Each says what they took; nobody else knows what, or how many."""
    mine = some_cards(pair.dice, 9)
    seats = pair.one.table.seated()
    hands = _hands(box() - mine, seats, pair.dice)
    others = hands if pair.swapped else _hands(box() - mine, seats, pair.dice)
    for seat in seats:
        here, there = hands[seat], _swapped(pair, others[seat])
        if pair.mine(seat):
            here = there = mine
        person = pair.one.table.seats[seat].person or 0
        assert _each(pair, person, Gain(here), Gain(there))


def _hands(cards: Goods, seats: list[str], dice: Random) -> Hands:
    """Return hands of any size out of these cards."""
    deck = dice.sample(list(cards.tokens()), cards.total())
    hands = {}
    for seat in seats:
        size = dice.randint(6, 13)
        hands[seat], deck = Goods.of(deck[:size]), deck[size:]
    return hands


def _dealt(pair: Pair, host: int) -> None:
    """The bot deals; in the other world all that does not come to the viewer lies otherwise."""
    seats = pair.one.table.seated()
    cities = {seat: pair.dice.randint(5, 9) for seat in seats}
    first = DrawCards(cities[seats[0]], seats[0])
    shuffled, *_ = decide(pair.one.table, first, Caller(host))
    assert isinstance(shuffled, StacksShuffled)
    _begin_with(pair, shuffled, cities, host)
    for seat, many in cities.items():
        assert _both(pair, host, DrawCards(many, seat))
    # so that nobody knows how many cards there are in a hand
    if pair.who != "moderator" and likely(pair.dice, 60):
        for seat in cities:
            if not pair.mine(seat):
                one, other = (_set(world.table, seat, pair.dice) for world in pair.worlds)
                _each(pair, MODERATOR, one, other)


def _begin_with(pair: Pair, shuffled: StacksShuffled, cities: Cities, host: int) -> None:
    assert shuffled.secret is not None
    stacks = []
    for number, stack in enumerate(shuffled.secret.stacks, start=1):
        stacks.append(_restacked(pair, number, stack, cities))
    secret = Shuffle(seed="another chance", stacks=tuple(stacks))
    otherwise = shuffled.model_copy(update={"secret": secret})
    ask = Ask(DrawCards(0), Caller(host))
    pair.add([(shuffled,), (otherwise,)], (ask, ask))


def _restacked(pair: Pair, number: int, stack: Stack, cities: Cities) -> Stack:
    """Return a stack that lies otherwise, but for the cards that the viewer will draw from it, or
    see drawn.
    """
    drawn = [seat for seat, many in cities.items() if many >= number]
    known: Sequence[int] = []
    if pair.who == "moderator":
        known = range(len(drawn))
    elif pair.seat in drawn:
        known = [drawn.index(pair.seat)]
    places = [place for place in range(len(stack)) if place not in known]
    cards = [stack[place] for place in places]
    if pair.swapped is None or pair.who == "moderator":
        pair.dice.shuffle(cards)
    else:
        one, other = pair.swapped
        swap = {one: other, other: one}
        pairs = min(cards.count(one), cards.count(other))
        left = {one: pairs, other: pairs}
        for place, card in enumerate(cards):
            if left.get(card, 0):
                cards[place] = swap[card]
                left[card] -= 1
    lies = list(stack)
    for place, card in zip(places, cards, strict=True):
        lies[place] = card
    return tuple(lies)


def _set(table: Table, seat: str, dice: Random) -> SetHoldings:
    """A moderator who does not play sets a hand to cards that it or the stacks hold."""
    cards = list(table.seats[seat].holdings.tokens())
    cards.extend(chain(*part(table, Stacks).stacks))
    return SetHoldings(seat, some_of(cards, dice.randint(5, 12), dice), "mistake")


# ---------------------------------------------------------------- what is done in the other world


def made(pair: Pair) -> Ask:
    """Return a random command, mostly of what people do in this phase."""
    table, dice = pair.one.table, pair.dice
    if likely(dice, 15) and (handed := _for_my_trade(pair)) is not None:
        return handed
    kinds = USUAL[table.phase] if likely(dice, 60) else MACHINE.weighted
    ask = MACHINE.of(dice.choice(kinds), table, dice)
    command = ask.command
    if isinstance(command, PostOffer) and pair.seat and likely(dice, 20):
        command = replace(command, to=pair.seat, negotiation=None)
    talks = table.negotiations.get(ROOM) if pair.who == "room" else None
    if isinstance(command, PostOffer) and talks is not None and likely(dice, 30):
        command = replace(command, to=None, negotiation=ROOM)
        seat = dice.choice([talks.seat, talks.other])
        ask = Ask(command, Caller(table.seats[seat].person or 0))
    return Ask(command, replace(ask.caller, at=now(table), chance=""))


def _for_my_trade(pair: Pair) -> Ask | None:
    """Return the handing over that a trade of the viewer's still waits for, from either side."""
    table, dice, mine = pair.one.table, pair.dice, pair.seat
    waits = []
    for offer in table.open_offers():
        if not offer.to or not offer.party(mine):
            continue
        for seat in (offer.seat, offer.to):
            if seat not in offer.handed:
                waits.append((offer, seat))
    if not waits:
        return None
    offer, seat = dice.choice(waits)
    promised = trade_of(offer, seat).gives(seat)
    goods = handed_for(hand_of(table, seat), promised, dice)
    caller = Caller(table.seats[seat].person or 0, at=now(table))
    return Ask(HandOver(offer.number, goods), caller)


def steps(pair: Pair, asked: Ask) -> bool:
    """Do a command in the one world, and in the other what it is when all that the viewer may not
    know differs.
    """
    command = asked.command
    shows = isinstance(command, REVEALS)
    if isinstance(command, SurrenderCards | SurrenderPicked):
        shows = not pair.is_me(asked)
    if isinstance(command, Gain | SetHoldings):
        # 29.3: a calamity that comes into a hand after the showing is shown, too
        shows = part(pair.one.table, Calamities).shown is not None
    if shows or _draws(pair, asked):
        return False
    if pair.who == "moderator" and isinstance(command, SetPhase):
        return False  # what goes back under a stack is shuffled by a seed
    for attempt in range(TRIES):
        one, other = _variants(pair, asked, as_swapped=attempt == 0 and pair.swapped is not None)
        if pair.both(PLAY, one, other):
            return True
    return False


def _draws(pair: Pair, asked: Ask) -> bool:
    """Return whether cards are drawn or bought: at once, or since all have said how many cities
    they have.

    Or picked by a seed from a hand that a moderator sees, since the seeds differ.
    """
    kinds = (*DRAWS, *PICKS) if pair.who == "moderator" else DRAWS
    answer = pair.one.answer(asked)
    if isinstance(answer, Refused):
        return False
    return any(isinstance(entry, kinds) for entry in answer)


def _variants(pair: Pair, asked: Ask, *, as_swapped: bool) -> Asks:
    if pair.is_me(asked) or pair.who == "moderator":
        return asked, asked
    table, there, dice = pair.one.table, pair.other.table, pair.dice
    mine = own(table, asked.caller)

    def secret(goods: Goods | None, seat: str | None) -> Goods | None:
        if as_swapped and goods is not None:
            return _swapped(pair, goods)
        return side(hand_of(there, seat), dice)

    match asked.command:
        case HandOver(offer=number) if number in table.offers:
            return _handed(pair, asked, as_swapped=as_swapped)
        case PostOffer() as post:
            to = _meant_for(table, post, mine)
            if to is None or pair.mine(to):
                return _alike(pair, asked)
            give = secret(post.give, mine) or NOTHING
            want = secret(post.want, to)
            handed = None
            if post.handed is not None:
                handed = handed_for(hand_of(there, mine), give, dice)
            words = post.terms
            if not pair.room_of(post.negotiation):
                words = other_words(post.terms, dice)
            return asked, asked.with_fields(give=give, want=want, terms=words, handed=handed)
        case CounterOffer(offer=number) | AlterOffer(offer=number) if number in table.offers:
            return asked, _revised(pair, asked, table.offers[number], secret)
        case OpenNegotiation(other=other, topic=topic):
            heard = pair.mine(other) or pair.room_of(table.negotiations_opened + 1)
            if not heard and len(topic) <= 60:
                return asked, asked.with_fields(topic=f"about {dice.random()}")
        case ProposeDeal() | AnswerDeal() | MarkDeal():
            return asked, of_deal(pair, asked) or asked
        case Gain(goods=goods) if goods:
            return asked, asked.with_fields(goods=some_cards(dice, dice.randint(1, 4)))
        case Spend(goods=goods) if goods:
            cards = list(hand_of(there, mine).tokens())
            spent = some_of(cards, dice.randint(1, 3), dice)
            return asked, asked.with_fields(goods=spent)
        case SetHoldings(seat=seat) if not pair.mine(seat):
            return asked, asked.with_fields(goods=_set(there, seat, dice).goods)
    return asked, asked


def _revised(pair: Pair, asked: Ask, offer: Offer, secret: Secret) -> Ask:
    """Return a counter-offer or a new revision as it is in the other world."""
    command, dice = asked.command, pair.dice
    assert isinstance(command, CounterOffer | AlterOffer)
    mine = own(pair.one.table, asked.caller)
    if isinstance(command, CounterOffer):
        partner, heard = offer.seat, False
        known = pair.mine(offer.seat)
    else:
        partner, heard = offer.to or "", not offer.private
        known = offer.to is None or pair.mine(offer.seat, offer.to)
    if known:
        return asked
    terms = command.terms or ""
    if not heard and not pair.room_of(offer.negotiation):
        terms = other_words(terms, dice)
    give, want = secret(command.give, mine), secret(command.want, partner)
    revised = asked.with_fields(give=give, want=want, terms=terms)
    if isinstance(command, CounterOffer) and command.handed is not None:
        handed = handed_for(hand_of(pair.other.table, mine), give or NOTHING, dice)
        revised = revised.with_fields(handed=handed)
    return revised


def _handed(pair: Pair, asked: Ask, *, as_swapped: bool) -> Asks:
    """Others hand over something else. What the viewer will receive they may know: it is the same
    in both worlds.
    """
    command, dice = asked.command, pair.dice
    assert isinstance(command, HandOver)
    mine = own(pair.one.table, asked.caller)
    offers = [world.table.offers[command.offer] for world in pair.worlds]
    known = pair.mine(offers[0].seat, offers[0].to)
    if offers[0].to is None:
        known = known or likely(dice, 50)
    if mine is None or known:
        promised = trade_of(offers[0], mine).gives(mine) if mine else NOTHING
        goods = handed_for(_in_both_hands(pair, mine), promised, dice)
        same = asked.with_fields(goods=goods)
        return (same, same) if likely(dice, 95) else (asked, asked)
    promised = trade_of(offers[1], mine).gives(mine)
    goods = _swapped(pair, command.goods)
    if not as_swapped:
        goods = handed_for(hand_of(pair.other.table, mine), promised, dice)
    return asked, asked.with_fields(goods=goods)


def _alike(pair: Pair, asked: Ask) -> Asks:
    """Return an offer that the viewer may read: the same in both, and both hands can keep it."""
    command = asked.command
    assert isinstance(command, PostOffer)
    hand = _in_both_hands(pair, own(pair.one.table, asked.caller))
    give = side(hand, pair.dice) if command.give else command.give
    handed = None if command.handed is None else handed_for(hand, give, pair.dice)
    same = asked.with_fields(give=give, handed=handed)
    return same, same


def _in_both_hands(pair: Pair, seat: str | None) -> Goods:
    """Return what this seat could give in either world."""
    one, other = (hand_of(world.table, seat) for world in pair.worlds)
    return one.common(other)


def _meant_for(table: Table, command: PostOffer, mine: str | None) -> str | None:
    """Return the seat that an offer is for, where it is for one."""
    talks = table.negotiations.get(command.negotiation or 0)
    return command.to if talks is None or mine is None else talks.partner(mine)


def _swapped(pair: Pair, goods: Goods) -> Goods:
    """Return these goods with the pair's two cards in each other's place, claims included."""
    if pair.swapped is None:
        return goods
    one, other = pair.swapped
    swap = {one: other, other: one}
    for token, instead in list(swap.items()):
        claim = token.replace("commodity:", "claim:")
        swap[claim] = instead.replace("commodity:", "claim:")
    return Goods.of(swap.get(token, token) for token in goods.tokens())


# ---------------------------------------------------------------- hands, refusals


def evens(pair: Pair, seat: str) -> bool:
    """A moderator sets both hands of a seat to what is in both."""
    hand, other_hand = _holdings(pair, seat)
    if hand != other_hand:
        _both(pair, MODERATOR, SetHoldings(seat, hand.common(other_hand)))
    hand, other_hand = _holdings(pair, seat)
    return hand == other_hand


def _holdings(pair: Pair, seat: str) -> tuple[Goods, Goods]:
    return pair.one.table.seats[seat].holdings, pair.other.table.seats[seat].holdings


def rests_on_secrets(pair: Pair, asked: Ask, answers: list[Decision]) -> bool:
    """Return whether it was refused because of the asker's hand, or what they said of it."""
    if _said_before(pair, asked, answers) or isinstance(asked.command, OWN_SECRETS):
        return True
    rules = [answer.violation.rule for answer in answers if isinstance(answer, Refused)]
    return rules[0] in ("15.62", "28.3", "29.2")


def _said_before(pair: Pair, asked: Ask, answers: list[Decision]) -> bool:
    """Return whether the asker has just said the same in private: that, they alone are told."""
    mine = own(pair.one.table, asked.caller)
    for world, answer in zip(pair.worlds, answers, strict=True):
        for option in answer.options if isinstance(answer, Refused) else ():
            match option.action:
                case Press(command=RepeatOffer(offer=number)):
                    offer = world.table.offers[number]
                    if offer.seat == mine and offer.private and not pair.mine(mine, offer.to):
                        return True
    return False


def tells(pair: Pair, asked: Ask) -> bool:
    """28.3: nobody learns from an answer what another's hand holds."""
    return False


def probes(pair: Pair) -> list[Ask]:
    """Return what the viewer could try on each offer and seat, to learn from the refusals."""
    if not pair.me or pair.who == "overheard":
        return []
    caller = replace(pair.caller, at=now(pair.one.table))
    return [Ask(command, caller) for command in _probes(pair)]


def _probes(pair: Pair) -> Iterator[Command]:
    table, dice, mine = pair.one.table, pair.dice, pair.seat
    hand = hand_of(table, mine)
    for number in range(max(1, table.offers_posted - 10), table.offers_posted + 1):
        offer = table.offers.get(number)
        revision = offer.revision if offer else 1
        yield Sign(number, revision)
        yield Sign(number, revision + 1)
        yield Agree(number, revision)
        yield EndOffer(number, dice.choice(["withdraw", "decline", "back_out"]))
        yield PauseOffer(number, paused=likely(dice, 50))
        yield PickTaker(number, revision, dice.choice(list(table.seats)))
        yield CounterOffer(number, side(hand, dice), some_cards(dice, 3))
        yield AlterOffer(number, revision, side(hand, dice), some_cards(dice, 3), "")
        yield RepeatOffer(number)
        yield SameOffer(number, revision)
        for_mine = offer and (offer.to is None or offer.party(mine))
        if offer and mine and for_mine:
            promised = trade_of(offer, mine).gives(mine)
            yield HandOver(number, handed_for(hand, promised, dice), revision)
        yield HandOver(number, some_cards(dice, 3), revision)
    for seat in table.seated():
        give = side(hand, dice)
        yield PostOffer(seat, give, some_cards(dice, dice.randint(2, 9)))
        yield SetHoldings(seat, some_cards(dice, 3))
        yield SetHoldings(seat, every_card_of(3, dice))
        yield SetHoldings(seat, box())
        yield OpenNegotiation(seat)
        yield TakeCard(seat)
        yield AnswerTake(seat, likely(dice, 50))
    give, want = side(hand, dice), some_cards(dice, 3)
    yield PostOffer(None, give, want, handed=some_cards(dice, 3))
    yield LoseCards(cities=dice.randint(0, 9))
    yield SetPhase(dice.choice(["acquire", "trade", "after"]))
    yield OpenTrading()
    yield UndoTrading()


PLAY = PairMoves(
    made=made,
    steps=steps,
    evens=evens,
    probes=probes,
    rests_on_secrets=rests_on_secrets,
    tells=tells,
)

__all__ = ["PLAY", "begun", "person_of"]
