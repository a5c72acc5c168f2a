"""One transaction for many requests, in few statements.

An append reads nothing. Its caller passes the head that the command was decided on, and the database's constraints
detect a lost race, a repeated interaction or a taken number. Such a conflict rolls back the whole batch; the writer
then tries each request alone and calls `explain` for the failures. Conflicts within a batch are detected in memory and
refuse only the later request: when two appends follow the same head, the first wins.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import BindParameter, Connection, Dialect, Executable, Row, bindparam, delete, insert, select, update

from bot.ledger import chain
from bot.ledger.commitments import PLACE, person_digest, person_key, place_digest
from bot.ledger.errors import ChannelTaken, LedgerError, LostRace, NotWritten, Repeated, Tampered
from bot.ledger.keys import SEAL, Key
from bot.ledger.queries import BLANK, HEAD, answered
from bot.ledger.schema import cursors, entries, key_values, messages, people, removals, snapshots, tables
from bot.ledger.statements import Statements
from bot.ledger.values import UNCHANGED, Head, Removal, Unchanged
from bot.rules.entries import Entry, split
from bot.rules.model.people import Person


class Draft(NamedTuple):
    """An entry ready to be stored, except for its place in the chain."""

    kind: str
    subject: str | None
    version: int
    public: bytes
    sealed: str | None
    digests: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Newcomer:
    """A new person of a table, with the salt of the commitment to their user id."""

    number: int
    user_id: int
    name: str
    salt: str


class Append(NamedTuple):
    """Entries for a table whose head is ``after``, and an optional snapshot of the table after them.

    The snapshot's values lack its hash, which is known only once the entries are chained, and its seal.
    """

    table_id: int
    after: Head
    drafts: Sequence[Draft]
    at: int
    by: int | None
    people: Sequence[Newcomer]
    interaction: int | None
    closes: bool = False
    deadline: int | Unchanged | None = UNCHANGED
    snapshot: Save | None = None


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class Save:
    """A write outside the chain: one statement with its values."""

    statement: Executable
    values: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Remember:
    """Store delivery's messages and cursors, with ``statements``.

    ``messages``: rows without seals by (table, subject); None deletes the row. ``cursors``: the last entry whose
    messages are planned, by table. A cursor never moves back.
    """

    statements: Statements
    messages: Mapping[tuple[int, str], Mapping[str, Any] | None]
    cursors: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class Rename:
    """Store a user's new name at a table."""

    table_id: int
    user_id: int
    name: str


@dataclass(frozen=True, slots=True)
class Erase:
    """Erase a user from every closed table. ``name`` replaces their name; ``{}`` in it becomes their number."""

    user_id: int
    name: str


@dataclass(frozen=True, slots=True)
class Remove:
    """Delete a closed table, except for the removal record."""

    table_id: int
    at: int


Request = Append | Create | Save | Remember | Rename | Erase | Remove
R = TypeVar("R", Append, Create, Save, Remember, Rename, Erase, Remove)

TABLES = "tables"
"""The key in `key_values` that holds the number of tables ever opened."""


class Written(NamedTuple):
    """The result of a request: its table, and the head after each entry written.

    For an `Erase`, ``table_id`` is the number of tables changed. For a `Remove`, ``removal`` is the record.
    """

    table_id: int
    heads: Sequence[Head] = ()
    removal: Removal | None = None


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
    return {person_key(one.number): person_digest(one.salt, one.number, one.user_id) for one in persons}


def commitment_to_place(salt: str, guild_id: int | None, channel_id: int) -> dict[str, str]:
    """Return the commitment to a table's server and channel, by name."""
    return {PLACE: place_digest(salt, guild_id, channel_id)}


def drafts(made: Sequence[Entry], committed: Mapping[str, str]) -> list[Draft]:
    """Return a command's entries as drafts. The first draft carries the commitments."""
    return [draft(entry, {} if index else committed) for index, entry in enumerate(made)]


def draft(entry: Entry, committed: Mapping[str, str] | None = None) -> Draft:
    """Split an entry into its public part and its sealed parts, with fresh salts."""
    public, parts = split(entry)
    sealed: dict[str, Any] = {part: {"salt": fresh_salt(), "data": data} for part, data in parts.items()}
    sealed |= {name: {"digest": digest} for name, digest in (committed or {}).items()}
    return Draft(
        kind=entry.kind,
        subject=entry.subject(),
        version=entry.v,
        public=chain.canonical(public),
        sealed=chain.canonical(sealed).decode() if sealed else None,
        digests=chain.digests_of(sealed),
    )


def is_single(requests: Sequence[Request]) -> bool:
    """Return whether a batch needs only one statement.

    That is true if it only inserts entries (no people, closing, new deadline or snapshot), or only runs the same
    `Save` statement.
    """
    first = requests[0]
    if isinstance(first, Save):
        return all(isinstance(request, Save) and request.statement is first.statement for request in requests)
    return all(
        isinstance(request, Append)
        and not (request.people or request.closes or request.snapshot)
        and request.deadline is UNCHANGED
        for request in requests
    )


def perform(key: Key, connection: Connection, requests: Sequence[Request]) -> list[Written | LedgerError]:
    """Write a batch in the current transaction of ``connection``, and return the result of each request.

    ``key`` makes the seals. The values of a `Save` already have theirs.

    Raises the database's ``IntegrityError`` when any request breaks a constraint; the caller must then roll back.
    """
    answers: dict[int, Written | LedgerError] = {}
    rows = _Rows(key)
    for i, append in _of_type(requests, Append):
        answers[i] = rows.append(append)
    rows.update_tables(connection)  # first: a closing table frees its channel for a new one
    for i, create in _of_type(requests, Create):
        answers[i] = _create(connection, create, rows)
    rows.insert(connection)
    if rows.created:
        _count_tables(key, connection, rows.created)
    for i, request in enumerate(requests):
        if isinstance(request, Rename | Erase | Remove):
            answers[i] = _change(key, connection, request)
    if remembered := _of_type(requests, Remember):
        _remember(key, connection, [request for _, request in remembered])
        answers.update((i, Written(0)) for i, _ in remembered)
    # Callers reuse the same statement object, so grouping by its id lets one execution take many values.
    for _, run in groupby(_of_type(requests, Save), key=lambda item: id(item[1].statement)):
        same = list(run)
        connection.execute(same[0][1].statement, [dict(save.values) for _, save in same])
        answers.update((i, Written(0)) for i, _ in same)
    return [answers[i] for i in range(len(requests))]


def _remember(key: Key, connection: Connection, requests: Sequence[Remember]) -> None:
    """Write the messages and cursors of these requests, with one statement for each kind. Later requests win."""
    changed: dict[tuple[int, str], Mapping[str, Any] | None] = {}
    moved: dict[int, int] = {}
    for request in requests:
        changed.update(request.messages)
        for table_id, seq in request.cursors.items():
            moved[table_id] = max(seq, moved.get(table_id, 0))
    # Sorted: transactions that lock rows in the same order can't deadlock.
    gone = [
        {"at_table": table_id, "about": about}
        for (table_id, about), row in sorted(changed.items(), key=_about)
        if row is None
    ]
    rows = [key.sealed(messages.name, row) for _, row in sorted(changed.items(), key=_about) if row is not None]
    seqs = [key.sealed(cursors.name, {"table_id": table_id, "seq": seq}) for table_id, seq in sorted(moved.items())]
    statements = requests[0].statements
    for statement, values in (
        (statements.forget_message, gone),
        (statements.save_message, rows),
        (statements.set_cursor, seqs),
    ):
        if values:
            connection.execute(statement, values)


def _about(change: tuple[tuple[int, str], object]) -> tuple[int, str]:
    """Return the sort key of a change: its table and subject."""
    return change[0]


def explain(connection: Connection, request: Request) -> LedgerError | None:
    """Return the error for the constraint that a request broke; None when the request can be retried."""
    if isinstance(request, Append):
        return _repeated(connection, request.interaction) or _explain_append(connection, request)
    if isinstance(request, Create):
        return _repeated(connection, request.interaction) or _channel_taken(connection, request.channel_id)
    return None


def find(connection: Connection, request: Request) -> Written | None:
    """Return the result of a request if it was committed, after a commit with an unknown outcome.

    Returns None for idempotent requests, which can simply be repeated. (A repeated `Erase` returns the number of tables
    that the repetition changed.)
    """
    match request:
        case Append():
            return _find_append(connection, request)
        case Create():
            return _find_create(connection, request)
        case Remove():
            return _find_removal(connection, request.table_id)
        case _:
            return None


def _find_append(connection: Connection, request: Append) -> Written | None:
    heads = [Head(row["seq"], row["hash"]) for row in _chained(request.table_id, request.after, request)]
    row = connection.execute(_PLACED, {"of_table": request.table_id, "at_seq": heads[0].seq}).first()
    return Written(request.table_id, heads) if row is not None and row.hash == heads[0].hash else None


def _find_create(connection: Connection, request: Create) -> Written | None:
    """Find a table by its salt, which is unique."""
    place = {"channel": request.channel_id, "salt": request.place_salt}
    row = connection.execute(_OPENED, place).first()
    if row is None:
        return None
    return Written(row.id, [Head(each["seq"], each["hash"]) for each in _chained(row.id, Head(), request)])


def _find_removal(connection: Connection, table_id: int) -> Written | None:
    row = connection.execute(select(removals).where(removals.c.table_id == table_id)).first()
    return Written(table_id, (Head(row.last_seq, row.head),), read_removal(row)) if row else None


def _repeated(connection: Connection, interaction: int | None) -> Repeated | None:
    row = connection.execute(answered(interaction)).first() if interaction is not None else None
    return Repeated(row.table_id, row.seq, row.seq + row.command_size - 1) if row else None


def _channel_taken(connection: Connection, channel_id: int) -> ChannelTaken | None:
    row = connection.execute(_OPEN_IN, {"channel": channel_id}).first()
    return ChannelTaken(row.id) if row else None


def _explain_append(connection: Connection, request: Append) -> LedgerError | None:
    head = _head(connection, request.table_id)
    if not head.seq and not request.after.seq:  # if it had entries before, another process removed it: a lost race
        return NotWritten(f"There is no table {request.table_id}.")
    taken = select(people.c.person).where(
        people.c.table_id == request.table_id,
        people.c.person.in_([one.number for one in request.people])
        | people.c.user_id.in_([one.user_id for one in request.people]),
    )
    if head != request.after or connection.execute(taken).first():
        return LostRace(request.table_id, request.after.seq, head.seq)
    return None


class _Run(NamedTuple):
    """The table of a command and the numbers of its first and last entries."""

    table_id: int
    first_seq: int
    last_seq: int


@dataclass(slots=True)
class _Rows:
    """The rows of a batch, which are inserted together, and the state needed to find conflicts within it."""

    key: Key
    entries: list[dict[str, Any]] = field(default_factory=list)
    people: list[dict[str, Any]] = field(default_factory=list)
    closings: list[dict[str, Any]] = field(default_factory=list)
    deadlines: list[dict[str, Any]] = field(default_factory=list)
    snapshots: list[tuple[int, Save]] = field(default_factory=list)
    heads: dict[int, Head] = field(default_factory=dict)
    interactions: dict[int, _Run] = field(default_factory=dict)
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
            self.closings.append({"of_table": table_id, "new_closed_at": request.at})
        elif not isinstance(request.deadline, Unchanged):
            self.deadlines.append({"of_table": table_id, "new_deadline": request.deadline})
        written = self.add(table_id, head, request)
        if request.snapshot is not None:
            values = {**request.snapshot.values, "hash": self.heads[table_id].hash}
            saved = replace(request.snapshot, values=self.key.sealed(snapshots.name, values))
            self.snapshots.append((table_id, saved))
        return written

    def add(self, table_id: int, head: Head, request: Append | Create) -> Written:
        """Chain a request's entries to ``head`` and collect its rows."""
        heads: list[Head] = []
        for row in _chained(table_id, head, request):
            heads.append(Head(row["seq"], row["hash"]))
            self.entries.append(row)
        if request.interaction is not None:
            self.interactions[request.interaction] = _Run(table_id, heads[0].seq, heads[-1].seq)
        self.heads[table_id] = heads[-1]
        self.taken.update(_places(table_id, request.people))
        self.people.extend(
            self.key.sealed(
                people.name,
                {
                    "table_id": table_id,
                    "person": one.number,
                    "user_id": one.user_id,
                    "name": one.name,
                    "salt": one.salt,
                },
            )
            for one in request.people
        )
        return Written(table_id, heads)

    # Sorted: processes that write rows in the same order can't deadlock.

    def update_tables(self, connection: Connection) -> None:
        if self.closings:
            connection.execute(_CLOSE, sorted(self.closings, key=lambda row: row["of_table"]))
        if self.deadlines:
            connection.execute(_SET_DEADLINE, sorted(self.deadlines, key=lambda row: row["of_table"]))

    def insert(self, connection: Connection) -> None:
        if self.entries:
            self.entries.sort(key=lambda row: (row["table_id"], row["seq"]))
            for row in self.entries:
                ends = self.heads[row["table_id"]].seq == row["seq"]
                row[SEAL] = self.key.seal_head(row["table_id"], row["seq"], row["hash"]) if ends else None
            _insert_entries(connection, self.entries)
        if self.people:
            self.people.sort(key=lambda row: (row["table_id"], row["person"]))
            connection.execute(_INSERT_PERSON, self.people)
        for _, snapshot in sorted(self.snapshots, key=lambda each: each[0]):
            connection.execute(snapshot.statement, dict(snapshot.values))


def _insert_entries(connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert complete rows of entries with the driver's own statement.

    SQLAlchemy would process every value, which takes half as long as the insertion itself.
    """
    dialect: Any = type(connection.dialect)  # mypy considers the class unhashable
    statement, columns = _entry_insertion(dialect)
    connection.exec_driver_sql(statement, list(map(itemgetter(*columns), rows)))


@cache
def _entry_insertion(dialect: type[Dialect]) -> tuple[str, Sequence[str]]:
    """Return a dialect's INSERT statement for an entry, and the columns in the order of its parameters."""
    compiled = insert(entries).compile(dialect=dialect())
    assert compiled.positiontup is not None
    return compiled.string, compiled.positiontup


def _chained(table_id: int, head: Head, request: Append | Create) -> Iterator[dict[str, Any]]:
    """Yield the rows of a request's entries. Only the first has ``interaction`` and ``command_size``."""
    interaction, size = request.interaction, len(request.drafts) if request.interaction is not None else None
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


def _create(connection: Connection, request: Create, rows: _Rows) -> Written | LedgerError:
    if request.interaction in rows.interactions:
        return Repeated(*rows.interactions[request.interaction])
    if taken := _channel_taken(connection, request.channel_id):
        # This same interaction may have opened the table.
        return _repeated(connection, request.interaction) or taken
    made = connection.execute(
        _INSERT_TABLE,
        {
            "guild_id": request.guild_id,
            "channel_id": request.channel_id,
            "place_salt": request.place_salt,
            "game": request.game,
            "name": request.name,
            "deadline": request.deadline,
        },
    )
    rows.created += 1
    return rows.add(made.scalar_one(), Head(), request)


def _count_tables(key: Key, connection: Connection, created: int) -> None:
    """Add to the count of opened tables, which reveals a table that was deleted by hand.

    A count without a valid seal stays as it is, for `bourse verify` to find.
    """
    row = connection.execute(_COUNTED).first()
    if row is None:
        connection.execute(insert(key_values), key.sealed(key_values.name, {"key": TABLES, "value": str(created)}))
    elif key.fits(key_values.name, row._mapping):
        counted = key.change(key_values, row, value=str(int(row.value) + created))
        connection.execute(update(key_values).where(key_values.c.key == TABLES), counted)


def read_removal(row: Row[Any]) -> Removal:
    """Return a stored removal, without its seal."""
    return Removal(row.seq, row.table_id, row.at, row.last_seq, row.head, row.hash)


def _places(table_id: int, persons: Iterable[Newcomer]) -> list[tuple[int, str, int]]:
    """Return the unique keys of these persons: (table, number) and (table, user id)."""
    return [place for one in persons for place in ((table_id, "number", one.number), (table_id, "user", one.user_id))]


def _of_type(requests: Sequence[Request], kind: type[R]) -> list[tuple[int, R]]:
    return [(i, request) for i, request in enumerate(requests) if isinstance(request, kind)]


def _head(connection: Connection, table_id: int) -> Head:
    row = connection.execute(HEAD, {"of_table": table_id}).first()
    return Head(row.seq, row.hash) if row else Head()


def _change(key: Key, connection: Connection, request: Rename | Erase | Remove) -> Written | LedgerError:
    """Change existing rows. If one was changed outside the bot, change nothing and return `Tampered`."""
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
    theirs = (people.c.table_id == request.table_id) & (people.c.user_id == request.user_id)
    for row in connection.execute(select(people).where(theirs).with_for_update()).all():
        connection.execute(update(people).where(theirs), key.change(people, row, name=request.name))
    return Written(request.table_id)


def _erase(key: Key, connection: Connection, request: Erase) -> Written:
    """Erase user and salt. The number stays, so the chain still verifies.

    Also delete everything else stored under the user's id: messages to them, the table chosen for their DMs, their DM
    channel and their silenced calls.
    """
    theirs = (people.c.user_id == request.user_id) & people.c.table_id.in_(_CLOSED)
    found = connection.execute(select(people).where(theirs).with_for_update()).all()
    erased = [key.change(people, row, user_id=None, salt=None, name=request.name.format(row.person)) for row in found]
    for row in erased:
        one = (people.c.table_id == row["table_id"]) & (people.c.person == row["person"])
        connection.execute(update(people).where(one), row)
        to_them = messages.c.subject.endswith(f":{request.user_id}", autoescape=True)
        connection.execute(delete(messages).where(messages.c.table_id == row["table_id"], to_them))
    own = [f"{kept}:{request.user_id}" for kept in ("dm", "dm-channel", "muted")]
    connection.execute(delete(key_values).where(key_values.c.key.in_(own)))
    return Written(len(found))


def _remove(key: Key, connection: Connection, request: Remove) -> Written | LedgerError:
    table_id = request.table_id
    row = connection.execute(select(tables.c.closed_at).where(tables.c.id == table_id)).first()
    last = connection.execute(HEAD, {"of_table": table_id}).first()
    if row is None or row.closed_at is None or last is None:
        return NotWritten(f"There is no closed table {table_id}.")
    head = key.require_head(table_id, last)
    removal = _removal(key, connection, table_id, request.at, head)
    connection.execute(
        insert(removals), key.sealed(removals.name, asdict(removal))
    )  # before the entries: a trigger forbids deleting those of any other table
    for kept in (entries, people, snapshots, messages, cursors):
        connection.execute(delete(kept).where(kept.c.table_id == table_id))
    connection.execute(update(tables).where(tables.c.id == table_id).values(**BLANK, closed_at=request.at))
    return Written(table_id, (head,), removal)


def _removal(key: Key, connection: Connection, table_id: int, at: int, head: Head) -> Removal:
    """Return the record of a table's removal, chained to the last removal. ``head`` is the table's last head."""
    last = connection.execute(_LAST_REMOVAL).first()
    seq, previous = (last.seq + 1, key.require(removals, last).hash) if last else (1, chain.REMOVALS_GENESIS)
    found = chain.link_removal(previous, seq=seq, table_id=table_id, at=at, last_seq=head.seq, head=head.hash)
    return Removal(seq, table_id, at, head.seq, head.hash, found)


_OF_TABLE: BindParameter[int] = bindparam("of_table")
_CLOSED = select(tables.c.id).where(tables.c.closed_at.is_not(None))
_OPEN_IN = select(tables.c.id).where(tables.c.channel_id == bindparam("channel"), tables.c.closed_at.is_(None))
_OPENED = select(tables.c.id).where(
    tables.c.channel_id == bindparam("channel"), tables.c.place_salt == bindparam("salt")
)
_PLACED = select(entries.c.hash).where(entries.c.table_id == _OF_TABLE, entries.c.seq == bindparam("at_seq"))
_LAST_REMOVAL = select(removals).order_by(removals.c.seq.desc()).limit(1)
_COUNTED = select(key_values).where(key_values.c.key == TABLES).with_for_update()
_INSERT_PERSON = insert(people)
_INSERT_TABLE = insert(tables).returning(tables.c.id)
_CLOSE = update(tables).where(tables.c.id == _OF_TABLE).values(closed_at=bindparam("new_closed_at"), deadline=None)
_SET_DEADLINE = update(tables).where(tables.c.id == _OF_TABLE).values(deadline=bindparam("new_deadline"))
