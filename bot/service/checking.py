"""Verifies that the ledger is what this bot wrote: a check of one table and a check of the rest.

`Ledger.verify` checks a table's chain, commitments, seals and row. Then the entries are replayed to check the
snapshot, the deadline and the use of chance.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import NamedTuple

from bot.ledger import Bad, Ledger
from bot.rules import snapshots
from bot.rules.apply import apply
from bot.rules.features.tables import next_deadline
from bot.rules.game import Chance
from bot.rules.model.table import Table
from bot.rules.model.violation import Refused
from bot.rules.registry import games

UNREADABLE = (LookupError, ValueError, TypeError, Refused)
"""Errors of reading or applying entries that don't follow from each other, or whose game is not installed."""


class PostedHead(NamedTuple):
    """A head that was posted earlier: a hash, and its table and entry number if the line names them."""

    hash: str
    table: int | None = None
    seq: int | None = None

    def __str__(self) -> str:
        return self.hash if self.seq is None else f"#{self.seq} {self.hash}"


_POSTED = re.compile(
    r"(?:(?P<table>\d{1,18}):|#(?P<seq>\d{1,18})[^0-9a-f]*)?(?<![0-9a-f])(?P<hash>[0-9a-f]{64})(?![0-9a-f])"
)


def read_head(text: str) -> PostedHead | None:
    """Parse a line copied from the channel, such as ``#41 5f3e…``, or ``TABLE:HASH``. Return None if neither."""
    found = _POSTED.search(text)
    if found is None:
        return None
    table, seq = (int(number) if number else None for number in (found["table"], found["seq"]))
    return PostedHead(found["hash"], table, seq)


async def table_fault(ledger: Ledger, table_id: int, heads: Collection[PostedHead] = ()) -> Bad | None:
    """Return a table's first fault, or None. If its chain is broken, nothing else is checked.

    ``heads`` were posted earlier; the chain must still contain them.
    """
    return (
        await ledger.verify(table_id)
        or await _missing_head(ledger, table_id, heads)
        or await _replay_fault(ledger, table_id)
    )


async def ledger_faults(ledger: Ledger) -> list[str]:
    """Return the faults outside the tables: in the list of tables, the removals, and rows that belong to no table."""
    found = [
        f"table {table_id}: has entries, but was taken out of the list of tables by hand"
        for table_id in await ledger.unlisted()
    ]
    if counted := await ledger.verify_count():
        found.append(f"the list of tables: {counted}")
    kept = await ledger.unremoved()
    found += [f"table {table_id}: is said to be removed, but something of it is there" for table_id in kept]
    if not kept and (bad := await ledger.verify_removals()):
        found.append(f"removal {bad.seq}: {bad.reason}")
    return found + [f"{row} was changed by hand" for row in await ledger.verify_rest()]


async def has_head(ledger: Ledger, table_id: int, head: PostedHead) -> bool:
    """Return whether a table has, or once had, this head."""
    seq = await ledger.numbered(table_id, head.hash)
    return seq is not None and head.seq in (None, seq)


async def _missing_head(ledger: Ledger, table_id: int, heads: Collection[PostedHead]) -> Bad | None:
    """Return a fault if a valid chain lacks one of the heads posted earlier.

    That means that its end was cut off, or that the whole table was rewritten.
    """
    for head in heads:
        if not await has_head(ledger, table_id, head):
            last = (await ledger.stored_head(table_id)).seq
            return Bad(last + 1, f"the entry is missing: none of the {last} that are there has the hash {head}")
    return None


async def _replay_fault(ledger: Ledger, table_id: int) -> Bad | None:
    """Replay a table's entries, and compare the result with its snapshot, deadline and use of chance.

    If the entries can't be applied, chance and deadline can't be checked. An unreadable snapshot is never used, so it
    is not a fault.
    """
    saved = await ledger.snapshot(table_id)
    snapshot = snapshots.load(*saved) if saved else None
    chance, table = await _chance(ledger, table_id), Table(id=table_id)
    try:
        async for page in ledger.stream(table_id):
            for recorded in page:
                # Before the first entry, the table has no game that could check it.
                if chance and table.seq and (reason := chance.verify(table, recorded.entry)):
                    return Bad(recorded.seq, reason)
                table = apply(table, recorded.entry)
                if snapshot is not None and snapshot.seq == table.seq and snapshot != table:
                    return Bad(table.seq, "the snapshot saved after it is not what the entries lead to")
        due = next_deadline(table)
    except UNREADABLE:
        if snapshot is not None and table.seq < snapshot.seq:
            return Bad(snapshot.seq, "the entries up to here don't follow from each other")
        return None
    return await _deadline_fault(ledger, table, due)


async def _deadline_fault(ledger: Ledger, table: Table, due: int | None) -> Bad | None:
    """Return a fault if the stored deadline is not ``due``, unless the table has changed meanwhile."""
    stored = await ledger.deadline(table.id)
    if (await ledger.stored_head(table.id)).seq != table.seq or stored == due:
        return None
    return Bad(table.seq, f"the table is said to need the clock at {stored}, but it does at {due}")


async def _chance(ledger: Ledger, table_id: int) -> Chance | None:
    """Return the `Chance` of the table's game; None if it has none or is not installed."""
    row = await ledger.table(table_id)
    game = games().get(row.game) if row else None
    return game.chance if game else None
