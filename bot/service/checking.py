"""Whether the ledger is what this bot wrote: one check of a table and one of the rest, for the shell and for Discord.

A table's chain, commitments, seals and row come first, in `Ledger.verify`. Then the entries are applied again, which
shows what the snapshot, the deadline and the use of chance must be.
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
"""What reading or applying entries raises when they don't follow from each other, or their game is not installed."""


class PostedHead(NamedTuple):
    """A head that was posted earlier: a hash, and the table and the entry it is of, where the line says so."""

    hash: str
    table: int | None = None
    seq: int | None = None

    def __str__(self) -> str:
        return self.hash if self.seq is None else f"#{self.seq} {self.hash}"


_POSTED = re.compile(
    r"(?:(?P<table>\d{1,18}):|#(?P<seq>\d{1,18})[^0-9a-f]*)?(?<![0-9a-f])(?P<hash>[0-9a-f]{64})(?![0-9a-f])"
)


def read_head(text: str) -> PostedHead | None:
    """Return the head in a line that was copied from the channel, such as ``#41 5f3e…``, or in ``TABLE:HASH``."""
    found = _POSTED.search(text)
    if found is None:
        return None
    table, seq = (int(number) if number else None for number in (found["table"], found["seq"]))
    return PostedHead(found["hash"], table, seq)


async def table_fault(ledger: Ledger, table_id: int, heads: Collection[PostedHead] = ()) -> Bad | None:
    """Return the first fault of a table, or None. If its chain is broken, nothing else is checked.

    ``heads`` were posted earlier: each must still be there.
    """
    return (
        await ledger.verify(table_id)
        or await _missing_head(ledger, table_id, heads)
        or await _replay_fault(ledger, table_id)
    )


async def ledger_faults(ledger: Ledger) -> list[str]:
    """Return what is wrong beside the tables: with their list, the removals, and what is of no table."""
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
    """Return whether a table has this head, now or before its last entries."""
    seq = await ledger.numbered(table_id, head.hash)
    return seq is not None and head.seq in (None, seq)


async def _missing_head(ledger: Ledger, table_id: int, heads: Collection[PostedHead]) -> Bad | None:
    """Return a fault when the chain is sound but lacks one of the heads that were noted earlier.

    Then the end of the table was cut off, or the whole table was written anew.
    """
    for head in heads:
        if not await has_head(ledger, table_id, head):
            last = (await ledger.stored_head(table_id)).seq
            return Bad(last + 1, f"the entry is missing: none of the {last} that are there has the hash {head}")
    return None


async def _replay_fault(ledger: Ledger, table_id: int) -> Bad | None:
    """Apply a table's entries, and compare what follows from them with what is stored beside them.

    Entries that can't be applied show nothing about chance or the deadline. A snapshot that can't be read is never
    used, so it is no fault.
    """
    saved = await ledger.snapshot(table_id)
    snapshot = snapshots.load(*saved) if saved else None
    chance, table = await _chance(ledger, table_id), Table(id=table_id)
    try:
        async for page in ledger.stream(table_id):
            for recorded in page:
                # The first entry has no game before it that could check it.
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
    """Compare the stored deadline with what the table needs, unless the table has moved on meanwhile."""
    stored = await ledger.deadline(table.id)
    if (await ledger.stored_head(table.id)).seq != table.seq or stored == due:
        return None
    return Bad(table.seq, f"the table is said to need the clock at {stored}, but it does at {due}")


async def _chance(ledger: Ledger, table_id: int) -> Chance | None:
    """Return how the table's game checks chance; None if the game has no chance or is not installed."""
    row = await ledger.table(table_id)
    game = games().get(row.game) if row else None
    return game.chance if game else None
