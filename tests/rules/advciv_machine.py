"""Random tables of Advanced Civilization: makers of its commands, beside those in `tests.rules.machine`.

A maker knows all hands, as the players together do: most of what it makes can be done. Where the dice want it, it makes
what can't. The beginning and the end of a table the tests bring about themselves.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from random import Random

from bot.rules.commands import (
    Agree,
    AlterOffer,
    AnswerDeal,
    Audit,
    ChangeSettings,
    CloseNegotiation,
    Command,
    CounterOffer,
    Declare,
    EndOffer,
    Gain,
    HandOver,
    Leave,
    MarkDeal,
    OpenNegotiation,
    OpenTable,
    PauseOffer,
    PickTaker,
    PostOffer,
    ProposeDeal,
    SetHoldings,
    SetHost,
    SetPhase,
    Sign,
    Sit,
    Spend,
    Tick,
)
from bot.rules.entries import CORE
from bot.rules.games.advciv import GAME
from bot.rules.games.advciv.cards import UNNAMED, named, tradable
from bot.rules.games.advciv.commands import (
    BuyCard,
    CloseTrading,
    DoneTrading,
    DrawCards,
    OpenTrading,
    ShowCalamities,
    SurrenderCards,
)
from bot.rules.games.advciv.stacks import box
from bot.rules.games.advciv.state import seated as seated_at
from bot.rules.games.advciv.state import state_of
from bot.rules.goods import NOTHING, Goods
from bot.rules.offer_state import takers, to_hand_over, trade_of
from bot.rules.table import Offer, Settings, Table
from tests.rules import machine
from tests.rules.machine import Maker, World, asker, likely, number_of, poster, ruler, seated

KINDS = frozenset({*CORE, *GAME.entries})
"""The kinds of entry that come about here."""

SEATS = ("africa", "italy", "iberia", "illyria", "thrace", "crete", "asia", "egypt")

LOOKS_ON = 10
"""Somebody who never sits down, and so may moderate where the bot deals."""

SECOND = 1000
START = 1_000_000
"""When a table is opened, in milliseconds since 1970. From then on each entry takes a second."""

CARDS = tuple(box())
COMMODITIES = tuple(box().of_kind("commodity"))

MAKERS: dict[type[Command], Maker] = {}
WEIGHTED: list[type[Command]] = []
makes = partial(machine.makes, makers=MAKERS, weighted=WEIGHTED)

AS_EVERYWHERE: dict[type[Command], int] = {
    Leave: 1, SetHost: 1, EndOffer: 3, PauseOffer: 3, PickTaker: 3, Agree: 2, OpenNegotiation: 1,
    CloseNegotiation: 1, Audit: 1, Declare: 1, ProposeDeal: 1, AnswerDeal: 1, MarkDeal: 1,
}  # fmt: skip
"""The kinds whose commands are made as for any other game, and how often they come."""

for _kind, _weight in AS_EVERYWHERE.items():
    makes(_kind, _weight)(machine.MAKERS[_kind])

USUAL: dict[str, tuple[type[Command], ...]] = {
    "acquire": (DrawCards, DrawCards, DrawCards, DrawCards, BuyCard, OpenTrading),
    "trade": (PostOffer, PostOffer, CounterOffer, Sign, HandOver, HandOver, HandOver, HandOver),
    "after": (ShowCalamities, SurrenderCards, SurrenderCards, SurrenderCards, SetPhase),
}
"""What people do in each phase."""


def opened(seats: int, dice: Random, settings: Settings | None = None, *, dealt: bool = True) -> World:
    """A table at which so many sit, each with their first cards; person 1 is the host, and people sit in order.

    ``dealt``: the bot deals, each has drawn. Else the cards lie on a real table, and each has said what they took.
    """
    world = World()
    world.do(OpenTable(by=1, game="advciv", name="Friday"))
    for person, seat in enumerate(dice.sample(SEATS, seats), start=1):
        world.do(Sit(by=1, seat=seat, person=person))
    if settings is not None and settings != world.table.settings:
        world.do(ChangeSettings(by=1, settings=settings))
    for person in range(1, seats + 1):
        if dealt:
            world.do(DrawCards(by=1, person=person, cities=dice.randint(4, 9), chance=f"chance {dice.random()}"))
        else:
            world.do(Gain(by=person, goods=some_cards(dice, dice.randint(3, 12))))
    return world


def commands(world: World, dice: Random, many: int) -> Iterator[Command]:
    """So many random commands, each made for the table as it is when it is asked for."""
    for _ in range(many):
        yield command(world.table, dice)


def command(table: Table, dice: Random) -> Command:
    """A random command, mostly of what people do in this phase."""
    kinds = USUAL[table.phase] if likely(dice, 60) else WEIGHTED
    made = MAKERS[dice.choice(kinds)](table, dice)
    return made.model_copy(update={"at": now(table)})


def now(table: Table) -> int:
    """What time it is at a table."""
    return START + table.seq * SECOND


# ---------------------------------------------------------------- cards


def some_cards(dice: Random, many: int) -> Goods:
    """So many cards out of the box."""
    return goods_of(dice.sample([token for token, count in box().items() for _ in range(count)], many))


def goods_of(tokens: list[str]) -> Goods:
    """These cards, put together."""
    return Goods({token: tokens.count(token) for token in tokens})


def hand_of(table: Table, person: int | None) -> Goods:
    """What this person could trade."""
    seat = table.seat_of(person) if person else None
    return tradable(seat.holdings) if seat else NOTHING


def each(goods: Goods) -> list[str]:
    """The cards one by one."""
    return [token for token, count in goods.items() for _ in range(count)]


def promise(hand: Goods, dice: Random) -> Goods:
    """A side of an offer that this hand can keep, if it has three cards: two or more are named, others claimed."""
    commodities = each(hand.of_kind("commodity"))
    firm = dice.sample(commodities, min(len(commodities), dice.choice([2, 2, 2, 3])))
    rest = min(hand.total(), dice.choice([3, 3, 3, 4, 6])) - len(firm)
    said = [dice.choice([UNNAMED, UNNAMED, f"claim:{dice.choice(CARDS).partition(':')[2]}"]) for _ in range(rest)]
    return goods_of([*firm, *said])


def side(hand: Goods, dice: Random) -> Goods:
    """A side of an offer: nearly always one that this hand can keep."""
    if likely(dice, 92):
        return promise(hand, dice)
    return dice.choice([NOTHING, some_cards(dice, 3), promise(hand, dice) + Goods({"calamity:treachery": 1})])


def handed_for(hand: Goods, promised: Goods, dice: Random) -> Goods:
    """What this hand could hand over for what was promised; less than it takes, where it can't."""
    firm = Goods({token: min(count, hand.count(token)) for token, count in named(promised).items() if token in hand})
    rest = each(hand - firm)
    return firm + goods_of(dice.sample(rest, min(len(rest), promised.total() - firm.total())))


def terms(dice: Random) -> str:
    """What else is agreed on: mostly nothing, seldom too much."""
    return "x" * dice.choice([0] * 14 + [3] * 5 + [301])


# ---------------------------------------------------------------- the table and its phases


@makes(Sit, 4)
def _sit(table: Table, dice: Random) -> Sit:
    person = dice.randint(1, LOOKS_ON - 1)
    empty = [seat.id for seat in table.seats.values() if seat.person is None]
    seat = dice.choice(empty) if empty and likely(dice, 80) else dice.choice(SEATS)
    return Sit(by=person if likely(dice, 50) else table.host, seat=seat, person=person)


@makes(ChangeSettings, 1)
def _change_settings(table: Table, dice: Random) -> ChangeSettings:
    settings = Settings(
        rulings="warn" if likely(dice, 20) else "refuse", inventory="untracked" if likely(dice, 10) else "tracked",
        name_calamities="yes" if likely(dice, 40) else "no", timer=dice.choice([0, 0, 1, 5]),
        confirm="twice" if likely(dice, 5) else "once",
    )  # fmt: skip
    return ChangeSettings.model_validate({**ruler(table, dice), "settings": settings})


@makes(SetPhase, 2)
def _set_phase(table: Table, dice: Random) -> SetPhase:
    following = GAME.phases[(GAME.phases.index(table.phase) + 1) % len(GAME.phases)]
    phase = following if likely(dice, 80) and table.phase != "trade" else dice.choice([*GAME.phases, "lunch"])
    return SetPhase.model_validate({**ruler(table, dice), "phase": phase})


@makes(Tick, 2)
def _tick(table: Table, dice: Random) -> Tick:
    return Tick(by=asker(table, dice))


@makes(OpenTrading, 2)
def _open_trading(table: Table, dice: Random) -> OpenTrading:
    return OpenTrading.model_validate({**ruler(table, dice), "minutes": dice.choice([None, None, 0, 1, 2, 5, 1441])})


@makes(DoneTrading, 2)
def _done_trading(table: Table, dice: Random) -> DoneTrading:
    return DoneTrading(by=asker(table, dice), done=dice.choice([None, True, False]))


@makes(CloseTrading, 1)
def _close_trading(table: Table, dice: Random) -> CloseTrading:
    return CloseTrading.model_validate(ruler(table, dice))


# ---------------------------------------------------------------- cards that come and go


@makes(DrawCards, 2)
def _draw_cards(table: Table, dice: Random) -> DrawCards:
    waiting = [table.seats[seat].person for seat in seated_at(table) if seat not in state_of(table).drawn]
    person = dice.choice(waiting) if waiting and likely(dice, 90) else seated(table, dice)
    by = {"by": person} if likely(dice, 50) else ruler(table, dice)
    return DrawCards.model_validate(
        {**by, "person": person, "cities": dice.choice([*range(10), -1]), "chance": f"chance {dice.random()}"}
    )


@makes(BuyCard, 1)
def _buy_card(table: Table, dice: Random) -> BuyCard:
    return BuyCard(by=asker(table, dice))


@makes(ShowCalamities, 1)
def _show_calamities(table: Table, dice: Random) -> ShowCalamities:
    return ShowCalamities(by=asker(table, dice), chance=f"chance {dice.random()}")


@makes(SurrenderCards, 2)
def _surrender_cards(table: Table, dice: Random) -> SurrenderCards:
    most = max(table.seats.values(), key=lambda seat: seat.holdings.total(), default=None)
    by = most.person if most and most.person and likely(dice, 60) else asker(table, dice)
    cards = each(hand_of(table, by).of_kind("commodity"))
    given = goods_of(dice.sample(cards, dice.randint(0, len(cards)))) if likely(dice, 90) else some_cards(dice, 1)
    return SurrenderCards(by=by, cards=given, mining=dice.choice(["", "", "", "iron", "gold", "salt"]))


@makes(SetHoldings, 1)
def _set_holdings(table: Table, dice: Random) -> SetHoldings:
    who = {"by": LOOKS_ON, "moderator": True} if likely(dice, 60) else ruler(table, dice)
    lie = [*each(hand_of(table, person := seated(table, dice)))]
    if state_of(table).stacks and likely(dice, 80):
        lie += [token for stack in state_of(table).stacks for token in stack] + each(state_of(table).aside)
        goods = goods_of(dice.sample(lie, min(len(lie), dice.randint(0, 8))))
    else:
        goods = some_cards(dice, dice.randint(0, 10))
    return SetHoldings.model_validate({**who, "person": person, "goods": goods, "reason": dice.choice(["", "mistake"])})


@makes(Gain, 2)
def _gain(table: Table, dice: Random) -> Gain:
    return Gain(by=asker(table, dice), goods=some_cards(dice, dice.randint(0, 4)))


@makes(Spend, 1)
def _spend(table: Table, dice: Random) -> Spend:
    by = asker(table, dice)
    cards = each(hand_of(table, by))
    return Spend(by=by, goods=goods_of(dice.sample(cards, min(len(cards), 2))))


# ---------------------------------------------------------------- offers


@makes(PostOffer, 8)
def _post_offer(table: Table, dice: Random) -> PostOffer:
    by = asker(table, dice)
    others = [seat.person for seat in table.seats.values() if seat.person not in (None, by)]
    to = dice.choice(others or [by]) if likely(dice, 65) else None
    hand = hand_of(table, by)
    give = side(hand, dice) if likely(dice, 95) else NOTHING
    return PostOffer(
        by=by, to=to, give=give, want=side(hand_of(table, to or seated(table, dice)), dice),
        terms=terms(dice), lasts=dice.choice([None] * 6 + [10_000, 60_000, 60_000, 1]),
        negotiation=number_of(table.negotiations, dice) if likely(dice, 5) else None,
        handed=handed_for(hand, give, dice) if likely(dice, 35) else None,
    )  # fmt: skip


@makes(CounterOffer, 2)
def _counter_offer(table: Table, dice: Random) -> CounterOffer:
    standing = [offer for offer in table.open_offers() if offer.to]
    first = dice.choice(standing) if standing and likely(dice, 90) else None
    by = _sits_in(table, first.to, dice) if first else asker(table, dice)
    whose = table.seats[first.seat].person if first else seated(table, dice)
    return CounterOffer(
        by=by, offer=first.number if first else number_of(table.offers, dice), give=side(hand_of(table, by), dice),
        want=side(hand_of(table, whose), dice), terms=terms(dice),
    )  # fmt: skip


@makes(AlterOffer, 4)
def _alter_offer(table: Table, dice: Random) -> AlterOffer:
    number = number_of(table.offers, dice)
    by, revision = poster(table, number, dice)
    offer = table.offers.get(number)
    to = table.seats[offer.to].person if offer and offer.to else seated(table, dice)
    give, want = side(hand_of(table, by), dice), side(hand_of(table, to), dice)
    return AlterOffer(by=by, offer=number, revision=revision, give=give, want=want, terms=terms(dice))


@makes(Sign, 8)
def _sign(table: Table, dice: Random) -> Sign:
    made = machine.MAKERS[Sign](table, dice)
    assert isinstance(made, Sign)
    return made


@makes(HandOver, 10)
def _hand_over(table: Table, dice: Random) -> HandOver:
    offer, seat = _asked_to_hand_over(table, dice)
    if offer is None:
        number = number_of(table.offers, dice)
        return HandOver(by=asker(table, dice), offer=number, revision=1, goods=some_cards(dice, 3))
    by = _sits_in(table, seat, dice)
    mine = table.seat_of(by)
    promised = trade_of(offer, mine.id).gives(mine.id) if mine else NOTHING
    goods = handed_for(hand_of(table, by), promised, dice) if likely(dice, 95) else some_cards(dice, 3)
    return HandOver(by=by, offer=offer.number, revision=offer.revision + (not likely(dice, 97)), goods=goods)


def _asked_to_hand_over(table: Table, dice: Random) -> tuple[Offer | None, str | None]:
    """An offer for which this seat could hand over: mostly one of which both have agreed, else any of the latest."""
    agreed = [(offer, seat) for offer in table.open_offers() for seat in to_hand_over(table, offer)]
    if agreed and likely(dice, 80):
        return dice.choice(agreed)
    standing = table.open_offers()[-6:]
    if not standing or likely(dice, 5):
        return None, None
    offer = dice.choice(standing)
    two = (offer.seat, offer.to or dice.choice([*takers(table, offer), *table.seats]))
    return offer, dice.choice([seat for seat in two if seat not in offer.handed or likely(dice, 10)] or two)


def _sits_in(table: Table, seat: str | None, dice: Random) -> int:
    """Who sits in this seat, nearly always; anybody when nobody does."""
    person = table.seats[seat].person if seat else None
    return person if person and likely(dice, 97) else asker(table, dice)
