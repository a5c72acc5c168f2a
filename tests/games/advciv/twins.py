"""Pairs of tables of Advanced Civilization that differ in what one viewer may not know.

That is: the cards in other hands and how many there are, how the stacks lie, what others offer one
another, hand over and trade, what they say in private.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
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
    Play,
    Who,
    person_of,
)
from bot.testing.world import Answer, Ask
from tests.games.advciv.machine import (
    MACHINE,
    SEATS,
    USUAL,
    hand_of,
    handed_for,
    now,
    own,
    side,
    some_cards,
)
from tests.games.pairs import looks_first, of_deal, other_words

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
    """Return two tables with trading open, at which the viewer has the same hand and everybody else
    any other.

    ``swaps``: two cards have changed their places in all that is not known; else anything may
    differ.
    """
    many, host = dice.randint(3, 6), LOOKS_ON if who == "host who looks on" else HOST
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
    (_dealt if likely(dice, 50) or who == "moderator" else _on_a_real_table)(pair, host)
    assert _both(pair, host, OpenTrading())
    return pair


def _both(pair: Pair, person: int, command: Command, instead: Command | None = None) -> bool:
    caller = Caller(person, moderator=person == MODERATOR, at=now(pair.one.table))
    return pair.both(PLAY, Ask(command, caller), Ask(instead or command, caller))


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
        assert _both(pair, pair.one.table.seats[seat].person or 0, Gain(here), Gain(there))


def _hands(cards: Goods, seats: list[str], dice: Random) -> dict[str, Goods]:
    """Return hands of any size out of these cards."""
    lie = dice.sample(list(cards.tokens()), cards.total())
    return {seat: Goods.of(lie.pop() for _ in range(dice.randint(6, 13))) for seat in seats}


def _dealt(pair: Pair, host: int) -> None:
    """The bot deals; in the other world all that does not come to the viewer lies otherwise."""
    cities = {seat: pair.dice.randint(5, 9) for seat in pair.one.table.seated()}
    for number, (seat, many) in enumerate(cities.items()):
        draws = DrawCards(many, seat)
        if number == 0:
            shuffled, *_ = decide(pair.one.table, draws, Caller(host))
            assert isinstance(shuffled, StacksShuffled)
            _begin_with(pair, shuffled, cities, host)
        assert _both(pair, host, draws)
    # so that nobody knows how many cards there are in a hand
    if pair.who != "moderator" and likely(pair.dice, 60):
        for seat in cities:
            if not pair.mine(seat):
                one, other = (_set(world.table, seat, pair.dice) for world in pair.worlds)
                _both(pair, MODERATOR, one, other)


def _begin_with(pair: Pair, shuffled: StacksShuffled, cities: dict[str, int], host: int) -> None:
    assert shuffled.secret is not None
    stacks = tuple(
        _restacked(pair, number, stack, cities)
        for number, stack in enumerate(shuffled.secret.stacks, 1)
    )
    otherwise = shuffled.model_copy(
        update={"secret": Shuffle(seed="another chance", stacks=stacks)}
    )
    ask = Ask(DrawCards(0), Caller(host))
    pair.add([(shuffled,), (otherwise,)], (ask, ask))


def _restacked(pair: Pair, number: int, stack: Stack, cities: dict[str, int]) -> Stack:
    """Return a stack that lies otherwise, but for the cards that the viewer will draw from it, or
    see drawn.
    """
    drawn = [seat for seat, many in cities.items() if many >= number]
    known = (
        range(len(drawn))
        if pair.who == "moderator"
        else [drawn.index(pair.seat)]
        if pair.seat in drawn
        else []
    )
    places = [place for place in range(len(stack)) if place not in known]
    lies, cards = list(stack), [stack[place] for place in places]
    if pair.swapped is None or pair.who == "moderator":
        pair.dice.shuffle(cards)
    else:
        first, second = (
            [at for at, card in enumerate(cards) if card == which] for which in pair.swapped
        )
        for one, other in zip(first, second, strict=False):
            cards[one], cards[other] = cards[other], cards[one]
    for place, card in zip(places, cards, strict=True):
        lies[place] = card
    return tuple(lies)


def _set(table: Table, seat: str, dice: Random) -> SetHoldings:
    """A moderator who does not play sets a hand to cards that it or the stacks hold."""
    lie = [
        *table.seats[seat].holdings.tokens(),
        *(token for stack in part(table, Stacks).stacks for token in stack),
    ]
    return SetHoldings(
        seat, Goods.of(dice.sample(lie, min(len(lie), dice.randint(5, 12)))), "mistake"
    )


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
    if (
        isinstance(command, PostOffer)
        and pair.who == "room"
        and ROOM in table.negotiations
        and likely(dice, 30)
    ):
        command = replace(command, to=None, negotiation=ROOM)
        talks = table.negotiations[ROOM]
        ask = Ask(command, Caller(table.seats[dice.choice([talks.seat, talks.other])].person or 0))
    return Ask(command, Caller(ask.caller.person, ask.caller.moderator, now(table)))


def _for_my_trade(pair: Pair) -> Ask | None:
    """Return the handing over that a trade of the viewer's still waits for, from either side."""
    table, dice, mine = pair.one.table, pair.dice, pair.seat
    waits = [
        (offer, seat)
        for offer in table.open_offers()
        if offer.to and offer.party(mine)
        for seat in (offer.seat, offer.to)
        if seat not in offer.handed
    ]
    if not waits:
        return None
    offer, seat = dice.choice(waits)
    goods = handed_for(hand_of(table, seat), trade_of(offer, seat).gives(seat), dice)
    return Ask(HandOver(offer.number, goods), Caller(table.seats[seat].person or 0, at=now(table)))


def steps(pair: Pair, asked: Ask) -> bool:
    """Do a command in the one world, and in the other what it is when all that the viewer may not
    know differs.
    """
    command = asked.command
    shows = isinstance(command, REVEALS) or (
        isinstance(command, SurrenderCards | SurrenderPicked) and not pair.is_me(asked)
    )
    if (
        isinstance(command, Gain | SetHoldings)
        and part(pair.one.table, Calamities).shown is not None
    ):
        shows = True  # 29.3: a calamity that comes into a hand after the showing is shown, too
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
    answer, kinds = pair.one.answer(asked), (*DRAWS, *PICKS) if pair.who == "moderator" else DRAWS
    return not isinstance(answer, Refused) and any(isinstance(entry, kinds) for entry in answer)


def _variants(pair: Pair, asked: Ask, *, as_swapped: bool) -> tuple[Ask, Ask]:
    if pair.is_me(asked) or pair.who == "moderator":
        return asked, asked
    table, there, dice = pair.one.table, pair.other.table, pair.dice
    mine = own(table, asked.caller)

    def secret(goods: Goods | None, seat: str | None) -> Goods | None:
        return (
            _swapped(pair, goods)
            if as_swapped and goods is not None
            else side(hand_of(there, seat), dice)
        )

    match asked.command:
        case HandOver(offer=number) if number in table.offers:
            return _handed(pair, asked, as_swapped=as_swapped)
        case PostOffer() as post:
            to = _meant_for(table, post, mine)
            if to is None or pair.mine(to):
                return _alike(pair, asked)
            give = secret(post.give, mine) or NOTHING
            handed = None if post.handed is None else handed_for(hand_of(there, mine), give, dice)
            words = post.terms if pair.room_of(post.negotiation) else other_words(post.terms, dice)
            return asked, asked.with_fields(
                give=give, want=secret(post.want, to), terms=words, handed=handed
            )
        case CounterOffer(offer=number) | AlterOffer(offer=number) if number in table.offers:
            return asked, _revised(pair, asked, table.offers[number], secret)
        case OpenNegotiation(other=other, topic=topic) if not pair.mine(other) and len(topic) <= 60:
            heard = pair.room_of(table.negotiations_opened + 1)
            return asked, asked if heard else asked.with_fields(topic=f"about {dice.random()}")
        case ProposeDeal() | AnswerDeal() | MarkDeal():
            return asked, of_deal(pair, asked) or asked
        case Gain(goods=goods) if goods:
            return asked, asked.with_fields(goods=some_cards(dice, dice.randint(1, 4)))
        case Spend(goods=goods) if goods:
            cards = list(hand_of(there, mine).tokens())
            return asked, asked.with_fields(
                goods=Goods.of(dice.sample(cards, min(len(cards), dice.randint(1, 3))))
            )
        case SetHoldings(seat=seat) if not pair.mine(seat):
            return asked, asked.with_fields(goods=_set(there, seat, dice).goods)
    return asked, asked


def _revised(pair: Pair, asked: Ask, offer: Offer, secret: object) -> Ask:
    """Return a counter-offer or a new revision as it is in the other world."""
    command, dice = asked.command, pair.dice
    counters = isinstance(command, CounterOffer)
    if pair.mine(offer.seat) if counters else (offer.to is None or pair.mine(offer.seat, offer.to)):
        return asked
    terms = getattr(command, "terms", "") or ""
    heard = pair.room_of(offer.negotiation) or (not counters and not offer.private)
    said = {
        "give": secret(getattr(command, "give", None), own(pair.one.table, asked.caller)),  # type: ignore[operator]
        "want": secret(getattr(command, "want", None), offer.seat if counters else offer.to),  # type: ignore[operator]
        "terms": terms if heard else other_words(terms, dice),
    }
    if counters and getattr(command, "handed", None) is not None:
        hand = hand_of(pair.other.table, own(pair.one.table, asked.caller))
        said["handed"] = handed_for(hand, said["give"], dice)
    return asked.with_fields(**said)


def _handed(pair: Pair, asked: Ask, *, as_swapped: bool) -> tuple[Ask, Ask]:
    """Others hand over something else. What the viewer will receive they may know: it is the same
    in both worlds.
    """
    command, dice = asked.command, pair.dice
    assert isinstance(command, HandOver)
    mine = own(pair.one.table, asked.caller)
    offers = [world.table.offers[command.offer] for world in pair.worlds]
    if (
        mine is None
        or pair.mine(offers[0].seat, offers[0].to)
        or (offers[0].to is None and likely(dice, 50))
    ):
        promised = trade_of(offers[0], mine).gives(mine) if mine else NOTHING
        same = asked.with_fields(goods=handed_for(_in_both_hands(pair, mine), promised, dice))
        return (same, same) if likely(dice, 95) else (asked, asked)
    promised = trade_of(offers[1], mine).gives(mine)
    goods = _swapped(pair, command.goods)
    if not as_swapped:
        goods = handed_for(hand_of(pair.other.table, mine), promised, dice)
    return asked, asked.with_fields(goods=goods)


def _alike(pair: Pair, asked: Ask) -> tuple[Ask, Ask]:
    """Return an offer that the viewer may read, or everybody: it is the same, and both hands can
    keep it.
    """
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
    """Return these goods with the two cards in each other's place; as they are where worlds differ
    freely.
    """
    if pair.swapped is None:
        return goods
    one, other = pair.swapped
    to = {one: other, other: one, _claim(one): _claim(other), _claim(other): _claim(one)}
    return Goods({to.get(token, token): count for token, count in goods.items()})


def _claim(token: str) -> str:
    return token.replace("commodity:", "claim:")


# ---------------------------------------------------------------- hands, refusals


def evens(pair: Pair, seat: str) -> bool:
    """A moderator sets both hands of a seat to what is in both."""
    hands = [world.table.seats[seat].holdings for world in pair.worlds]
    if hands[0] != hands[1]:
        _both(pair, MODERATOR, SetHoldings(seat, hands[0].common(hands[1])))
    hands = [world.table.seats[seat].holdings for world in pair.worlds]
    return hands[0] == hands[1]


def rests_on_secrets(pair: Pair, asked: Ask, answers: list[Answer]) -> bool:
    """Return whether it was refused because of what is in the hand of who asked, or what they said
    of it.
    """
    if _said_before(pair, asked, answers):
        return True
    if isinstance(
        asked.command, Gain | Spend | SetHoldings | AlterOffer | RepeatOffer | MarkDeal | Agree
    ):
        return True
    rules = [answer.violation.rule for answer in answers if isinstance(answer, Refused)]
    return rules[0] in ("15.62", "28.3", "29.2")


def _said_before(pair: Pair, asked: Ask, answers: list[Answer]) -> bool:
    """Return whether who asks has just said the same in private, and not to the viewer: that, they
    alone are told.
    """
    said_before = [
        world.table.offers[option.action.command.offer]
        for world, answer in zip(pair.worlds, answers, strict=True)
        for option in (answer.options if isinstance(answer, Refused) else ())
        if isinstance(option.action, Press) and isinstance(option.action.command, RepeatOffer)
    ]
    mine = own(pair.one.table, asked.caller)
    return any(
        offer.seat == mine and offer.private and not pair.mine(mine, offer.to)
        for offer in said_before
    )


def tells(pair: Pair, asked: Ask) -> bool:
    """28.3: nobody learns from an answer what another's hand holds."""
    return False


def probes(pair: Pair) -> list[Ask]:
    """Return what the viewer could try, to learn from how it is refused: everything on every offer,
    on everybody.
    """
    caller = replace(pair.caller, at=now(pair.one.table))
    return (
        [Ask(command, caller) for command in _probes(pair)]
        if pair.me and pair.who != "overheard"
        else []
    )


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
        if offer and mine and (offer.to is None or offer.party(mine)):
            yield HandOver(
                number, handed_for(hand, trade_of(offer, mine).gives(mine), dice), revision
            )
        yield HandOver(number, some_cards(dice, 3), revision)
    for seat in table.seated():
        yield PostOffer(seat, side(hand, dice), some_cards(dice, dice.randint(2, 9)))
        yield SetHoldings(seat, some_cards(dice, 3))
        yield SetHoldings(
            seat, Goods({token: box()[token] for token in dice.sample(sorted(box()), 3)})
        )
        yield SetHoldings(seat, box())
        yield OpenNegotiation(seat)
        yield TakeCard(seat)
        yield AnswerTake(seat, likely(dice, 50))
    yield PostOffer(None, side(hand, dice), some_cards(dice, 3), handed=some_cards(dice, 3))
    yield LoseCards(cities=dice.randint(0, 9))
    yield SetPhase(dice.choice(["acquire", "trade", "after"]))
    yield OpenTrading()
    yield UndoTrading()


PLAY = Play(
    made=made,
    steps=steps,
    evens=evens,
    probes=probes,
    rests_on_secrets=rests_on_secrets,
    tells=tells,
)

__all__ = ["PLAY", "begun", "person_of"]
