"""Random tables of Twilight Imperium 4: the makers of its own commands."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from random import Random
from typing import Literal

from bot.games.ti4 import GAME
from bot.games.ti4.agendas import AskAboutAgenda, ResolveAgenda, RevealAgenda
from bot.games.ti4.boxes import EXPANSIONS
from bot.games.ti4.colors import COLORS, SayColor
from bot.games.ti4.combat import (
    ActivateSystem,
    ActOutOfTurn,
    AskWhomToFight,
    AskWhoseUnits,
    BeginCombat,
    EndCombat,
)
from bot.games.ti4.commodities import Convert, GainCommodities
from bot.games.ti4.components import note_named, note_owner
from bot.games.ti4.counting import WHY, Count
from bot.games.ti4.departures import (
    ChangeFaction,
    Eliminate,
    of_change,
    of_elimination,
    public_seats,
    stamp,
)
from bot.games.ti4.hand_limit import DiscardCards, excess
from bot.games.ti4.holdings import commodity_value
from bot.games.ti4.losses import LoseCommodities
from bot.games.ti4.neighbors import (
    AnswerClaim,
    ClaimNeighbor,
    ClaimTradePartner,
    JoinNeighbors,
    NeighborsAction,
    NobodyYet,
    PartNeighbors,
    PickNeighbors,
    SeatAround,
    SeatNeighbors,
    SetNeighbors,
    seats_digest,
)
from bot.games.ti4.note_claims import ClaimNote, DoubtClaim, NoteClaim, NoteClaims, SettleClaim
from bot.games.ti4.note_gifts import GiveNote
from bot.games.ti4.note_moments import rules_out
from bot.games.ti4.note_returns import UndoActivation, sent_home
from bot.games.ti4.note_shows import LookAtNotes, ShowNotes
from bot.games.ti4.notes import (
    AskNotesInPlay,
    AskWhosePlanet,
    MoveWithPlanet,
    PlayNote,
    ReturnNote,
    holder_of,
)
from bot.games.ti4.permits import AskPermit, GrantCard, GrantPermit, RevokePermit, has
from bot.games.ti4.pillage import (
    AppealPillage,
    CallMentak,
    LetPillageGo,
    Pillage,
    Pillages,
    SettlePillage,
    Take,
    open_chances,
)
from bot.games.ti4.requests import AnswerRequest, Replenish, waiting
from bot.games.ti4.slips import UndoAgenda, UndoPhase
from bot.games.ti4.state import Combat, GameRound, InForce, Round, questions
from bot.games.ti4.strategy_cards import AskCards, PutCardBack, SetCardGoods, SwapCards, TakeCard
from bot.games.ti4.take_back import TakeTradeBack, Undoables, asked_by
from bot.games.ti4.trade_agreements import AgreementAnswer, agreement_of, prompts
from bot.games.ti4.trade_card import AskTrade, PickTrade, PlayTrade
from bot.games.ti4.turns import (
    AskOrder,
    AskWhoIsNext,
    EndTurn,
    GiveTurn,
    NextTurn,
    PassTurn,
    SameOrNew,
    SetOrder,
    StartTurn,
    UndoPass,
)
from bot.rules.commands import Caller, Command, Press
from bot.rules.features.audits import Audit
from bot.rules.features.deals import AnswerDeal, MarkDeal, ProposeDeal
from bot.rules.features.holdings import Gain, SetHoldings, Spend
from bot.rules.features.house_rules import WriteRule
from bot.rules.features.negotiations import CloseNegotiation, OpenNegotiation
from bot.rules.features.offers.debts import (
    DisputeDebt,
    ForgiveDebt,
    UnforgiveDebt,
    debts_of,
    open_debts,
)
from bot.rules.features.offers.entries import HandedOver, HandOverUndone
from bot.rules.features.offers.posting import (
    AlterOffer,
    CounterOffer,
    PauseOffer,
    PostOffer,
    RepeatOffer,
    SameOffer,
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
from bot.rules.features.seats import Leave, Sit
from bot.rules.features.tables import ChangeSettings, OpenTable, SetHost, SetPhase, Tick
from bot.rules.model.actions import Action
from bot.rules.model.debts import Debt, owed
from bot.rules.model.goods import NOTHING, Goods, kind_of
from bot.rules.model.parts import part
from bot.rules.model.table import Table
from bot.rules.vocabulary import CORE
from bot.testing.makers import (
    PLAYERS,
    Makers,
    asker,
    likely,
    offer_of_poster,
    one_of_latest,
    ruler,
    seated,
    sits_in,
)
from bot.testing.world import World
from data.ti4 import TradeLift, commodity_losses, permit_cards, strategy_cards
from tests.games.pairs import alone, own

Made = tuple[Command, Caller]

SEATS = (
    "hacan",
    "sol",
    "letnev",
    "mahact",
    "l1z1x",
    "mentak",
    "empyrean",
    "firmament",
    "titans",
    "yssaril",
)
"""Hacan trades with everybody, Mahact has no Alliance, Letnev and L1Z1X have notes of two
printings, Mentak pillages, Empyrean has Dark Pact, Titans Terraform, Yssaril Spy Net, the Firmament
become another; Sol are ordinary."""

DEALT = Goods({"trade_good": 4, "commodity": 1, "fragment:unknown": 1})
"""What each seat begins with at a table of `opened`."""

DARK_PACT, TERRAFORM = "note:dark_pact:empyrean", "note:terraform:titans"

KINDS = frozenset({*CORE.entries, *GAME.features.entries} - {HandedOver, HandOverUndone})
"""The kinds of entry that come about here.

Nothing is handed over in a game that has no `Exchange`, and Pillage asks nobody any more.
"""

NEVER = frozenset({HandOver})
"""Commands that are never allowed here."""

MACHINE = Makers()
MACHINE.of_all_games(
    {
        Leave: 1,
        SetHost: 1,
        Sign: 24,
        EndOffer: 2,
        PauseOffer: 3,
        PickTaker: 4,
        Agree: 2,
        RepeatOffer: 2,
        SameOffer: 2,
        OpenNegotiation: 2,
        CloseNegotiation: 1,
        Audit: 1,
        Declare: 2,
        HaveThem: 2,
        ProposeDeal: 2,
        AnswerDeal: 2,
        MarkDeal: 2,
        WriteRule: 1,
    }
)


def opened(seats: int, dice: Random, settings: Mapping[str, str | int] | None = None) -> World:
    """Return a table at which so many sit, goods dealt, each a neighbour of the next; person 1 is
    the host.

    One of the first two has Dark Pact in play, and Terraform, if their owners sit there.
    """
    world = World()
    world.do(1, OpenTable("ti4", "Friday"))
    chosen = dice.sample(SEATS, seats)
    for person, seat in enumerate(chosen, start=1):
        world.do(1, Sit(seat, person))
        world.do(1, SetHoldings(seat, DEALT))
    for first, second in pairwise(chosen):
        world.do(1, JoinNeighbors(first, second))
    for note in (DARK_PACT, TERRAFORM):
        if (owner := note_owner(note)[1]) in chosen:  # else it would hardly ever be in play
            person = 1 + (chosen[0] == owner)
            holder = chosen[person - 1]
            world.do(1, SetHoldings(holder, DEALT + Goods({note: 1})))
            world.do(person, PlayNote(note))
    was = world.table.settings.items()
    changes = {}
    for name, value in (settings or {}).items():
        if was[name] != str(value):
            changes[name] = value
    if changes:
        world.do(1, ChangeSettings(changes))
    return world


# ---------------------------------------------------------------- goods


def some_goods(table: Table, dice: Random) -> Goods:
    """Return goods of any kind, whoever has them."""
    tokens = [
        "trade_good",
        "trade_good",
        "commodity",
        "fragment:cultural",
        "fragment:unknown",
        "action_card",
        "secret_objective",
        "planet:Arretze",
        "relic:The Codex",
    ]
    for seat in table.seats:
        tokens += [f"captured:cruiser:{seat}", f"captured:infantry:{seat}", *GAME.seats.start(seat)]
    goods = NOTHING
    for _ in range(dice.randint(0, 3)):
        goods += unlike(goods, dice.choice(tokens), dice.randint(1, 4))
    return goods


def held_goods(table: Table, seat: str | None, dice: Random) -> Goods:
    """Return some of what this seat has."""
    held = table.seats[seat].holdings if seat and seat in table.seats else NOTHING
    goods = NOTHING
    kinds = min(len(held), dice.randint(0, 2))
    for token in dice.sample(list(held), kinds):
        count = dice.randint(1, min(3, held[token]))
        goods += unlike(goods, token, count)
    return goods


def unlike(goods: Goods, token: str, count: int) -> Goods:
    """Return so many of a component, but only one of what there is one of in the box."""
    if kind_of(token) in ("note", "planet", "relic"):
        return NOTHING if token in goods else Goods({token: 1})
    return Goods({token: count})


def goods_of(table: Table, seat: str | None, dice: Random) -> Goods:
    """Return what somebody might give: mostly what they have."""
    return held_goods(table, seat, dice) if likely(dice, 85) else some_goods(table, dice)


def with_words(table: Table, seat: str | None, goods: Goods, dice: Random) -> Goods:
    """Return a side of an offer that also owes or pays; sometimes it moves nothing."""
    goods = NOTHING if likely(dice, 30) else goods
    mine = [each for each in open_debts(table) if each.debtor == seat]
    if mine and likely(dice, 60):
        return goods + Goods({dice.choice(mine).payment: 1})
    if likely(dice, 60):
        goods += Goods({owed("trade_good"): dice.randint(1, 4)})
    return goods


@MACHINE.makes(ForgiveDebt)
def _forgive(table: Table, dice: Random) -> Made:
    debt = a_debt(table, dice)
    command = ForgiveDebt(1)
    if debt is not None:
        command = ForgiveDebt(debt.number, debt.number % 2)  # a part, or 0 for all
    return command, sits_in(table, debt.creditor if debt else None, dice)


@MACHINE.makes(DisputeDebt)
def _dispute(table: Table, dice: Random) -> Made:
    debt = a_debt(table, dice)
    reason = "z" * dice.choice([0, 3, 300, 301])
    command = DisputeDebt(debt.number if debt else 1, reason)
    return command, sits_in(table, debt.debtor if debt else None, dice)


def a_debt(table: Table, dice: Random) -> Debt | None:
    """Return something that is owed; None for nothing, or for one that is not there."""
    every = open_debts(table)
    return dice.choice(every) if every and likely(dice, 80) else None


def one_of(seats: Sequence[str], table: Table, dice: Random) -> str:
    """Return one of these seats, nearly always; else any taken one."""
    return dice.choice(seats) if seats and likely(dice, 90) else seated(table, dice)


def some_seats(table: Table, many: int, dice: Random) -> tuple[str, ...]:
    """Return so many taken seats, some of them twice."""
    return tuple(seated(table, dice) for _ in range(many))


# ---------------------------------------------------------------- the table, seats, holdings


@MACHINE.makes(Sit, 3)
def _sit(table: Table, dice: Random) -> Made:
    person = dice.choice(PLAYERS)
    command = Sit(dice.choice(SEATS), person)
    return command, Caller(person if likely(dice, 60) else table.host)


@MACHINE.makes(ChangeSettings)
def _change_settings(table: Table, dice: Random) -> Made:
    changes: dict[str, str | int] = {
        "rulings": "warn" if likely(dice, 25) else "refuse",
        "inventory": "untracked" if likely(dice, 20) else "tracked",
        "declare_neighbors": "host" if likely(dice, 20) else "players",
        "hand_limit": "3" if likely(dice, 30) else "7",
        "take_back": "on" if likely(dice, 70) else "off",
        "after_pass": dice.choice(["ask", "next", "stay"]),
        "support_swaps": dice.choice(["allowed", "refused"]),
        "declare_holdings": "host" if likely(dice, 20) else "players",
        "confirm": "twice" if likely(dice, 15) else "once",
        "timer": dice.choice([0, 0, 5]),
        "expansions": "all" if likely(dice, 50) else dice.choice(EXPANSIONS.values),
    }
    changes |= {
        each.name: dice.choice(each.values)
        for each in GAME.info.options
        if each.name not in changes
    }
    return ChangeSettings(changes), ruler(table, dice)


@MACHINE.makes(SetPhase)
def _set_phase(table: Table, dice: Random) -> Made:
    command = SetPhase(dice.choice([*GAME.info.phases, "lunch"]))
    return command, ruler(table, dice)


@MACHINE.makes(Tick)
def _tick(table: Table, dice: Random) -> Made:
    command = Tick()
    return command, Caller(0, at=dice.choice([0, 9_999, 10_000, 400_000]))


@MACHINE.makes(SetHoldings, 2)
def _set_holdings(table: Table, dice: Random) -> Made:
    command = SetHoldings(seated(table, dice), some_goods(table, dice))
    return command, ruler(table, dice)


@MACHINE.makes(Gain, 4)
def _gain(table: Table, dice: Random) -> Made:
    goods = Goods({"action_card": 8})
    if not likely(dice, 8):
        goods = some_goods(table, dice).without_kind("note")
    return Gain(goods), asker(table, dice)


@MACHINE.makes(Spend, 3)
def _spend(table: Table, dice: Random) -> Made:
    caller = asker(table, dice)
    command = Spend(goods_of(table, own(table, caller), dice).without_kind("note"))
    return command, caller


# ---------------------------------------------------------------- offers


@MACHINE.makes(PostOffer, 18)
def _post_offer(table: Table, dice: Random) -> Made:
    caller, active = asker(table, dice), table.window.holder
    mine, to = own(table, caller), None
    if likely(dice, 85):
        to = seated(table, dice)
        if active and active != mine and likely(dice, 50):
            to = active
    talks = list(table.negotiations.values())
    negotiation = None
    if talks and likely(dice, 40):
        chosen = dice.choice(talks)
        negotiation, to = chosen.number, None
        caller = sits_in(table, dice.choice([chosen.seat, chosen.other]), dice)
        mine = own(table, caller)
    elif likely(dice, 3):
        negotiation = one_of_latest(table.negotiations_opened, dice)
    whose = to or seated(table, dice)
    give, want = goods_of(table, mine, dice), goods_of(table, whose, dice)
    if likely(dice, 8):
        give = with_words(table, mine, give, dice)
        want = with_words(table, whose, want, dice)
    offer = PostOffer(
        to=to,
        give=give,
        want=want,
        terms="x" * dice.choice([0, 3, 300, 301]),
        terms_now="y" * dice.choice([0, 0, 3, 301]),
        terms_card=likely(dice, 15),
        lasts=dice.choice([None, None, None, 10_000, 1]),
        negotiation=negotiation,
        stands=likely(dice, 30),
    )
    return offer, caller


@MACHINE.makes(CounterOffer, 3)
def _counter_offer(table: Table, dice: Random) -> Made:
    number, _, _ = offer_of_poster(table, dice)
    caller = asker(table, dice)
    give = goods_of(table, own(table, caller), dice) if likely(dice, 80) else None
    want = some_goods(table, dice) if likely(dice, 80) else None
    terms = "y" * dice.choice([0, 3])
    command = CounterOffer(number, give, want, terms_now=terms)
    return command, caller


@MACHINE.makes(AlterOffer, 4)
def _alter_offer(table: Table, dice: Random) -> Made:
    number, revision, caller = offer_of_poster(table, dice)
    give = goods_of(table, own(table, caller), dice)
    want, seen = some_goods(table, dice), dice.choice([None, revision])
    now = dice.choice([None, "", "yy"])
    card = dice.choice([None, None, True, False])
    return AlterOffer(number, seen, give, want, "", now, card), caller


@MACHINE.makes(HandOver)
def _hand_over(table: Table, dice: Random) -> Made:
    number, revision, caller = offer_of_poster(table, dice)
    return HandOver(number, goods_of(table, own(table, caller), dice), revision), caller


# ---------------------------------------------------------------- the game's own


@MACHINE.makes(StartTurn, 3)
def _start_turn(table: Table, dice: Random) -> Made:
    last = part(table, Round).last
    seat = last.seat if last and likely(dice, 30) else seated(table, dice)
    turn: SameOrNew | None = dice.choice([None, None, None, "same", "new"])
    return StartTurn(seat if likely(dice, 80) else None, turn), ruler(table, dice)


MACHINE.makes(EndTurn)(alone(EndTurn, ruler))


MACHINE.makes(NextTurn)(alone(NextTurn, ruler))


@MACHINE.makes(GiveTurn)
def _give_turn(table: Table, dice: Random) -> Made:
    command = GiveTurn(seated(table, dice), likely(dice, 30))
    return command, ruler(table, dice)


MACHINE.makes(PassTurn)(alone(PassTurn, ruler))


@MACHINE.makes(UndoPass)
def _undo_pass(table: Table, dice: Random) -> Made:
    passed = sorted(part(table, Round).action_phase().passed)
    return UndoPass(one_of(passed, table, dice)), ruler(table, dice)


@MACHINE.makes(SetOrder)
def _set_order(table: Table, dice: Random) -> Made:
    return SetOrder(some_seats(table, dice.randint(0, 3), dice)), ruler(table, dice)


@MACHINE.makes(TakeCard, 8)
def _take_card(table: Table, dice: Random) -> Made:
    card, instead = dice.choice([*strategy_cards()]), dice.choice(["", *strategy_cards()])
    if likely(dice, 50):
        return TakeCard(card, instead=instead), asker(table, dice)
    chooser = seated(table, dice) if likely(dice, 30) else ""
    command = TakeCard(card, dice.choice([*table.seats]), instead=instead, chooser=chooser)
    return command, ruler(table, dice)


@MACHINE.makes(PutCardBack, 2)
def _put_card_back(table: Table, dice: Random) -> Made:
    seat, card = seated(table, dice), dice.choice([*strategy_cards()])
    if taken := part(table, GameRound).taken:
        card, seat = (each := dice.choice(taken)).card, each.seat
    if likely(dice, 50):
        return PutCardBack(card), sits_in(table, seat, dice)
    return PutCardBack(card, seat), ruler(table, dice)


@MACHINE.makes(SwapCards, 2)
def _swap_cards(table: Table, dice: Random) -> Made:
    cards = [taken.card for taken in part(table, GameRound).taken] * 2 or [*strategy_cards()]
    card, other = dice.sample(cards, 2)
    return SwapCards(card, other), ruler(table, dice)


@MACHINE.makes(SetCardGoods, 2)
def _set_card_goods(table: Table, dice: Random) -> Made:
    card = dice.choice([*strategy_cards()])
    return SetCardGoods(card, dice.randint(0, 3)), ruler(table, dice)


MACHINE.makes(UndoPhase, 2)(alone(UndoPhase, ruler))


MACHINE.makes(UndoAgenda, 2)(alone(UndoAgenda, ruler))


@MACHINE.makes(BeginCombat)
def _begin_combat(table: Table, dice: Random) -> Made:
    first = seated(table, dice) if likely(dice, 70) else None
    return BeginCombat(first, seated(table, dice)), ruler(table, dice)


MACHINE.makes(EndCombat)(alone(EndCombat, ruler))


@MACHINE.makes(ActivateSystem, 3)
def _activate_system(table: Table, dice: Random) -> Made:
    holder, owners = table.window.holder, list[str]()
    if holder:
        owners = sorted({note_owner(token)[1] for token in table.seats[holder].in_play})
    command = ActivateSystem(dice.choice(owners) if owners else seated(table, dice))
    return command, ruler(table, dice)


@MACHINE.makes(UndoActivation, 2)
def _undo_activation(table: Table, dice: Random) -> Made:
    found = sent_home(table)
    if not found or likely(dice, 10):
        return UndoActivation(seated(table, dice)), ruler(table, dice)
    note = dice.choice(found)
    command = UndoActivation(note.owner, note.holder if likely(dice, 50) else None)
    return command, ruler(table, dice)


@MACHINE.makes(RevealAgenda)
def _reveal_agenda(table: Table, dice: Random) -> Made:
    during: Literal["agenda", "turn"] = dice.choice(["agenda", "turn"])
    caller = ruler(table, dice) if likely(dice, 50) else asker(table, dice)
    title, replaces = dice.choice(["", "Mutiny"]), likely(dice, 30)
    return RevealAgenda(title, replaces=replaces, during=during), caller


MACHINE.makes(ResolveAgenda)(alone(ResolveAgenda, asker))


@MACHINE.makes(JoinNeighbors, 3)
def _join_neighbors(table: Table, dice: Random) -> Made:
    two = some_seats(table, 2, dice)
    return JoinNeighbors(*two, already=likely(dice, 30)), ruler(table, dice)


@MACHINE.makes(PartNeighbors)
def _part_neighbors(table: Table, dice: Random) -> Made:
    command = PartNeighbors(seated(table, dice), seated(table, dice))
    return command, ruler(table, dice)


@MACHINE.makes(ClaimNeighbor, 2)
def _claim_neighbor(table: Table, dice: Random) -> Made:
    return ClaimNeighbor(dice.choice(SEATS)), asker(table, dice)


@MACHINE.makes(ClaimTradePartner)
def _claim_trade_partner(table: Table, dice: Random) -> Made:
    return ClaimTradePartner(one_of_latest(table.offers_posted, dice)), asker(table, dice)


@MACHINE.makes(SetNeighbors, 2)
def _set_neighbors(table: Table, dice: Random) -> Made:
    seat = seated(table, dice)
    others = some_seats(table, dice.randint(0, 3), dice)
    command = SetNeighbors(None if likely(dice, 20) else seat, others)
    return command, sits_in(table, seat, dice)


@MACHINE.makes(PickNeighbors)
def _pick_neighbors(table: Table, dice: Random) -> Made:
    seat = seated(table, dice)
    others = sorted(other for other in table.seated() if other != seat)
    picked = "".join(dice.choice("01") for _ in others)
    return PickNeighbors(seat, picked, seats_digest(others)), sits_in(table, seat, dice)


MACHINE.makes(SeatNeighbors)(alone(SeatNeighbors, ruler))


@MACHINE.makes(SeatAround)
def _seat_around(table: Table, dice: Random) -> Made:
    seats = table.seated()
    dice.shuffle(seats)
    return SeatAround(tuple(seats)), ruler(table, dice)


@MACHINE.makes(SayColor)
def _say_color(table: Table, dice: Random) -> Made:
    seat = seated(table, dice)
    color = dice.choice((*COLORS, "beige"))
    command = SayColor(color, None if likely(dice, 50) else seat)
    return command, sits_in(table, seat, dice)


MACHINE.makes(NobodyYet)(alone(NobodyYet, ruler))


@MACHINE.makes(AnswerClaim, 2)
def _answer_claim(table: Table, dice: Random) -> Made:
    claims = questions(table, "neighbors")
    if not claims or likely(dice, 10):
        return AnswerClaim(dice.choice(SEATS), agreed=True), asker(table, dice)
    claim = dice.choice(claims)
    command = AnswerClaim(claim.seat, agreed=likely(dice, 50))
    return command, sits_in(table, claim.other, dice)


@MACHINE.makes(Replenish, 2)
def _replenish(table: Table, dice: Random) -> Made:
    if likely(dice, 30):
        return Replenish(quiet=True), asker(table, dice)
    if likely(dice, 20) and table.window.holder:
        return Replenish(seated(table, dice)), sits_in(table, table.window.holder, dice)
    effect = dice.choice(["", "", "carth", "A card"])
    command = Replenish(None if likely(dice, 70) else seated(table, dice), effect)
    return command, asker(table, dice)


@MACHINE.makes(PlayTrade)
def _play_trade(table: Table, dice: Random) -> Made:
    others = [seat for seat in table.seated() if likely(dice, 50)]
    if table.window.holder in others and not likely(dice, 5):
        others.remove(table.window.holder)
    command = PlayTrade(tuple(others))
    return command, sits_in(table, table.window.holder or seated(table, dice), dice)


@MACHINE.makes(PickTrade, 2)
def _pick_trade(table: Table, dice: Random) -> Made:
    seat = table.window.holder or seated(table, dice)
    others = [other for other in table.seated() if other != seat]
    picked = "".join(dice.choice("01") for _ in others)
    command = PickTrade(picked, seats_digest(others if likely(dice, 95) else []))
    return command, sits_in(table, seat, dice)


@MACHINE.makes(AnswerRequest, 4)
def _answer_request(table: Table, dice: Random) -> Made:
    requests = waiting(table)
    if not requests or likely(dice, 10):
        note = dice.choice(["", "ceasefire"])
        return AnswerRequest(dice.choice(SEATS), note, agreed=True), asker(table, dice)
    request = dice.choice(requests)
    command = AnswerRequest(request.seat, request.which, agreed=likely(dice, 60))
    return command, sits_in(table, request.other, dice)


@MACHINE.makes(TakeTradeBack, 20)
def _take_trade_back(table: Table, dice: Random) -> Made:
    every = part(table, Undoables).trades
    if not every or likely(dice, 10):
        command = TakeTradeBack(dice.randrange(0, table.transactions + 2), likely(dice, 80))
        return command, asker(table, dice)
    done = dice.choice(every)
    asked = asked_by(table, done)
    seat = dice.choice(sorted(done.trade.seats()))
    if asked and likely(dice, 80):
        seat = done.trade.other(asked)
    command = TakeTradeBack(done.trade.number, agreed=likely(dice, 70))
    return command, sits_in(table, seat, dice)


@MACHINE.makes(Convert)
def _convert(table: Table, dice: Random) -> Made:
    return Convert(dice.randint(0, 3)), asker(table, dice)


@MACHINE.makes(Count, 4)
def _count(table: Table, dice: Random) -> Made:
    trade_goods, commodities = dice.choice([-1, 1, 1, 2]), 0
    if not likely(dice, 60):
        trade_goods = dice.choice([0, 1])
        commodities = dice.choice([-2, -1, 1])
    command = Count(trade_goods, commodities, dice.choice(["", *WHY]))
    return command, asker(table, dice)


@MACHINE.makes(GainCommodities)
def _gain_commodities(table: Table, dice: Random) -> Made:
    return GainCommodities(dice.randint(0, 3)), asker(table, dice)


@MACHINE.makes(LoseCommodities, 3)
def _lose_commodities(table: Table, dice: Random) -> Made:
    people = [seat for seat in table.seats.values() if seat.person]
    pact = [seat for seat in people if has(seat, "note:dark_pact")]
    pact = [seat for seat in pact if seat.holdings.count("commodity") == commodity_value(seat)]
    if pact and likely(dice, 60):
        seat = dice.choice(pact)
        return LoseCommodities(commodity_value(seat), "empyrean"), sits_in(table, seat.id, dice)
    losses = [loss.name for loss in commodity_losses().values()]
    effect = dice.choice(["", "A card", *losses])
    caller = asker(table, dice)
    whose = seated(table, dice) if likely(dice, 20) else None
    loser = table.seats[whose or own(table, caller) or seated(table, dice)]
    held = loser.holdings.count("commodity")
    amount = dice.choice([1, 1, held, dice.randint(0, 3)])
    command = LoseCommodities(
        amount, seated(table, dice) if likely(dice, 40) else None, effect, whose
    )
    return command, caller


@MACHINE.makes(Pillage, 3)
def _pillage(table: Table, dice: Random) -> Made:
    take: Take = dice.choice(["trade_good", "commodity"])
    chances = [each for each in part(table, Pillages).chances if not each.taken]
    if not chances or likely(dice, 10):
        return Pillage(seated(table, dice), take), asker(table, dice)
    chance = dice.choice(chances)
    command = Pillage(chance.of, take, dice.choice([None, chance.seq]))
    return command, sits_in(table, "mentak", dice)


@MACHINE.makes(CallMentak)
def _call_mentak(table: Table, dice: Random) -> Made:
    of = [each.of for each in open_chances(table)]
    return CallMentak(one_of(of, table, dice)), asker(table, dice)


@MACHINE.makes(LetPillageGo)
def _let_pillage_go(table: Table, dice: Random) -> Made:
    chances = open_chances(table)
    if not chances or likely(dice, 10):
        return LetPillageGo(seated(table, dice)), asker(table, dice)
    chance = dice.choice(chances)
    command = LetPillageGo(chance.of, dice.choice([None, chance.seq]))
    return command, sits_in(table, "mentak", dice)


@MACHINE.makes(AppealPillage, 2)
def _appeal_pillage(table: Table, dice: Random) -> Made:
    chances = part(table, Pillages).chances
    if not chances or likely(dice, 10):
        command = AppealPillage(dice.choice([None, dice.randint(0, 99)]))
        return command, asker(table, dice)
    chance = dice.choice(chances)
    command = AppealPillage(dice.choice([None, chance.seq]))
    return command, sits_in(table, chance.of, dice)


@MACHINE.makes(SettlePillage, 2)
def _settle_pillage(table: Table, dice: Random) -> Made:
    appealed = [each for each in part(table, Pillages).chances if each.appealed]
    if not appealed or likely(dice, 10):
        command = SettlePillage(seated(table, dice), likely(dice, 50))
        return command, ruler(table, dice)
    chance = dice.choice(appealed)
    since = dice.choice([None, chance.seq])
    return SettlePillage(chance.of, likely(dice, 50), since), ruler(table, dice)


def _claim(table: Table, dice: Random, fits: Callable[[NoteClaim], object] = bool) -> NoteClaim:
    claims = [claim for claim in part(table, NoteClaims).claims if not claim.over]
    claims = list(filter(fits, claims)) or claims
    if claims and likely(dice, 90):
        return dice.choice(claims)
    return NoteClaim(dice.randint(0, 99), seated(table, dice), "")


@MACHINE.makes(ClaimNote, 2)
def _claim_note(table: Table, dice: Random) -> Made:
    claim = _claim(table, dice)
    return ClaimNote(claim.number), sits_in(table, claim.seat, dice)


@MACHINE.makes(DoubtClaim, 6)
def _doubt_claim(table: Table, dice: Random) -> Made:
    command = DoubtClaim(_claim(table, dice, lambda claim: claim.claimed).number)
    return command, asker(table, dice)


@MACHINE.makes(SettleClaim, 9)
def _settle_claim(table: Table, dice: Random) -> Made:
    claim = _claim(table, dice, lambda claim: bool(claim.doubted))
    return SettleClaim(likely(dice, 50), claim.number), ruler(table, dice)


@MACHINE.makes(DiscardCards, 2)
def _discard_cards(table: Table, dice: Random) -> Made:
    over = [seat for seat in table.seated() if excess(table, table.seats[seat])]
    if over and likely(dice, 90):
        return DiscardCards(), sits_in(table, dice.choice(over), dice)
    return DiscardCards(), asker(table, dice)


@MACHINE.makes(PlayNote, 3)
def _play_note(table: Table, dice: Random) -> Made:
    asked = list(prompts(table))
    if asked and likely(dice, 60):
        action = dice.choice(asked).buttons[0].action
        assert isinstance(action, AgreementAnswer)
        return PlayNote(agreement_of(action.owner)), sits_in(table, action.seat, dice)
    seat = seated(table, dice)
    later = _claimable(table, own=False)
    if later and likely(dice, 50):
        token, seat = dice.choice(later)
        moment, owner = note_named(token).moment, note_owner(token)[1]
        if rules_out(table, moment, seat, owner)[0]:
            return PlayNote(token, seat), ruler(table, dice)
        return PlayNote(token), sits_in(table, seat, dice)
    if likely(dice, 40):
        return PlayNote(_note(table, seat, dice), seat), ruler(table, dice)
    return PlayNote(_note(table, seat, dice)), sits_in(table, seat, dice)


def _claimable(table: Table, *, own: bool) -> list[tuple[str, str]]:
    """Return the notes in hands that bring something later, each with its holder's seat."""
    notes = []
    for seat in table.seats.values():
        for token in seat.holdings.of_kind("note") if seat.person else ():
            if note_named(token).claim and (note_owner(token)[1] == seat.id) is own:
                notes.append((token, seat.id))
    return notes


@MACHINE.makes(GiveNote, 2)
def _give_note(table: Table, dice: Random) -> Made:
    own_claims = _claimable(table, own=True)
    if own_claims and likely(dice, 50):
        token, seat = dice.choice(own_claims)
        return GiveNote(token, seated(table, dice), "Mindsieve"), sits_in(table, seat, dice)
    seat = seated(table, dice)
    held: list[str] = sorted(table.seats[seat].holdings.of_kind("note"))
    note = dice.choice(held) if held and likely(dice, 80) else _note(table, seat, dice)
    reason = dice.choice(["", "Mindsieve", "Voidwatch", "Malevolency"])
    return GiveNote(note, seated(table, dice), reason), sits_in(table, seat, dice)


@MACHINE.makes(ShowNotes)
def _show_notes(table: Table, dice: Random) -> Made:
    seat = seated(table, dice)
    held: list[str] = sorted(table.seats[seat].holdings.of_kind("note"))
    note = dice.choice([*held, None]) if likely(dice, 90) else _note(table, seat, dice)
    return ShowNotes(note, seated(table, dice)), sits_in(table, seat, dice)


@MACHINE.makes(LookAtNotes, 2)
def _look_at_notes(table: Table, dice: Random) -> Made:
    able = list[str]()
    for permit in part(table, InForce).permits:
        if permit.card == "maban":
            able += permit.seats
    seat = one_of(able, table, dice)
    return LookAtNotes(seated(table, dice)), sits_in(table, seat, dice)


@MACHINE.makes(MoveWithPlanet)
def _move_with_planet(table: Table, dice: Random) -> Made:
    holder = holder_of(table, TERRAFORM)
    seat = holder.id if holder else seated(table, dice)
    return MoveWithPlanet(seated(table, dice)), sits_in(table, seat, dice)


@MACHINE.makes(ReturnNote, 4)
def _return_note(table: Table, dice: Random) -> Made:
    seat = seated(table, dice)
    note = _note(table, seat, dice)
    by = seat if likely(dice, 70) else note_owner(note)[1]
    return ReturnNote(note), sits_in(table, by, dice)


@MACHINE.makes(GrantPermit)
def _grant_permit(table: Table, dice: Random) -> Made:
    lifts: TradeLift = dice.choice(["neighbors", "limit", "window", "goods", "notes"])
    first = seated(table, dice) if likely(dice, 85) else None
    second = seated(table, dice) if likely(dice, 85) else None
    once, until = likely(dice, 70), "window" if likely(dice, 30) else "revoked"
    reason = dice.choice(["", "a card"])
    return GrantPermit(first, second, lifts, reason, once, until), ruler(table, dice)


@MACHINE.makes(Eliminate)
def _eliminate(table: Table, dice: Random) -> Made:
    """Seldom done, so that tables live: what was shown before is mostly not so any more."""
    seat = dice.choice(list(table.seats))
    cards = part(table, GameRound).cards_of(seat)
    shown = stamp(of_elimination(public_seats(table), seat, cards, tracked=table.tracked))
    few = len(table.seated()) <= 2
    command = Eliminate(seat, shown if likely(dice, 2 if few else 15) else "then")
    return command, ruler(table, dice)


@MACHINE.makes(ChangeFaction)
def _change_faction(table: Table, dice: Random) -> Made:
    seat = "firmament" if "firmament" in table.seats else dice.choice(list(table.seats))
    if seat != "firmament":
        return ChangeFaction(seat, None), ruler(table, dice)
    shown = stamp(of_change(public_seats(table), seat, tracked=table.tracked))
    return ChangeFaction(seat, shown if likely(dice, 30) else "then"), ruler(table, dice)


@MACHINE.makes(GrantCard)
def _grant_card(table: Table, dice: Random) -> Made:
    card = dice.choice([*permit_cards(), "no_card"])
    many = dice.choice([0, 1, 2, 2])
    if card == "age_of_commerce" and likely(dice, 80):
        many = 0
    return GrantCard(card, some_seats(table, many, dice)), ruler(table, dice)


@MACHINE.makes(ActOutOfTurn)
def _act_out_of_turn(table: Table, dice: Random) -> Made:
    acting = part(table, Combat).acting
    seat = acting if acting and likely(dice, 50) else seated(table, dice)
    return ActOutOfTurn(seat, "Z'eu", likely(dice, 50)), ruler(table, dice)


@MACHINE.makes(RevokePermit)
def _revoke_permit(table: Table, dice: Random) -> Made:
    reasons = [permit.reason for permit in part(table, InForce).permits] or [""]
    command = RevokePermit(dice.choice(reasons) if likely(dice, 80) else "another card")
    return command, ruler(table, dice)


def _note(table: Table, id: str, dice: Random) -> str:
    """Return a note that this seat holds of somebody else's, if any; else any note of this
    table.
    """
    seat = table.seats[id]
    tokens = (*seat.holdings.of_kind("note"), *seat.in_play)
    held: list[str] = [token for token in tokens if not token.endswith(f":{id}")]
    if held and likely(dice, 90):
        return dice.choice(held)
    owner = dice.choice(list(table.seats))
    return dice.choice(list(GAME.seats.start(owner)))


# ---------------------------------------------------------------- what can be pressed


def command_of(action: Action) -> Command | None:
    """Return the command that an action of the game brings about; None for one that only asks
    back.
    """
    match action:
        case Press(command=command):
            return command
        case AgreementAnswer(owner=owner, plays=plays):
            return PlayNote(agreement_of(owner)) if plays else None
        case (
            NeighborsAction()
            | AskAboutAgenda()
            | AskWhomToFight()
            | AskWhoseUnits()
            | AskWhosePlanet()
            | AskNotesInPlay()
            | AskWhoIsNext()
            | AskOrder()
            | AskTrade()
            | AskCards()
            | AskPermit()
        ):
            return None  # it asks back
    raise AssertionError(f"{action} is no action of this game")


@MACHINE.makes(UnforgiveDebt)
def _unforgive(table: Table, dice: Random) -> Made:
    forgiven = [debt for debt in debts_of(table) if debt.slip]
    if not forgiven:
        return UnforgiveDebt(1, "hacan", 1), Caller(table.host)
    debt = dice.choice(forgiven)
    command = UnforgiveDebt(debt.number, debt.debtor, debt.slip)
    says = sits_in(table, debt.debtor, dice) if debt.private else Caller(table.host)
    return command, says
