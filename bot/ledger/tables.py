"""The directory: the tables with their servers, channels, deadlines and people; erasing people,
removing tables.
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import Collection, Mapping
from dataclasses import asdict
from typing import Any, NamedTuple

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Connection,
    delete,
    func,
    insert,
    or_,
    select,
    true,
    update,
)
from sqlalchemy.exc import SQLAlchemyError

from bot.ledger import chain
from bot.ledger.access import PAGE, Access, Written
from bot.ledger.errors import LedgerError, NotWritten, Tampered
from bot.ledger.keys import SEAL, AnyRow, Key, Rows, described
from bot.ledger.messages import Messages
from bot.ledger.schema import (
    HEAD,
    NOT_REMOVED,
    OPEN,
    OWED,
    SEALED,
    Condition,
    Query,
    cursors,
    entries,
    key_values,
    messages,
    people,
    removals,
    snapshots,
    tables,
)
from bot.ledger.values import BadEntry, Deadline, Head, Removal, TableEnd, TableRow
from bot.rules.features.seats import SeatTaken
from bot.rules.model.people import Person
from bot.rules.model.values import frozen

log = logging.getLogger(__name__)

SAT = SeatTaken.kind
"""The kind of the entries with which people sit down."""

COUNT = "tables"
"""The key in `key_values` that holds the number of tables ever opened."""

BLANK: Mapping[str, Any] = {
    "guild_id": None,
    "channel_id": 0,
    "place_salt": "",
    "game": "",
    "name": "",
    "deadline": None,
}
"""The row of a removed table, apart from its id and the time of its removal."""


class Listed(NamedTuple):
    """A table as the operator sees it. Times are milliseconds since 1970; ``closed_at`` is None
    while it is open.
    """

    id: int
    game: str
    name: str
    closed_at: int | None
    entries: int
    last_at: int


@frozen
class Rename:
    """The request to store a user's new name at a table."""

    table_id: int
    user_id: int
    name: str


@frozen
class Erase:
    """The request to erase a user from every closed table. ``name`` replaces theirs; see
    `Tables.erase_person`.
    """

    user_id: int
    name: str


@frozen
class Remove:
    """The request to delete a closed table, except for the removal record."""

    table_id: int
    at: int


class Tables:
    """The directory of tables. Every method may raise `LedgerError`."""

    def __init__(self, access: Access, messages: Messages) -> None:
        self._access = access
        self._messages = messages

    # ---------------------------------------------------------------- tables

    async def table(self, table_id: int) -> TableRow | None:
        """Return one table; None when there is none."""
        return await self._first(_rows(tables.c.id == table_id))

    async def all_tables(self) -> list[TableRow]:
        """Return every table that was not removed, oldest first."""
        return [table_row(row) for row in await self._access.all(_rows())]

    async def listed(self) -> list[Listed]:
        """Return every table that was not removed, with the number and time of its last entry,
        oldest first.
        """
        every = entries.alias()
        last = (
            select(func.max(every.c.seq))
            .where(every.c.table_id == tables.c.id)
            .correlate(tables)
            .scalar_subquery()
        )
        query = (
            select(
                tables.c.id,
                tables.c.game,
                tables.c.name,
                tables.c.closed_at,
                entries.c.seq,
                entries.c.at,
            )
            .select_from(tables)
            .join(entries, (entries.c.table_id == tables.c.id) & (entries.c.seq == last))
            .where(NOT_REMOVED)
            .order_by(tables.c.id)
        )
        return [Listed._make(row) for row in await self._access.all(query)]

    async def closed_before(self, at: int) -> list[TableRow]:
        """Return the tables that were closed before a time, in milliseconds since 1970, oldest
        first.
        """
        return await self._table_rows(tables.c.closed_at < at)

    async def table_in(self, channel_id: int) -> TableRow | None:
        """Return the open table of a channel, if there is one."""
        return await self._first(_rows(tables.c.channel_id == channel_id, OPEN))

    async def last_table_in(self, channel_id: int, *, closed: bool = False) -> TableRow | None:
        """Return a channel's open table, unless ``closed``, or else the last table opened there;
        None for none.
        """
        query = select(tables).where(tables.c.channel_id == channel_id, NOT_REMOVED)
        if closed:
            query = query.where(~OPEN)
        open_first, newest_first = OPEN.desc(), tables.c.id.desc()
        return await self._first(query.order_by(open_first, newest_first))

    async def tables_of(self, user_id: int) -> list[TableRow]:
        """Return the open tables that know this user."""
        return await self._table_rows(OPEN, _knows(user_id))

    async def known_at(self, user_id: int) -> tuple[int, int]:
        """Return the number of closed and of open tables that know this user."""
        known = await self._table_rows(_knows(user_id))
        closed = sum(row.closed for row in known)
        return closed, len(known) - closed

    async def closed_of(self, user_id: int, guild_id: int) -> list[tuple[int, int]]:
        """Return a server's closed tables that know a user, oldest first, with the user's number
        there.
        """
        query = select(people.c.table_id, people.c.person).join(
            tables, tables.c.id == people.c.table_id
        )
        query = query.where(people.c.user_id == user_id, tables.c.guild_id == guild_id)
        query = query.where(~OPEN, NOT_REMOVED).order_by(tables.c.id)
        return [(row.table_id, row.person) for row in await self._access.all(query)]

    async def people_beside(self, user_id: int, guild_id: int) -> list[tuple[int, Person]]:
        """Return the people of a server's tables that know a user, with their table, but nobody who
        was forgotten.
        """
        own = people.alias()
        known = select(own.c.table_id).where(own.c.user_id == user_id)
        known = known.join(tables, tables.c.id == own.c.table_id)
        known = known.where(tables.c.guild_id == guild_id, ~OPEN)
        query = select(people).where(people.c.table_id.in_(known))
        rows = await self._access.all(query.where(people.c.user_id.is_not(None)))
        return [(row.table_id, person(row)) for row in rows]

    async def sat_before(self, table_id: int, user_id: int, at: int) -> bool:
        """Return whether a user sat down at another table before a time, in milliseconds since
        1970.
        """
        others = select(people).where(people.c.user_id == user_id, people.c.table_id != table_id)
        for row in await self._access.all(others):
            named = (
                entries.c.public.contains(f'"person":{row.person}{end}', autoescape=True)
                for end in ",}"
            )
            sat = select(entries.c.seq).where(
                entries.c.table_id == row.table_id, entries.c.kind == SAT, or_(*named)
            )
            if await self._access.first(sat.where(entries.c.at < at)) is not None:
                return True
        return False

    async def recorded_by(self, user_id: int, since: int) -> dict[str, int]:
        """Return how many entries of each kind a user has recorded since a time, in milliseconds
        since 1970.

        Entries of removed tables are not counted, nor those of tables at which the user was
        forgotten.
        """
        # In each table the search goes back from the newest entry, so its cost depends only on what
        # is that new.
        earlier = entries.alias()
        before = select(earlier.c.seq).where(
            earlier.c.table_id == people.c.table_id, earlier.c.at < since
        )
        last = before.order_by(earlier.c.seq.desc()).limit(1).correlate(people)
        newer = entries.c.seq > func.coalesce(last.scalar_subquery(), 0)
        at_a_table = entries.c.table_id == people.c.table_id
        theirs = people.join(entries, at_a_table & (entries.c.by == people.c.person))
        counts = select(entries.c.kind, func.count().label("number")).select_from(theirs)
        counts = counts.where(people.c.user_id == user_id, newer).group_by(entries.c.kind)
        return {row.kind: row.number for row in await self._access.all(counts)}

    async def open_tables_on(self, guild_id: int) -> list[int]:
        """Return a server's open tables."""
        query = select(tables.c.id).where(tables.c.guild_id == guild_id, OPEN)
        return [row.id for row in await self._access.all(query)]

    async def tables_on(self, guild_id: int) -> list[int]:
        """Return a server's tables that are open or have owed messages."""
        owed = tables.c.id.in_(select(messages.c.table_id).where(OWED))
        query = select(tables.c.id).where(tables.c.guild_id == guild_id)
        return [row.id for row in await self._access.all(query.where(or_(OPEN, owed)))]

    async def open_tables(self, shards: Collection[int] = (0,), count: int = 1) -> int:
        """Return the number of open tables of these shards of ``count``."""
        query = select(func.count()).select_from(tables).where(OPEN)
        return int(await self._access.scalar(query.where(*_on(shards, count))) or 0)

    async def heads(
        self, shards: Collection[int] = (0,), count: int = 1
    ) -> list[tuple[int, int | None, int]]:
        """Return the open tables of these shards of ``count`` as (table, server, number of the last
        entry).
        """
        last = (
            select(func.max(entries.c.seq))
            .where(entries.c.table_id == tables.c.id)
            .scalar_subquery()
        )
        query = (
            select(tables.c.id, tables.c.guild_id, last.label("seq"))
            .where(OPEN)
            .order_by(tables.c.id)
        )
        # the database filters by shard, since finding last entries is slow
        query = query.where(*_on(shards, count))
        rows = await self._access.all(query)
        return [(row.id, row.guild_id, row.seq) for row in rows]

    async def ends(self, shards: Collection[int] = (0,), count: int = 1) -> list[TableEnd]:
        """Return the last entries of the open tables of these shards of ``count``."""
        of_table = entries.c.table_id == tables.c.id
        every, first = entries.alias(), entries.alias()
        newest = select(func.max(every.c.seq)).where(every.c.table_id == tables.c.id)
        opened = select(first.c.at).where(first.c.table_id == tables.c.id, first.c.seq == 1)
        last = (entries.c.seq, entries.c.hash, entries.c.at)
        opened_at = opened.scalar_subquery().label("opened_at")
        query = (
            select(tables.c.id, tables.c.channel_id, *last, opened_at)
            .join(entries, of_table)
            .where(OPEN, entries.c.seq == newest.scalar_subquery(), *_on(shards, count))
            .order_by(tables.c.id)
        )
        return [TableEnd._make(row) for row in await self._access.all(query)]

    async def deadlines(self) -> list[Deadline]:
        """Return the deadlines of the tables, earliest first: a closed one may have a reminder to
        send.
        """
        query = (
            select(tables.c.id, tables.c.guild_id, tables.c.deadline)
            .where(tables.c.deadline.is_not(None))
            .order_by(tables.c.deadline, tables.c.id)
        )
        return [Deadline._make(row) for row in await self._access.all(query)]

    async def deadline(self, table_id: int) -> int | None:
        """Return a table's stored deadline, whether it is open or closed."""
        query = select(tables.c.deadline).where(tables.c.id == table_id)
        return await self._access.scalar(query)

    # ---------------------------------------------------------------- people

    async def people(self, table_id: int) -> list[Person]:
        """Return a table's people, by number. Raises `Tampered`."""
        return [person(row) for row in await self._access.sealed(people, people_of(table_id))]

    async def rename(self, table_id: int, user_id: int, name: str) -> None:
        """Store a user's new name at a table. Does nothing if the table does not know them. Raises
        `Tampered`.
        """
        await self._access.write(Rename(table_id, user_id, name))

    async def erase_person(self, user_id: int, name: str = "Player {}") -> int:
        """Erase a user's name and id from every closed table, and return the number of those
        tables.

        Their number in the entries stays, and the chains still verify. ``name`` replaces their
        name; ``{}`` in it becomes the number. The same tables' messages to them are deleted, and
        everything that is stored under their id. Raises `Tampered`, and erases nothing, if one of
        their rows was changed outside the bot.
        """
        await self._messages.flush()  # a later flush would restore erased rows
        closed = [
            row.id
            for row in await self._access.all(_rows(_knows(user_id)))
            if row.closed_at is not None
        ]
        self._messages.forget(user_id, closed)
        erased = (await self._access.write(Erase(user_id, name))).erased
        await self._scrub()
        return erased

    # ---------------------------------------------------------------- removals

    async def remove_table(self, table_id: int, *, at: int) -> Removal:
        """Delete a closed table and return the removal record, which stays in a chain of its own.

        Raises `NotWritten` if there is no such table or it is open, and `Tampered`.
        """
        await self._messages.flush()  # a later flush would restore deleted rows
        removal = (await self._access.write(Remove(table_id, at))).removal
        assert removal is not None
        await self._scrub()
        return removal

    async def removed(self) -> list[Removal]:
        """Return the removals, oldest first."""
        return [
            removal(row)
            for row in await self._access.all(select(removals).order_by(removals.c.seq))
        ]

    async def unremoved(self) -> list[int]:
        """Return the removed tables that have entries or were never closed."""
        return [row.table_id for row in await self._access.all(_UNREMOVED)]

    async def orphaned(self) -> list[int]:
        """Return the tables that have entries but no row in the directory, since it was deleted by
        hand.
        """
        query = (
            select(entries.c.table_id)
            .where(entries.c.table_id.not_in(select(tables.c.id)))
            .distinct()
        )
        return [row.table_id for row in await self._access.all(query.order_by(entries.c.table_id))]

    # ---------------------------------------------------------------- verifying

    async def verify_removals(self) -> BadEntry | None:
        """Check the chain of removals, their seals, and that nothing is left of the removed tables.

        ``seq`` of the result is the removal's number.
        """
        rows = await self._access.all(select(removals).order_by(removals.c.seq))
        bad = chain.check_removals([removal(row) for row in rows])
        if bad is not None:
            return bad
        for row in rows:
            if not self._access.key.verifies(removals.name, row._mapping):
                return BadEntry(
                    row.seq, "this bot did not remove the table: the record does not have its seal"
                )
        left = await self._access.first(_UNREMOVED)
        if left is None:
            return None
        return BadEntry(
            left.seq,
            f"table {left.table_id} is said to be removed, but it has entries or was never closed",
        )

    async def verify_count(self) -> str | None:
        """Return a fault in the list of tables, such as a table deleted or added by hand; None if
        there is none.
        """
        listed = select(
            select(func.count()).select_from(tables).scalar_subquery().label("listed")
        ).subquery()
        stored = select(key_values).where(key_values.c.key == COUNT).subquery()
        query = select(listed.c.listed, stored.c.value, stored.c.seal).select_from(
            listed.outerjoin(stored, true())
        )
        row = await self._access.first(query)  # one statement, since tables may be opened meanwhile
        assert row is not None
        if row.value is None and not row.listed:
            return None
        sealed = {"key": COUNT, "value": row.value, SEAL: row.seal}
        if row.value is None or not self._access.key.verifies(key_values.name, sealed):
            return "the number of tables was changed by hand"
        if row.value != str(row.listed):
            return f"{row.value} tables were opened, but {row.listed} are listed"
        return None

    async def verify_rest(self) -> list[str]:
        """Describe the rows that were changed by hand and belong to no table, or to none that
        exists.
        """
        found = []
        for table in SEALED:
            query = select(table)
            if "table_id" in table.c:
                listed = select(tables.c.id).where(NOT_REMOVED)
                query = query.where(table.c.table_id.not_in(listed))
            if table is not removals:
                rows = await self._access.all(query)
                for first in range(0, len(rows), PAGE):
                    await asyncio.sleep(0)  # there is a row for everyone who ever had DMs
                    some = rows[first : first + PAGE]
                    fits = self._access.key.verifies
                    found += [
                        described(table, row) for row in some if not fits(table.name, row._mapping)
                    ]
        return found

    async def _scrub(self) -> None:
        """Empty the database's files of what was deleted. A failure is logged: the deletion itself
        is durable.
        """
        try:
            await self._access.database.scrub()
        except (LedgerError, SQLAlchemyError, OSError, sqlite3.Error) as error:
            log.warning(
                "What was deleted is still in the database's log, until I am started again: %s.",
                error,
            )

    async def _table_rows(self, *conditions: Condition) -> list[TableRow]:
        """Return the directory's rows that meet these conditions, oldest first."""
        return [table_row(row) for row in await self._access.all(_rows(*conditions))]

    async def _first(self, query: Query) -> TableRow | None:
        row = await self._access.first(query)
        return table_row(row) if row else None


def _rows(*conditions: Condition) -> Query:
    """Select the directory's rows that meet these conditions, oldest first."""
    return select(tables).where(NOT_REMOVED, *conditions).order_by(tables.c.id)


def _on(shards: Collection[int], count: int) -> list[Condition]:
    """Return the condition that a table is on one of these shards of ``count``; none if these are
    all.
    """
    if len(shards) == count:
        return []
    # as `bot.service.requests.Shards` computes it
    shard = func.coalesce(tables.c.guild_id, 0) // (1 << 22) % count
    return [shard.in_(sorted(shards))]


def _knows(user_id: int) -> Condition:
    known = select(people.c.table_id).where(people.c.user_id == user_id)
    return tables.c.id.in_(known)


def evening_key(table_id: int) -> str:
    """Return the key in `key_values` of what a closed table adds to the numbers over evenings."""
    return f"evening:{table_id}"


def people_of(table_id: int | BindParameter[int]) -> Query:
    """Select a table's people, by number."""
    at_it = people.c.table_id == table_id
    return select(people).where(at_it).order_by(people.c.person)


def table_row(row: AnyRow) -> TableRow:
    """Return a row of the directory as a value."""
    closed = row.closed_at is not None
    return TableRow(row.id, row.guild_id, row.channel_id, row.game, row.name, closed)


def person(row: AnyRow) -> Person:
    """Return a row of `people` as a value."""
    return Person(row.person, row.user_id, row.name)


def removal(row: AnyRow) -> Removal:
    """Return a stored removal, without its seal."""
    return Removal(row.seq, row.table_id, row.at, row.last_seq, row.head, row.hash)


_blank = [tables.c[name].is_not_distinct_from(value) for name, value in BLANK.items()]
_left = select(tables.c.id).where(
    tables.c.id == removals.c.table_id, tables.c.closed_at == removals.c.at, *_blank
)
_has_entries = removals.c.table_id.in_(select(entries.c.table_id))
_UNREMOVED = (
    select(removals.c.seq, removals.c.table_id)
    .where(or_(_has_entries, ~_left.exists()))
    .order_by(removals.c.table_id)
)
"""The removals of tables that still have entries, or whose row is not blank as a removal leaves
it.
"""

# ---------------------------------------------------------------- the writer's part: in the transac


def change(
    key: Key, connection: Connection, request: Rename | Erase | Remove
) -> Written | LedgerError:
    """Change existing rows. If one was changed outside the bot, change nothing and return
    `Tampered`.
    """
    try:
        match request:
            case Rename():
                return _rename(key, connection, request)
            case Erase():
                return _erase(key, connection, request)
            case Remove():
                return _remove(key, connection, request)
    except Tampered as error:  # raised before anything of the request is written
        return error


def _rename(key: Key, connection: Connection, request: Rename) -> Written:
    at_it = people.c.table_id == request.table_id
    theirs = at_it & (people.c.user_id == request.user_id)
    for row in _locked(connection, theirs):
        renamed = key.change(people, row, name=request.name)
        connection.execute(update(people).where(theirs), renamed)
    return Written(request.table_id)


def _locked(connection: Connection, theirs: Condition) -> Rows:
    """Return rows of `people`, which nobody else can change until the transaction ends."""
    return connection.execute(select(people).where(theirs).with_for_update()).all()


def _erase(key: Key, connection: Connection, request: Erase) -> Written:
    """Erase user and salt. The number stays, so the chain still verifies.

    Also delete everything else that names the user: messages whose subject has their id as a field,
    whatever its kind; messages in their DM channel; and values whose key has their id as a field,
    such as their silenced calls.
    """
    closed = select(tables.c.id).where(tables.c.closed_at.is_not(None))
    theirs = (people.c.user_id == request.user_id) & people.c.table_id.in_(closed)
    erased = []
    for row in _locked(connection, theirs):
        name = request.name.format(row.person)
        erased.append(key.change(people, row, user_id=None, salt=None, name=name))
    # All are verified before the first is written.
    for person in erased:
        at_it = people.c.table_id == person["table_id"]
        one = at_it & (people.c.person == person["person"])
        connection.execute(update(people).where(one), person)
    to_them = _names(messages.c.subject, request.user_id)
    in_their_dm = messages.c.channel_id.in_(_dm_channels(connection, request.user_id))
    of_closed = messages.c.table_id.in_(closed)
    connection.execute(delete(messages).where(to_them | in_their_dm, of_closed))
    about_them = _names(key_values.c.key, request.user_id)
    connection.execute(delete(key_values).where(about_them))
    return Written(erased=len(erased))


def _dm_channels(connection: Connection, user_id: int) -> set[int]:
    """Return the channels of a user's DMs, as far as messages and stored channels tell."""
    to_them = _names(messages.c.subject, user_id)
    found = set(connection.scalars(select(messages.c.channel_id).where(to_them)))
    stored = key_values.c.key == f"dm-channel:{user_id}"
    for value in connection.scalars(select(key_values.c.value).where(stored)):
        channel = value.partition(":")[0]
        if channel.isdecimal():
            found.add(int(channel))
    # They are pinged in a table's channel where DMs do not reach them.
    of_a_table = tables.c.channel_id.in_(found)
    return found - set(connection.scalars(select(tables.c.channel_id).where(of_a_table)))


def _names(text: ColumnElement[str], user_id: int) -> Condition:
    """Return whether a text of fields separated by colons has the user's id among them."""
    return (":" + text + ":").contains(f":{user_id}:", autoescape=True)


def _remove(key: Key, connection: Connection, request: Remove) -> Written | LedgerError:
    table_id = request.table_id
    this = tables.c.id == table_id
    row = connection.execute(select(tables.c.closed_at).where(this)).first()
    last = connection.execute(HEAD, {"of_table": table_id}).first()
    if row is None or row.closed_at is None or last is None:
        return NotWritten(f"There is no closed table {table_id}.")
    head = key.require_head(table_id, last)
    newest = select(removals).order_by(removals.c.seq.desc()).limit(1)
    seq, previous = 1, chain.REMOVALS_GENESIS
    if before := connection.execute(newest).first():
        seq, previous = before.seq + 1, key.require(removals, before).hash
    hash = chain.link_removal(
        previous, seq=seq, table_id=table_id, at=request.at, last_seq=head.seq, head=head.hash
    )
    made = Removal(seq, table_id, request.at, head.seq, head.hash, hash)
    # Before the entries: a trigger forbids deleting those of any other table.
    connection.execute(insert(removals), key.sealed(removals.name, asdict(made)))
    for kept in (entries, people, snapshots, messages, cursors):
        connection.execute(delete(kept).where(kept.c.table_id == table_id))
    connection.execute(delete(key_values).where(key_values.c.key == evening_key(table_id)))
    connection.execute(update(tables).where(this).values(**BLANK, closed_at=request.at))
    return Written(table_id, (head,), removal=made)


def find_removal(connection: Connection, request: Remove) -> Written | None:
    """Return the result of a removal that was committed; None if it was not."""
    query = select(removals).where(removals.c.table_id == request.table_id)
    row = connection.execute(query).first()
    if row is None:
        return None
    head = Head(row.last_seq, row.head)
    return Written(request.table_id, (head,), removal=removal(row))


def count_opened(key: Key, connection: Connection, opened: int) -> None:
    """Add to the count of opened tables, which reveals a table that was deleted by hand.

    A count without a valid seal stays as it is, for `bourse verify` to find.
    """
    row = connection.execute(_COUNTED).first()
    if row is None:
        first = {"key": COUNT, "value": str(opened)}
        connection.execute(insert(key_values), key.sealed(key_values.name, first))
    elif key.verifies(key_values.name, row._mapping):
        counted = key.change(key_values, row, value=str(int(row.value) + opened))
        connection.execute(update(key_values).where(key_values.c.key == COUNT), counted)


_COUNTED = select(key_values).where(key_values.c.key == COUNT).with_for_update()
