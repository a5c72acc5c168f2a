"""Checks of a table beyond its hash chain: its snapshot against its entries, and how chance was used.

Each returns the first fault as a `Bad`, None when there is none. They are for a table whose chain verifies.
"""

from __future__ import annotations

from bot.ledger import Bad, Ledger
from bot.rules import snapshots
from bot.rules.apply import apply
from bot.rules.entries import Entry
from bot.rules.game import Chance
from bot.rules.model.table import Table
from bot.rules.model.violation import Refused
from bot.rules.registry import games

UNREADABLE = (LookupError, ValueError, TypeError, Refused)
"""What reading or applying entries raises when they don't follow from each other, or their game is not installed."""


async def snapshot_fault(ledger: Ledger, table_id: int) -> Bad | None:
    """Compare the snapshot of a table with what its entries lead to.

    A snapshot that can't be read is no fault: it is never used.
    """
    saved = await ledger.snapshot(table_id)
    table = snapshots.load(*saved) if saved else None
    if saved is None or table is None:
        return None
    try:
        same = await _replayed(ledger, table_id, saved[0]) == table
    except UNREADABLE:
        return Bad(saved[0], "the entries up to here don't follow from each other")
    return None if same else Bad(saved[0], "the snapshot saved after it is not what the entries lead to")


async def chance_fault(ledger: Ledger, table_id: int) -> Bad | None:
    """Find the first entry in which what was shuffled or drawn is not what the sealed seed leads to.

    Entries that can't be replayed show nothing about chance, so for them there is no fault.
    """
    chance = await _chance(ledger, table_id)
    if chance is None:
        return None
    table = Table(id=table_id)
    try:
        async for page in ledger.stream(table_id):
            for recorded in page:
                if reason := _reason(chance, table, recorded.entry):
                    return Bad(recorded.seq, reason)
                table = apply(table, recorded.entry)
    except UNREADABLE:
        return None
    return None


def _reason(chance: Chance, table: Table, entry: Entry) -> str:
    """Return what is wrong with how chance was used in an entry, or an empty string.

    The first entry has no game before it that could check it.
    """
    return chance.verify(table, entry) if table.seq else ""


async def _chance(ledger: Ledger, table_id: int) -> Chance | None:
    """Return how the table's game checks chance; None if the game has no chance or is not installed."""
    row = await ledger.table(table_id)
    game = games().get(row.game) if row else None
    return game.chance if game else None


async def _replayed(ledger: Ledger, table_id: int, until_seq: int) -> Table:
    """Return the table that the entries up to this one lead to."""
    table = Table(id=table_id)
    async for page in ledger.stream(table_id, until_seq=until_seq):
        for recorded in page:
            table = apply(table, recorded.entry)
    return table
