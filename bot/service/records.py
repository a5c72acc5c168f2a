"""The most recently used tables in memory, each with its people and the head of its chain."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from weakref import WeakValueDictionary

from bot.ledger import Head, Ledger, LedgerError, TableRow
from bot.rules import snapshots
from bot.rules.apply import replay
from bot.rules.entries import Recorded
from bot.rules.features.tables import next_deadline
from bot.rules.model.people import Person
from bot.rules.model.table import Table
from bot.rules.model.violation import Refused
from bot.service.memory import FRESH_FOR, now, or_else

KEPT = 2048
"""The most tables kept in memory. Other tables are read again from their last snapshot."""

TABLE_MAX = 2**63 - 1
"""The largest table number that the database supports. A button may carry any number."""

SNAPSHOT_EVERY = 64
"""Entries between two snapshots: the most that are replayed when a table is loaded."""


@dataclass(frozen=True)
class TableRecord:
    """A table with its people, the head of its chain, and where it is played."""

    row: TableRow
    table: Table
    people: Mapping[int, Person]
    head: Head

    @property
    def id(self) -> int:
        return self.row.id

    @cached_property
    def deadline(self) -> int | None:
        """When the table needs the clock next, in milliseconds since 1970, or None."""
        return next_deadline(self.table)

    def person(self, user_id: int) -> Person | None:
        """Return a Discord user as a person of this table; None if the table does not know them."""
        return next((person for person in self.people.values() if person.user_id == user_id), None)


class Records:
    """Keeps the most recently used tables in memory and reads the others from the ledger.

    ``owns`` returns whether this process has a server's shard. Other processes rarely change the tables of our shards.
    """

    def __init__(self, ledger: Ledger, owns: Callable[[int | None], bool] = lambda _guild_id: True) -> None:
        self._ledger = ledger
        self._owns = owns
        self._kept: OrderedDict[int, TableRecord] = OrderedDict()
        self._asked: dict[int, float] = {}  # when the ledger was last asked about each kept table
        # Weak: a lock lives only while a command holds it or waits for it, so it needs no cleanup.
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    def lock(self, table_id: int) -> asyncio.Lock:
        """Return the lock for changing this table: one command at a time in this process."""
        return self._locks.get(table_id) or self._locks.setdefault(table_id, asyncio.Lock())

    async def kept(self, table_id: int) -> TableRecord:
        """Return the table from memory, without asking the ledger: an append detects an outdated state.

        The ledger is asked about a closed table, since another process may have removed it. It is also asked about a
        table of another shard, which its owner changes: a lost race costs more, and a line in the server's log. Raises
        `Refused` when there is no such table.
        """
        return self.owned(table_id) or await self.current(table_id)

    def owned(self, table_id: int) -> TableRecord | None:
        """Return an open table of this process's shards from memory; None for any other table, or if not in memory."""
        record = self._kept.get(table_id)
        known = record is not None and record.table.open and self._owns(record.row.guild_id)
        return record if known else None

    async def remembered(self, table_id: int) -> TableRecord:
        """Return the table from memory, for answers that can't wait; see `bot.service.memory`.

        A table that is closed or not in memory is read. Safe to cancel. Raises `Refused` when there is no such table.
        """
        record = self._kept.get(table_id)
        if record is None or not record.table.open:
            return await self.current(table_id)
        if now() - self._asked.get(table_id, -FRESH_FOR) < FRESH_FOR:
            return record
        self._asked[table_id] = now()
        return await or_else(lambda: self.current(table_id), record)

    async def current(self, table_id: int) -> TableRecord:
        """Return the table's latest state. Raises `Refused` when there is no such table."""
        record = self._kept.get(table_id)
        if record and await self._ledger.head(table_id) == record.head:
            self._asked[table_id] = now()
            return await self._with_people(record)
        return await self.load(table_id)

    def seq(self, table_id: int) -> int:
        """Return the last entry of a table in memory; 0 for any other table."""
        record = self._kept.get(table_id)
        return record.table.seq if record else 0

    async def load(self, table_id: int) -> TableRecord:
        """Read a table from its last snapshot and the entries since. Raises `Refused` when there is no such table.

        Raises `bot.ledger.Tampered` when any of these data were changed outside the bot.
        """
        if not 0 < table_id <= TABLE_MAX:
            raise no_such_table()
        stored = await self._ledger.stored(table_id)
        saved = snapshots.load(*stored.snapshot) if stored and stored.snapshot else None
        if stored and stored.snapshot and saved is None:  # another version's snapshot, so all entries are needed
            stored = await self._ledger.stored(table_id, whole=True)
        if stored is None:
            self.forget(table_id)
            raise no_such_table()
        try:
            table = await _replayed(saved or Table(id=table_id), stored.entries)
        except (LookupError, ValueError, TypeError) as error:  # never with entries made by `decide`
            raise LedgerError(f"Table {table_id}'s entries don't follow from each other: try bourse verify.") from error
        people = {person.number: person for person in stored.people}
        # The directory may have been changed by hand. Only the place was verified, by `stored`.
        row = replace(stored.row, game=table.game, name=table.name, closed=not table.open)
        record = TableRecord(row, table, people, stored.head)
        # If a command was carried out during this read, the record that it kept is newer.
        return record if self.seq(table_id) > table.seq else self.keep(record)

    async def at(self, record: TableRecord, seq: int) -> TableRecord:
        """Return the table as it was after entry ``seq``. Raises `Refused` when its entries were changed by hand."""
        if seq >= record.table.seq:
            return record
        table = Table(id=record.id)
        try:
            async for page in self._ledger.stream(record.id, until_seq=seq):
                table = replay((recorded.entry for recorded in page), table)
        except (LookupError, ValueError, TypeError):
            raise changed_by_hand() from None
        return replace(record, table=table)

    def keep(self, record: TableRecord) -> TableRecord:
        self._kept[record.id] = record
        self._kept.move_to_end(record.id)
        self._asked[record.id] = now()
        if len(self._kept) > KEPT:
            self.forget(next(iter(self._kept)))
        return record

    def forget(self, table_id: int) -> None:
        self._kept.pop(table_id, None)
        self._asked.pop(table_id, None)

    def forget_user(self, user_id: int) -> None:
        """Drop every table that knows this Discord user."""
        for table_id in [table_id for table_id, record in self._kept.items() if record.person(user_id)]:
            self.forget(table_id)

    async def _with_people(self, record: TableRecord) -> TableRecord:
        """Return a kept record, with a closed table's people read again: another process may have erased a person."""
        if record.table.open:
            return record
        people = {person.number: person for person in await self._ledger.people(record.id)}
        return self.keep(replace(record, people={**record.people, **people}))  # keep persons whose row is missing


async def _replayed(table: Table, entries: Sequence[Recorded]) -> Table:
    """Replay entries. Other tasks run now and then, since there may be many without a snapshot."""
    for first in range(0, len(entries), SNAPSHOT_EVERY):
        if first:
            await asyncio.sleep(0)
        table = replay((each.entry for each in entries[first : first + SNAPSHOT_EVERY]), table)
    return table


def no_such_table() -> Refused:
    """Return the refusal for a table that does not exist, or that the requester may not know of."""
    return Refused("", "There is no such table.", "Open one with /table open.")


def changed_by_hand() -> Refused:
    """Return the refusal for a ledger whose entries can't be read in order."""
    return Refused("", "Somebody has changed this table's ledger by hand.", "/audit verify names the entry.")
