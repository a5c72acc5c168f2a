"""The ledger itself: what the rest of the program writes to and reads from."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import orjson
from alembic.util import CommandError
from pydantic import ValidationError
from sqlalchemy import URL, ColumnElement, Row, Select, func, or_, select, union_all
from sqlalchemy.exc import OperationalError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.ledger import batch, chain
from bot.ledger.engine import BUSY_MS, Engines, address, check_file, engines, name_of, reason
from bot.ledger.errors import LedgerError, Repeated
from bot.ledger.memory import Statements, statements
from bot.ledger.migrate import is_current, migrate
from bot.ledger.schema import cursors, entries, interactions, marks, messages, people, removals, snapshots, tables
from bot.ledger.values import Bad, Message, Person, Published, Removal, TableRow
from bot.ledger.writer import Writer
from bot.rules.entries import Entry, Recorded, join

PAGE = 500
"""Entries that `Ledger.verify` holds in memory at once."""


class Ledger:
    """Everything that happened at every table, in one database. Made by `open`.

    Every method may raise `LedgerError` when the database fails. What one wrote is durable when it returns.
    """

    def __init__(self, both: Engines, writer: Writer[batch.Request, batch.Written], memory: Statements) -> None:
        self._engines = both
        self._writer = writer
        self._memory = memory

    @classmethod
    async def open(cls, url: str) -> Ledger:
        """Open ``sqlite:///FILE``, a file's path or ``postgresql://...``, making or updating its tables.

        Raises `LedgerError` with one sentence when that cannot be done.
        """
        where = address(url)
        if where.get_backend_name() == "sqlite":
            check_file(where)
        both = engines(where)
        writer: Writer[batch.Request, batch.Written] = Writer(both.writing, batch.perform)
        try:
            await _prepare(both)
            await writer.start()
        except LedgerError:
            await both.dispose()
            raise
        except (SQLAlchemyError, CommandError, OSError, ValueError, TypeError) as error:
            await both.dispose()
            raise LedgerError(_cannot_open(where, error)) from error
        return cls(both, writer, statements("sqlite" if where.get_backend_name() == "sqlite" else "postgresql"))

    async def close(self) -> None:
        """Finish what is being written, then let go of the database. Harmless when repeated."""
        await self._writer.close()
        await self._engines.dispose()

    # the entries

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
    ) -> tuple[int, list[Recorded]]:
        """Open a table with its first entries and people, in one transaction. Returns its id and the entries.

        Raises `ChannelTaken` when the channel has an open table, `Repeated` when the interaction is known.
        """
        drafts = [batch.draft(entry) for entry in entries]
        written = await self._writer.write(
            batch.Create(guild_id, channel_id, game, name, drafts, at, by, tuple(people), interaction)
        )
        return written.table_id, _recorded(written, entries, at, by)

    async def append(
        self,
        table_id: int,
        after: int,
        entries: Sequence[Entry],
        *,
        at: int,
        by: int | None,
        people: Sequence[Person] = (),
        interaction: int | None = None,
        closes: bool = False,
    ) -> list[Recorded]:
        """Record entries that were decided after entry ``after``; they are numbered from there.

        ``at`` is in milliseconds since 1970, UTC; ``by`` a person's number; ``people`` come to the table with
        this; ``closes`` closes the table in the same transaction.

        Raises `LostRace` when ``after`` is not the last any more or a person's number or user id is taken,
        `Repeated` when the interaction is known.
        """
        drafts = [batch.draft(entry) for entry in entries]
        written = await self._writer.write(
            batch.Append(table_id, after, drafts, at, by, tuple(people), interaction, closes)
        )
        return _recorded(written, entries, at, by)

    async def read(self, table_id: int, after: int = 0, upto: int | None = None) -> list[Recorded]:
        """The entries numbered after + 1 to ``upto``, in order."""
        return [_read(row) for row in await self._all(_numbered(table_id, after, upto))]

    async def published(self, table_id: int, after: int = 0, upto: int | None = None) -> list[Published]:
        """The entries as anybody may have them; `check_published` verifies them without the ledger."""
        return [_publish(row) for row in await self._all(_numbered(table_id, after, upto))]

    async def head(self, table_id: int) -> tuple[int, str]:
        """Number and hash of the last entry; 0 and `GENESIS` when there is none."""
        last = select(entries.c.seq, entries.c.hash).where(entries.c.table_id == table_id)
        row = await self._first(last.order_by(entries.c.seq.desc()).limit(1))
        return (row.seq, row.hash) if row else (0, chain.GENESIS)

    async def numbered(self, table_id: int, hash: str) -> int | None:
        """The number of the entry with this hash: an old head that a later ledger must still hold."""
        row = await self._first(select(entries.c.seq).where(entries.c.table_id == table_id, entries.c.hash == hash))
        return row.seq if row else None

    async def sealed(self, table_id: int) -> dict[int, dict[str, Any]]:
        """Each entry's sealed parts as they are stored: ``{part: {"salt": hex, "data": {...}}}``, by its number.

        A part with its salt is for whoever may see that part, to be held against its published digest.
        """
        found = select(entries.c.seq, entries.c.sealed).where(
            entries.c.table_id == table_id, entries.c.sealed.is_not(None)
        )
        return {row.seq: orjson.loads(row.sealed) for row in await self._all(found)}

    async def answered(self, interaction: int) -> Repeated | None:
        """What this interaction recorded, as the `Repeated` that repeating it would raise; None when it is new."""
        row = await self._first(select(interactions).where(interactions.c.id == interaction))
        return Repeated(row.table_id, row.first_seq, row.last_seq) if row else None

    async def verify(self, table_id: int) -> Bad | None:
        """Recompute a table's chain from its rows: the first thing wrong, or None. Garbage raises nothing."""
        claimed = await self._all(_claims(table_id))  # read first: entries may be added meanwhile
        head = chain.Head()
        async for row in self._stored(table_id):
            found = row if isinstance(row, Bad) else chain.check(table_id, head, row)
            if isinstance(found, Bad):
                return found
            head = found
        last = max((row.seq for row in claimed if isinstance(row.seq, int)), default=0)
        if last > head.seq:
            return Bad(head.seq + 1, f"the entry is missing: others refer to entries up to {last}")
        return None

    # the directory, and who is who

    async def table(self, table_id: int) -> TableRow | None:
        """One table of the directory."""
        row = await self._first(select(tables).where(tables.c.id == table_id, _KEPT))
        return _table(row) if row else None

    async def all_tables(self) -> list[TableRow]:
        """Every table there ever was, oldest first."""
        return await self._tables()

    async def open_tables(self) -> list[TableRow]:
        """The tables that are not closed, oldest first."""
        return await self._tables(_OPEN)

    async def table_in(self, channel_id: int) -> TableRow | None:
        """The open table of a channel."""
        row = await self._first(select(tables).where(tables.c.channel_id == channel_id, _OPEN))
        return _table(row) if row else None

    async def last_table_in(self, channel_id: int) -> TableRow | None:
        """The open table of a channel, or else the one that was opened there last."""
        here = select(tables).where(tables.c.channel_id == channel_id, _KEPT)
        row = await self._first(here.order_by(_OPEN.desc(), tables.c.id.desc()).limit(1))
        return _table(row) if row else None

    async def tables_of(self, user_id: int) -> list[TableRow]:
        """The open tables that this user is one of the people of."""
        theirs = select(people.c.table_id).where(people.c.user_id == user_id)
        return await self._tables(_OPEN, tables.c.id.in_(theirs))

    async def known_at(self, user_id: int) -> tuple[int, int]:
        """How many closed and how many open tables know this user."""
        theirs = select(people.c.table_id).where(people.c.user_id == user_id)
        found = await self._tables(tables.c.id.in_(theirs))
        return sum(row.closed for row in found), sum(not row.closed for row in found)

    async def people(self, table_id: int) -> list[Person]:
        """A table's people by their numbers."""
        rows = await self._all(select(people).where(people.c.table_id == table_id).order_by(people.c.person))
        return [Person(row.person, row.user_id, row.name) for row in rows]

    async def rename(self, table_id: int, user_id: int, name: str) -> None:
        """This user is called something else on Discord now. Nothing changes where they are not known any more."""
        values = {"at_table": table_id, "user": user_id, "new_name": name}
        await self._writer.write(batch.Remember(self._memory.rename, values))

    async def erase_person(self, user_id: int, name: str = "Player {}") -> int:
        """Take a user's name and id out of every closed table; the number that entries call them by stays, and the
        chains still verify. ``name`` is what they are called from then on. Gives how many tables that were.
        """
        return (await self._writer.write(batch.Erase(user_id, name))).table_id

    async def remove_table(self, table_id: int, *, at: int) -> Removal:
        """Forget a closed table: its entries, people, everything. What stays is that it was, and where it ended.

        Raises `LedgerError` when there is no such table, or it is open.
        """
        [head] = (await self._writer.write(batch.Remove(table_id, at))).heads
        return Removal(table_id, at, head.seq, head.hash)

    async def removed(self) -> list[Removal]:
        """The tables that were removed, oldest first."""
        rows = await self._all(select(removals).order_by(removals.c.table_id))
        return [Removal(row.table_id, row.at, row.seq, row.hash) for row in rows]

    async def unlisted(self) -> list[int]:
        """The tables that have entries but stand in no directory: somebody took their rows out by hand."""
        known = select(tables.c.id)
        found = select(entries.c.table_id).where(entries.c.table_id.not_in(known)).distinct()
        return [row.table_id for row in await self._all(found.order_by(entries.c.table_id))]

    async def unremoved(self) -> list[int]:
        """The tables that are said to be removed though they are not: with entries, or never closed."""
        left = select(entries.c.table_id)
        closed = select(tables.c.id).where(tables.c.closed_at.is_not(None))
        found = select(removals.c.table_id).where(
            or_(removals.c.table_id.in_(left), removals.c.table_id.not_in(closed))
        )
        return [row.table_id for row in await self._all(found.order_by(removals.c.table_id))]

    # the cache

    async def snapshot(self, table_id: int) -> tuple[int, str] | None:
        """The newest saved state of a table, and the entry it was taken after. None: read from the start."""
        row = await self._first(select(snapshots).where(snapshots.c.table_id == table_id))
        return (row.seq, row.state) if row else None

    async def save_snapshot(self, table_id: int, seq: int, text: str) -> None:
        """Keep a state; an older one than is kept already changes nothing."""
        values = {"table_id": table_id, "seq": seq, "state": text}
        await self._writer.write(batch.Remember(self._memory.save_snapshot, values))

    # the herald's memory

    async def cursor(self, table_id: int) -> int:
        """The last entry whose announcements were all delivered; 0 when none was."""
        row = await self._first(select(cursors.c.seq).where(cursors.c.table_id == table_id))
        return row.seq if row else 0

    async def set_cursor(self, table_id: int, seq: int) -> None:
        """Move a cursor on. It never goes back, whoever comes late."""
        await self._writer.write(batch.Remember(self._memory.set_cursor, {"table_id": table_id, "seq": seq}))

    async def owing(self) -> list[int]:
        """Tables, open or closed, with entries that their cursor has not passed."""
        last = select(func.max(entries.c.seq)).where(entries.c.table_id == tables.c.id).scalar_subquery()
        behind = (
            select(tables.c.id)
            .outerjoin(cursors, cursors.c.table_id == tables.c.id)
            .where(func.coalesce(cursors.c.seq, 0) < last)
            .order_by(tables.c.id)
        )
        return [row.id for row in await self._all(behind)]

    async def message(self, table_id: int, subject: str) -> Message | None:
        """The message about a subject, for instance ``"offer:3"``."""
        row = await self._first(select(messages).where(messages.c.table_id == table_id, messages.c.subject == subject))
        return _message(row) if row else None

    async def messages(self, table_id: int, prefix: str = "") -> list[Message]:
        """The messages whose subjects begin so, by subject."""
        found = select(messages).where(
            messages.c.table_id == table_id, messages.c.subject.startswith(prefix, autoescape=True)
        )
        return [_message(row) for row in await self._all(found.order_by(messages.c.subject))]

    async def save_message(self, table_id: int, message: Message) -> None:
        """Remember a message, in place of the one about the same subject."""
        values = {
            "table_id": table_id,
            "subject": message.subject,
            "channel_id": message.channel_id,
            "message_id": message.message_id,
            "shown": message.shown,
        }
        await self._writer.write(batch.Remember(self._memory.save_message, values))

    async def forget_message(self, table_id: int, subject: str) -> None:
        """Do not keep this message up to date any more."""
        values = {"at_table": table_id, "about": subject}
        await self._writer.write(batch.Remember(self._memory.forget_message, values))

    async def mark(self, key: str) -> str | None:
        """Something small to remember across restarts, for instance a digest of the registered commands."""
        row = await self._first(select(marks.c.value).where(marks.c.key == key))
        return row.value if row else None

    async def set_mark(self, key: str, value: str) -> None:
        """Remember it in place of what stood there."""
        await self._writer.write(batch.Remember(self._memory.set_mark, {"key": key, "value": value}))

    # reading

    @asynccontextmanager
    async def _reading(self) -> AsyncIterator[AsyncConnection]:
        try:
            async with self._engines.reading.connect() as connection:
                yield connection
        except (SQLAlchemyError, OSError) as error:
            raise LedgerError(f"The ledger could not be read: {reason(error)}.") from error

    async def _all(self, query: Select[Any]) -> Sequence[Row[Any]]:
        async with self._reading() as connection:
            rows: Sequence[Row[Any]] = (await connection.execute(query)).all()
            return rows

    async def _first(self, query: Select[Any]) -> Row[Any] | None:
        async with self._reading() as connection:
            row: Row[Any] | None = (await connection.execute(query)).first()
            return row

    async def _tables(self, *conditions: ColumnElement[bool]) -> list[TableRow]:
        return [_table(row) for row in await self._all(select(tables).where(_KEPT, *conditions).order_by(tables.c.id))]

    async def _stored(self, table_id: int) -> AsyncIterator[chain.Stored | Bad]:
        """A table's rows in order, as they are; a Bad where the database itself cannot give the next one."""
        last: object = None
        seen, size = 0, PAGE
        while True:
            page = select(entries).where(entries.c.table_id == table_id).order_by(entries.c.seq).limit(size)
            if last is not None:
                page = page.where(entries.c.seq > last)
            try:
                rows = await self._all(page)
            except LedgerError as error:
                if size == 1:
                    yield Bad(seen + 1, f"the database cannot give the entry: {error.__cause__ or error}")
                    return
                size = 1  # to find out which it is
                continue
            for row in rows:
                yield chain.Stored(**row._mapping)
            if len(rows) < size:
                return
            last, seen = rows[-1].seq, seen + len(rows)


_OPEN = tables.c.closed_at.is_(None)
_KEPT = tables.c.id.not_in(select(removals.c.table_id))


async def _prepare(both: Engines) -> None:
    """Bring the database up to date; wait when another process is doing so."""
    waited = 0.0
    while True:
        try:
            return await _update(both)
        except OperationalError as error:
            # SQLite does not wait by itself where two processes turn a new file to WAL
            if "locked" not in reason(error) or waited * 1000 > BUSY_MS:
                raise
        await asyncio.sleep(pause := 0.05)
        waited += pause


async def _update(both: Engines) -> None:
    async with both.reading.connect() as connection:
        if await connection.run_sync(is_current):
            return
    async with both.writing.begin() as connection:
        await connection.run_sync(migrate)


def _cannot_open(where: URL, error: Exception) -> str:
    return f"The database {name_of(where)} cannot be opened: {reason(error)}."


def _numbered(table_id: int, after: int, upto: int | None) -> Select[Any]:
    query = select(entries).where(entries.c.table_id == table_id, entries.c.seq > after).order_by(entries.c.seq)
    return query if upto is None else query.where(entries.c.seq <= upto)


def _claims(table_id: int) -> Select[Any]:
    """The last entries that other rows speak of: they show when a chain was cut off at its end."""
    said = union_all(
        select(func.max(interactions.c.last_seq).label("seq")).where(interactions.c.table_id == table_id),
        select(func.max(cursors.c.seq)).where(cursors.c.table_id == table_id),
        select(func.max(snapshots.c.seq)).where(snapshots.c.table_id == table_id),
    ).subquery()
    return select(said.c.seq)


def _recorded(written: batch.Written, made: Sequence[Entry], at: int, by: int | None) -> list[Recorded]:
    return [
        Recorded(table_id=written.table_id, seq=head.seq, at=at, by=by, entry=entry, hash=head.hash)
        for head, entry in zip(written.heads, made, strict=True)
    ]


def _read(row: Row[Any]) -> Recorded:
    try:
        sealed = orjson.loads(row.sealed) if row.sealed is not None else {}
        entry = join(orjson.loads(row.public), {part: cell["data"] for part, cell in sealed.items()})
    except (ValidationError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise LedgerError(
            f"Entry {row.seq} of table {row.table_id}, of the kind {row.kind!r}, cannot be read: "
            "it was changed by hand, or its game is not installed."
        ) from error
    return Recorded(table_id=row.table_id, seq=row.seq, at=row.at, by=row.by, entry=entry, hash=row.hash)


def _publish(row: Row[Any]) -> Published:
    try:
        digests = chain.digests_of(orjson.loads(row.sealed)) if row.sealed is not None else {}
        public = orjson.loads(row.public)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise LedgerError(f"Entry {row.seq} of table {row.table_id} was changed by hand and cannot be read.") from error
    return Published(row.seq, row.at, row.by, public, digests, row.hash)


def _table(row: Row[Any]) -> TableRow:
    return TableRow(row.id, row.guild_id, row.channel_id, row.game, row.name, row.closed_at is not None)


def _message(row: Row[Any]) -> Message:
    return Message(row.subject, row.channel_id, row.message_id, row.shown)
