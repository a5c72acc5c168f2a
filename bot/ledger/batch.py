"""One transaction for many requests, in few statements.

An append reads nothing. Its caller passes the head that the command was decided on, and the
database's constraints detect a lost race, a repeated interaction or a taken number. Such a conflict
rolls back the whole batch; the writer then tries each request alone and calls `explain` for the
failures. Conflicts within a batch are detected in memory and refuse only the later request: when
two appends follow the same head, the first wins.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import (
    BindParameter,
    Connection,
    Dialect,
    Table,
    Update,
    bindparam,
    insert,
    select,
    update,
)

from bot.ledger import chain
from bot.ledger.access import Written, upsert
from bot.ledger.chain import PLACE, person_digest, person_key, place_digest
from bot.ledger.errors import ChannelTaken, LedgerError, LostRace, NotWritten, Repeated
from bot.ledger.keys import SEAL, Key
from bot.ledger.messages import SaveMessages, save_messages
from bot.ledger.schema import HEAD, Query, entries, people, snapshots, tables
from bot.ledger.tables import Erase, Remove, Rename, change, count_opened, find_removal
from bot.ledger.values import UNCHANGED, Head, Snapshot, Unchanged
from bot.rules.entries import Entry, split
from bot.rules.model.people import Person
from bot.rules.model.values import frozen


class Draft(NamedTuple):
    """An entry ready to be stored, except for its place in the chain."""

    kind: str
    subject: str | None
    version: int
    public: bytes
    sealed: str | None
    digests: Mapping[str, str]


@frozen
class Newcomer:
    """A new person of a table, with the salt of the commitment to their user id."""

    number: int
    user_id: int
    name: str
    salt: str


class Append(NamedTuple):
    """Entries for a table whose head is ``after``, and an optional snapshot of the table after
    them.

    ``name``: its new name. ``moves_to``: its new channel, with the salt of the commitment.
    """

    table_id: int
    after: Head
    drafts: Sequence[Draft]
    at: int
    by: int | None
    people: Sequence[Newcomer]
    interaction: int | None
    closes: bool = False
    name: str | None = None
    deadline: int | Unchanged | None = UNCHANGED
    snapshot: Snapshot | None = None
    moves_to: tuple[int, str] | None = None


@frozen
class Create:
    """A new table with its first entries."""

    guild_id: int | None
    channel_id: int
    place_salt: str
    game: str
    name: str
    drafts: Sequence[Draft]
    at: int
    by: int | None
    people: Sequence[Newcomer]
    interaction: int | None
    deadline: int | None = None


@frozen
class Save:
    """A sealed row outside the chain, to store in a database table or to replace the one with the
    same key.
    """

    table: Table
    row: Mapping[str, Any]


WriteRequest = Append | Create | Save | SaveMessages | Rename | Erase | Remove
R = TypeVar("R", Append, Create, Save, SaveMessages)


def fresh_salt() -> str:
    """Return a new salt, in hex."""
    return secrets.token_hex(chain.SALT_BYTES)


def newcomers(persons: Iterable[Person]) -> list[Newcomer]:
    """Give each person a fresh salt. Raises ``ValueError`` for a person without a user."""
    found = []
    for person in persons:
        if person.user_id is None:
            raise ValueError(f"Person {person.number} comes to a table without a user.")
        found.append(Newcomer(person.number, person.user_id, person.name, fresh_salt()))
    return found


def commitments(persons: Iterable[Newcomer]) -> dict[str, str]:
    """Return the commitments to these newcomers, by name."""
    return {
        person_key(one.number): person_digest(one.salt, one.number, one.user_id) for one in persons
    }


def commitment_to_place(salt: str, guild_id: int | None, channel_id: int) -> dict[str, str]:
    """Return the commitment to a table's server and channel, by name."""
    return {PLACE: place_digest(salt, guild_id, channel_id)}


def drafts(made: Sequence[Entry], committed: Mapping[str, str]) -> list[Draft]:
    """Return a command's entries as drafts. The first draft carries the commitments."""
    return [draft(entry, {} if index else committed) for index, entry in enumerate(made)]


def draft(entry: Entry, committed: Mapping[str, str] | None = None) -> Draft:
    """Split an entry into its public part and its sealed parts, with fresh salts."""
    public, parts = split(entry)
    sealed: dict[str, Any] = {
        part: {"salt": fresh_salt(), "data": data} for part, data in parts.items()
    }
    sealed |= {name: {"digest": digest} for name, digest in (committed or {}).items()}
    return Draft(
        kind=public["kind"],
        subject=entry.subject(),
        version=public["v"],
        public=chain.canonical(public),
        sealed=chain.canonical(sealed).decode() if sealed else None,
        digests=chain.digests_of(sealed),
    )


def is_single(requests: Sequence[WriteRequest]) -> bool:
    """Return whether a batch needs only one statement.

    That is true if it only inserts entries (no people, closing, move, new deadline or snapshot), or
    only saves rows of one database table.
    """
    first = requests[0]
    if isinstance(first, Save):
        return all(
            isinstance(request, Save) and request.table is first.table for request in requests
        )
    return all(
        isinstance(request, Append)
        and not (request.people or request.closes or request.moves_to or request.snapshot)
        and (request.name, request.deadline) == (None, UNCHANGED)
        for request in requests
    )


def perform(
    key: Key, connection: Connection, requests: Sequence[WriteRequest]
) -> list[Written | LedgerError]:
    """Write a batch in the current transaction of ``connection``, and return the result of each
    request.

    ``key`` makes the seals. The row of a `Save` already has its own.

    Raises the database's ``IntegrityError`` when any request breaks a constraint; the caller must
    then roll back.
    """
    answers: dict[int, Written | LedgerError] = {}
    rows = _Rows(key)
    for i, append in _of_type(requests, Append):
        answers[i] = rows.append(append)
    rows.update_tables(connection)  # first: a closing table frees its channel for a new one
    for i, create in _of_type(requests, Create):
        answers[i] = rows.create(connection, create)
    rows.insert(connection)
    if rows.created:
        count_opened(key, connection, rows.created)
    for i, request in enumerate(requests):
        if isinstance(request, Rename | Erase | Remove):
            answers[i] = change(key, connection, request)
    if remembered := _of_type(requests, SaveMessages):
        save_messages(key, connection, [request for _, request in remembered])
        answers.update((i, Written()) for i, _ in remembered)
    for table, run in groupby(_of_type(requests, Save), key=lambda item: item[1].table):
        same = list(run)
        connection.execute(
            upsert(connection.dialect.name, table), [dict(save.row) for _, save in same]
        )
        answers.update((i, Written()) for i, _ in same)
    return [answers[i] for i in range(len(requests))]


def explain(connection: Connection, request: WriteRequest) -> LedgerError | None:
    """Return the error for the constraint that a request broke; None when the request can be
    retried.
    """
    if isinstance(request, Append):
        if repeated := _repeated(connection, request.interaction):
            return repeated
        row = connection.execute(HEAD, {"of_table": request.table_id}).first()
        head = Head(row.seq, row.hash) if row else Head()
        # with entries before, another process removed it: a lost race
        if not head.seq and not request.after.seq:
            return NotWritten(f"There is no table {request.table_id}.")
        taken = select(people.c.person).where(
            people.c.table_id == request.table_id,
            people.c.person.in_([one.number for one in request.people])
            | people.c.user_id.in_([one.user_id for one in request.people]),
        )
        if head != request.after or connection.execute(taken).first():
            return LostRace(request.table_id, request.after.seq, head.seq)
        return _channel_taken(connection, request.moves_to[0]) if request.moves_to else None
    if isinstance(request, Create):
        return _repeated(connection, request.interaction) or _channel_taken(
            connection, request.channel_id
        )
    return None


def find(connection: Connection, request: WriteRequest) -> Written | None:
    """Return the result of a request if it was committed, after a commit with an unknown outcome.

    Returns None for idempotent requests, which can simply be repeated. (A repeated `Erase` returns
    the number of tables that the repetition changed.)
    """
    match request:
        case Append(table_id=table_id):
            heads = [
                Head(row["seq"], row["hash"]) for row in _chained(table_id, request.after, request)
            ]
            row = connection.execute(
                _PLACED, {"of_table": table_id, "at_seq": heads[0].seq}
            ).first()
            return (
                Written(table_id, heads) if row is not None and row.hash == heads[0].hash else None
            )
        case Create():  # its salt is unique
            place = {"channel": request.channel_id, "salt": request.place_salt}
            row = connection.execute(_OPENED, place).first()
            if row is None:
                return None
            chained = _chained(row.id, Head(), request)
            return Written(row.id, [Head(entry["seq"], entry["hash"]) for entry in chained])
        case Remove():
            return find_removal(connection, request)
        case _:
            return None


def answered(interaction: int) -> Query:
    """Select table, first number and size of the command that came from an interaction."""
    return select(entries.c.table_id, entries.c.seq, entries.c.command_size).where(
        entries.c.interaction == interaction
    )


def _repeated(connection: Connection, interaction: int | None) -> Repeated | None:
    row = connection.execute(answered(interaction)).first() if interaction is not None else None
    return Repeated(row.table_id, row.seq, row.seq + row.command_size - 1) if row else None


def _channel_taken(connection: Connection, channel_id: int) -> ChannelTaken | None:
    row = connection.execute(_OPEN_IN, {"channel": channel_id}).first()
    return ChannelTaken(row.id) if row else None


@dataclass(slots=True)
class _Rows:
    """The rows of a batch, which are inserted together, and the state needed to find conflicts
    within it.
    """

    key: Key
    entries: list[dict[str, Any]] = field(default_factory=list)
    people: list[dict[str, Any]] = field(default_factory=list)
    # of rows of the directory, by the columns that change
    changes: dict[tuple[str, ...], list[dict[str, Any]]] = field(
        default_factory=lambda: {columns: [] for columns in _CHANGES}
    )
    snapshots: list[dict[str, Any]] = field(default_factory=list)
    heads: dict[int, Head] = field(default_factory=dict)
    # table, first and last entry
    interactions: dict[int, tuple[int, int, int]] = field(default_factory=dict)
    taken: set[tuple[int, str, int]] = field(default_factory=set)
    created: int = 0

    def append(self, request: Append) -> Written | LedgerError:
        if request.interaction in self.interactions:
            return Repeated(*self.interactions[request.interaction])
        table_id = request.table_id
        head = self.heads.get(table_id, request.after)
        if head != request.after or not self.taken.isdisjoint(_places(table_id, request.people)):
            return LostRace(table_id, request.after.seq, head.seq)
        if request.closes:
            self.change(table_id, closed_at=request.at)
        if request.name is not None:
            self.change(table_id, name=request.name)
        if not isinstance(request.deadline, Unchanged):
            self.change(table_id, deadline=request.deadline)
        if request.moves_to is not None:
            channel_id, salt = request.moves_to
            self.change(table_id, channel_id=channel_id, place_salt=salt)
        written = self.add(table_id, head, request)
        if request.snapshot is not None:
            values = {
                "table_id": table_id,
                **self.heads[table_id]._asdict(),
                **request.snapshot._asdict(),
            }
            self.snapshots.append(self.key.sealed(snapshots.name, values))
        return written

    def change(self, table_id: int, **new: object) -> None:
        values = {f"new_{column}": value for column, value in new.items()}
        self.changes[tuple(new)].append({"of_table": table_id, **values})

    def create(self, connection: Connection, request: Create) -> Written | LedgerError:
        if request.interaction in self.interactions:
            return Repeated(*self.interactions[request.interaction])
        if taken := _channel_taken(connection, request.channel_id):
            # This same interaction may have opened the table.
            return _repeated(connection, request.interaction) or taken
        columns = ("guild_id", "channel_id", "place_salt", "game", "name", "deadline")
        made = connection.execute(_INSERT_TABLE, {name: getattr(request, name) for name in columns})
        self.created += 1
        return self.add(made.scalar_one(), Head(), request)

    def add(self, table_id: int, head: Head, request: Append | Create) -> Written:
        """Chain a request's entries to ``head`` and collect its rows."""
        heads: list[Head] = []
        for row in _chained(table_id, head, request):
            heads.append(Head(row["seq"], row["hash"]))
            self.entries.append(row)
        if request.interaction is not None:
            self.interactions[request.interaction] = table_id, heads[0].seq, heads[-1].seq
        self.heads[table_id] = heads[-1]
        self.taken.update(_places(table_id, request.people))
        for newcomer in request.people:
            row = {"table_id": table_id, "person": newcomer.number, "user_id": newcomer.user_id}
            row |= {"name": newcomer.name, "salt": newcomer.salt}
            self.people.append(self.key.sealed(people.name, row))
        return Written(table_id, heads)

    # Sorted: processes that write rows in the same order can't deadlock.

    def update_tables(self, connection: Connection) -> None:
        for columns, rows in self.changes.items():
            if rows:
                connection.execute(_CHANGES[columns], sorted(rows, key=itemgetter("of_table")))

    def insert(self, connection: Connection) -> None:
        if self.entries:
            self.entries.sort(key=itemgetter("table_id", "seq"))
            for row in self.entries:
                ends = self.heads[row["table_id"]].seq == row["seq"]
                row[SEAL] = (
                    self.key.seal_head(row["table_id"], row["seq"], row["hash"]) if ends else None
                )
            # With the driver's own statement: SQLAlchemy's processing takes half as long as the
            # insertion itself.
            dialect: Any = type(connection.dialect)  # mypy considers the class unhashable
            statement, columns = _entry_insertion(dialect)
            connection.exec_driver_sql(statement, list(map(itemgetter(*columns), self.entries)))
        if self.people:
            self.people.sort(key=itemgetter("table_id", "person"))
            connection.execute(_INSERT_PERSON, self.people)
        for row in sorted(self.snapshots, key=itemgetter("table_id")):
            connection.execute(upsert(connection.dialect.name, snapshots), row)


@cache
def _entry_insertion(dialect: type[Dialect]) -> tuple[str, Sequence[str]]:
    """Return a dialect's INSERT statement for an entry, and the columns in the order of its
    parameters.
    """
    compiled = insert(entries).compile(dialect=dialect())
    assert compiled.positiontup is not None
    return compiled.string, compiled.positiontup


def _chained(table_id: int, head: Head, request: Append | Create) -> Iterator[dict[str, Any]]:
    """Yield the rows of a request's entries. Only the first has ``interaction`` and
    ``command_size``.
    """
    interaction, size = (
        request.interaction,
        len(request.drafts) if request.interaction is not None else None,
    )
    for one in request.drafts:
        found = chain.link(
            head.hash,
            table_id=table_id,
            seq=head.seq + 1,
            at=request.at,
            by=request.by,
            public=one.public,
            digests=one.digests,
            interaction=interaction,
            command_size=size,
        )
        head = Head(head.seq + 1, found)
        yield {
            "table_id": table_id,
            "seq": head.seq,
            "kind": one.kind,
            "subject": one.subject,
            "version": one.version,
            "at": request.at,
            "by": request.by,
            "interaction": interaction,
            "command_size": size,
            "public": one.public.decode(),
            "sealed": one.sealed,
            "hash": head.hash,
        }
        interaction = size = None


def _places(table_id: int, persons: Iterable[Newcomer]) -> list[tuple[int, str, int]]:
    """Return the unique keys of these persons: (table, number) and (table, user id)."""
    keys = []
    for person in persons:
        keys.append((table_id, "number", person.number))
        keys.append((table_id, "user", person.user_id))
    return keys


def _of_type(requests: Sequence[WriteRequest], kind: type[R]) -> list[tuple[int, R]]:
    return [(i, request) for i, request in enumerate(requests) if isinstance(request, kind)]


_OF_TABLE: BindParameter[int] = bindparam("of_table")
_OPEN_IN = select(tables.c.id).where(
    tables.c.channel_id == bindparam("channel"), tables.c.closed_at.is_(None)
)
_OPENED = select(tables.c.id).where(
    tables.c.channel_id == bindparam("channel"), tables.c.place_salt == bindparam("salt")
)
_PLACED = select(entries.c.hash).where(
    entries.c.table_id == _OF_TABLE, entries.c.seq == bindparam("at_seq")
)
_INSERT_PERSON = insert(people)
_INSERT_TABLE = insert(tables).returning(tables.c.id)


def _change_of(*columns: str) -> Update:
    """Return the statement that changes these columns of a row of the directory."""
    new: dict[str, BindParameter[Any]] = {column: bindparam(f"new_{column}") for column in columns}
    return update(tables).where(tables.c.id == _OF_TABLE).values(new)


# a closing comes first: it frees the channel for a table that moves there
_CHANGES: dict[tuple[str, ...], Update] = {
    columns: _change_of(*columns)
    for columns in (("closed_at",), ("name",), ("deadline",), ("channel_id", "place_salt"))
}
