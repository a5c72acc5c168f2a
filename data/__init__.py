"""What is printed on the cards and in the rulebooks: TOML, read once, validated by pydantic.

Public names stand here; the modules behind them are private. Nothing in this package knows of a table.
"""

from data._read import read
from data._ti4 import (
    Expansion,
    Faction,
    Permit,
    PromissoryNote,
    expansions,
    factions,
    find_faction,
    find_note,
    permits,
    promissory_notes,
)

__all__ = [
    "Expansion",
    "Faction",
    "Permit",
    "PromissoryNote",
    "expansions",
    "factions",
    "find_faction",
    "find_note",
    "permits",
    "promissory_notes",
    "read",
]
