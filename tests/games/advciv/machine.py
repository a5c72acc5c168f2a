"""Random tables of Advanced Civilization: the makers of its own commands.

A maker knows all hands, as the players together do: most of what it makes can be done. Where the
dice want it, it makes what can't.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain
from random import Random

from bot.games.advciv import GAME
from bot.games.advciv.calamities import SeeCalamities, ShowCalamities
from bot.games.advciv.cards import UNNAMED, box, named, tradable
from bot.games.advciv.cities import CitiesPrompt, SayCities
from bot.games.advciv.drawing import AskBuy, BuyCard, DrawCards
from bot.games.advciv.losing import LoseCards, LosePrompt
from bot.games.advciv.state import Draws, Stacks
from bot.games.advciv.surrendering import (
    SurrenderCards,
    SurrenderPicked,
    SurrenderPrompt,
    Surrenders,
    TakeBackCards,
)
from bot.games.advciv.taking import AnswerTake, Requests, TakeCard, TakePrompt
from bot.games.advciv.trading import (
    AskClose,
    AskOpen,
    CloseTrading,
    DoneTrading,
    OpenTrading,
    UndoTrading,
)
from bot.games.advciv.turns import AskNextTurn
from bot.rules.commands import Caller, Command, Press
from bot.rules.features.audits import Audit
from bot.rules.features.deals import AnswerDeal, MarkDeal, ProposeDeal
from bot.rules.features.holdings import Gain, SetHoldings, Spend
from bot.rules.features.house_rules import WriteRule
from bot.rules.features.negotiations import CloseNegotiation, OpenNegotiation
from bot.rules.features.offers.posting import (
    AlterOffer,
    CounterOffer,
    PauseOffer,
    PostOffer,
    RepeatOffer,
)
from bot.rules.features.offers.signing import (
    Agree,
    Declare,
    EndOffer,
    HandOver,
    HaveThem,
    PickTaker,
    Sign,
)
from bot.rules.features.offers.state import takers, to_hand_over, trade_of
from bot.rules.features.seats import Leave, Sit
from bot.rules.features.tables import ChangeSettings, OpenTable, SetHost, SetPhase, Tick
from bot.rules.model.actions import Action
from bot.rules.model.goods import NOTHING, Goods
from bot.rules.model.offer import Offer
from bot.rules.model.parts import part
from bot.rules.model.table import Table
from bot.rules.vocabulary import CORE
from bot.testing.makers import (
    Makers,
    asker,
    likely,
    offer_of_poster,
    one_of_latest,
    ruler,
    seated,
    sits_in,
)
from bot.testing.world import Ask, World
from tests.games.pairs import alone, own

Made = tuple[Command, Caller]

KINDS = frozenset({*CORE.entries, *GAME.features.entries})
"""The kinds of entry that come about here."""

NEVER = frozenset({Declare, HaveThem})
"""Commands that are never allowed here: nothing of a hand lies open, so there is nothing to
declare.
"""

SEATS = ("africa", "italy", "babylon", "illyria", "thrace", "crete", "asia", "egypt")

MODERATOR = 13
"""A person who never sits down, and so may set hands where the bot deals."""

SECOND = 1000
START = 1_000_000
"""When a table is opened, in milliseconds since 1970. From then on each entry takes a second."""

CARDS = tuple(box())
BOX = tuple(box().tokens())
"""The kinds of card that there are, and all the cards."""

EITHER = Goods({"either:2*grain/2*oil": 1, UNNAMED: 1})
OPEN = (NOTHING, Goods({UNNAMED: 3}), EITHER)
"""What an offer wants that only opens a trade."""

MACHINE = Makers()
MACHINE.of_all_games(
    {
        Leave: 1,
        SetHost: 1,
        Sign: 8,
        EndOffer: 3,
        PauseOffer: 6,
        PickTaker: 3,
        RepeatOffer: 2,
        OpenNegotiation: 1,
        CloseNegotiation: 1,
        Audit: 1,
        Declare: 1,
        HaveThem: 1,
        ProposeDeal: 1,
        AnswerDeal: 1,
        MarkDeal: 1,
        WriteRule: 1,
    }
)

USUAL: Mapping[str, tuple[type[Command], ...]] = {
    "acquire": (
        DrawCards,
        DrawCards,
        SayCities,
        SayCities,
        SayCities,
        BuyCard,
        TakeCard,
        AnswerTake,
        OpenTrading,
        OpenTrading,
    ),
    "trade": (PostOffer, PostOffer, CounterOffer, Sign, HandOver, HandOver, HandOver, HandOver),
    "after": (
        ShowCalamities,
        SurrenderCards,
        SurrenderCards,
        SurrenderCards,
        SetPhase,
        TakeCard,
        AnswerTake,
    ),
}
"""What people do in each phase."""

UNCOUNTED = (PostOffer, CounterOffer, Sign, Agree)
"""What they do in trading where hands are not counted: nothing is handed over."""


def opened(
    seats: int,
    dice: Random,
    settings: Mapping[str, str | int] | None = None,
    *,
    dealt: bool = True,
) -> World:
    """Return a table at which so many sit, each with their first cards; person 1 is the host, and
    people sit in order. The moderator, who sets hands, has looked.

    ``dealt``: the bot deals, each has drawn. Else the cards lie on a real table, and each has said
    what they took.
    """
    world = World()
    world.do(1, OpenTable("advciv", "Friday", chance=f"secret {dice.random()}"))
    chosen = dice.sample(SEATS, seats)
    for person, seat in enumerate(chosen, start=1):
        world.do(1, Sit(seat, person))
    changes = dict(settings or {})
    for name, now in world.table.settings.items().items():
        if str(changes.get(name)) == now:
            del changes[name]
    if changes:
        world.do(1, ChangeSettings(changes))
    for person, seat in enumerate(chosen, start=1):
        if dealt:
            world.do(1, DrawCards(dice.randint(4, 9), seat))
        else:
            world.do(person, Gain(some_cards(dice, dice.randint(3, 12))))
    world.do(MODERATOR, Audit("ledger"), moderator=True)
    return world


def made(table: Table, dice: Random) -> Ask:
    """Return a random command, mostly of what people do in this phase."""
    usual = UNCOUNTED if table.phase == "trade" and not table.tracked else USUAL[table.phase]
    kinds = usual if likely(dice, 60) else MACHINE.weighted
    ask = MACHINE.of(dice.choice(kinds), table, dice)
    chance = f"chance {dice.random()}"
    return Ask(ask.command, replace(ask.caller, at=now(table), chance=chance))


def now(table: Table) -> int:
    """Return what time it is at a table."""
    return START + table.seq * SECOND


# ---------------------------------------------------------------- cards


def some_cards(dice: Random, many: int) -> Goods:
    """Return so many cards out of the box."""
    return Goods.of(dice.sample(BOX, many))


def every_card_of(kinds: int, dice: Random) -> Goods:
    """Return all the cards that there are of so many kinds."""
    return Goods({token: box()[token] for token in dice.sample(sorted(box()), kinds)})


def some_of(cards: Sequence[str], most: int, dice: Random) -> Goods:
    """Return so many of these cards, or all if they are fewer."""
    return Goods.of(dice.sample(cards, min(len(cards), most)))


def hand_of(table: Table, seat: str | None) -> Goods:
    """Return what this seat could trade."""
    return tradable(table.seats[seat].holdings) if seat and seat in table.seats else NOTHING


def promise(hand: Goods, dice: Random) -> Goods:
    """Return a side of an offer that this hand can keep, if it has three cards: two or more named,
    others claimed.
    """
    commodities = list(hand.of_kind("commodity").tokens())
    firm = some_of(commodities, dice.choice([2, 2, 2, 3]), dice)
    most = dice.choice([3, 3, 3, 4, 6])
    claims = []
    for _ in range(min(hand.total(), most) - firm.total()):
        claim = f"claim:{dice.choice(CARDS).partition(':')[2]}"
        claims.append(dice.choice([UNNAMED, UNNAMED, claim]))
    return firm + Goods.of(claims)


def side(hand: Goods, dice: Random) -> Goods:
    """Return a side of an offer: nearly always one that this hand can keep."""
    if likely(dice, 92):
        return promise(hand, dice)
    too_much = promise(hand, dice) + Goods({"calamity:treachery": 1})
    return dice.choice([NOTHING, some_cards(dice, 3), too_much])


def handed_for(hand: Goods, promised: Goods, dice: Random) -> Goods:
    """Return what this hand could hand over for what was promised; less than it takes, where it
    can't.
    """
    firm = named(promised).common(hand)
    rest = list((hand - firm).tokens())
    unnamed = max(0, promised.total() - firm.total())
    return firm + some_of(rest, unnamed, dice)


def terms(dice: Random) -> str:
    """Return what else is agreed on: mostly nothing, seldom too much."""
    return "x" * dice.choice([0] * 14 + [3] * 5 + [301])


# ---------------------------------------------------------------- the table and its phases


@MACHINE.makes(Sit, 4)
def _sit(table: Table, dice: Random) -> Made:
    person = dice.randint(1, 9)
    empty = [seat.id for seat in table.seats.values() if seat.person is None]
    seat = dice.choice(empty) if empty and likely(dice, 80) else dice.choice(SEATS)
    return Sit(seat, person), Caller(person if likely(dice, 50) else table.host)


@MACHINE.makes(ChangeSettings)
def _change_settings(table: Table, dice: Random) -> Made:
    changes: dict[str, str | int] = {
        "rulings": "warn" if likely(dice, 20) else "refuse",
        "inventory": "untracked" if likely(dice, 10) else "tracked",
        "name_calamities": "yes" if likely(dice, 40) else "no",
        "timer": dice.choice([0, 0, 1, 5]),
    }
    if likely(dice, 10):
        changes["cards"] = dice.choice(["undecided", "dealt", "real"])
    if likely(dice, 5):
        changes["confirm"] = "twice"
    return ChangeSettings(changes), ruler(table, dice)


@MACHINE.makes(SetPhase, 2)
def _set_phase(table: Table, dice: Random) -> Made:
    phases = GAME.info.phases
    following = phases[(phases.index(table.phase) + 1) % len(phases)]
    if likely(dice, 80) and table.phase != "trade":
        return SetPhase(following), ruler(table, dice)
    return SetPhase(dice.choice([*phases, "lunch"])), ruler(table, dice)


@MACHINE.makes(Tick, 2)
def _tick(table: Table, dice: Random) -> Made:
    return Tick(), Caller(0)


@MACHINE.makes(OpenTrading, 2)
def _open_trading(table: Table, dice: Random) -> Made:
    minutes = dice.choice([None, None, 0, 1, 2, 5, 1441])
    return OpenTrading(minutes, anyway=likely(dice, 50)), ruler(table, dice)


MACHINE.makes(UndoTrading)(alone(UndoTrading, ruler))


@MACHINE.makes(DoneTrading, 2)
def _done_trading(table: Table, dice: Random) -> Made:
    done = dice.choice([None, True, False])
    return DoneTrading(done, anyway=likely(dice, 30)), asker(table, dice)


MACHINE.makes(CloseTrading)(alone(CloseTrading, ruler))


# ---------------------------------------------------------------- cards that come and go


@MACHINE.makes(DrawCards, 2)
def _draw_cards(table: Table, dice: Random) -> Made:
    drawn = part(table, Draws).drawn
    waiting = [seat for seat in table.seated() if seat not in drawn]
    seat = dice.choice(waiting) if waiting and likely(dice, 90) else seated(table, dice)
    cities = dice.choice([*range(10), -1])
    if likely(dice, 50):
        return DrawCards(cities), sits_in(table, seat, dice)
    return DrawCards(cities, seat), ruler(table, dice)


@MACHINE.makes(SayCities, 2)
def _say_cities(table: Table, dice: Random) -> Made:
    draws = part(table, Draws)
    spoken = {**draws.drawn, **draws.said}
    waiting = [seat for seat in table.seated() if seat not in spoken]
    seat = dice.choice(waiting) if waiting and likely(dice, 85) else seated(table, dice)
    cities = dice.choice([*range(10), -1])
    if likely(dice, 60):
        return SayCities(cities), sits_in(table, seat, dice)
    return SayCities(cities, seat), ruler(table, dice)


@MACHINE.makes(TakeCard, 2)
def _take_card(table: Table, dice: Random) -> Made:
    other = dice.choice([*table.seats, *table.seated()])
    if likely(dice, 70):
        return TakeCard(other), asker(table, dice)
    return TakeCard(other, seated(table, dice)), ruler(table, dice)


@MACHINE.makes(AnswerTake, 2)
def _answer_take(table: Table, dice: Random) -> Made:
    requests = part(table, Requests).in_order()
    agreed = likely(dice, 70)
    if not requests or likely(dice, 10):
        return AnswerTake(seated(table, dice), agreed), asker(table, dice)
    request = dice.choice(requests)
    return AnswerTake(request.seat, agreed), sits_in(table, request.other, dice)


@MACHINE.makes(LoseCards)
def _lose_cards(table: Table, dice: Random) -> Made:
    cards, cities = dice.randint(0, 3), dice.randint(2, 10)
    if likely(dice, 70):
        lost = LoseCards(cards=cards) if likely(dice, 60) else LoseCards(cities=cities)
        return lost, asker(table, dice)
    seat = dice.choice(list(table.seats))
    both = cards if likely(dice, 10) else None
    return LoseCards(both, cities, seat), ruler(table, dice)


MACHINE.makes(BuyCard)(alone(BuyCard, asker))


@MACHINE.makes(ShowCalamities)
def _show_calamities(table: Table, dice: Random) -> Made:
    return ShowCalamities(anyway=likely(dice, 50), ask=likely(dice, 50)), asker(table, dice)


@MACHINE.makes(SurrenderCards, 2)
def _surrender_cards(table: Table, dice: Random) -> Made:
    richest = max(table.seats.values(), key=lambda seat: seat.holdings.total())
    if richest.person and likely(dice, 60):
        caller = Caller(richest.person)
    else:
        caller = asker(table, dice)
    hand = hand_of(table, own(table, caller))
    cards = list(hand.of_kind("commodity").tokens())
    given = some_of(cards, dice.randint(0, len(cards)), dice)
    if likely(dice, 10):
        given = some_cards(dice, 1)
    mining = dice.choice(["", "", "", "iron", "gold", "salt"])
    return SurrenderCards(given, mining), caller


@MACHINE.makes(SurrenderPicked)
def _surrender_picked(table: Table, dice: Random) -> Made:
    made, caller = _surrender_cards(table, dice)
    assert isinstance(made, SurrenderCards)
    seat = table.seat_of(caller.person)
    held = some_cards(dice, 3)
    if seat and likely(dice, 90):
        held = seat.holdings.of_kind("commodity")
    given = made.cards if not held.missing(made.cards) else held
    mining = "" if likely(dice, 80) else "commodity:iron"
    return SurrenderPicked.picking(held, given, mining), caller


@MACHINE.makes(TakeBackCards, 2)
def _take_back_cards(table: Table, dice: Random) -> Made:
    given = part(table, Surrenders).given
    seats = sorted(seat for seat in given if given[seat])
    if not seats or likely(dice, 10):
        return TakeBackCards(dice.choice([None, 1])), asker(table, dice)
    seat = dice.choice(seats)
    number = dice.choice([None, len(given[seat]), 1])
    return TakeBackCards(number), sits_in(table, seat, dice)


@MACHINE.makes(SetHoldings)
def _set_holdings(table: Table, dice: Random) -> Made:
    caller = Caller(MODERATOR, moderator=True) if likely(dice, 60) else ruler(table, dice)
    seat = seated(table, dice)
    stacks = part(table, Stacks)
    if likely(dice, 15):
        goods = every_card_of(dice.choice([1, 3, len(CARDS)]), dice)
    elif stacks.stacks and likely(dice, 80):
        cards = list(hand_of(table, seat).tokens())
        cards.extend(chain(*stacks.stacks))
        cards.extend(stacks.aside.tokens())
        goods = some_of(cards, dice.randint(0, 8), dice)
    else:
        goods = some_cards(dice, dice.randint(0, 10))
    return SetHoldings(seat, goods, dice.choice(["", "mistake"])), caller


@MACHINE.makes(Gain, 2)
def _gain(table: Table, dice: Random) -> Made:
    return Gain(some_cards(dice, dice.randint(0, 4))), asker(table, dice)


@MACHINE.makes(Spend)
def _spend(table: Table, dice: Random) -> Made:
    caller = asker(table, dice)
    cards = list(hand_of(table, own(table, caller)).tokens())
    return Spend(some_of(cards, 2, dice)), caller


# ---------------------------------------------------------------- offers


@MACHINE.makes(PostOffer, 8)
def _post_offer(table: Table, dice: Random) -> Made:
    caller = asker(table, dice)
    mine = own(table, caller)
    others = [seat for seat in table.seated() if seat != mine]
    to = dice.choice(others or list(table.seats)) if likely(dice, 65) else None
    hand = hand_of(table, mine)
    give = side(hand, dice) if likely(dice, 95) else NOTHING
    want = side(hand_of(table, to or seated(table, dice)), dice)
    if likely(dice, 8):
        want = dice.choice(OPEN)
    offer = PostOffer(
        to=to,
        give=give,
        want=want,
        terms=terms(dice),
        lasts=dice.choice([None] * 6 + [10_000, 60_000, 60_000, 1]),
        negotiation=one_of_latest(table.negotiations_opened, dice) if likely(dice, 5) else None,
        handed=handed_for(hand, give, dice) if likely(dice, 35) else None,
    )
    return offer, caller


@MACHINE.makes(CounterOffer, 2)
def _counter_offer(table: Table, dice: Random) -> Made:
    standing = [offer for offer in table.open_offers() if offer.to]
    if standing and likely(dice, 90):
        first = dice.choice(standing)
        number, poster, caller = first.number, first.seat, sits_in(table, first.to, dice)
    else:
        number = one_of_latest(table.offers_posted, dice)
        poster, caller = seated(table, dice), asker(table, dice)
    hand = hand_of(table, own(table, caller))
    give = side(hand, dice)
    want = side(hand_of(table, poster), dice)
    handed = handed_for(hand, give, dice) if likely(dice, 20) else None
    return CounterOffer(number, give, want, terms(dice), handed=handed), caller


@MACHINE.makes(AlterOffer, 4)
def _alter_offer(table: Table, dice: Random) -> Made:
    number, revision, caller = offer_of_poster(table, dice)
    offer = table.offers.get(number)
    to = offer.to if offer and offer.to else seated(table, dice)
    give = side(hand_of(table, own(table, caller)), dice)
    want = side(hand_of(table, to), dice)
    return AlterOffer(number, revision, give, want, terms(dice)), caller


@MACHINE.makes(Agree, 2)
def _agree(table: Table, dice: Random) -> Made:
    standing = [offer for offer in table.open_offers() if offer.to]
    if not standing or likely(dice, 20):
        return Agree(one_of_latest(table.offers_posted, dice), 1), asker(table, dice)
    offer = dice.choice(standing)
    party = dice.choice([offer.seat, offer.to])
    return Agree(offer.number, offer.revision), sits_in(table, party, dice)


@MACHINE.makes(HandOver, 10)
def _hand_over(table: Table, dice: Random) -> Made:
    offer, seat = _asked_to_hand_over(table, dice)
    if offer is None:
        number = one_of_latest(table.offers_posted, dice)
        return HandOver(number, some_cards(dice, 3), 1), asker(table, dice)
    caller = sits_in(table, seat, dice)
    mine = own(table, caller)
    promised = trade_of(offer, mine).gives(mine) if mine else NOTHING
    goods = some_cards(dice, 3)
    if likely(dice, 95):
        goods = handed_for(hand_of(table, mine), promised, dice)
    revision = offer.revision if likely(dice, 97) else offer.revision + 1
    return HandOver(offer.number, goods, revision), caller


def _asked_to_hand_over(table: Table, dice: Random) -> tuple[Offer | None, str | None]:
    """Return an offer for which this seat could hand over: mostly one of which both have agreed,
    else any.
    """
    agreed = []
    for offer in table.open_offers():
        agreed += [(offer, seat) for seat in to_hand_over(table, offer)]
    if agreed and likely(dice, 80):
        return dice.choice(agreed)
    standing = table.open_offers()[-6:]
    if not standing or likely(dice, 5):
        return None, None
    offer = dice.choice(standing)
    other = offer.to
    if other is None:
        other = dice.choice([*takers(table, offer), *table.seats])
    two = [offer.seat, other]
    waiting = [seat for seat in two if seat not in offer.handed]
    return offer, dice.choice(waiting if waiting and likely(dice, 90) else two)


# ---------------------------------------------------------------- what can be pressed


def command_of(action: Action) -> Command | None:
    """Return the command that an action of the game brings about; None for one that only asks
    back.
    """
    match action:
        case Press(command=command):
            return command
        case SeeCalamities():
            return ShowCalamities()
        case CitiesPrompt():
            return SayCities(4)
        case SurrenderPrompt():
            return SurrenderCards(NOTHING)
        case LosePrompt():
            return LoseCards(cards=1)
        case AskBuy() | TakePrompt() | AskClose() | AskOpen() | AskNextTurn():
            return None  # they ask first
    raise AssertionError(f"{action} is no action of this game")
