"""The entries of tables: appending, reading, loading what was written since a snapshot,
verifying.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import orjson
from sqlalchemy import (
    Connection,
    bindparam,
    false,
    func,
    or_,
    select,
    true,
    union_all,
)

from bot.ledger import batch, chain
from bot.ledger.access import PAGE, Access, Written, fetched
from bot.ledger.chain import PLACE, person_number
from bot.ledger.errors import Damaged, LedgerError, Repeated, Tampered
from bot.ledger.keys import SEAL, AnyRow, Rows, described
from bot.ledger.messages import SaveMessages
from bot.ledger.schema import (
    HEAD,
    NOT_REMOVED,
    SEALED,
    Condition,
    Query,
    cursors,
    entries,
    people,
    snapshots,
    tables,
)
from bot.ledger.tables import people_of, person, table_row
from bot.ledger.values import UNCHANGED, BadEntry, Head, Published, Snapshot, StoredTable, Unchanged
from bot.ledger.verification import DECODING_ERRORS, Verifier, follow, place_fault, read_entry
from bot.rules.entries import Entry, Recorded, Reference
from bot.rules.features.tables import TableClosed, TableNamed
from bot.rules.model.people import Person

T = TypeVar("T")

SLICE = 32
"""Entries parsed before other tasks run: a few milliseconds' work."""


class Entries:
    """The entries of all tables. Every method may raise `LedgerError`.

    `head` and `stored`, for deciding commands, return only data that this bot wrote. For anything
    else they raise `Tampered`, which is logged once; from then on nothing is appended to that
    table. The other methods return what is stored, without verifying it.
    """

    def __init__(self, access: Access) -> None:
        self._access = access

    # ---------------------------------------------------------------- writing

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
        """Open a table with its first entries and people, in one transaction. Return its id and the
        entries.

        ``then`` is called with both as soon as they are durable, even if the caller was cancelled
        meanwhile.

        Raises `ChannelTaken` when the channel has an open table, `Repeated` when the interaction is
        already recorded, and ``ValueError`` when there are no entries or a person has no user.
        """
        if not entries:
            raise ValueError("A table begins with an entry.")
        newcomers, salt = batch.newcomers(people), batch.fresh_salt()
        committed = batch.commitment_to_place(salt, guild_id, channel_id) | batch.commitments(
            newcomers
        )
        drafts = batch.drafts(entries, committed)
        written = await self._access.write(
            batch.Create(
                guild_id,
                channel_id,
                salt,
                game,
                name,
                drafts,
                at,
                by,
                newcomers,
                interaction,
                deadline,
            ),
            then
            and (
                lambda written: then(
                    written.table_id, _recorded(written, entries, at, by, interaction)
                )
            ),
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
        moves_to: tuple[int | None, int] | None = None,
        then: Callable[[list[Recorded]], object] | None = None,
    ) -> list[Recorded]:
        """Record the entries of one command, decided on the table with the head ``after``. Return
        them as recorded.

        ``at`` is in milliseconds since 1970, UTC; ``by`` is a person's number. The same transaction
        adds ``people``, closes the table if there is a `TableClosed`, names it by a `TableNamed`,
        stores ``deadline`` (when the table needs the clock next, in milliseconds since 1970, or
        None) and saves ``snapshot``, the state after the entries. ``moves_to``: the table's server
        and its new channel, to which the entries commit. Nothing is read: ``after`` comes from
        `head`, or from the last entry that `create_table` or `append` returned. Without entries,
        nothing is written. ``then`` is called with the result as soon as it is durable, even if the
        caller was cancelled meanwhile.

        Raises `LostRace` when ``after`` is no longer the head or a person's number or user is
        taken, `ChannelTaken` when the new channel has an open table, `Repeated` when the
        interaction is already recorded, `Tampered` when the table was found tampered with, and
        ``ValueError`` for people without entries or without a user.
        """
        if self._access.is_stopped(table_id):
            raise Tampered(table_id, "its record")
        newcomers = batch.newcomers(people)
        if not entries:
            if newcomers:
                raise ValueError("People come to a table with an entry.")
            return []
        committed, moves = batch.commitments(newcomers), None
        if moves_to is not None:
            moves = moves_to[1], batch.fresh_salt()
            committed |= batch.commitment_to_place(moves[1], *moves_to)
        drafts = batch.drafts(entries, committed)
        closes = any(isinstance(entry, TableClosed) for entry in entries)
        names = [entry.name for entry in entries if isinstance(entry, TableNamed)]
        recorded: list[Recorded] = []

        def landed(written: Written) -> None:
            recorded.extend(_recorded(written, entries, at, by, interaction))
            if then is not None:
                then(recorded)

        request = batch.Append(
            table_id,
            after,
            drafts,
            at,
            by,
            newcomers,
            interaction,
            closes,
            names[-1] if names else None,
            deadline,
            snapshot,
            moves,
        )
        await self._access.write(request, landed)
        return recorded

    # ---------------------------------------------------------------- reading

    async def read(
        self, table_id: int, after: int = 0, until_seq: int | None = None
    ) -> list[Recorded]:
        """Return the entries numbered after + 1 to ``until_seq``, in order."""
        return await self._recorded(_rows_of(table_id, after, until_seq))

    async def stream(
        self,
        table_id: int,
        after: int = 0,
        until_seq: int | None = None,
        size: int = PAGE,
        kinds: Collection[str] | None = None,
    ) -> AsyncIterator[list[Recorded]]:
        """Yield the entries numbered after + 1 to ``until_seq``, in order. ``kinds`` limits them to
        some kinds.

        They come in lists of at most `SLICE`, between which other tasks run. ``size`` is the number
        read per query.
        """
        while rows := await self._access.all(_oldest(table_id, after, until_seq, size, kinds)):
            for first in range(0, len(rows), SLICE):
                yield [_read(row) for row in rows[first : first + SLICE]]
                await asyncio.sleep(0)
            if len(rows) < size:
                return
            after = rows[-1].seq

    async def read_subject(
        self, table_id: int, subject: Reference, until_seq: int | None = None
    ) -> list[Recorded]:
        """Return the entries about a subject, such as ``offer:12``, in order."""
        return (await self.read_subjects(table_id, [subject], until_seq))[subject]

    async def read_subjects(
        self, table_id: int, subjects: Collection[Reference], until_seq: int | None = None
    ) -> dict[Reference, list[Recorded]]:
        """Return the entries about each of these subjects, in order; an empty list for a subject
        without entries.
        """
        found: dict[Reference, list[Recorded]] = {subject: [] for subject in subjects}
        about = entries.alias()
        # The subquery takes the numbers from the index. Without it, SQLite reads all of the table's
        # entries in order.
        numbers = select(about.c.seq).where(
            about.c.table_id == table_id, about.c.subject.in_(sorted(found))
        )
        if until_seq is not None:  # in the subquery, or SQLite would scan all entries up to there
            numbers = numbers.where(about.c.seq <= until_seq)
        rows = (
            await self._access.all(_rows_of(table_id).where(entries.c.seq.in_(numbers)))
            if found
            else []
        )
        for row, recorded in zip(rows, await _in_slices(_read, rows), strict=True):
            found[row.subject].append(recorded)
        return found

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
        """Return the last ``limit`` entries numbered after + 1 to ``until_seq``, newest first,
        skipping ``skip``.

        ``kinds`` limits them to some kinds.
        """
        query = (
            select(entries)
            .where(entries.c.table_id == table_id)
            .order_by(entries.c.seq.desc())
            .limit(limit)
        )
        if kinds is None:
            return await self._recorded(
                query.where(*_among(table_id, after, until_seq)).offset(skip)
            )
        numbers = _numbers(table_id, after, until_seq, kinds, limit, skip, newest=True)
        return await self._recorded(query.where(entries.c.seq.in_(numbers)))

    async def oldest(
        self,
        table_id: int,
        *,
        after: int,
        until_seq: int,
        limit: int,
        kinds: Collection[str] | None = None,
    ) -> list[Recorded]:
        """Return the first ``limit`` entries numbered after + 1 to ``until_seq``, in order;
        ``kinds`` see `recent`.
        """
        return await self._recorded(_oldest(table_id, after, until_seq, limit, kinds))

    async def with_number(
        self, table_id: int, kind: str, field: str, number: int, *, until_seq: int | None = None
    ) -> list[Recorded]:
        """Return the entries of a kind whose public field is this number, in order. A few others
        may be included.
        """
        public, named = entries.c.public, f'"{field}":{number}'
        ends = [public.contains(f"{named}{end}", autoescape=True) for end in ",}"]
        query = _rows_of(table_id, 0, until_seq)
        return await self._recorded(query.where(entries.c.kind == kind, or_(*ends)))

    async def count(
        self, table_id: int, *, until_seq: int, after: int = 0, kinds: Collection[str] | None = None
    ) -> int:
        """Count the entries numbered after + 1 to ``until_seq``. ``kinds`` limits them to some
        kinds.
        """
        query = select(func.count()).select_from(entries)
        query = query.where(*_among(table_id, after, until_seq))
        if kinds is not None:
            query = query.where(entries.c.kind.in_(sorted(kinds)))
        return int(await self._access.scalar(query) or 0)

    async def kinds(self, table_id: int) -> list[str]:
        """Return the distinct kinds of a table's entries."""
        # Each step jumps to the next kind in the index, so no entry is read.
        of_table = entries.c.table_id == table_id
        first = (
            select(func.min(entries.c.kind).label("kind"))
            .where(of_table)
            .cte("found", recursive=True)
        )
        following = (
            select(func.min(entries.c.kind))
            .where(of_table, entries.c.kind > first.c.kind)
            .scalar_subquery()
        )
        not_the_last = first.c.kind.is_not(None)
        kinds = first.union_all(select(following).where(not_the_last)).c.kind
        query = select(kinds).where(kinds.is_not(None))
        return sorted(row.kind for row in await self._access.all(query))

    async def last_before(self, table_id: int, at: int) -> int:
        """Return the number of the last entry written before ``at``, in milliseconds since 1970; 0
        for none.
        """
        of_table, earlier = entries.c.table_id == table_id, entries.c.at < at
        newest_first = entries.c.seq.desc()
        query = select(entries.c.seq).where(of_table, earlier).order_by(newest_first).limit(1)
        return await self._access.scalar(query) or 0

    async def published(
        self, table_id: int, after: int = 0, until_seq: int | None = None
    ) -> list[Published]:
        """Return the entries in public form, whose chain can be verified without the ledger."""
        return await _in_slices(
            _publish, await self._access.all(_rows_of(table_id, after, until_seq))
        )

    async def every_kind(self, *, only_open: bool = False) -> list[tuple[str, int, int]]:
        """Return each kind of entry and its ``v`` in the ledger, with the number of tables that
        have it.
        """
        kind, version = entries.c.kind, entries.c.version
        opened = select(tables.c.id).where(tables.c.closed_at.is_(None))
        tables_of_it = func.count(entries.c.table_id.distinct()).label("tables")
        rows = await self._access.all(
            select(kind, version, tables_of_it)
            .where(entries.c.table_id.in_(opened) if only_open else true())
            .group_by(kind, version)
            .order_by(kind, version)
        )
        return [(row.kind, row.version, row.tables) for row in rows]

    async def head(self, table_id: int) -> Head:
        """Return number and hash of the last entry; 0 and `GENESIS` when there is none. Raises
        `Tampered`.
        """
        rows = await self._access.all(HEAD, {"of_table": table_id})
        try:
            return self._access.key.require_head(table_id, rows[0]) if rows else Head()
        except Tampered as error:
            raise self._access.stop(error) from None

    async def stored_head(self, table_id: int) -> Head:
        """Return the head as stored, without checking its seal, for verification and its
        reports.
        """
        rows = await self._access.all(HEAD, {"of_table": table_id})
        return Head(rows[0].seq, rows[0].hash) if rows else Head()

    async def numbered(self, table_id: int, digits: str) -> list[int]:
        """Return the numbers of the entries whose hash begins with these digits, such as an old
        head's.
        """
        begins = entries.c.hash.startswith(digits, autoescape=True)
        query = (
            select(entries.c.seq)
            .where(entries.c.table_id == table_id, begins)
            .order_by(entries.c.seq)
        )
        return [row.seq for row in await self._access.all(query)]

    async def posted(self, digits: str) -> bool:
        """Return whether an entry of any table has a hash that begins with these digits. Slow."""
        begins = entries.c.hash.startswith(digits, autoescape=True)
        return bool(await self._access.all(select(entries.c.seq).where(begins).limit(1)))

    async def times(self, table_id: int) -> list[int]:
        """Return when each entry of a table was recorded, in milliseconds since 1970."""
        query = select(entries.c.at).where(entries.c.table_id == table_id)
        return [row.at for row in await self._access.all(query)]

    async def sealed(
        self, table_id: int, after: int = 0, until_seq: int | None = None
    ) -> dict[int, dict[str, Any]]:
        """Return the sealed parts of the entries numbered after + 1 to ``until_seq``, by entry
        number.

        They have the shape ``{part: {"salt": hex, "data": {...}}}``. Viewers who may see a part
        compare it, with its salt, to the published digest.
        """
        columns = (entries.c.table_id, entries.c.seq, entries.c.sealed)
        query = select(*columns).where(
            *_among(table_id, after, until_seq), entries.c.sealed.is_not(None)
        )
        rows = await self._access.all(query)
        found = zip(rows, await _in_slices(_parts, rows), strict=True)
        return {row.seq: parts for row, parts in found if parts}

    async def answered(self, interaction: int) -> Repeated | None:
        """Return the `Repeated` that repeating this interaction would raise; None when it is
        new.
        """
        row = await self._access.first(batch.answered(interaction))
        return Repeated(row.table_id, row.seq, row.seq + row.command_size - 1) if row else None

    async def carried_out(self, interaction: int) -> bool:
        """Return whether an interaction is recorded, once pending writes are done. Raises
        `LedgerError`.
        """
        await self._access.write(SaveMessages({}, {}))  # requests are written in order
        return await self.answered(interaction) is not None

    async def stored(self, table_id: int, *, whole: bool = False) -> StoredTable | None:
        """Load a table's row, head, snapshot, entries and people; None when there is no table.
        Raises `Tampered`.

        ``whole``: load all its entries and no snapshot.
        """
        for again in (False, True):
            rows = await self._access.run(
                lambda connection: _load(connection, table_id, whole=whole)
            )
            if rows is None:
                return None
            try:
                return await self._verified(*rows)
            except Tampered as error:
                if again:  # the first time, the table may have been removed between two queries
                    raise self._access.stop(error) from None
        raise AssertionError

    async def _verified(
        self,
        row: AnyRow,
        snapshot: AnyRow | None,
        last: AnyRow,
        entries: Sequence[AnyRow],
        persons: Sequence[AnyRow],
    ) -> StoredTable:
        """Return a table's stored data. Raises `Tampered` unless this bot wrote all of it.

        The last entry must have a valid seal, and the chain must lead to it from the snapshot's
        hash or the beginning. Place and people must match the snapshot and the entries'
        commitments.
        """
        table_id, head, committed = row.id, Head(), dict[str, str]()
        end = self._access.key.require_head(table_id, last)
        cursor = {"table_id": table_id, "seq": row.cursor, SEAL: row.cursor_seal}
        if row.cursor is not None and (
            not self._access.key.verifies(cursors.name, cursor) or row.cursor > end.seq
        ):
            raise Tampered(table_id, "its cursor")
        if snapshot is not None:
            self._access.key.require(snapshots, snapshot)
            head = Head(snapshot.seq, snapshot.hash)
        recorded: list[Recorded] = []
        for place, entry in enumerate(entries, 1):
            found = follow(table_id, head, entry)
            if isinstance(found, BadEntry):
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
            if snapshot is None or PLACE in committed
            else (row.guild_id, row.channel_id) != (snapshot.guild_id, snapshot.channel_id)
        ):
            raise Tampered(table_id, "its server or channel")
        known = {self._access.key.require(people, each).person for each in persons}
        came = {number for name in committed if (number := person_number(name)) is not None}
        if not known.issuperset(came) or not known.issuperset(
            range(1, 1 + snapshot.people if snapshot else 1)
        ):
            raise Tampered(table_id, "the list of its people")
        saved = (snapshot.seq, snapshot.state) if snapshot else None
        return StoredTable(
            table_row(row), head, saved, recorded, [person(each) for each in persons]
        )

    async def snapshot(self, table_id: int) -> tuple[int, str] | None:
        """Return the newest snapshot's entry number and state as text; None when there is none.

        It is not verified: this method is for checking snapshots. To load a table, use `stored`.
        """
        query = select(snapshots).where(snapshots.c.table_id == table_id)
        row = await self._access.first(query)
        return (row.seq, row.state) if row else None

    async def _recorded(self, query: Query) -> list[Recorded]:
        return await _in_slices(_read, await self._access.all(query))

    # ---------------------------------------------------------------- verifying

    async def verify(self, table_id: int) -> BadEntry | None:
        """Check a table's chain, commitments, seals and directory row. Return the first fault, or
        None.

        Never raises, whatever the rows contain.
        """
        # Read before the entries, since rows may be added meanwhile.
        # the last entries that other rows refer to reveal a chain that was cut at its end
        told = select(func.max(cursors.c.seq).label("seq"))
        told = told.where(cursors.c.table_id == table_id)
        saved = select(func.max(snapshots.c.seq)).where(snapshots.c.table_id == table_id)
        claimed = await self._access.all(select(union_all(told, saved).subquery().c.seq))
        listed = select(tables).where(tables.c.id == table_id, NOT_REMOVED)
        people_before = await self._access.all(people_of(table_id))
        row_before = await self._access.first(listed)
        verifier = Verifier(table_id, self._access.key)
        async for row in self._stored(table_id):
            if bad := row if isinstance(row, BadEntry) else verifier.add(row):
                return bad
        people = await self._access.all(people_of(table_id))
        row_after = await self._access.first(listed)
        bad = (
            verifier.place(row_before, row_after)
            or verifier.people(people_before, people)
            or verifier.claims(claimed)
            or verifier.end()
            or verifier.directory(row_before, row_after)
        )
        if bad is not None:
            return bad
        for table in SEALED:
            if "table_id" in table.c:
                for row in await self._access.all(
                    select(table).where(table.c.table_id == table_id)
                ):
                    if not self._access.key.verifies(table.name, row._mapping):
                        what = f"beside the entries, {described(table, row)} was changed by hand"
                        return BadEntry(verifier.head.seq, what)
        return None

    async def _stored(self, table_id: int) -> AsyncIterator[AnyRow | BadEntry]:
        """Yield a table's rows in order, as stored. Yield a `BadEntry` and stop if it can't return
        one.
        """
        last: object = None
        seen, size = 0, PAGE
        while True:
            try:
                query = (
                    select(entries)
                    .where(entries.c.table_id == table_id)
                    .order_by(entries.c.seq)
                    .limit(size)
                )
                rows = await self._access.all(
                    query if last is None else query.where(entries.c.seq > last)
                )
            except LedgerError as error:
                if size == 1:
                    yield BadEntry(
                        seen + 1, f"the database cannot give the entry: {error.__cause__ or error}"
                    )
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


# ---------------------------------------------------------------- rows


def _recorded(
    written: Written, made: Sequence[Entry], at: int, by: int | None, interaction: int | None
) -> list[Recorded]:
    table, size = written.table_id, len(made)
    recorded: list[Recorded] = []
    for head, entry in zip(written.heads, made, strict=True):
        recorded.append(Recorded(table, head.seq, at, by, entry, head.hash))
    if interaction is not None:
        recorded[0] = replace(recorded[0], command_size=size)
    return recorded


async def _in_slices(read: Callable[[AnyRow], T], rows: Rows) -> list[T]:
    """Read these rows, and let other tasks run after every `SLICE` of them."""
    values: list[T] = []
    for first in range(0, len(rows), SLICE):
        if first:
            await asyncio.sleep(0)
        values += map(read, rows[first : first + SLICE])
    return values


def _read(row: AnyRow) -> Recorded:
    try:
        entry = read_entry(row)
    except DECODING_ERRORS as error:
        raise Damaged(
            f"Entry {row.seq} of table {row.table_id}, of the kind {row.kind!r}, cannot be read: "
            "it was changed by hand, or a later Bourse wrote it.",
            row.table_id,
        ) from error
    return Recorded(row.table_id, row.seq, row.at, row.by, entry, row.hash, row.command_size)


def _parts(row: AnyRow) -> dict[str, Any]:
    try:
        return chain.without_commitments(orjson.loads(row.sealed))
    except DECODING_ERRORS as error:
        raise _changed(row) from error


def _publish(row: AnyRow) -> Published:
    digests: dict[str, str] = {}
    try:
        if row.sealed is not None:
            digests = chain.digests_of(orjson.loads(row.sealed))
        public = orjson.loads(row.public)
    except DECODING_ERRORS as error:
        raise _changed(row) from error
    return Published(
        row.seq,
        row.at,
        row.by,
        public,
        digests,
        row.hash,
        interaction=row.interaction,
        command_size=row.command_size,
    )


def _changed(row: AnyRow) -> Damaged:
    text = f"Entry {row.seq} of table {row.table_id} was changed by hand and cannot be read."
    return Damaged(text, row.table_id)


def _load(
    connection: Connection, table_id: int, *, whole: bool
) -> tuple[AnyRow, AnyRow | None, AnyRow, Rows, Rows] | None:
    """Read a table's rows: directory with cursor, snapshot, last entry, entries since the snapshot,
    people.

    In this order, each result includes everything that earlier results refer to, whatever another
    process writes meanwhile.
    """
    this = {"of_table": table_id}
    row = connection.execute(_ROW, this).first()
    snapshot = None if whole else connection.execute(_SNAPSHOT, this).first()
    last = connection.execute(HEAD, this).first()
    if row is None or last is None:
        return None
    since = {**this, "after_seq": snapshot.seq if snapshot else 0, "until_seq": last.seq}
    entries = fetched(connection.execute(_SINCE, since))
    return row, snapshot, last, entries, connection.execute(_PEOPLE, this).all()


# ---------------------------------------------------------------- queries


def _rows_of(table_id: int, after: int = 0, until_seq: int | None = None) -> Query:
    """Select a table's entries numbered after + 1 to ``until_seq``, in order."""
    return select(entries).where(*_among(table_id, after, until_seq)).order_by(entries.c.seq)


def _oldest(
    table_id: int, after: int, until_seq: int | None, limit: int, kinds: Collection[str] | None
) -> Query:
    """Select a table's first ``limit`` entries numbered after + 1 to ``until_seq``, in order."""
    query = select(entries).order_by(entries.c.seq).limit(limit)
    if kinds is None:
        return query.where(*_among(table_id, after, until_seq))
    numbers = _numbers(table_id, after, until_seq, kinds, limit, 0, newest=False)
    return query.where(entries.c.table_id == table_id, entries.c.seq.in_(numbers))


def _numbers(
    table_id: int,
    after: int,
    until_seq: int | None,
    kinds: Collection[str],
    limit: int,
    skip: int,
    *,
    newest: bool,
) -> Query:
    """Select the numbers of the first or last ``limit`` entries of some kinds, skipping ``skip``.

    There is a subquery for each kind, since the index returns one kind's numbers in order and stops
    at the limit. A single query for all kinds would scan entries of every kind, or sort all
    matches.
    """
    if not kinds:
        return select(entries.c.seq).where(false())
    of_each = []
    for kind in sorted(kinds):
        of_kind = select(entries.c.seq).where(
            entries.c.kind == kind, *_among(table_id, after, until_seq)
        )
        order = entries.c.seq.desc() if newest else entries.c.seq
        ordered = of_kind.order_by(order).limit(limit + skip)
        of_each.append(select(ordered.subquery().c.seq))
    numbers = union_all(*of_each).subquery().c.seq
    last_first = numbers.desc() if newest else numbers
    return select(numbers).order_by(last_first).limit(limit).offset(skip)


def _among(table_id: int, after: int, until_seq: int | None) -> Iterator[Condition]:
    yield entries.c.table_id == table_id
    if until_seq is not None:
        yield entries.c.seq <= until_seq
    if after > 0:
        yield entries.c.seq > after


_ROW = (
    select(tables, cursors.c.seq.label("cursor"), cursors.c.seal.label("cursor_seal"))
    .outerjoin(cursors, cursors.c.table_id == tables.c.id)
    .where(tables.c.id == bindparam("of_table"), NOT_REMOVED)
)
_SNAPSHOT = select(snapshots).where(snapshots.c.table_id == bindparam("of_table"))
_PEOPLE = people_of(bindparam("of_table"))
_SINCE = (
    select(entries)
    .where(
        entries.c.table_id == bindparam("of_table"),
        entries.c.seq > bindparam("after_seq"),
        entries.c.seq <= bindparam("until_seq"),
    )
    .order_by(entries.c.seq)
)
"""These four and `HEAD` load a table. They are built once."""
