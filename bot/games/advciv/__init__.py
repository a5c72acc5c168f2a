"""Advanced Civilization: rule 28 (trade), and what it needs of 27 (drawing), 29 (calamities) and 31 (turning in)."""

from __future__ import annotations

from collections.abc import Sequence

from bot.api import (
    NOTHING,
    Chance,
    Clock,
    Commands,
    Exchange,
    Game,
    GameInfo,
    GoodsLanguage,
    HiddenHands,
    Holdings,
    Market,
    Phases,
    SeatOption,
    Seats,
    TradeRules,
    handler,
)
from bot.games.advciv import (
    board,
    calamities,
    cards,
    cities,
    drawing,
    exchange,
    follow_ups,
    holdings,
    icons,
    losing,
    narration,
    phases,
    rule_status,
    seeds,
    setting_up,
    shorthand,
    suggestions,
    surrendering,
    taking,
    trade,
    trading,
)
from bot.games.advciv.actions import ACTIONS
from bot.games.advciv.agreements import AGREEMENTS
from bot.games.advciv.apply import apply
from bot.games.advciv.commands import (
    AnswerTake,
    BuyCard,
    CloseTrading,
    DoneTrading,
    DrawCards,
    LoseCards,
    OpenTrading,
    SayCities,
    ShowCalamities,
    SurrenderCards,
    TakeCard,
    UndoTrading,
)
from bot.games.advciv.entries import ENTRIES
from bot.games.advciv.help import HELP
from bot.games.advciv.rehearsal import REHEARSAL
from bot.games.advciv.state import ACQUIRE, AFTER, TRADE, AdvCivState
from data import rules
from data.advciv import PLAYERS_MAX, Nation, find_nation, nations

__all__ = ["GAME"]


def _every_seat() -> Sequence[SeatOption]:
    return [_seat(nation) for nation in nations().values()]


def _find_seat(text: str) -> SeatOption | None:
    nation = find_nation(text)
    return _seat(nation) if nation else None


def _seat(nation: Nation) -> SeatOption:
    return SeatOption(id=nation.id, name=nation.name, short=nation.short)


HANDLERS = dict(
    [
        handler(DrawCards, drawing.draw),
        handler(SayCities, cities.say),
        handler(BuyCard, drawing.buy),
        handler(TakeCard, taking.take),
        handler(AnswerTake, taking.answer),
        handler(LoseCards, losing.lose),
        handler(SurrenderCards, surrendering.surrender),
        handler(ShowCalamities, calamities.show),
        handler(OpenTrading, trading.open_trading),
        handler(DoneTrading, trading.done),
        handler(CloseTrading, trading.close_trading),
        handler(UndoTrading, trading.undo),
    ]
)

GAME = Game(
    info=GameInfo(
        id="advciv",
        name="Advanced Civilization",
        state=AdvCivState,
        entries=ENTRIES,
        actions=ACTIONS,
        phases=(ACQUIRE, TRADE, AFTER),
        settings=frozenset({"rulings", "inventory", trade.NAME_CALAMITIES.name, "timer", "open_on_close"}),
        options=(trade.NAME_CALAMITIES,),
        rule_numbers={"irrevocable": "28.1", "two_parties": "28.2", "time_up": "28.41"},
        rulebook=lambda: rules("advciv"),
        help=HELP,
        example="2 salt, iron, ?",
        agreements=AGREEMENTS,
        command_groups=frozenset({"cards", "calamities", "trading"}),
        rehearsal=REHEARSAL,
    ),
    seats=Seats(
        every=_every_seat, find=_find_seat, start=lambda seat, settings: NOTHING, most=PLAYERS_MAX, left=trading.left
    ),
    goods=GoodsLanguage(
        read=shorthand.read,
        describe=cards.describe,
        describe_holdings=holdings.describe_holdings,
        suggest=suggestions.suggest,
        every=suggestions.every,
        cards=holdings.nameable,
        unlisted="Cards that you don't name: ? or ? (silver)",
        can_be_held=lambda goods: not goods.without_kind(*cards.TRADE_CARDS),
        short=cards.describe_short,
        listed=cards.in_order,
        icon=icons.icon,
        icons=icons.icons(),
    ),
    holdings=Holdings(gain=holdings.gain, spend=holdings.spend, correct=holdings.correct, spends=suggestions.spends),
    trade=TradeRules(
        violations=trade.violations,
        settle=trade.settle,
        follow_ups=follow_ups.follow_ups,
        pairwise=False,
        private_offers=True,
        offers_end=True,
    ),
    commands=Commands(
        handlers=HANDLERS,
        apply=apply,
        narrate=narration.narrate,
        board=board.board,
        rule_status=rule_status.rule_status,
        prompts=board.prompts,
        may=holdings.may,
    ),
    hidden=HiddenHands(
        open=holdings.nothing,
        redact=trade.redact,
        self_reportable=holdings.nothing,
        wealth=holdings.nothing,
        nothing_open=True,
        secret=holdings.SECRET,
    ),
    exchange=Exchange(
        hand=trade.hand, named=cards.named, why_not=exchange.why_not, advice=exchange.advice, cost=exchange.cost
    ),
    setup=setting_up.SETUP,
    phases=Phases(before=phases.before, begin=phases.begin),
    market=Market(matches=trade.matches),
    clock=Clock(deadline=trading.deadline, tick=trading.tick),
    chance=Chance(commit=seeds.committed, verify=calamities.verify_chance),
)
"""The game, as `bot.rules.registry` finds it."""
