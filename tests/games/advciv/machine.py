"""Random tables of Advanced Civilization: the makers of its own commands.

A maker knows all hands, as the players together do: most of what it makes can be done. Where the
dice want it, it makes what can't.
"""

from __future__ import annotations

from collections.abc import Mapping
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

OPEN = (NOTHING, Goods({UNNAMED: 3}), Goods({"either:2*grain/2*oil": 1, UNNAMED: 1}))
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
    seats: int, dice: Random, settings: Mapping[str, str | int] | None = None, *, dealt: bool = True
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
    was = world.table.settings.items()
    changes = {name: value for name, value in (settings or {}).items() if was[name] != str(value)}
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
    return Ask(
        ask.command,
        Caller(
            ask.caller.person, ask.caller.moderator, now(table), chance=f"chance {dice.random()}"
        ),
    )


def now(table: Table) -> int:
    """Return what time it is at a table."""
    return START + table.seq * SECOND


# ---------------------------------------------------------------- cards


def some_cards(dice: Random, many: int) -> Goods:
    """Return so many cards out of the box."""
    return Goods.of(dice.sample(BOX, many))


def own(table: Table, caller: Caller) -> str | None:
    """Return the caller's seat."""
    seat = table.seat_of(caller.person)
    return seat.id if seat else None


def hand_of(table: Table, seat: str | None) -> Goods:
    """Return what this seat could trade."""
    return tradable(table.seats[seat].holdings) if seat and seat in table.seats else NOTHING


def promise(hand: Goods, dice: Random) -> Goods:
    """Return a side of an offer that this hand can keep, if it has three cards: two or more named,
    others claimed.
    """
    commodities = list(hand.of_kind("commodity").tokens())
    firm = dice.sample(commodities, min(len(commodities), dice.choice([2, 2, 2, 3])))
    rest = min(hand.total(), dice.choice([3, 3, 3, 4, 6])) - len(firm)
    claims = [
        dice.choice([UNNAMED, UNNAMED, f"claim:{dice.choice(CARDS).partition(':')[2]}"])
        for _ in range(rest)
    ]
    return Goods.of([*firm, *claims])


def side(hand: Goods, dice: Random) -> Goods:
    """Return a side of an offer: nearly always one that this hand can keep."""
    if likely(dice, 92):
        return promise(hand, dice)
    return dice.choice(
        [NOTHING, some_cards(dice, 3), promise(hand, dice) + Goods({"calamity:treachery": 1})]
    )


def handed_for(hand: Goods, promised: Goods, dice: Random) -> Goods:
    """Return what this hand could hand over for what was promised; less than it takes, where it
    can't.
    """
    firm = Goods(
        {
            token: min(count, hand.count(token))
            for token, count in named(promised).items()
            if token in hand
        }
    )
    rest = list((hand - firm).tokens())
    return firm + Goods.of(
        dice.sample(rest, min(len(rest), max(0, promised.total() - firm.total())))
    )


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


@MACHINE.makes(ChangeSettings, 1)
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
    phase = (
        following
        if likely(dice, 80) and table.phase != "trade"
        else dice.choice([*phases, "lunch"])
    )
    return SetPhase(phase), ruler(table, dice)


@MACHINE.makes(Tick, 2)
def _tick(table: Table, dice: Random) -> Made:
    return Tick(), Caller(0)


@MACHINE.makes(OpenTrading, 2)
def _open_trading(table: Table, dice: Random) -> Made:
    return OpenTrading(dice.choice([None, None, 0, 1, 2, 5, 1441]), anyway=likely(dice, 50)), ruler(
        table, dice
    )


@MACHINE.makes(UndoTrading, 1)
def _undo_trading(table: Table, dice: Random) -> Made:
    return UndoTrading(), ruler(table, dice)


@MACHINE.makes(DoneTrading, 2)
def _done_trading(table: Table, dice: Random) -> Made:
    return DoneTrading(dice.choice([None, True, False]), anyway=likely(dice, 30)), asker(
        table, dice
    )


@MACHINE.makes(CloseTrading, 1)
def _close_trading(table: Table, dice: Random) -> Made:
    return CloseTrading(), ruler(table, dice)


# ---------------------------------------------------------------- cards that come and go


@MACHINE.makes(DrawCards, 2)
def _draw_cards(table: Table, dice: Random) -> Made:
    waiting = [seat for seat in table.seated() if seat not in part(table, Draws).drawn]
    seat = dice.choice(waiting) if waiting and likely(dice, 90) else seated(table, dice)
    cities = dice.choice([*range(10), -1])
    if likely(dice, 50):
        return DrawCards(cities), sits_in(table, seat, dice)
    return DrawCards(cities, seat), ruler(table, dice)


@MACHINE.makes(SayCities, 2)
def _say_cities(table: Table, dice: Random) -> Made:
    waiting = [
        seat
        for seat in table.seated()
        if seat not in {**part(table, Draws).drawn, **part(table, Draws).said}
    ]
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
    asked = sorted(part(table, Requests).waiting, key=lambda each: (each.seat, each.other))
    agreed = likely(dice, 70)
    if not asked or likely(dice, 10):
        return AnswerTake(seated(table, dice), agreed), asker(table, dice)
    one = dice.choice(asked)
    return AnswerTake(one.seat, agreed), sits_in(table, one.other, dice)


@MACHINE.makes(LoseCards, 1)
def _lose_cards(table: Table, dice: Random) -> Made:
    cards, cities = dice.randint(0, 3), dice.randint(2, 10)
    if likely(dice, 70):
        how = {"cards": cards} if likely(dice, 60) else {"cities": cities}
        return LoseCards(**how), asker(table, dice)
    seat = dice.choice(list(table.seats))
    return LoseCards(cards if likely(dice, 10) else None, cities, seat), ruler(table, dice)


@MACHINE.makes(BuyCard, 1)
def _buy_card(table: Table, dice: Random) -> Made:
    return BuyCard(), asker(table, dice)


@MACHINE.makes(ShowCalamities, 1)
def _show_calamities(table: Table, dice: Random) -> Made:
    return ShowCalamities(anyway=likely(dice, 50)), asker(table, dice)


@MACHINE.makes(SurrenderCards, 2)
def _surrender_cards(table: Table, dice: Random) -> Made:
    most = max(table.seats.values(), key=lambda seat: seat.holdings.total())
    caller = Caller(most.person) if most.person and likely(dice, 60) else asker(table, dice)
    cards = list(hand_of(table, own(table, caller)).of_kind("commodity").tokens())
    given = (
        Goods.of(dice.sample(cards, dice.randint(0, len(cards))))
        if likely(dice, 90)
        else some_cards(dice, 1)
    )
    return SurrenderCards(given, dice.choice(["", "", "", "iron", "gold", "salt"])), caller


@MACHINE.makes(SurrenderPicked, 1)
def _surrender_picked(table: Table, dice: Random) -> Made:
    made, caller = _surrender_cards(table, dice)
    assert isinstance(made, SurrenderCards)
    seat = table.seat_of(caller.person)
    held = seat.holdings.of_kind("commodity") if seat and likely(dice, 90) else some_cards(dice, 3)
    given = made.cards if not held.missing(made.cards) else held
    return SurrenderPicked.picking(
        held, given, "" if likely(dice, 80) else "commodity:iron"
    ), caller


@MACHINE.makes(TakeBackCards, 2)
def _take_back_cards(table: Table, dice: Random) -> Made:
    given = {seat: every for seat, every in part(table, Surrenders).given.items() if every}
    if not given or likely(dice, 10):
        return TakeBackCards(dice.choice([None, 1])), asker(table, dice)
    seat = dice.choice(sorted(given))
    return TakeBackCards(dice.choice([None, len(given[seat]), 1])), sits_in(table, seat, dice)


@MACHINE.makes(SetHoldings, 1)
def _set_holdings(table: Table, dice: Random) -> Made:
    caller = Caller(MODERATOR, moderator=True) if likely(dice, 60) else ruler(table, dice)
    lie = [*hand_of(table, seat := seated(table, dice)).tokens()]
    if likely(dice, 15):  # all there are of a few cards, or of all of them
        goods = Goods(
            {
                token: box()[token]
                for token in dice.sample(sorted(box()), dice.choice([1, 3, len(box())]))
            }
        )
    elif part(table, Stacks).stacks and likely(dice, 80):
        lie += [token for stack in part(table, Stacks).stacks for token in stack]
        lie += part(table, Stacks).aside.tokens()
        goods = Goods.of(dice.sample(lie, min(len(lie), dice.randint(0, 8))))
    else:
        goods = some_cards(dice, dice.randint(0, 10))
    return SetHoldings(seat, goods, dice.choice(["", "mistake"])), caller


@MACHINE.makes(Gain, 2)
def _gain(table: Table, dice: Random) -> Made:
    return Gain(some_cards(dice, dice.randint(0, 4))), asker(table, dice)


@MACHINE.makes(Spend, 1)
def _spend(table: Table, dice: Random) -> Made:
    caller = asker(table, dice)
    cards = list(hand_of(table, own(table, caller)).tokens())
    return Spend(Goods.of(dice.sample(cards, min(len(cards), 2)))), caller


# ---------------------------------------------------------------- offers


@MACHINE.makes(PostOffer, 8)
def _post_offer(table: Table, dice: Random) -> Made:
    caller = asker(table, dice)
    mine = own(table, caller)
    others = [seat for seat in table.seated() if seat != mine]
    to = dice.choice(others or list(table.seats)) if likely(dice, 65) else None
    hand = hand_of(table, mine)
    give = side(hand, dice) if likely(dice, 95) else NOTHING
    want = (
        dice.choice(OPEN)
        if likely(dice, 8)
        else side(hand_of(table, to or seated(table, dice)), dice)
    )
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
    first = dice.choice(standing) if standing and likely(dice, 90) else None
    caller = sits_in(table, first.to, dice) if first else asker(table, dice)
    number = first.number if first else one_of_latest(table.offers_posted, dice)
    give = side(hand_of(table, own(table, caller)), dice)
    want = side(hand_of(table, first.seat if first else seated(table, dice)), dice)
    handed = (
        handed_for(hand_of(table, own(table, caller)), give, dice) if likely(dice, 20) else None
    )
    return CounterOffer(number, give, want, terms(dice), handed=handed), caller


@MACHINE.makes(AlterOffer, 4)
def _alter_offer(table: Table, dice: Random) -> Made:
    number, revision, caller = offer_of_poster(table, dice)
    offer = table.offers.get(number)
    to = offer.to if offer and offer.to else seated(table, dice)
    give, want = side(hand_of(table, own(table, caller)), dice), side(hand_of(table, to), dice)
    return AlterOffer(number, revision, give, want, terms(dice)), caller


@MACHINE.makes(Agree, 2)
def _agree(table: Table, dice: Random) -> Made:
    standing = [offer for offer in table.open_offers() if offer.to]
    if not standing or likely(dice, 20):
        return Agree(one_of_latest(table.offers_posted, dice), 1), asker(table, dice)
    offer = dice.choice(standing)
    return Agree(offer.number, offer.revision), sits_in(
        table, dice.choice([offer.seat, offer.to]), dice
    )


@MACHINE.makes(HandOver, 10)
def _hand_over(table: Table, dice: Random) -> Made:
    offer, seat = _asked_to_hand_over(table, dice)
    if offer is None:
        return HandOver(one_of_latest(table.offers_posted, dice), some_cards(dice, 3), 1), asker(
            table, dice
        )
    caller = sits_in(table, seat, dice)
    mine = own(table, caller)
    promised = trade_of(offer, mine).gives(mine) if mine else NOTHING
    goods = (
        handed_for(hand_of(table, mine), promised, dice)
        if likely(dice, 95)
        else some_cards(dice, 3)
    )
    return HandOver(offer.number, goods, offer.revision + (not likely(dice, 97))), caller


def _asked_to_hand_over(table: Table, dice: Random) -> tuple[Offer | None, str | None]:
    """Return an offer for which this seat could hand over: mostly one of which both have agreed,
    else any.
    """
    agreed = [(offer, seat) for offer in table.open_offers() for seat in to_hand_over(table, offer)]
    if agreed and likely(dice, 80):
        return dice.choice(agreed)
    standing = table.open_offers()[-6:]
    if not standing or likely(dice, 5):
        return None, None
    offer = dice.choice(standing)
    two = (offer.seat, offer.to or dice.choice([*takers(table, offer), *table.seats]))
    return offer, dice.choice(
        [seat for seat in two if seat not in offer.handed or likely(dice, 10)] or list(two)
    )


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
