"""The ledger itself: what the rest of the program writes to and reads from."""

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
"""Entries that `Ledger.verify` and `Ledger.stream` hold in memory at once."""

KEY_MARK = {"key": "key", "value": ""}
"""The row whose seal tells whether a key is the one that a database began with."""
SLICE = 32
"""Entries that are read before other tasks run: a few milliseconds' work."""

OPEN_WAIT = 5.0
"""How long opening waits for another process that has locked the database, in seconds."""


class Ledger:
    """Everything that happened at every table, in one database. Made by `open`.

    Every method may raise `LedgerError` when the database fails or an entry cannot be read. One that writes then raises
    `NotWritten` or `FateUnknown`, whichever is true. What a method wrote is durable when it returns.

    What a table is decided on (`stored`, `head`, `people`) and where its messages are (`messages`, `cursor`) is given
    only as this bot wrote it; anything else is a `Tampered`, which is logged once. From then on nothing is appended to
    that table. Methods that read entries or the directory give what is stored, verified or not.

    A method that reads may be cancelled at any time. One that writes too: what had not begun is not written then.
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
        self._tampered: dict[str, int | None] = {}  # what was said in the log, with its table
        self._late = LateWriter(self._remember, noted_for)

    @classmethod
    async def open(
        cls, url: str, key: KeySource = None, *, create: bool = True, noted_for: float = NOTED_FOR
    ) -> Ledger:
        """Open ``sqlite:///FILE``, a file's path or ``postgresql://...``, making or updating its tables.

        Without ``create``, a database that holds no ledger is left as it is, and so is a file that is not there.

        ``key`` is what rows outside the hash chain are sealed with, or the file where it is; see `key_file` for None.
        The file is made for a database that has no key yet. ``noted_for``: seconds after which what `note_messages` was
        given is written by itself.

        Raises `LedgerError` with one sentence when that cannot be done, such as with another key than the database's.
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
        """Finish what is being written, then let go of the database. Harmless when repeated.

        Takes no longer than moments: what waits for a locked database, or for one that is gone, is given up.
        """
        last = self._late.close()
        await asyncio.sleep(0)  # so that it is queued
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

        ``then`` is called with these as soon as they are durable, even if the caller has been cancelled meanwhile.

        Raises `ChannelTaken` when the channel has an open table, `Repeated` when the interaction is known, and
        ``ValueError`` when there are no entries or a person has no user.
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
        """Record the entries of one command, decided when the table ended with ``after``; return them in their places.

        ``at`` is in milliseconds since 1970, UTC; ``by`` a person's number. In the same transaction ``people`` come to
        the table, a `TableClosed` closes it and clears its deadline, and ``deadline`` is stored: when the table needs
        the clock next, in milliseconds since 1970, or None. ``snapshot`` is the table after the entries, as it is saved
        beside them. Nothing is read: ``after`` is a head that `head` gave, or the last entry that `create_table` or
        `append` gave. Without entries, nothing is written. ``then`` is called with the result as soon as it is durable,
        even if the caller has been cancelled meanwhile.

        Raises `LostRace` when ``after`` is not the last entry any more or a person's number or user is taken,
        `Repeated` when the interaction is known, `Tampered` when something of the table was found to be, and
        ``ValueError`` for people without entries or without a user.
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
        """Yield the entries numbered after + 1 to ``until_seq``, in order, of every kind or of some.

        They come in lists of at most `SLICE`, between which other tasks run; ``size`` are asked for at once.
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
        """Return the entries about each of several subjects, in order; an empty list where there are none."""
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
        """Return the last ``limit`` entries numbered after + 1 to ``until_seq``, newest first, leaving out ``skip``.

        Of every kind, or of some.
        """
        query = queries.newest_entries(table_id, until_seq, limit, after=after, kinds=kinds, skip=skip)
        return await self._entries(query)

    async def oldest(
        self, table_id: int, *, after: int, until_seq: int, limit: int, kinds: Collection[str] | None = None
    ) -> list[Recorded]:
        """Return the first ``limit`` entries numbered after + 1 to ``until_seq``, in order; see `recent`."""
        return await self._entries(queries.oldest_entries(table_id, until_seq, limit, after=after, kinds=kinds))

    async def with_number(
        self, table_id: int, kind: str, field: str, number: int, *, until_seq: int | None = None
    ) -> list[Recorded]:
        """Return the entries of a kind in which a public field may be this number, in order, with a few others."""
        return await self._entries(queries.entries_with_number(table_id, kind, field, number, until_seq))

    async def count(
        self, table_id: int, *, until_seq: int, after: int = 0, kinds: Collection[str] | None = None
    ) -> int:
        """Return the number of entries numbered after + 1 to ``until_seq``, of every kind or of some."""
        query = queries.number_of_entries(table_id, until_seq, after=after, kinds=kinds)
        return int(await self._scalar(query) or 0)

    async def kinds(self, table_id: int) -> list[str]:
        """Return the kinds of a table's entries."""
        return sorted(row.kind for row in await self._all(queries.kinds_of(table_id)))

    async def last_before(self, table_id: int, at: int) -> int:
        """Return the number of the last entry written before a time, in milliseconds since 1970; 0 for none."""
        return await self._scalar(queries.last_before(table_id, at)) or 0

    async def published(self, table_id: int, after: int = 0, until_seq: int | None = None) -> list[Published]:
        """Return the public part of the entries; `check_published` verifies them without the ledger."""
        return await _in_slices(_publish, await self._all(queries.entries_of(table_id, after, until_seq)))

    async def head(self, table_id: int) -> Head:
        """Return number and hash of the last entry; 0 and `GENESIS` when there is none. Raises `Tampered`."""
        rows = await self._all(queries.HEAD, {"of_table": table_id})
        try:
            return self._key.require_head(table_id, rows[0]) if rows else Head()
        except Tampered as error:
            raise self._stop(error) from None

    async def stored_head(self, table_id: int) -> Head:
        """Return the same as it is stored, for what checks the table or says that something is wrong with it."""
        rows = await self._all(queries.HEAD, {"of_table": table_id})
        return Head(rows[0].seq, rows[0].hash) if rows else Head()

    async def numbered(self, table_id: int, hash: str) -> int | None:
        """Return the number of the entry with this hash, which may be an old head; None when there is none."""
        row = await self._first(queries.numbered(table_id, hash))
        return row.seq if row else None

    async def sealed(self, table_id: int, after: int = 0, until_seq: int | None = None) -> dict[int, dict[str, Any]]:
        """Return each entry's sealed parts as stored, ``{part: {"salt": hex, "data": {...}}}``, by its number.

        Of the entries numbered after + 1 to ``until_seq``.

        A part with its salt is for viewers who may see that part, to be compared with its published digest.
        """
        rows = await self._all(queries.sealed_of(table_id, after, until_seq))
        found = zip(rows, await _in_slices(_parts, rows), strict=True)
        return {row.seq: parts for row, parts in found if parts}

    async def answered(self, interaction: int) -> Repeated | None:
        """Return the `Repeated` that repeating this interaction would raise; None when it is new."""
        row = await self._first(queries.answered(interaction))
        return Repeated(row.table_id, row.seq, row.seq + row.command_size - 1) if row else None

    async def carried_out(self, interaction: int) -> bool:
        """Return whether an interaction is recorded, after what is being written now. Raises `LedgerError`."""
        await self._remember({}, {})  # requests are written in order
        return await self.answered(interaction) is not None

    async def stored(self, table_id: int, *, whole: bool = False) -> Stored | None:
        """Return all that a table is read from, in one go; None when there is none. Raises `Tampered`.

        ``whole``: all its entries, without a snapshot.
        """
        for again in (False, True):
            rows = await self._run(lambda connection: _rows_of(connection, table_id, whole=whole))
            if rows is None:
                return None
            try:
                return await self._verified(*rows)
            except Tampered as error:
                if again:  # or else the table may have been removed between two of the readings
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
        """Return what a table is read from, if this bot wrote all of it. Raises `Tampered`.

        The last entry has its seal, and each of the others leads to it from the snapshot's hash or from the beginning.
        Place and people are those that the snapshot and the entries name.
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
        """Check a table's chain, commitments, seals and row in the directory; return the first fault, or None.

        Never raises for what the rows hold.
        """
        # read before the entries, since some may be added meanwhile
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
        """Return the first row of a table's that does not have its seal. ``seq`` is the number of its last entry."""
        for table in SEALED:
            if "table_id" in table.c:
                for row in await self._all(select(table).where(table.c.table_id == table_id)):
                    if not self._key.fits(table.name, row._mapping):
                        return Bad(seq, f"beside the entries, {described(table, row)} was changed by hand")
        return None

    async def verify_removals(self) -> Bad | None:
        """Check the chain of removals, their seals, and that of each removed table nothing is left.

        ``seq`` of the result is a removal's number.
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
        """Return what is wrong with the list of tables as a whole, if any was taken out or added by hand."""
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
        """Return what was changed by hand of the rows that belong to no table, or to none that is there."""
        found = []
        for table in SEALED:
            query = select(table)
            if "table_id" in table.c:
                query = query.where(table.c.table_id.not_in(select(tables.c.id).where(KEPT)))
            if table is not removals:
                rows = await self._all(query)
                for first in range(0, len(rows), PAGE):
                    await asyncio.sleep(0)  # they are as many as people ever had DMs
                    some = rows[first : first + PAGE]
                    found += [described(table, row) for row in some if not self._key.fits(table.name, row._mapping)]
        return found

    async def unlisted(self) -> list[int]:
        """Return the tables that have entries but no row in the directory: it was deleted by hand."""
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
        """Return the open table of a channel, or else the last one opened there; None when there was none."""
        row = await self._first(queries.last_table_in(channel_id))
        return _table(row) if row else None

    async def tables_of(self, user_id: int) -> list[TableRow]:
        """Return the open tables that know this user."""
        return await self._tables(OPEN, tables.c.id.in_(queries.known(user_id)))

    async def open_tables_on(self, guild_id: int) -> int:
        """Return the number of open tables of a server."""
        return int(await self._scalar(queries.open_tables_on(guild_id)) or 0)

    async def known_at(self, user_id: int) -> tuple[int, int]:
        """Return the number of closed and of open tables that know this user."""
        found = await self._tables(tables.c.id.in_(queries.known(user_id)))
        return sum(row.closed for row in found), sum(not row.closed for row in found)

    async def deadlines(self) -> list[Deadline]:
        """Return the deadlines of the open tables, the earliest first."""
        return [Deadline(row.id, row.guild_id, row.deadline) for row in await self._all(queries.deadlines())]

    async def deadline(self, table_id: int) -> int | None:
        """Return the deadline that is stored for a table, open or closed."""
        row = await self._first(select(tables.c.deadline).where(tables.c.id == table_id))
        return row.deadline if row else None

    async def heads(self, shards: Collection[int] = (0,), count: int = 1) -> list[tuple[int, int | None, int]]:
        """Return the open tables of these shards of ``count`` as (table, server, number of the last entry)."""
        return [(row.id, row.guild_id, row.seq) for row in await self._all(queries.heads(shards, count))]

    async def people(self, table_id: int) -> list[Person]:
        """Return a table's people, by number. Raises `Tampered`."""
        return [_person(row) for row in self._sealed(people, await self._all(queries.people_of(table_id)))]

    async def rename(self, table_id: int, user_id: int, name: str) -> None:
        """Store a user's new name at a table; nothing changes where the table does not know them.

        Raises `Tampered`.
        """
        await self._write(batch.Rename(table_id, user_id, name))

    async def erase_person(self, user_id: int, name: str = "Player {}") -> int:
        """Erase a user's name and id from every closed table, and return the number of those tables.

        Their number in the entries stays, and the chains still verify. From then on they are called ``name``, with the
        number in place of ``{}``. Raises `Tampered`, and erases nothing, when one of their rows is not this bot's.
        """
        await self._late.flush()  # else it would come back
        return (await self._write(batch.Erase(user_id, name))).table_id

    async def remove_table(self, table_id: int, *, at: int) -> Removal:
        """Delete everything of a closed table. The record of its end, which is returned, stays in a chain of its own.

        Raises `LedgerError` when there is no such table, or it is open, and `Tampered`.
        """
        await self._late.flush()  # else it would come back
        removal = (await self._write(batch.Remove(table_id, at))).removal
        assert removal is not None
        return removal

    async def removed(self) -> list[Removal]:
        """Return the removals, oldest first."""
        rows = await self._all(select(removals).order_by(removals.c.seq))
        return [batch.read_removal(row) for row in rows]

    # the cache

    async def snapshot(self, table_id: int) -> tuple[int, str] | None:
        """Return the entry that the newest saved state was taken after, and that state; None when there is none.

        As it is stored, for what checks it: a table is read from what `stored` gives.
        """
        row = await self._first(select(snapshots).where(snapshots.c.table_id == table_id))
        return (row.seq, row.state) if row else None

    # delivery's memory

    async def cursor(self, table_id: int) -> int:
        """Return the last entry up to which all messages are planned; 0 when none is. Raises `Tampered`."""
        rows = self._sealed(cursors, await self._all(select(cursors).where(cursors.c.table_id == table_id)))
        return rows[0].seq if rows else 0

    async def undelivered(self) -> list[int]:
        """Return the tables, open or closed, with entries that their cursor has not passed or messages still owed.

        Those with the newest entries come first.
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
        """Store messages in place of those about the same subjects, forget others, and move the cursor on.

        The cursor never goes back. It is one transaction, with all that was noted by `note_messages`.
        """
        await self._late.save(_changes(table_id, saved, forgotten), {} if cursor is None else {table_id: cursor})

    def note_messages(self, table_id: int, saved: Sequence[Message], *, forgotten: Sequence[str] = ()) -> None:
        """Have messages stored and others forgotten with the next `save_messages`, or after a moment.

        After a crash, the messages may be as they were before; all methods here know what was noted.
        """
        self._late.note(_changes(table_id, saved, forgotten))

    async def write_noted(self) -> None:
        """Write at once what was noted by `note_messages`."""
        await self._late.flush()

    def drop_noted(self) -> None:
        """Write nothing more of what was noted: the tables are another process's now."""
        self._late.drop()

    async def key_value(self, key: str) -> str | None:
        """Return the value stored under a key, such as the digest of the registered commands, if there is one.

        One that was changed outside the bot counts as none, since all of them can be asked for or made anew.
        """
        rows = await self._all(select(key_values).where(key_values.c.key == key))
        try:
            return self._sealed(key_values, rows)[0].value if rows else None
        except Tampered:
            return None

    async def set_key_value(self, key: str, value: str) -> None:
        """Store a value in place of the one under the same key."""
        row = self._key.sealed(key_values.name, {"key": key, "value": value})
        await self._writer.write(batch.Save(self._statements.set_key_value, row))

    # helpers

    def _sealed(self, table: Table, rows: Sequence[Row[Any]]) -> Sequence[Row[Any]]:
        """Return these rows of a database table. Raises `Tampered` unless each has its seal."""
        try:
            return [self._key.require(table, row) for row in rows]
        except Tampered as error:
            raise self._stop(error) from None

    def _stop(self, error: Tampered) -> Tampered:
        """Tell the operator, once. Nothing more is appended to the table until the database is opened again."""
        if str(error) not in self._tampered:
            log.critical("%s Until it is put right and I am started again, I record nothing there.", error)
            self._tampered[str(error)] = error.table_id
        return error

    async def _write(self, request: batch.Request) -> batch.Written:
        """Write a request that changes rows which are there. Raises `Tampered`."""
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
        """Yield a table's rows in order, as they are; a `Bad` where the database cannot give the next one."""
        last: object = None
        seen, size = 0, PAGE
        while True:
            try:
                rows = await self._all(queries.stored_after(table_id, last, size))
            except LedgerError as error:
                if size == 1:
                    yield Bad(seen + 1, f"the database cannot give the entry: {error.__cause__ or error}")
                    return
                size = 1  # one by one, to find the row that cannot be read
                continue
            for place, row in enumerate(rows, 1):
                yield row
                if not place % SLICE:
                    await asyncio.sleep(0)
            if len(rows) < size:
                return
            last, seen = rows[-1].seq, seen + len(rows)


async def _prepare(database: Database) -> None:
    """Bring the database up to date; wait when another process is doing so."""
    began = asyncio.get_running_loop().time()
    while True:
        try:
            if not await database.read(is_current):
                await database.write(migrate)
            return
        except OperationalError as error:
            # SQLite's busy_timeout is short, and does not apply while another process changes a new file to WAL.
            if not is_locked(error) or asyncio.get_running_loop().time() > began + OPEN_WAIT:
                raise
        await asyncio.sleep(0.05)


async def _key(database: Database, given: str | Path) -> Key:
    """Return the database's key. A new database takes the one that is given, or that is made in a file.

    Raises `LedgerError` when the database has another key, or its key is not there.
    """
    mark = await database.read(_mark)
    key = key_of(given)
    if key is None and mark is not None:
        raise LedgerError(
            f"The database was made with a key that is not there: put the file {given} back, "
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
            "The database was made with another key: BOURSE_KEY, or else the file of BOURSE_KEY_FILE, "
            "must be the one that it began with, the same for every process."
        )
    return key


def _mark(connection: Connection) -> str | None:
    """Return what the database was marked with as it got its key."""
    query = select(key_values.c.seal).where(key_values.c.key == KEY_MARK["key"])
    return connection.execute(query).scalar_one_or_none()


def _marked(connection: Connection, row: Mapping[str, Any]) -> str | None:
    """Mark the database with a key, unless another process has done so. Return the mark that it has now."""
    insert = sqlite.insert if connection.dialect.name == "sqlite" else postgresql.insert
    connection.execute(insert(key_values).values(**row).on_conflict_do_nothing())
    return _mark(connection)


def _cannot_open(where: URL, error: Exception) -> str:
    return f"The database {name_of(where)} cannot be opened: {reason(error)}."


def _recorded(
    written: batch.Written, made: Sequence[Entry], at: int, by: int | None, interaction: int | None
) -> list[Recorded]:
    size = len(made) if interaction is not None else None  # of the first only
    found: list[Recorded] = []
    for head, entry in zip(written.heads, made, strict=True):
        found.append(Recorded(written.table_id, head.seq, at, by, entry, head.hash, size))
        size = None
    return found


async def _in_slices(read: Callable[[Row[Any]], T], rows: Sequence[Row[Any]]) -> list[T]:
    """Read each of these rows; let other tasks run after every `SLICE` of them."""
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
    """Read the rows of a table: directory with cursor, snapshot, last entry, entries since the snapshot, people.

    In this order: each of them has all that the ones before it speak of, whatever another process writes meanwhile.
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
    """Return all rows of a result. They are fetched some at a time, so that other threads get their turn."""
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
    """Return messages by what they are about, None for those that are forgotten."""
    return {(table_id, one.subject): one for one in saved} | {(table_id, subject): None for subject in forgotten}


def _row(about: About, one: Message) -> dict[str, Any]:
    """Return the row of a message, without its seal."""
    return {"table_id": about[0], **{name: getattr(one, name) for name in _COLUMNS}}


_COLUMNS = tuple(each.name for each in fields(Message))


def _message(row: Row[Any]) -> Message:
    return Message(**{name: value for name, value in row._mapping.items() if name not in ("table_id", SEAL)})
