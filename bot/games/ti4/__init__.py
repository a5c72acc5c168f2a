"""Twilight Imperium 4: rules 94 (transactions), 21 (commodities) and 69 (promissory notes)."""

from __future__ import annotations

from bot.api import (
    COUNTED_DEBTS,
    Commands,
    Debts,
    Departures,
    Features,
    Game,
    GameInfo,
    GoodsLanguage,
    HiddenHands,
    Holdings,
    Seats,
    Table,
    TradeRules,
    owed,
)
from bot.games.ti4 import (
    agendas,
    board,
    boxes,
    colors,
    combat,
    commodities,
    components,
    counting,
    dark_pact,
    departures,
    hand_limit,
    holdings,
    language,
    losses,
    my_goods,
    neighbors,
    note_claims,
    note_gifts,
    note_moments,
    note_receipts,
    note_returns,
    note_shows,
    notes,
    permits,
    phases,
    pillage,
    requests,
    setting_up,
    shorthand,
    slips,
    state,
    strategy_cards,
    support_swaps,
    take_back,
    trade_agreements,
    trade_card,
    transactions,
    turns,
)
from bot.games.ti4.help import AGREEMENTS, HELP
from data import other_numbers
from data.ti4 import PLAYERS_MAX, rulebook

__all__ = ["GAME"]

FEATURES = Features(
    (
        slips.AT_ONCE,
        turns.FEATURE,
        phases.FEATURE,
        combat.FEATURE,
        neighbors.FEATURE,
        agendas.FEATURE,
        boxes.FEATURE,
        colors.FEATURE,
        requests.FEATURE,
        commodities.FEATURE,
        holdings.FEATURE,
        counting.FEATURE,
        trade_card.FEATURE,
        strategy_cards.FEATURE,
        hand_limit.FEATURE,
        pillage.FEATURE,
        dark_pact.FEATURE,
        losses.FEATURE,
        notes.FEATURE,
        note_moments.FEATURE,
        note_claims.FEATURE,
        note_gifts.FEATURE,
        note_receipts.FEATURE,
        note_returns.FEATURE,
        note_shows.FEATURE,
        trade_agreements.FEATURE,
        my_goods.FEATURE,
        permits.FEATURE,
        departures.FEATURE,
        support_swaps.FEATURE,
        take_back.FEATURE,  # after pillage, which asks it which entry is taken back
        COUNTED_DEBTS,
        slips.FEATURE,  # last: it keeps the parts of the others
    )
)

STATUS: state.Status = {
    **transactions.STATUS,
    **commodities.STATUS,
    **notes.STATUS,
    **hand_limit.STATUS,
    **permits.STATUS,
}


def _rule_status(table: Table, number: str) -> str:
    """Return the status of a table under the rule with this number, by whichever of its numbers."""
    said = []
    for each in (number, *other_numbers(rulebook(), number)):
        said += [sentence(table) for sentence in STATUS.get(each, ())]
    return " ".join(filter(None, dict.fromkeys(said)))


INFO = GameInfo(
    id="ti4",
    name="Twilight Imperium 4",
    phases=state.PHASES,
    settings=frozenset(
        {"rulings", "inventory", "declare_holdings", "confirm", "timer", "open_on_close"}
    ).union(option.name for option in FEATURES.options),
    options=FEATURES.options,
    rule_numbers={
        "irrevocable": "94.4.1",
        "mixed": "D2",
        "binding": "D3",
        "kept": "D4",
        "card": "D5",
        "later": "D6",
    },
    other_numbers={"mixed": "28.1", "binding": "28.3", "card": "28.3.1", "later": "28.4"},
    rulebook=rulebook,
    help=HELP,
    example="2 tg, 1 c",
    agreements=AGREEMENTS,
    wealth="Trade goods and commodities",
    no_offer="The strategy card Trade is under **Menu**, replenishing under **My goods**.",
    command_groups=frozenset(
        {"turn", "strategy", "agenda", "neighbors", "commodities", "note", "permit", "undo"}
    ),
    rehearsal=setting_up.REHEARSAL,
    announced_phases=frozenset({"status"}),  # once a round
)

GAME = Game(
    api=1,
    info=INFO,
    seats=Seats(
        every=boxes.every_faction,
        find=boxes.find_seat,
        start=boxes.start,
        offered=boxes.offered,
        barred=departures.barred,
        most=PLAYERS_MAX,
    ),
    goods=GoodsLanguage(
        read=shorthand.read,
        describe=components.describe,
        describe_holdings=language.describe_holdings,
        suggest=language.suggest,
        every=language.suggest_every,
        cards=language.cards,
        any_name=tuple(components.NAMED),
        read_here=language.read_here,
        words={
            components.TRADE_GOOD: "tg",
            components.COMMODITY: "c",
            owed(components.TRADE_GOOD): "tg later",
        },
        to_giver=components.to_giver,
        listed=components.in_order,
        icon=components.icon,
        icons=tuple(components.ICONS.values()),
    ),
    holdings=Holdings(
        gain=holdings.gain,
        spend=holdings.spend,
        correct=holdings.correct,
        gains=language.gains,
        spends=language.spends,
        buttons=my_goods.buttons,
    ),
    public=state.public,
    trade=TradeRules(
        violations=transactions.violations,
        settle=transactions.settle,
        choice=transactions.choice,
        neighbors=state.are_neighbors,
    ),
    commands=Commands(
        board=board.board,
        rule_status=_rule_status,
        may=departures.may,
        remedy=transactions.remedy,
        remark=pillage.remark,
        take_back=take_back.offered,
        can_take_back=take_back.is_on,
        pair_remedy=neighbors.remedy,
    ),
    features=FEATURES,
    hidden=HiddenHands(
        open=components.open_goods,
        redact=components.redact,
        self_reportable=components.open_goods,  # the others see it, and would object
        wealth=lambda goods: goods.of_kind(components.TRADE_GOOD, components.COMMODITY),
        noun="Promissory notes",
        counted=True,
        secret=components.WHICH_NOTES,
    ),
    debts=Debts(
        token=components.TRADE_GOOD,
        example="2 tg",
        # 21.5
        worth=lambda goods: goods.count(components.TRADE_GOOD) + goods.count(components.COMMODITY),
        one_trade="You have one transaction with {other} in a turn, so put everything into this "
        "one [94.1].",
    ),
    departures=Departures(
        eliminate=departures.elimination, change=departures.change, changeable=departures.changeable
    ),
    order=turns.SetOrder,
    setup=setting_up.SETUP,
    proposals=language.proposals,
    prices=language.prices,
    worth=language.worth,
    matches=lambda wanted, given, exactly: bool(wanted) and wanted == given,
    match_keys=lambda goods: (goods,),
)
"""The game, as `bot.rules.registry` finds it."""
