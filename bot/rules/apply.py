"""Apply entries to a table. Never fails for an entry that was decided, and never reads the clock."""

from __future__ import annotations

from collections.abc import Iterable

from bot.rules.entries import Entry
from bot.rules.model.replacing import replace
from bot.rules.model.table import Table
from bot.rules.registry import game_of


def apply(table: Table, entry: Entry) -> Table:
    """Return the table after this entry. The core applies it first, then the game."""
    after = entry.apply(table)
    # Take the game from ``after``, because the first entry sets it.
    after = game_of(after).features.apply(after, entry)
    return replace(after, seq=table.seq + 1)


def replay(entries: Iterable[Entry], table: Table | None = None) -> Table:
    """Apply these entries in order, to an empty table by default.

    >>> replay([SeatLeft(seat="red", person=1)], table).seq - table.seq
    1
    """
    table = table or Table()
    for entry in entries:
        table = apply(table, entry)
    return table
