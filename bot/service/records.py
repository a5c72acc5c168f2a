"""Keeps a part of the ledger in memory: the most recently used tables, and answers for those who
can't wait.

It may be outdated, since another process may have changed it. A command that was decided on an
outdated table loses the race when it is appended. With `Requester.accepts_cached`, values are
refreshed now and then, with a short timeout; what the person then submits is checked against the
ledger.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Generic, TypeVar
from weakref import WeakValueDictionary

from bot.ledger import Damaged, Head, Ledger, LedgerError, TableRow
from bot.rules import snapshots
from bot.rules.apply import restored
from bot.rules.entries import Recorded
from bot.rules.features.tables import next_deadline
from bot.rules.model.people import Person
from bot.rules.model.table import Table
from bot.rules.model.violation import Refused
from bot.rules.recall import with_ended
from bot.rules.visible_table import TableViews
from bot.tasks import loop_time

K = TypeVar("K")
V = TypeVar("V")

TABLES_KEPT = 2048
"""The most tables kept in memory. Other tables are read again from their last snapshot."""

CHANGES_KEPT = 1024
"""The most tables whose last change is kept for delivery."""

VIEWS_KEPT = 64
"""The most tables whose views are kept for the next request."""

VALUES_KEPT = 4096
"""The most values in one `Cache`."""

FRESH_FOR = 5.0
"""How long a cached value is used without asking the ledger, in seconds."""

ASK_FOR = 0.5
"""How long to wait for the ledger before using an older cached value, in seconds. Discord waits
three for the answer.
"""

TABLE_MAX = 2**63 - 1
"""The largest table number that the database supports. A button may carry any number."""


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
        for person in self.people.values():
            if person.user_id == user_id:
                return person
        return None


@dataclass(frozen=True)
class LastChange:
    """The entries of a table's last change by this process, and the table before and after it, for
    delivery.
    """

    before: Table
    after: Table
    recorded: Sequence[Recorded]

    @cached_property
    def table(self) -> Table:
        """The table after the entries, including what they ended."""
        return with_ended(self.before, self.after, [each.entry for each in self.recorded])

    @cached_property
    def views(self) -> TableViews:
        """The entries and the table. The reply, delivery and the next request share it."""
        return TableViews(self.table, self.recorded)


class Recent(OrderedDict[K, V]):
    """The values that were set last, at most this many; the oldest is dropped."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most

    def __setitem__(self, key: K, value: V) -> None:
        super().__setitem__(key, value)
        self.move_to_end(key)
        if len(self) > self._most:
            self.popitem(last=False)


class TableRecords:
    """Keeps the most recently used tables in memory and reads the others from the ledger.

    ``owns`` returns whether this process has a server's shard. Other processes rarely change the
    tables of our shards.
    """

    def __init__(
        self, ledger: Ledger, owns: Callable[[int | None], bool] = lambda _guild_id: True
    ) -> None:
        self._ledger = ledger
        self._owns = owns
        self._kept = Recent[int, TableRecord](TABLES_KEPT)
        self._asked = Recent[int, float](TABLES_KEPT)  # when the ledger was last asked
        self._changes = Recent[int, LastChange](CHANGES_KEPT)
        self._last = Recent[int, LastChange](VIEWS_KEPT)
        # Weak: a lock lives only while a command holds it or waits for it, so it needs no cleanup.
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    def lock(self, table_id: int) -> asyncio.Lock:
        """Return the lock for changing this table: one command at a time in this process."""
        return self._locks.get(table_id) or self._locks.setdefault(table_id, asyncio.Lock())

    async def in_memory(self, table_id: int) -> TableRecord:
        """Return the table from memory, without asking the ledger: an append detects an outdated
        state.

        The ledger is asked about a closed table, since another process may have removed it. It is
        also asked about a table of another shard, which its owner changes: a lost race costs more,
        and a line in the server's log. Raises `Refused` when there is no such table.
        """
        return self.owned(table_id) or await self.current(table_id)

    def owned(self, table_id: int) -> TableRecord | None:
        """Return an open table of this process's shards from memory; None for any other table, or
        if not in memory.
        """
        record = self._kept.get(table_id)
        known = record is not None and record.table.open and self._owns(record.row.guild_id)
        return record if known else None

    def known(self, table_id: int) -> TableRecord | None:
        """Return the table from memory, even if it is outdated; None if it is not there."""
        return self._kept.get(table_id)

    async def cached(self, table_id: int) -> TableRecord:
        """Return the table from memory, for a requester that accepts cached values.

        A table that is closed or not in memory is read. Safe to cancel. Raises `Refused` when there
        is no such table.
        """
        record = self._kept.get(table_id)
        if record is None or not record.table.open:
            return await self.current(table_id)
        if loop_time() - self._asked.get(table_id, -FRESH_FOR) < FRESH_FOR:
            return record
        self._asked[table_id] = loop_time()
        return await or_cached(lambda: self.current(table_id), record)

    async def current(self, table_id: int) -> TableRecord:
        """Return the table's latest state. Raises `Refused` when there is no such table."""
        record = self._kept.get(table_id)
        if record and await self._ledger.entries.head(table_id) == record.head:
            self._asked[table_id] = loop_time()
            if record.table.open:
                return record
            # Another process may have erased a person of a closed table. Keep persons whose row is
            # missing.
            people = {
                person.number: person for person in await self._ledger.tables.people(record.id)
            }
            return self.keep(replace(record, people={**record.people, **people}))
        return await self.load(table_id)

    def seq(self, table_id: int) -> int:
        """Return the last entry of a table in memory; 0 for any other table."""
        record = self._kept.get(table_id)
        return record.table.seq if record else 0

    async def load(self, table_id: int) -> TableRecord:
        """Read a table from its last snapshot and the entries since. Raises `Refused` when there is
        no such table.

        Raises `bot.ledger.Tampered` when any of these data were changed outside the bot.
        """
        if not 0 < table_id <= TABLE_MAX:
            raise no_such_table()
        stored = await self._ledger.entries.stored(table_id)
        saved = snapshots.load(*stored.snapshot) if stored and stored.snapshot else None
        # another version's snapshot, so all entries are needed
        if stored and stored.snapshot and saved is None:
            stored = await self._ledger.entries.stored(table_id, whole=True)
        if stored is None:
            self.forget(table_id)
            raise no_such_table()
        try:
            table = saved or Table(id=table_id)
            for first in range(0, len(stored.entries), snapshots.EVERY):
                # without a snapshot there may be many, so let other tasks run now and then
                if first:
                    await asyncio.sleep(0)
                table = restored(stored.entries[first : first + snapshots.EVERY], table)
        except (LookupError, ValueError, TypeError) as error:  # never with entries made by `decide`
            text = f"Table {table_id}'s entries don't follow from each other: try bourse verify."
            raise Damaged(text, table_id) from error
        people = {person.number: person for person in stored.people}
        # The directory may have been changed by hand. Only the place was verified, by `stored`.
        row = replace(stored.row, game=table.game, name=table.name, closed=not table.open)
        return self.keep(TableRecord(row, table, people, stored.head))

    async def at(self, record: TableRecord, seq: int) -> TableRecord:
        """Return the table as it was after entry ``seq``. Raises `Refused` when its entries were
        changed by hand.
        """
        if seq >= record.table.seq:
            return record
        table = Table(id=record.id)
        try:
            async for page in self._ledger.entries.stream(record.id, until_seq=seq):
                table = restored(page, table)
        except (LookupError, ValueError, TypeError):
            raise changed_by_hand() from None
        return replace(record, table=table)

    def keep(self, record: TableRecord) -> TableRecord:
        """Keep a table in memory and return it."""
        # What was read while a command was carried out must not replace the command's result.
        if record.table.seq >= self.seq(record.id):
            self._kept[record.id] = record
            self._asked[record.id] = loop_time()
        return record

    def note_change(self, change: LastChange) -> None:
        """Keep a durable change until delivery takes it."""
        self._changes[change.after.id] = self._last[change.after.id] = change

    def views(self, table: Table) -> TableViews:
        """Return the views of a table, which are made once as long as it does not change."""
        change = self._last.get(table.id)
        if change is None or change.table is not table:
            change = self._last[table.id] = LastChange(table, table, ())
        return change.views

    def take_change(self, after: int, table: Table) -> LastChange | None:
        """Remove and return the change that is everything after entry ``after``; None if the
        entries must be read.
        """
        change = self._changes.get(table.id)
        if change is None:
            return None
        if change.before.seq != after or change.after.seq != table.seq:
            return None
        return self._changes.pop(table.id)

    def forget(self, table_id: int) -> None:
        self._kept.pop(table_id, None)
        self._asked.pop(table_id, None)
        self._last.pop(table_id, None)

    def forget_user(self, user_id: int) -> None:
        """Drop every table that knows this Discord user."""
        for table_id, record in list(self._kept.items()):
            if record.person(user_id):
                self.forget(table_id)


def no_such_table() -> Refused:
    """Return the refusal for a table that does not exist, or that the requester may not know of."""
    return Refused("There is no such table.", "Open one with /table open.")


def changed_by_hand() -> Refused:
    """Return the refusal for a ledger whose entries can't be read in order."""
    return Refused(
        "Somebody has changed this table's ledger by hand.", "/audit verify names the entry."
    )


# ---------------------------------------------------------------- single values


async def or_cached(ask: Callable[[], Awaitable[V]], remembered: V) -> V:
    """Return the result of ``ask``, or ``remembered`` if it takes longer than `ASK_FOR` or
    fails.
    """
    try:
        async with asyncio.timeout(ASK_FOR):
            return await ask()
    except (TimeoutError, LedgerError):
        return remembered


class Cache(Generic[K, V]):
    """The values of the most recently read keys.

    A value is refreshed after ``fresh_for`` seconds, by default `FRESH_FOR`.
    """

    def __init__(
        self, read: Callable[[K], Awaitable[V]], *, fresh_for: float | None = None
    ) -> None:
        self._read = read
        self._fresh_for = fresh_for
        self._kept = Recent[K, tuple[V, float]](VALUES_KEPT)  # each value, and when it was read
        self._forgotten = 0

    async def get(self, key: K, *, accepts_cached: bool) -> V:
        """Return the current value of a key or, if ``accepts_cached``, the cached one.

        A value that is not cached is read. Safe to cancel.
        """
        found = self._kept.get(key) if accepts_cached else None
        if found is None:
            return await self._ask(key)
        value, asked = found
        if loop_time() - asked < (FRESH_FOR if self._fresh_for is None else self._fresh_for):
            return value
        # even if it fails: a database that does not answer must not be asked each time
        self._kept[key] = value, loop_time()
        return await or_cached(lambda: self._ask(key), value)

    def known(self, key: K) -> V | None:
        """Return the cached value of a key, or None."""
        found = self._kept.get(key)
        return found[0] if found is not None else None

    def forget(self, key: K) -> None:
        self._forgotten += 1
        self._kept.pop(key, None)

    async def _ask(self, key: K) -> V:
        forgotten = self._forgotten
        value = await self._read(key)
        if forgotten == self._forgotten:  # otherwise it may have been read before the change
            self._kept[key] = value, loop_time()
        return value
