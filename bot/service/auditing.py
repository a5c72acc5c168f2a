"""Audits and exports by hosts, moderators and the operator, and the check that the ledger is what
this bot wrote.

`bourse verify` and `/audit verify` share the check. `Ledger.verify` checks a table's chain,
commitments, seals and row. Then the entries are replayed to check the snapshot, the deadline and
the use of chance.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from bot.ledger import BadEntry, Damaged, Ledger, Published
from bot.rules import snapshots
from bot.rules.apply import restored
from bot.rules.entries import Recorded, split
from bot.rules.features import audits
from bot.rules.features.tables import next_deadline
from bot.rules.model.table import Table
from bot.rules.model.violation import Refused
from bot.rules.registry import games
from bot.rules.uninstalled import refusal
from bot.rules.views import EntryView, Viewer
from bot.rules.visible_entry import open_parts, redact, see_entry
from bot.rules.visible_table import see
from bot.service import gate
from bot.service.gate import Admitted
from bot.service.records import TableRecord, TableRecords
from bot.service.requests import ExportSource

PAGE = 500
"""Entries per query for an export."""

REPLAY_ERRORS = (LookupError, ValueError, TypeError, Refused)
"""Errors of reading or applying entries that don't follow from each other, or whose game is not
installed.
"""

Disclosed = Mapping[str, Mapping[str, object]]


def require_auditor(admitted: Admitted) -> None:
    """Raise `Refused` unless the requester hosts the table or moderates its server."""
    with gate.with_names(admitted.record, admitted.reader):
        audits.require_auditor(admitted.record.table, admitted.reader)


async def export_source(
    ledger: Ledger, record: TableRecord, viewer: Viewer, until_seq: int
) -> ExportSource:
    """Return a table's ledger up to an entry, as the viewer may read it. ``record`` is the table
    after that entry.

    The ledger is read in pages, since it may be long.
    """
    seat = record.table.seat_of(viewer.person)  # their seat at that time
    entries: list[EntryView] = []
    published: list[Published] = []
    disclosed: dict[int, Disclosed] = {}
    for after in range(0, until_seq, PAGE):
        last = min(after + PAGE, until_seq)
        stored = await ledger.entries.sealed(record.id, after=after, until_seq=last)
        published += await ledger.entries.published(record.id, after=after, until_seq=last)
        async for some in ledger.entries.stream(record.id, after=after, until_seq=last):
            for recorded in some:
                seq = recorded.seq
                entries.append(see_entry(recorded, viewer, record.table.game))
                disclosed[seq] = _disclosed(recorded, viewer, stored.get(seq, {}))
    return ExportSource(
        view=see(record.table, replace(viewer, seat=seat.id if seat else None)),
        entries=entries,
        published=published,
        disclosed=disclosed,
        until_seq=until_seq,
        sees_all=viewer.sees_all,
    )


def _disclosed(recorded: Recorded, viewer: Viewer, stored: Mapping[str, Any]) -> Disclosed:
    """Return the sealed parts of an entry that the viewer may see, with salts if the viewer sees
    everything.
    """
    entry, seq = recorded.entry, recorded.seq
    parts = sorted(open_parts(entry, viewer, seq))
    if viewer.sees_all:
        return {part: stored[part] for part in parts if part in stored}
    _, seen = split(redact(entry, viewer, seq))
    return {part: {"data": seen[part]} for part in parts}


class UnknownPerson(LookupError):
    """The table does not know this Discord id."""


async def export_for(ledger: Ledger, table_id: int, user_id: int | None) -> ExportSource:
    """Return a table's whole ledger as everybody may read it or, given a Discord id, as that person
    may.

    Raises `Refused` when there is no such table, and `UnknownPerson` when it does not know the
    person.
    """
    record = await TableRecords(ledger).load(table_id)
    if user_id is None:
        viewer = gate.public(record)
    elif (person := record.person(user_id)) is None:
        raise UnknownPerson(user_id)
    else:
        viewer = gate.seat_viewer(record, record.table, person.number)
    return await export_source(ledger, record, viewer, record.table.seq)


# ---------------------------------------------------------------- checking the ledger


HEAD_DIGITS = 20
"""The digits of a hash that are posted, and the fewest that are compared.

Nobody can make another entry with the same 80 bits.
"""


class PostedHead(NamedTuple):
    """A head that was posted earlier: a hash or its first digits, and its table and entry number if
    the line has them.

    There are at least `HEAD_DIGITS` digits.
    """

    hash: str
    table: int | None = None
    seq: int | None = None

    def __str__(self) -> str:
        return self.hash if self.seq is None else f"#{self.seq} {self.hash}"


_POSTED = re.compile(
    r"(?:(?P<table>\d{1,18}):|#(?P<seq>\d{1,18})[^0-9a-f]*)?(?<![0-9a-f])(?P<hash>[0-9a-f]{20,64})(?![0-9a-f])"
)


def read_head(text: str) -> PostedHead | None:
    """Parse a line copied from the channel, such as ``#41 5f3e…``, or ``TABLE:HASH``. Return None
    if neither.
    """
    posted = _POSTED.search(text)
    if posted is None:
        return None
    table, seq, hash = posted["table"], posted["seq"], posted["hash"]
    return PostedHead(hash, int(table) if table else None, int(seq) if seq else None)


class Checked(NamedTuple):
    """A table's first fault, or None; and why what its entries lead to can't be checked here, empty
    if it can.
    """

    fault: BadEntry | None
    unread: str = ""


async def check_table(ledger: Ledger, table_id: int, heads: Collection[PostedHead] = ()) -> Checked:
    """Check a table. If its chain is broken, nothing else is checked.

    ``heads`` were posted earlier; the chain must still contain them.
    """
    if bad := await ledger.entries.verify(table_id):
        return Checked(bad)
    for head in heads:
        # its end was cut off, or the whole table was rewritten
        if not await has_head(ledger, table_id, head):
            last = (await ledger.entries.stored_head(table_id)).seq
            reason = f"the entry is missing: none of the {last} that are there has the hash {head}"
            return Checked(BadEntry(last + 1, reason))
    return await _replayed(ledger, table_id)


async def ledger_faults(ledger: Ledger) -> list[str]:
    """Return the faults outside the tables: in the list of tables, the removals, and rows that
    belong to no table.
    """
    found = [
        f"table {table_id}: has entries, but was taken out of the list of tables by hand"
        for table_id in await ledger.tables.orphaned()
    ]
    if counted := await ledger.tables.verify_count():
        found.append(f"the list of tables: {counted}")
    kept = await ledger.tables.unremoved()
    found += [
        f"table {table_id}: is said to be removed, but something of it is there"
        for table_id in kept
    ]
    if not kept and (bad := await ledger.tables.verify_removals()):
        found.append(f"removal {bad.seq}: {bad.reason}")
    return found + [f"{row} was changed by hand" for row in await ledger.tables.verify_rest()]


async def has_head(ledger: Ledger, table_id: int, head: PostedHead) -> bool:
    """Return whether a table has, or once had, this head."""
    numbers = await ledger.entries.numbered(table_id, head.hash)
    return bool(numbers) and (head.seq is None or head.seq in numbers)


async def _replayed(ledger: Ledger, table_id: int) -> Checked:
    """Replay a table's entries, and compare the result with its snapshot, deadline and use of
    chance.

    From an entry on that can't be read or applied here, chance can't be checked. An unreadable
    snapshot is never used, so it is not a fault.
    """
    saved = await ledger.entries.snapshot(table_id)
    snapshot = snapshots.load(*saved) if saved else None
    table, unread = Table(id=table_id), ""
    try:
        async for page in ledger.entries.stream(table_id):
            for recorded in page:
                # The first entry is the core's, and before it the table has no game that could
                # check it.
                chance = games()[table.game].chance if table.seq and table.game in games() else None
                if chance and (reason := chance.verify(table, recorded.entry)):
                    return Checked(BadEntry(recorded.seq, reason))
                table = restored([recorded], table)
                if table.game not in games() and not unread:
                    why = refusal(table.game).violation.reason
                    unread = f"from entry {recorded.seq} on: {why}"
                if snapshot is not None and snapshot.seq == table.seq and snapshot != table:
                    other = "the snapshot saved after it is not what the entries lead to"
                    return Checked(BadEntry(table.seq, other), unread)
        due = next_deadline(table)
    except Damaged as error:  # the chain holds, so it is what was written
        return Checked(None, str(error))
    except REPLAY_ERRORS:
        if snapshot is not None and table.seq < snapshot.seq:
            unfollowed = "the entries up to here don't follow from each other"
            return Checked(BadEntry(snapshot.seq, unfollowed))
        return Checked(None, unread)
    stored = await ledger.tables.deadline(table_id)
    last = (await ledger.entries.stored_head(table_id)).seq
    if unread or last != table.seq or stored == due:  # or the table has changed meanwhile
        return Checked(None, unread)
    late = f"the table is said to need the clock at {stored}, but it does at {due}"
    return Checked(BadEntry(table.seq, late))
