"""Twilight Imperium 4: rules 94 (transactions), 21 (commodities) and 69 (promissory notes)."""

from __future__ import annotations

from bot.rules.game import (
    Commands,
    Game,
    GameInfo,
    GoodsLanguage,
    HiddenHands,
    Holdings,
    Market,
    Seats,
    TradeRules,
    Turns,
)
from bot.rules.games.ti4 import (
    board,
    commodities,
    components,
    follow_ups,
    hidden,
    holdings,
    language,
    narration,
    neighbors,
    notes,
    permits,
    requests,
    rule_status,
    seats,
    shorthand,
    state,
    transactions,
    turns,
)
from bot.rules.games.ti4.actions import ACTIONS
from bot.rules.games.ti4.apply import apply
from bot.rules.games.ti4.entries import ENTRIES
from bot.rules.games.ti4.help import HELP
from bot.rules.games.ti4.rehearsal import REHEARSAL
from data import rules
from data.ti4 import PLAYERS_MAX

__all__ = ["GAME"]

INFO = GameInfo(
    id="ti4",
    name="Twilight Imperium 4",
    state=state.Ti4State,
    entries=ENTRIES,
    actions=ACTIONS,
    phases=("strategy", "action", "status", "agenda"),
    settings=frozenset(
        {"rulings", "inventory", neighbors.OPTION.name, "declare_holdings", "confirm", "timer", "open_on_close"}
    ),
    options=(neighbors.OPTION,),
    rule_numbers={"irrevocable": "94.4.1", "mixed": "D2", "binding": "D3", "kept": "D4", "card": "D5", "later": "D6"},
    rulebook=lambda: rules("ti4"),
    help=HELP,
    example="2 tg, 1 c",
    wealth="Trade goods and commodities",
    command_groups=frozenset({"turn", "agenda", "neighbors", "commodities", "note", "permit"}),
    rehearsal=REHEARSAL,
)

GAME = Game(
    info=INFO,
    seats=Seats(every=seats.every, find=seats.find, start=seats.start, most=PLAYERS_MAX),
    goods=GoodsLanguage(
        read=shorthand.read,
        describe=components.describe,
        describe_holdings=language.describe_holdings,
        suggest=language.suggest,
        cards=language.cards,
    ),
    holdings=Holdings(gain=holdings.gain, spend=holdings.spend, correct=holdings.correct),
    trade=TradeRules(
        violations=transactions.violations,
        settle=transactions.settle,
        follow_ups=follow_ups.follow_ups,
        neighbors=state.are_neighbors,
    ),
    commands=Commands(
        handlers={
            **turns.HANDLERS,
            **neighbors.HANDLERS,
            **commodities.HANDLERS,
            **notes.HANDLERS,
            **permits.HANDLERS,
            **requests.HANDLERS,
        },
        apply=apply,
        narrate=narration.narrate,
        board=board.board,
        rule_status=rule_status.rule_status,
        prompts=lambda table: [*neighbors.prompts(table), *requests.prompts(table)],
        remedy=neighbors.remedy,
    ),
    hidden=HiddenHands(
        open=hidden.open_goods,
        redact=hidden.redact,
        self_reportable=hidden.self_reportable,
        noun="Promissory notes",
    ),
    turns=Turns(order=turns.order),
    market=Market(matches=lambda wanted, given, exactly: bool(wanted) and wanted == given),
)
"""The game, as `bot.rules.registry` finds it."""
