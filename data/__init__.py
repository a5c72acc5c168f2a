"""What is printed on the cards and in the rulebooks: TOML, read once, validated by pydantic.

Public names stand here; the modules behind them are private. Nothing in this package knows of a table.
"""

from data._advciv import (
    CALAMITIES_MOST,
    CARDS_A_SIDE,
    HAND_LIMIT,
    NAMED_A_SIDE,
    NINTH_STACK_PRICE,
    Calamity,
    Commodity,
    Nation,
    TradeCard,
    calamities,
    commodities,
    find_nation,
    find_trade_card,
    nations,
)
from data._read import read
from data._rules import Rule, find_rule, nearest_rule, rules
from data._ti4 import (
    Ability,
    Expansion,
    Faction,
    PromissoryNote,
    abilities,
    expansions,
    factions,
    find_faction,
    find_note,
    promissory_notes,
)

__all__ = [
    "CALAMITIES_MOST",
    "CARDS_A_SIDE",
    "HAND_LIMIT",
    "NAMED_A_SIDE",
    "NINTH_STACK_PRICE",
    "Ability",
    "Calamity",
    "Commodity",
    "Expansion",
    "Faction",
    "Nation",
    "PromissoryNote",
    "Rule",
    "TradeCard",
    "abilities",
    "calamities",
    "commodities",
    "expansions",
    "factions",
    "find_faction",
    "find_nation",
    "find_note",
    "find_rule",
    "find_trade_card",
    "nations",
    "nearest_rule",
    "promissory_notes",
    "read",
    "rules",
]
