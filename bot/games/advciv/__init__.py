"""Advanced Civilization: rule 28 (trade), and what it needs of 27 (drawing), 29 (calamities) and 31
(turning in).
"""

from __future__ import annotations

from bot.api import (
    NOTHING,
    Caller,
    Chance,
    Clock,
    Command,
    Commands,
    Entry,
    Exchange,
    Features,
    Game,
    GameInfo,
    GoodsLanguage,
    HiddenHands,
    Holdings,
    SeatOption,
    Seats,
    Table,
    TradeRules,
)
from bot.games.advciv import (
    board,
    calamities,
    cards,
    chance,
    cities,
    composing,
    dealing,
    drawing,
    guide,
    holdings,
    losing,
    passing,
    sets,
    shorthand,
    stacks,
    surrendering,
    taking,
    trade,
    trading,
    turns,
)
from bot.games.advciv.state import ACQUIRE, AFTER, CARDS, TITLES, TRADE, AdvCivState, Status
from data import rules
from data.advciv import PLAYERS_MAX, Nation, find_nation, nations

__all__ = ["GAME"]

FEATURES = Features(
    (
        chance.FEATURE,
        stacks.FEATURE,
        cities.FEATURE,
        drawing.FEATURE,
        trading.FEATURE,
        calamities.FEATURE,
        surrendering.FEATURE,
        taking.FEATURE,
        losing.FEATURE,
        passing.FEATURE,
        trade.FEATURE,
        trade.STRICT_AGAIN,
        holdings.FEATURE,
        dealing.FEATURE,
        turns.FEATURE,
    ),
    AdvCivState,
)


STATUS: Status = {
    **calamities.STATUS,
    **drawing.STATUS,
    **stacks.STATUS,
    **surrendering.STATUS,
    **taking.STATUS,
    **trade.STATUS,
    **trading.STATUS,
}


def _find_seat(text: str) -> SeatOption | None:
    nation = find_nation(text)
    return _seat(nation) if nation else None


def _seat(nation: Nation) -> SeatOption:
    return SeatOption(id=nation.id, name=nation.name, short=nation.short, symbol=nation.symbol)


def _may(table: Table, command: Command, caller: Caller) -> None:
    holdings.may(table, command, caller)
    dealing.may(table, command, caller)


def _verify(table: Table, entry: Entry) -> str:
    """Return what is wrong with the randomness of an entry; empty for nothing."""
    checks = (taking.verify, losing.verify, calamities.verify, stacks.verify, drawing.verify)
    return next((wrong for check in checks if (wrong := check(table, entry))), "")


GAME = Game(
    api=1,
    info=GameInfo(
        id="advciv",
        name="Advanced Civilization",
        phases=(ACQUIRE, TRADE, AFTER),
        settings=frozenset(
            {
                "rulings",
                "inventory",
                trade.NAME_CALAMITIES.name,
                CARDS.name,
                "timer",
                "open_on_close",
            }
        ),
        options=FEATURES.options,
        rule_numbers={"irrevocable": "28.1", "two_parties": "28.2", "time_up": "28.41"},
        rulebook=lambda: rules("advciv"),
        help=guide.HELP,
        example="2 salt, iron, ?",
        agreements=guide.AGREEMENTS,
        command_groups=frozenset({"cards", "calamities", "trading"}),
        rehearsal=guide.REHEARSAL,
        phase_titles=TITLES,
        announced_phases=frozenset(),  # trading opens once a round, and calls everybody
    ),
    seats=Seats(
        every=lambda: [_seat(nation) for nation in nations().values()],
        find=_find_seat,
        start=lambda seat, settings: NOTHING,
        barred=board.barred,
        most=PLAYERS_MAX,
    ),
    goods=GoodsLanguage(
        read=shorthand.read,
        read_here=shorthand.read_here,
        describe=cards.describe,
        describe_holdings=holdings.describe_holdings,
        suggest=shorthand.suggest,
        every=shorthand.suggest_every,
        cards=holdings.nameable,
        unlisted="Cards that you don't name: ? or ? (silver)",
        can_be_held=lambda goods: not goods.without_kind(*cards.TRADE_CARDS),
        short=cards.describe_short,
        listed=cards.in_order,
        icon=cards.icon,
        icons=cards.icons(),
    ),
    holdings=Holdings(
        gain=holdings.gain,
        spend=holdings.spend,
        correct=holdings.correct,
        spends=shorthand.spends,
        buttons=holdings.buttons,
    ),
    trade=TradeRules(
        violations=trade.violations,
        settle=trade.settle,
        pairwise=False,
        private_offers=True,
        offers_end=True,
    ),
    commands=Commands(
        board=board.board,
        rule_status=lambda table, number: STATUS[number](table) if number in STATUS else "",
        may=_may,
    ),
    features=FEATURES,
    hidden=HiddenHands(
        open=holdings.nothing,
        redact=trade.redact,
        self_reportable=holdings.nothing,
        wealth=holdings.nothing,
        nothing_open=True,
        secret=holdings.SECRET,
    ),
    exchange=Exchange(
        hand=trade.hand,
        named=cards.named,
        why_not=trade.why_not,
        opens=trade.opens,
        outlook=sets.outlook,
        cost=sets.cost,
        gain=sets.gain,
        likely=sets.likely,
        promise=composing.promise,
        wish=composing.wish,
        one_of=composing.one_of,
        in_short=composing.IN_SHORT,
        to_name=composing.to_name,
    ),
    setup=board.SETUP,
    matches=trade.matches,
    match_keys=trade.match_keys,
    proposals=composing.proposals,
    worth=sets.worth,
    clock=Clock(deadline=trading.deadline, tick=trading.tick),
    chance=Chance(commit=chance.TableSeedCommitted.to, verify=_verify),
)
"""The game, as `bot.rules.registry` finds it."""
