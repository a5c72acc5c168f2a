"""What one transaction writes: many requests at once, in few statements, each judged on its own.

A request that lost its race, repeats an interaction or finds its channel taken is refused; the rest goes on.
Those before it in the batch count: of two requests after the same entry of one table, the first wins.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, NamedTuple

from sqlalchemy import BindParameter, Executable, bindparam, delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.ledger import chain
from bot.ledger.errors import ChannelTaken, LedgerError, LostRace, Repeated
from bot.ledger.schema import cursors, entries, interactions, marks, messages, people, removals, snapshots, tables
from bot.ledger.values import Person
from bot.rules.entries import Entry, split


@dataclass(frozen=True, slots=True)
class Draft:
    """An entry ready to be stored, but for its place in the chain."""

    kind: str
    version: int
    public: bytes
    sealed: str | None
    digests: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Append:
    """Entries for a table whose last entry was ``after``."""

    table_id: int
    after: int
    drafts: Sequence[Draft]
    at: int
    by: int | None
    people: Sequence[Person]
    interaction: int | None
    closes: bool = False


@dataclass(frozen=True, slots=True)
class Create:
    """A new table with its first entries."""

    guild_id: int | None
    channel_id: int
    game: str
    name: str
    drafts: Sequence[Draft]
    at: int
    by: int | None
    people: Sequence[Person]
    interaction: int | None


@dataclass(frozen=True, slots=True)
class Remember:
    """Anything else, outside the chain: one statement with its values."""

    statement: Executable
    values: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Erase:
    """Take a user out of every closed table. ``name`` is what they are called instead, their number put into it."""

    user_id: int
    name: str


@dataclass(frozen=True, slots=True)
class Remove:
    """Let go of all that is kept of a table but where its chain ended."""

    table_id: int
    at: int


Request = Append | Create | Remember | Erase | Remove


class Written(NamedTuple):
    """What a request came to: its table, and the number and hash of each entry written.

    Of an `Erase` it is not one table but how many.
    """

    table_id: int
    heads: Sequence[chain.Head]


def draft(entry: Entry) -> Draft:
    """Part an entry into what is public and what is sealed, with fresh salt."""
    public, parts = split(entry)
    sealed = {part: {"salt": secrets.token_hex(chain.SALT_BYTES), "data": data} for part, data in parts.items()}
    return Draft(
        kind=entry.kind,
        version=entry.v,
        public=chain.canonical(public),
        sealed=chain.canonical(sealed).decode() if sealed else None,
        digests=chain.digests_of(sealed),
    )


async def perform(connection: AsyncConnection, requests: Sequence[Request]) -> list[Written | LedgerError]:
    """Write a batch in the transaction that ``connection`` is in, and answer each request.

    Raises what the database raises when another process was quicker; the transaction is then no good.
    """
    answers: dict[int, Written | LedgerError] = {}
    appends = {i: request for i, request in enumerate(requests) if isinstance(request, Append)}
    creates = {i: request for i, request in enumerate(requests) if isinstance(request, Create)}
    seen = await _known_interactions(connection, [*appends.values(), *creates.values()])

    if appends:
        heads = await _heads(connection, {request.table_id for request in appends.values()})
        taken = await _people(connection, {request.table_id for request in appends.values() if request.people})
        rows = _Rows()
        for i, request in appends.items():
            answers[i] = _append(request, heads, taken, seen, rows)
        await rows.insert(connection)

    if creates:  # after the appends: one of them may close the table that holds a channel
        open_in = await _open_tables(connection, {request.channel_id for request in creates.values()})
        rows = _Rows()
        for i, create in creates.items():
            answers[i] = await _create(connection, create, open_in, seen, rows)
        await rows.insert(connection)

    for i, other in enumerate(requests):
        if isinstance(other, Erase):
            answers[i] = await _erase(connection, other)
        elif isinstance(other, Remove):
            answers[i] = await _remove(connection, other)

    others = [(i, request) for i, request in enumerate(requests) if isinstance(request, Remember)]
    for _, run in groupby(others, key=lambda item: id(item[1].statement)):
        same = list(run)
        await connection.execute(same[0][1].statement, [dict(request.values) for _, request in same])
        answers.update((i, Written(0, ())) for i, _ in same)

    return [answers[i] for i in range(len(requests))]


@dataclass(slots=True)
class _Rows:
    """Rows to be inserted together, in an order every process keeps, lest they wait in a ring."""

    entries: list[dict[str, Any]] = field(default_factory=list)
    interactions: list[dict[str, Any]] = field(default_factory=list)
    people: list[dict[str, Any]] = field(default_factory=list)
    closed: list[dict[str, Any]] = field(default_factory=list)

    async def insert(self, connection: AsyncConnection) -> None:
        if self.entries:
            self.entries.sort(key=lambda row: (row["table_id"], row["seq"]))
            await connection.execute(_INSERT_ENTRY, self.entries)
        if self.interactions:
            self.interactions.sort(key=lambda row: row["id"])
            await connection.execute(_INSERT_INTERACTION, self.interactions)
        if self.people:
            self.people.sort(key=lambda row: (row["table_id"], row["person"]))
            await connection.execute(_INSERT_PERSON, self.people)
        if self.closed:
            self.closed.sort(key=lambda row: row["closed_table"])
            await connection.execute(_CLOSE, self.closed)

    def add(self, table_id: int, head: chain.Head, request: Append | Create) -> Written:
        """Chain a request's entries to ``head`` and note all its rows."""
        made: list[chain.Head] = []
        for one in request.drafts:
            seq = head.seq + 1
            found = chain.link(
                head.hash,
                table_id=table_id,
                seq=seq,
                at=request.at,
                by=request.by,
                public=one.public,
                digests=one.digests,
            )
            head = chain.Head(seq, found)
            made.append(head)
            self.entries.append(
                {
                    "table_id": table_id,
                    "seq": seq,
                    "kind": one.kind,
                    "version": one.version,
                    "at": request.at,
                    "by": request.by,
                    "public": one.public.decode(),
                    "sealed": one.sealed,
                    "hash": found,
                }
            )
        if request.interaction is not None:
            first = head.seq - len(made) + 1
            self.interactions.append(
                {"id": request.interaction, "table_id": table_id, "first_seq": first, "last_seq": head.seq}
            )
        self.people.extend(
            {"table_id": table_id, "person": person.number, "user_id": person.user_id, "name": person.name}
            for person in request.people
        )
        return Written(table_id, made)


_Seen = dict[int, tuple[int, int, int]]
"""What each known interaction recorded: table, first and last entry."""


def _append(
    request: Append,
    heads: dict[int, chain.Head],
    taken: set[tuple[int, str, int]],
    seen: _Seen,
    rows: _Rows,
) -> Written | LedgerError:
    if request.interaction in seen:
        return Repeated(*seen[request.interaction])
    head = heads.get(request.table_id)
    if head is None:
        return LedgerError(f"There is no table {request.table_id}.")
    places = _places(request.table_id, request.people)
    if head.seq != request.after or not taken.isdisjoint(places):
        return LostRace(request.table_id, request.after, head.seq)
    written = rows.add(request.table_id, head, request)
    taken.update(places)
    if request.closes:
        rows.closed.append({"closed_table": request.table_id, "closed_at": request.at})
    heads[request.table_id] = written.heads[-1] if written.heads else head
    _note(request, written, request.after, seen)
    return written


async def _create(
    connection: AsyncConnection, request: Create, open_in: dict[int, int], seen: _Seen, rows: _Rows
) -> Written | LedgerError:
    if request.interaction in seen:
        return Repeated(*seen[request.interaction])
    if request.channel_id in open_in:
        return ChannelTaken(open_in[request.channel_id])
    made = await connection.execute(
        _INSERT_TABLE,
        {
            "guild_id": request.guild_id,
            "channel_id": request.channel_id,
            "game": request.game,
            "name": request.name,
        },
    )
    table_id = made.scalar_one()
    written = rows.add(table_id, chain.Head(), request)
    open_in[request.channel_id] = table_id
    _note(request, written, 0, seen)
    return written


def _note(request: Append | Create, written: Written, after: int, seen: _Seen) -> None:
    if request.interaction is not None:
        seen[request.interaction] = (written.table_id, after + 1, after + len(written.heads))


def _places(table_id: int, persons: Iterable[Person]) -> list[tuple[int, str, int]]:
    """What only one person of a table can have: a number, and a user's id."""
    numbers = [(table_id, "number", person.number) for person in persons]
    return numbers + [(table_id, "user", person.user_id) for person in persons if person.user_id is not None]


async def _known_interactions(connection: AsyncConnection, requests: Sequence[Append | Create]) -> _Seen:
    ids = {request.interaction for request in requests if request.interaction is not None}
    if not ids:
        return {}
    found = await connection.execute(_INTERACTIONS, {"ids": sorted(ids)})
    return {row.id: (row.table_id, row.first_seq, row.last_seq) for row in found}


async def _heads(connection: AsyncConnection, ids: set[int]) -> dict[int, chain.Head]:
    found = await connection.execute(_HEADS, {"ids": sorted(ids)})
    return {row.id: chain.Head() if row.seq is None else chain.Head(row.seq, row.hash) for row in found}


async def _people(connection: AsyncConnection, ids: set[int]) -> set[tuple[int, str, int]]:
    if not ids:
        return set()
    found = await connection.execute(_PEOPLE, {"ids": sorted(ids)})
    return {place for row in found for place in _places(row.table_id, [Person(row.person, row.user_id, "")])}


async def _open_tables(connection: AsyncConnection, channels: set[int]) -> dict[int, int]:
    found = await connection.execute(_OPEN_IN, {"ids": sorted(channels)})
    return {row.channel_id: row.id for row in found}


async def _erase(connection: AsyncConnection, request: Erase) -> Written:
    """Their number stays, and with it the chain. What is kept under their id goes: messages, their choice of table."""
    theirs = (people.c.user_id == request.user_id) & people.c.table_id.in_(_CLOSED)
    found = (await connection.execute(select(people.c.table_id, people.c.person).where(theirs))).all()
    for row in found:
        one = (people.c.table_id == row.table_id) & (people.c.person == row.person)
        called = request.name.format(row.person)
        await connection.execute(update(people).where(one).values(user_id=None, name=called))
        own = messages.c.subject.endswith(f":{request.user_id}", autoescape=True)
        await connection.execute(delete(messages).where(messages.c.table_id == row.table_id, own))
    await connection.execute(delete(marks).where(marks.c.key == f"dm:{request.user_id}"))
    return Written(len(found), ())


async def _remove(connection: AsyncConnection, request: Remove) -> Written | LedgerError:
    table_id = request.table_id
    row = (await connection.execute(select(tables.c.closed_at).where(tables.c.id == table_id))).first()
    head = (await _heads(connection, {table_id})).get(table_id, chain.Head())
    if row is None or row.closed_at is None or not head.seq:
        return LedgerError(f"There is no closed table {table_id}.")
    gone = {"table_id": table_id, "at": request.at, "seq": head.seq, "hash": head.hash}
    await connection.execute(insert(removals).values(gone))  # first: the trigger asks for it
    for kept in (entries, interactions, people, snapshots, messages, cursors):
        await connection.execute(delete(kept).where(kept.c.table_id == table_id))
    await connection.execute(update(tables).where(tables.c.id == table_id).values(name=""))
    return Written(table_id, (head,))


_CLOSED = select(tables.c.id).where(tables.c.closed_at.is_not(None))
_IDS: BindParameter[Sequence[int]] = bindparam("ids", expanding=True)
_INTERACTIONS = select(interactions).where(interactions.c.id.in_(_IDS))
_LAST = select(func.max(entries.c.seq)).where(entries.c.table_id == tables.c.id).correlate(tables).scalar_subquery()
_HEADS = (
    select(tables.c.id, entries.c.seq, entries.c.hash)
    .outerjoin(entries, (entries.c.table_id == tables.c.id) & (entries.c.seq == _LAST))
    .where(tables.c.id.in_(_IDS))
)
_PEOPLE = select(people.c.table_id, people.c.person, people.c.user_id).where(people.c.table_id.in_(_IDS))
_OPEN_IN = select(tables.c.id, tables.c.channel_id).where(tables.c.channel_id.in_(_IDS), tables.c.closed_at.is_(None))
_INSERT_ENTRY = insert(entries)
_INSERT_INTERACTION = insert(interactions)
_INSERT_PERSON = insert(people)
_INSERT_TABLE = insert(tables).returning(tables.c.id)
_CLOSE = update(tables).where(tables.c.id == bindparam("closed_table")).values(closed_at=bindparam("closed_at"))
