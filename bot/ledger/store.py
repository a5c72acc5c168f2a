"""The `Ledger`: the interface through which the rest of the program writes and reads."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import orjson
from alembic.util import CommandError
from sqlalchemy import URL, ColumnElement, Connection, CursorResult, Row, Select, Table, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import OperationalError, SQLAlchemyError

from bot.ledger import batch, chain, queries
from bot.ledger.commitments import PLACE, person_number
from bot.ledger.engine import Database, address, check_file, database, is_locked, name_of, reason
from bot.ledger.errors import LedgerError, Repeated, Tampered
from bot.ledger.health import Health, health_of
from bot.ledger.keys import SEAL, Key, KeySource, described, key_file, key_of, make_key
from bot.ledger.migrate import is_current, migrate
from bot.ledger.noted import NOTED_FOR, About, Changes, LateWriter
from bot.ledger.presence import check_ledger, check_ledger_file
from bot.ledger.private import make_private
from bot.ledger.queries import KEPT, OPEN
from bot.ledger.schema import SEALED, cursors, key_values, messages, people, removals, snapshots, tables
from bot.ledger.statements import Statements, statements
from bot.ledger.values import (
    UNCHANGED,
    Bad,
    Deadline,
    Head,
    Message,
    Published,
    Removal,
    Snapshot,
    Stored,
    TableRow,
    Unchanged,
)
from bot.ledger.verification import UNREADABLE, Verifier, follow, place_fault, read_entry
from bot.ledger.writer import Writer
from bot.rules.entries import Entry, Recorded
from bot.rules.features.tables import TableClosed
from bot.rules.model.people import Person
from bot.rules.model.references import Reference

log = logging.getLogger(__name__)

T = TypeVar("T")

PAGE = 500
"""Entries that `Ledger.verify` and `Ledger.stream` keep in memory at once."""

KEY_MARK = {"key": "key", "value": ""}
"""The row whose seal shows whether a key is the database's original key."""
SLICE = 32
"""Entries parsed before other tasks run: a few milliseconds' work."""

OPEN_WAIT = 5.0
"""How long `Ledger.open` waits for another process that has locked the database, in seconds."""


class Ledger:
    """Everything that happened at every table, in one database. Create it with `open`.

    Every method may raise `LedgerError` when the database fails or an entry can't be read. Methods that write then
    raise `NotWritten` or `FateUnknown`, whichever is true. A write is durable when its method returns.

    The methods for deciding commands (`stored`, `head`, `people`) and for delivery (`messages`, `cursor`) return only
    data that this bot wrote. For anything else they raise `Tampered`, which is logged once; from then on nothing is
    appended to that table. Methods that read entries or the directory return what is stored, without verifying it.

    Every method may be cancelled at any time. A cancelled write that has not begun is not carried out.
    """

    def __init__(
        self,
        database: Database,
        writer: Writer[batch.Request, batch.Written],
        prepared: Statements,
        health: Health,
        key: Key,
        noted_for: float,
    ) -> None:
        self.health = health
        self._key = key
        self._database = database
        self._writer = writer
        self._statements = prepared
        self._tampered: dict[str, int | None] = {}  # the tables of the `Tampered` that were logged, by message
        self._late = LateWriter(self._remember, noted_for)

    @classmethod
    async def open(
        cls, url: str, key: KeySource = None, *, create: bool = True, noted_for: float = NOTED_FOR
    ) -> Ledger:
        """Open ``sqlite:///FILE``, a file's path or ``postgresql://...``, and create or upgrade its tables.

        Without ``create``, raise `LedgerError` if there is no ledger, and create none.

        ``key`` seals the rows outside the hash chain: the key itself or its file; None for the file that `key_file`
        returns. The file is created if the database has no key yet. ``noted_for``: the flush interval for
        `note_messages`, in seconds.

        Raises `LedgerError` with one sentence when the ledger can't be opened, for example with the wrong key.
        """
        where = address(url)
        in_file = where.get_backend_name() == "sqlite"
        if in_file:
            check_file(where)
            if not create:
                check_ledger_file(where)
            make_private(where)
        opened = database(where)
        health = health_of(opened, where)
        try:
            if not create and not in_file:
                await opened.read(partial(check_ledger, where))
            await _prepare(opened)
            found = await _key(opened, key_file(where) if key is None else key)
            health.start()
        except (LedgerError, asyncio.CancelledError):
            await opened.close()
            raise
        except (SQLAlchemyError, CommandError, OSError, ValueError, TypeError) as error:
            await opened.close()
            raise LedgerError(_cannot_open(where, error)) from error
        writer = Writer(opened, partial(batch.perform, found), batch.explain, batch.find, batch.is_single)
        writer.start()
        return cls(opened, writer, statements("sqlite" if in_file else "postgresql"), health, found, noted_for)

    async def close(self) -> None:
        """Finish pending writes, then disconnect. Harmless when repeated.

        Takes only moments: writes to a database that is locked or gone are given up.
        """
        last = self._late.close()
        await asyncio.sleep(0)  # lets the task queue its request
        await self._writer.close()
        await last
        await self._database.close()

    # writing entries

    async def create_table(
        self,
        *,
        guild_id: int | None,
        channel_id: int,
        game: str,
        name: str,
        entries: Sequence[Entry],
        at: int,
        by: int | None,
        people: Sequence[Person],
        interaction: int | None,
        deadline: int | None = None,
        then: Callable[[int, list[Recorded]], object] | None = None,
    ) -> tuple[int, list[Recorded]]:
        """Open a table with its first entries and people, in one transaction. Return its id and the entries.

        ``then`` is called with both as soon as they are durable, even if the caller was cancelled meanwhile.

        Raises `ChannelTaken` when the channel has an open table, `Repeated` when the interaction is already recorded,
        and ``ValueError`` when there are no entries or a person has no user.
        """
        if not entries:
            raise ValueError("A table begins with an entry.")
        newcomers, salt = batch.newcomers(people), batch.fresh_salt()
        committed = batch.commitment_to_place(salt, guild_id, channel_id) | batch.commitments(newcomers)
        drafts = batch.drafts(entries, committed)
        written = await self._writer.write(
            batch.Create(guild_id, channel_id, salt, game, name, drafts, at, by, newcomers, interaction, deadline),
            then and (lambda written: then(written.table_id, _recorded(written, entries, at, by, interaction))),
        )
        return written.table_id, _recorded(written, entries, at, by, interaction)

    async def append(
        self,
        table_id: int,
        after: Head,
        entries: Sequence[Entry],
        *,
        at: int,
        by: int | None,
        people: Sequence[Person] = (),
        interaction: int | None = None,
        deadline: int | Unchanged | None = UNCHANGED,
        snapshot: Snapshot | None = None,
        then: Callable[[list[Recorded]], object] | None = None,
    ) -> list[Recorded]:
        """Record the entries of one command, decided on the table with the head ``after``. Return them as recorded.

        ``at`` is in milliseconds since 1970, UTC; ``by`` is a person's number. The same transaction adds ``people``,
        closes the table and clears its deadline if there is a `TableClosed`, stores ``deadline`` (when the table needs
        the clock next, in milliseconds since 1970, or None) and saves ``snapshot``, the state after the entries.
        Nothing is read: ``after`` comes from `head`, or from the last entry that `create_table` or `append` returned.
        Without entries, nothing is written. ``then`` is called with the result as soon as it is durable, even if the
        caller was cancelled meanwhile.

        Raises `LostRace` when ``after`` is no longer the head or a person's number or user is taken, `Repeated` when
        the interaction is already recorded, `Tampered` when the table was found tampered with, and ``ValueError`` for
        people without entries or without a user.
        """
        if table_id in self._tampered.values():
            raise Tampered(table_id, "its record")
        newcomers = batch.newcomers(people)
        if not entries:
            if newcomers:
                raise ValueError("People come to a table with an entry.")
            return []
        drafts = batch.drafts(entries, batch.commitments(newcomers))
        closes = any(isinstance(entry, TableClosed) for entry in entries)
        recorded: list[Recorded] = []

        def landed(written: batch.Written) -> None:
            recorded.extend(_recorded(written, entries, at, by, interaction))
            if then is not None:
                then(recorded)

        saved = None
        if snapshot is not None:
            values = {"table_id": table_id, "seq": after.seq + len(entries), **snapshot._asdict()}
            saved = batch.Save(self._statements.save_snapshot, values)
        request = batch.Append(table_id, after, drafts, at, by, newcomers, interaction, closes, deadline, saved)
        await self._writer.write(request, landed)
        return recorded

    # reading entries

    async def read(self, table_id: int, after: int = 0, until_seq: int | None = None) -> list[Recorded]:
        """Return the entries numbered after + 1 to ``until_seq``, in order."""
        return await self._entries(queries.entries_of(table_id, after, until_seq))

    async def stream(
        self,
        table_id: int,
        after: int = 0,
        until_seq: int | None = None,
        size: int = PAGE,
        kinds: Collection[str] | None = None,
    ) -> AsyncIterator[list[Recorded]]:
        """Yield the entries numbered after + 1 to ``until_seq``, in order. ``kinds`` limits them to some kinds.

        They come in lists of at most `SLICE`, between which other tasks run. ``size`` is the number read per query.
        """
        while rows := await self._all(queries.oldest_entries(table_id, until_seq, size, after=after, kinds=kinds)):
            for first in range(0, len(rows), SLICE):
                yield [_read(row) for row in rows[first : first + SLICE]]
                await asyncio.sleep(0)
            if len(rows) < size:
                return
            after = rows[-1].seq

    async def read_subject(self, table_id: int, subject: Reference, until_seq: int | None = None) -> list[Recorded]:
        """Return the entries about a subject, such as ``offer:12``, in order."""
        return await self._entries(queries.entries_about(table_id, [subject], until_seq))

    async def read_subjects(
        self, table_id: int, subjects: Collection[Reference], until_seq: int | None = None
    ) -> dict[Reference, list[Recorded]]:
        """Return the entries about each of these subjects, in order; an empty list for a subject without entries."""
        found: dict[Reference, list[Recorded]] = {subject: [] for subject in subjects}
        rows = await self._all(queries.entries_about(table_id, subjects, until_seq)) if found else []
        for row, recorded in zip(rows, await _in_slices(_read, rows), strict=True):
            found[row.subject].append(recorded)
        return found

    async def read_kind(self, table_id: int, kinds: Collection[str], until_seq: int | None = None) -> list[Recorded]:
        """Return the entries of some kinds, such as ``transaction``, in order."""
        return await self._entries(queries.entries_of_kinds(table_id, kinds, until_seq))

    async def recent(
        self,
        table_id: int,
        *,
        until_seq: int,
        limit: int,
        after: int = 0,
        kinds: Collection[str] | None = None,
        skip: int = 0,
    ) -> list[Recorded]:
        """Return the last ``limit`` entries numbered after + 1 to ``until_seq``, newest first, skipping ``skip``.

        ``kinds`` limits them to some kinds.
        """
        query = queries.newest_entries(table_id, until_seq, limit, after=after, kinds=kinds, skip=skip)
        return await self._entries(query)

    async def oldest(
        self, table_id: int, *, after: int, until_seq: int, limit: int, kinds: Collection[str] | None = None
    ) -> list[Recorded]:
        """Return the first ``limit`` entries numbered after + 1 to ``until_seq``, in order; ``kinds`` see `recent`."""
        return await self._entries(queries.oldest_entries(table_id, until_seq, limit, after=after, kinds=kinds))

    async def with_number(
        self, table_id: int, kind: str, field: str, number: int, *, until_seq: int | None = None
    ) -> list[Recorded]:
        """Return the entries of a kind whose public field is this number, in order. A few others may be included."""
        return await self._entries(queries.entries_with_number(table_id, kind, field, number, until_seq))

    async def count(
        self, table_id: int, *, until_seq: int, after: int = 0, kinds: Collection[str] | None = None
    ) -> int:
        """Count the entries numbered after + 1 to ``until_seq``. ``kinds`` limits them to some kinds."""
        query = queries.number_of_entries(table_id, until_seq, after=after, kinds=kinds)
        return int(await self._scalar(query) or 0)

    async def kinds(self, table_id: int) -> list[str]:
        return sorted(row.kind for row in await self._all(queries.kinds_of(table_id)))

    async def last_before(self, table_id: int, at: int) -> int:
        """Return the number of the last entry written before ``at``, in milliseconds since 1970; 0 for none."""
        return await self._scalar(queries.last_before(table_id, at)) or 0

    async def published(self, table_id: int, after: int = 0, until_seq: int | None = None) -> list[Published]:
        """Return the entries in public form, which `check_published` verifies without the ledger."""
        return await _in_slices(_publish, await self._all(queries.entries_of(table_id, after, until_seq)))

    async def head(self, table_id: int) -> Head:
        """Return number and hash of the last entry; 0 and `GENESIS` when there is none. Raises `Tampered`."""
        rows = await self._all(queries.HEAD, {"of_table": table_id})
        try:
            return self._key.require_head(table_id, rows[0]) if rows else Head()
        except Tampered as error:
            raise self._stop(error) from None

    async def stored_head(self, table_id: int) -> Head:
        """Return the head as stored, without checking its seal, for verification and its reports."""
        rows = await self._all(queries.HEAD, {"of_table": table_id})
        return Head(rows[0].seq, rows[0].hash) if rows else Head()

    async def numbered(self, table_id: int, hash: str) -> int | None:
        """Return the number of the entry with this hash, such as an old head's; None when there is none."""
        row = await self._first(queries.numbered(table_id, hash))
        return row.seq if row else None

    async def sealed(self, table_id: int, after: int = 0, until_seq: int | None = None) -> dict[int, dict[str, Any]]:
        """Return the sealed parts of the entries numbered after + 1 to ``until_seq``, by entry number.

        They have the shape ``{part: {"salt": hex, "data": {...}}}``. Viewers who may see a part compare it, with its
        salt, to the published digest.
        """
        rows = await self._all(queries.sealed_of(table_id, after, until_seq))
        found = zip(rows, await _in_slices(_parts, rows), strict=True)
        return {row.seq: parts for row, parts in found if parts}

    async def answered(self, interaction: int) -> Repeated | None:
        """Return the `Repeated` that repeating this interaction would raise; None when it is new."""
        row = await self._first(queries.answered(interaction))
        return Repeated(row.table_id, row.seq, row.seq + row.command_size - 1) if row else None

    async def carried_out(self, interaction: int) -> bool:
        """Return whether an interaction is recorded, once pending writes are done. Raises `LedgerError`."""
        await self._remember({}, {})  # requests are written in order
        return await self.answered(interaction) is not None

    async def stored(self, table_id: int, *, whole: bool = False) -> Stored | None:
        """Load a table's row, head, snapshot, entries and people; None when there is no table. Raises `Tampered`.

        ``whole``: load all its entries and no snapshot.
        """
        for again in (False, True):
            rows = await self._run(lambda connection: _rows_of(connection, table_id, whole=whole))
            if rows is None:
                return None
            try:
                return await self._verified(*rows)
            except Tampered as error:
                if again:  # the first time, the table may have been removed between two queries
                    raise self._stop(error) from None
        raise AssertionError

    async def _verified(
        self,
        row: Row[Any],
        snapshot: Row[Any] | None,
        last: Row[Any],
        entries: Sequence[Row[Any]],
        persons: Sequence[Row[Any]],
    ) -> Stored:
        """Return a table's stored data. Raises `Tampered` unless this bot wrote all of it.

        The last entry must have a valid seal, and the chain must lead to it from the snapshot's hash or the beginning.
        Place and people must match the snapshot and the entries' commitments.
        """
        table_id, head, committed = row.id, Head(), dict[str, str]()
        end = self._key.require_head(table_id, last)
        cursor = {"table_id": table_id, "seq": row.cursor, SEAL: row.cursor_seal}
        if row.cursor is not None and (not self._key.fits(cursors.name, cursor) or row.cursor > end.seq):
            raise Tampered(table_id, "its cursor")
        if snapshot is not None:
            self._key.require(snapshots, snapshot)
            head = Head(snapshot.seq, snapshot.hash)
        recorded: list[Recorded] = []
        for place, entry in enumerate(entries, 1):
            found = follow(table_id, head, entry)
            if isinstance(found, Bad):
                raise Tampered(table_id, f"entry {found.seq} ({found.reason})")
            head = found
            committed |= chain.commitments_of(entry.sealed)
            recorded.append(_read(entry))
            if not place % SLICE:
                await asyncio.sleep(0)
        if head != end:
            raise Tampered(table_id, f"what follows entry {head.seq}")
        if (
            place_fault(row, committed.get(PLACE, ""))
            if snapshot is None
            else (row.guild_id, row.channel_id) != (snapshot.guild_id, snapshot.channel_id)
        ):
            raise Tampered(table_id, "its server or channel")
        known = {self._key.require(people, each).person for each in persons}
        came = {number for name in committed if (number := person_number(name)) is not None}
        if not known.issuperset(came) or not known.issuperset(range(1, 1 + snapshot.people if snapshot else 1)):
            raise Tampered(table_id, "the list of its people")
        saved = (snapshot.seq, snapshot.state) if snapshot else None
        return Stored(_table(row), head, saved, recorded, [_person(each) for each in persons])

    # verifying

    async def verify(self, table_id: int) -> Bad | None:
        """Check a table's chain, commitments, seals and directory row. Return the first fault, or None.

        Never raises, whatever the rows contain.
        """
        # Read before the entries, since rows may be added meanwhile.
        claimed = await self._all(queries.claims(table_id))
        people_before = await self._all(queries.people_of(table_id))
        row_before = await self._first(select(tables).where(tables.c.id == table_id, KEPT))
        verifier = Verifier(table_id, self._key)
        async for row in self._stored(table_id):
            if bad := row if isinstance(row, Bad) else verifier.add(row):
                return bad
        people = await self._all(queries.people_of(table_id))
        row_after = await self._first(select(tables).where(tables.c.id == table_id, KEPT))
        return (
            verifier.place(row_before)
            or verifier.people(people_before, people)
            or verifier.claims(claimed)
            or verifier.end()
            or verifier.directory(row_before, row_after)
            or await self._unsealed(table_id, verifier.head.seq)
        )

    async def _unsealed(self, table_id: int, seq: int) -> Bad | None:
        """Return a fault for the table's first row without a valid seal. ``seq`` is the number of its last entry."""
        for table in SEALED:
            if "table_id" in table.c:
                for row in await self._all(select(table).where(table.c.table_id == table_id)):
                    if not self._key.fits(table.name, row._mapping):
                        return Bad(seq, f"beside the entries, {described(table, row)} was changed by hand")
        return None

    async def verify_removals(self) -> Bad | None:
        """Check the chain of removals, their seals, and that nothing is left of the removed tables.

        ``seq`` of the result is the removal's number.
        """
        rows = await self._all(select(removals).order_by(removals.c.seq))
        bad = chain.check_removals([batch.read_removal(row) for row in rows])
        if bad is not None:
            return bad
        for row in rows:
            if not self._key.fits(removals.name, row._mapping):
                return Bad(row.seq, "this bot did not remove the table: the record does not have its seal")
        left = await self._first(queries.unremoved())
        if left is None:
            return None
        return Bad(left.seq, f"table {left.table_id} is said to be removed, but it has entries or was never closed")

    async def verify_count(self) -> str | None:
        """Return a fault in the list of tables, such as a table deleted or added by hand; None if there is none."""
        row = await self._first(queries.counted(batch.TABLES))
        assert row is not None
        if row.value is None and not row.listed:
            return None
        if row.value is None or not self._key.fits(
            key_values.name, {"key": batch.TABLES, "value": row.value, SEAL: row.seal}
        ):
            return "the number of tables was changed by hand"
        if row.value != str(row.listed):
            return f"{row.value} tables were opened, but {row.listed} are listed"
        return None

    async def verify_rest(self) -> list[str]:
        """Describe the rows that were changed by hand and belong to no table, or to none that exists."""
        found = []
        for table in SEALED:
            query = select(table)
            if "table_id" in table.c:
                query = query.where(table.c.table_id.not_in(select(tables.c.id).where(KEPT)))
            if table is not removals:
                rows = await self._all(query)
                for first in range(0, len(rows), PAGE):
                    await asyncio.sleep(0)  # there is a row for everyone who ever had DMs
                    some = rows[first : first + PAGE]
                    found += [described(table, row) for row in some if not self._key.fits(table.name, row._mapping)]
        return found

    async def unlisted(self) -> list[int]:
        """Return the tables that have entries but no row in the directory, since it was deleted by hand."""
        return [row.table_id for row in await self._all(queries.unlisted())]

    async def unremoved(self) -> list[int]:
        """Return the removed tables that have entries or were never closed."""
        return [row.table_id for row in await self._all(queries.unremoved())]

    # the directory, the clock and the people

    async def table(self, table_id: int) -> TableRow | None:
        """Return one table of the directory; None when there is none."""
        row = await self._first(select(tables).where(tables.c.id == table_id, KEPT))
        return _table(row) if row else None

    async def all_tables(self) -> list[TableRow]:
        """Return every table that was not removed, oldest first."""
        return await self._tables()

    async def table_in(self, channel_id: int) -> TableRow | None:
        """Return the open table of a channel, if there is one."""
        row = await self._first(select(tables).where(tables.c.channel_id == channel_id, OPEN))
        return _table(row) if row else None

    async def last_table_in(self, channel_id: int) -> TableRow | None:
        """Return a channel's open table, or else the last table opened there; None when there was none."""
        row = await self._first(queries.last_table_in(channel_id))
        return _table(row) if row else None

    async def tables_of(self, user_id: int) -> list[TableRow]:
        """Return the open tables that know this user."""
        return await self._tables(OPEN, tables.c.id.in_(queries.known(user_id)))

    async def open_tables_on(self, guild_id: int) -> int:
        return int(await self._scalar(queries.open_tables_on(guild_id)) or 0)

    async def known_at(self, user_id: int) -> tuple[int, int]:
        """Return the number of closed and of open tables that know this user."""
        found = await self._tables(tables.c.id.in_(queries.known(user_id)))
        return sum(row.closed for row in found), sum(not row.closed for row in found)

    async def deadlines(self) -> list[Deadline]:
        """Return the deadlines of the open tables, earliest first."""
        return [Deadline(row.id, row.guild_id, row.deadline) for row in await self._all(queries.deadlines())]

    async def deadline(self, table_id: int) -> int | None:
        """Return a table's stored deadline, whether it is open or closed."""
        row = await self._first(select(tables.c.deadline).where(tables.c.id == table_id))
        return row.deadline if row else None

    async def heads(self, shards: Collection[int] = (0,), count: int = 1) -> list[tuple[int, int | None, int]]:
        """Return the open tables of these shards of ``count`` as (table, server, number of the last entry)."""
        return [(row.id, row.guild_id, row.seq) for row in await self._all(queries.heads(shards, count))]

    async def people(self, table_id: int) -> list[Person]:
        """Return a table's people, by number. Raises `Tampered`."""
        return [_person(row) for row in self._sealed(people, await self._all(queries.people_of(table_id)))]

    async def rename(self, table_id: int, user_id: int, name: str) -> None:
        """Store a user's new name at a table. Does nothing if the table does not know them. Raises `Tampered`."""
        await self._write(batch.Rename(table_id, user_id, name))

    async def erase_person(self, user_id: int, name: str = "Player {}") -> int:
        """Erase a user's name and id from every closed table, and return the number of those tables.

        Their number in the entries stays, and the chains still verify. ``name`` replaces their name; ``{}`` in it
        becomes the number. Raises `Tampered`, and erases nothing, if one of their rows was changed outside the bot.
        """
        await self._late.flush()  # a later flush would restore erased rows
        return (await self._write(batch.Erase(user_id, name))).table_id

    async def remove_table(self, table_id: int, *, at: int) -> Removal:
        """Delete a closed table and return the removal record, which stays in a chain of its own.

        Raises `NotWritten` if there is no such table or it is open, and `Tampered`.
        """
        await self._late.flush()  # a later flush would restore deleted rows
        removal = (await self._write(batch.Remove(table_id, at))).removal
        assert removal is not None
        return removal

    async def removed(self) -> list[Removal]:
        """Return the removals, oldest first."""
        rows = await self._all(select(removals).order_by(removals.c.seq))
        return [batch.read_removal(row) for row in rows]

    # the cache

    async def snapshot(self, table_id: int) -> tuple[int, str] | None:
        """Return the newest snapshot's entry number and state as text; None when there is none.

        It is not verified: this method is for checking snapshots. To load a table, use `stored`.
        """
        row = await self._first(select(snapshots).where(snapshots.c.table_id == table_id))
        return (row.seq, row.state) if row else None

    # delivery's state

    async def cursor(self, table_id: int) -> int:
        """Return the last entry whose messages are planned; 0 if none are. Raises `Tampered`."""
        rows = self._sealed(cursors, await self._all(select(cursors).where(cursors.c.table_id == table_id)))
        return rows[0].seq if rows else 0

    async def undelivered(self) -> list[int]:
        """Return the tables, open or closed, with entries after their cursor or with owed messages.

        The most recently active tables come first.
        """
        await self._late.flush()
        return [row.id for row in await self._all(queries.undelivered())]

    async def messages(self, table_id: int) -> list[Message]:
        """Return the messages of a table, by subject. Raises `Tampered`."""
        await self._late.flush()
        return [_message(row) for row in self._sealed(messages, await self._all(queries.messages_of(table_id)))]

    async def save_messages(
        self, table_id: int, saved: Sequence[Message], *, forgotten: Sequence[str] = (), cursor: int | None = None
    ) -> None:
        """Store messages, replacing those about the same subjects; delete ``forgotten``; advance the cursor.

        The cursor never moves back. All of this, and the buffer of `note_messages`, is one transaction.
        """
        await self._late.save(_changes(table_id, saved, forgotten), {} if cursor is None else {table_id: cursor})

    def note_messages(self, table_id: int, saved: Sequence[Message], *, forgotten: Sequence[str] = ()) -> None:
        """Buffer messages to store and to delete, for the next `save_messages` or a write of their own soon.

        A crash may lose the buffer. All methods of this class take it into account.
        """
        self._late.note(_changes(table_id, saved, forgotten))

    async def write_noted(self) -> None:
        """Write the buffer of `note_messages` now."""
        await self._late.flush()

    def drop_noted(self) -> None:
        """Discard the buffer of `note_messages`, because another process owns the tables now."""
        self._late.drop()

    async def key_value(self, key: str) -> str | None:
        """Return the value stored under a key, such as the digest of the registered commands; None if there is none.

        A value changed outside the bot counts as missing, since every value can be recreated.
        """
        rows = await self._all(select(key_values).where(key_values.c.key == key))
        try:
            return self._sealed(key_values, rows)[0].value if rows else None
        except Tampered:
            return None

    async def set_key_value(self, key: str, value: str) -> None:
        row = self._key.sealed(key_values.name, {"key": key, "value": value})
        await self._writer.write(batch.Save(self._statements.set_key_value, row))

    # helpers

    def _sealed(self, table: Table, rows: Sequence[Row[Any]]) -> Sequence[Row[Any]]:
        """Return these rows of a database table. Raises `Tampered` unless all their seals are valid."""
        try:
            return [self._key.require(table, row) for row in rows]
        except Tampered as error:
            raise self._stop(error) from None

    def _stop(self, error: Tampered) -> Tampered:
        """Log the error once. Nothing more is appended to the table until the database is reopened."""
        if str(error) not in self._tampered:
            log.critical("%s Until that is fixed and I am restarted, I record nothing there.", error)
            self._tampered[str(error)] = error.table_id
        return error

    async def _write(self, request: batch.Request) -> batch.Written:
        """Write a request that changes existing rows. Raises `Tampered`."""
        try:
            return await self._writer.write(request)
        except Tampered as error:
            raise self._stop(error) from None

    async def _remember(self, changes: Changes, cursors: Mapping[int, int]) -> None:
        rows = {about: None if one is None else _row(about, one) for about, one in changes.items()}
        await self._writer.write(batch.Remember(self._statements, rows, cursors))

    async def _all(self, query: Select[Any], values: Mapping[str, Any] | None = None) -> Sequence[Row[Any]]:
        return await self._run(lambda connection: _rows(connection.execute(query, values)))

    async def _run(self, work: Callable[[Connection], T]) -> T:
        try:
            return await self._database.read(work)
        except (SQLAlchemyError, OSError) as error:
            raise LedgerError(f"The ledger could not be read: {reason(error)}.") from error

    async def _first(self, query: Select[Any]) -> Row[Any] | None:
        rows = await self._all(query.limit(1))
        return rows[0] if rows else None

    async def _scalar(self, query: Select[Any]) -> int | None:
        return await self._run(lambda connection: connection.scalar(query))

    async def _entries(self, query: Select[Any]) -> list[Recorded]:
        return await _in_slices(_read, await self._all(query))

    async def _tables(self, *conditions: ColumnElement[bool]) -> list[TableRow]:
        return [_table(row) for row in await self._all(select(tables).where(KEPT, *conditions).order_by(tables.c.id))]

    async def _stored(self, table_id: int) -> AsyncIterator[Row[Any] | Bad]:
        """Yield a table's rows in order, as stored. If the database can't return the next, yield a `Bad` and stop."""
        last: object = None
        seen, size = 0, PAGE
        while True:
            try:
                rows = await self._all(queries.stored_after(table_id, last, size))
            except LedgerError as error:
                if size == 1:
                    yield Bad(seen + 1, f"the database cannot give the entry: {error.__cause__ or error}")
                    return
                size = 1  # one by one, to find the unreadable row
                continue
            for place, row in enumerate(rows, 1):
                yield row
                if not place % SLICE:
                    await asyncio.sleep(0)
            if len(rows) < size:
                return
            last, seen = rows[-1].seq, seen + len(rows)


async def _prepare(database: Database) -> None:
    """Upgrade the database's tables. Wait if another process is doing so."""
    began = asyncio.get_running_loop().time()
    while True:
        try:
            if not await database.read(is_current):
                await database.write(migrate)
            return
        except OperationalError as error:
            # SQLite's busy_timeout is short, and does not apply while another process switches a new file to WAL.
            if not is_locked(error) or asyncio.get_running_loop().time() > began + OPEN_WAIT:
                raise
        await asyncio.sleep(0.05)


async def _key(database: Database, given: str | Path) -> Key:
    """Return the database's key. A new database adopts the given key, or one created in the given file.

    Raises `LedgerError` when the database has another key, or its key is missing.
    """
    mark = await database.read(_mark)
    key = key_of(given)
    if key is None and mark is not None:
        raise LedgerError(
            f"The database was created with a key that is missing: put the file {given} back, "
            "or set BOURSE_KEY to what it held."
        )
    if key is None:
        assert isinstance(given, Path)
        key = make_key(given)
    row = key.sealed(key_values.name, KEY_MARK)
    if mark is None:
        mark = await database.write(lambda connection: _marked(connection, row))
    if mark != row[SEAL]:
        raise LedgerError(
            "The database was created with another key: use the original one in BOURSE_KEY or the file of "
            "BOURSE_KEY_FILE, "
            "the same for every process."
        )
    return key


def _mark(connection: Connection) -> str | None:
    """Return the seal of `KEY_MARK` with the database's original key; None for a new database."""
    query = select(key_values.c.seal).where(key_values.c.key == KEY_MARK["key"])
    return connection.execute(query).scalar_one_or_none()


def _marked(connection: Connection, row: Mapping[str, Any]) -> str | None:
    """Store the mark of a key, unless another process was first. Return the stored mark."""
    insert = sqlite.insert if connection.dialect.name == "sqlite" else postgresql.insert
    connection.execute(insert(key_values).values(**row).on_conflict_do_nothing())
    return _mark(connection)


def _cannot_open(where: URL, error: Exception) -> str:
    return f"The database {name_of(where)} cannot be opened: {reason(error)}."


def _recorded(
    written: batch.Written, made: Sequence[Entry], at: int, by: int | None, interaction: int | None
) -> list[Recorded]:
    size = len(made) if interaction is not None else None  # only on the first entry
    found: list[Recorded] = []
    for head, entry in zip(written.heads, made, strict=True):
        found.append(Recorded(written.table_id, head.seq, at, by, entry, head.hash, size))
        size = None
    return found


async def _in_slices(read: Callable[[Row[Any]], T], rows: Sequence[Row[Any]]) -> list[T]:
    """Read these rows, and let other tasks run after every `SLICE` of them."""
    found: list[T] = []
    for first in range(0, len(rows), SLICE):
        if first:
            await asyncio.sleep(0)
        found += map(read, rows[first : first + SLICE])
    return found


def _read(row: Row[Any]) -> Recorded:
    try:
        entry = read_entry(row)
    except UNREADABLE as error:
        raise LedgerError(
            f"Entry {row.seq} of table {row.table_id}, of the kind {row.kind!r}, cannot be read: "
            "it was changed by hand, or its game is not installed."
        ) from error
    return Recorded(row.table_id, row.seq, row.at, row.by, entry, row.hash, row.command_size)


def _parts(row: Row[Any]) -> dict[str, Any]:
    try:
        return chain.parts_of(orjson.loads(row.sealed))
    except UNREADABLE as error:
        raise _changed(row) from error


def _publish(row: Row[Any]) -> Published:
    try:
        digests = chain.digests_of(orjson.loads(row.sealed)) if row.sealed is not None else {}
        public = orjson.loads(row.public)
    except UNREADABLE as error:
        raise _changed(row) from error
    return Published(
        row.seq, row.at, row.by, public, digests, row.hash, interaction=row.interaction, command_size=row.command_size
    )


def _changed(row: Row[Any]) -> LedgerError:
    return LedgerError(f"Entry {row.seq} of table {row.table_id} was changed by hand and cannot be read.")


def _rows_of(
    connection: Connection, table_id: int, *, whole: bool
) -> tuple[Row[Any], Row[Any] | None, Row[Any], Sequence[Row[Any]], Sequence[Row[Any]]] | None:
    """Read a table's rows: directory with cursor, snapshot, last entry, entries since the snapshot, people.

    In this order, each result includes everything that earlier results refer to, whatever another process writes
    meanwhile.
    """
    this = {"of_table": table_id}
    row = connection.execute(queries.ROW, this).first()
    snapshot = None if whole else connection.execute(queries.SNAPSHOT, this).first()
    last = connection.execute(queries.HEAD, this).first()
    if row is None or last is None:
        return None
    since = {**this, "after_seq": snapshot.seq if snapshot else 0, "until_seq": last.seq}
    entries = _rows(connection.execute(queries.ENTRIES, since))
    return row, snapshot, last, entries, connection.execute(queries.PEOPLE, this).all()


def _rows(result: CursorResult[Any]) -> Sequence[Row[Any]]:
    """Return all rows of a result. They are fetched in pages, so that other threads can run."""
    rows = list(result.fetchmany(PAGE))
    some = len(rows)
    while some == PAGE:
        more = result.fetchmany(PAGE)
        rows += more
        some = len(more)
    result.close()
    return rows


def _person(row: Row[Any]) -> Person:
    return Person(row.person, row.user_id, row.name)


def _table(row: Row[Any]) -> TableRow:
    return TableRow(row.id, row.guild_id, row.channel_id, row.game, row.name, row.closed_at is not None)


def _changes(table_id: int, saved: Sequence[Message], forgotten: Sequence[str]) -> Changes:
    """Return changes that store ``saved`` and delete ``forgotten``."""
    return {(table_id, one.subject): one for one in saved} | {(table_id, subject): None for subject in forgotten}


def _row(about: About, one: Message) -> dict[str, Any]:
    """Return a message's row, without its seal."""
    return {"table_id": about[0], **{name: getattr(one, name) for name in _COLUMNS}}


_COLUMNS = tuple(each.name for each in fields(Message))


def _message(row: Row[Any]) -> Message:
    return Message(**{name: value for name, value in row._mapping.items() if name not in ("table_id", SEAL)})
