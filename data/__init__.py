"""What is printed on the cards and in the rulebooks: TOML, read once, validated by pydantic.

Public names stand here; the modules behind them are private. Nothing in this package knows of a table.
"""

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
    "Ability",
    "Expansion",
    "Faction",
    "PromissoryNote",
    "Rule",
    "abilities",
    "expansions",
    "factions",
    "find_faction",
    "find_note",
    "find_rule",
    "nearest_rule",
    "promissory_notes",
    "read",
    "rules",
]
