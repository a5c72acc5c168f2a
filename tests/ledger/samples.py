"""Entries and databases for the ledger's tests."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, Executable, Row, event, text

from bot.ledger import BadEntry, Head, Ledger, Person, Snapshot
from bot.ledger.access import Access
from bot.ledger.batch import Save
from bot.ledger.engine import PostgreSQL, SQLite
from bot.ledger.schema import snapshots
from bot.rules.entries import Entry, Recorded
from bot.rules.features.holdings import Gained
from bot.rules.features.offers.entries import Period, Signed
from bot.rules.features.tables import TableClosed
from bot.rules.model.goods import Change, Goods
from tests.postgresql import fresh_database  # noqa: F401  (for the tests of several folders)

AT = 1_700_000_000_000
CHANNEL = 2**62 + 3  # Discord's ids are 64 bits wide
ALICE = Person(1, 2**61 + 1, "Alice")
BOB = Person(2, 2**61 + 2, "Bob")


def gained(seat: str = "hacan") -> Entry:
    goods = Change(gained=Goods({"trade_good": 2}))
    return Gained(seat=seat, changes={seat: goods})


def hidden(secret: str = "salt") -> Entry:
    """An entry with something sealed for its parties."""
    goods = Change(gained=Goods({secret: 3}))
    return Gained(seat="crete", hidden={"crete": goods})


def signed(offer: int = 1) -> Entry:
    period = Period("turn", "action", "sol")
    return Signed(offer=offer, revision=1, seat="sol", window=4, during=period)


async def new_table(
    ledger: Ledger,
    *,
    guild: int | None = 2**60,
    channel: int = CHANNEL,
    entries: Sequence[Entry] | None = None,
    people: Sequence[Person] = (ALICE,),
    interaction: int | None = None,
    deadline: int | None = None,
) -> tuple[int, list[Recorded]]:
    return await ledger.entries.create_table(
        guild_id=guild,
        channel_id=channel,
        game="ti4",
        name="Friday",
        entries=[gained()] if entries is None else entries,
        at=AT,
        by=1,
        people=people,
        interaction=interaction,
        deadline=deadline,
    )


async def new_tables(ledger: Ledger, *channels: int) -> list[int]:
    return [(await new_table(ledger, channel=channel))[0] for channel in channels]


async def faults(ledger: Ledger, *tables: int) -> list[BadEntry | None]:
    """What is wrong with each table; None for a sound one."""
    return [await ledger.entries.verify(table) for table in tables]


async def head_at(ledger: Ledger, table: int, seq: int) -> Head:
    """The table's head as it was after an entry; an invented one where there is no such entry."""
    found = await ledger.entries.read(table, after=seq - 1, until_seq=seq)
    return Head(seq, found[0].hash if found else "00" * 32)


async def add(
    ledger: Ledger,
    table: int,
    *entries: Entry,
    after: Head | None = None,
    closes: bool = False,
    **more: Any,
) -> list[Recorded]:
    """Append entries, or a signature or the closing, after the head that is given or the one there
    is now.
    """
    after = after or await ledger.entries.head(table)
    made = list(entries)
    if closes:
        made.append(TableClosed())
    values = {"at": AT, "by": 1} | more
    return await ledger.entries.append(table, after, made or [signed()], **values)


async def save_snapshot(ledger: Ledger, table: int, seq: int, text: str) -> None:
    """Store a state as the bot would after an entry, unless the stored one is as new or newer."""
    row = await ledger.tables.table(table)
    assert row is not None
    last_person = max(person.number for person in await ledger.tables.people(table))
    saved = Snapshot(text, row.guild_id, row.channel_id, last_person)
    head = await head_at(ledger, table, seq)
    values = {"table_id": table} | head._asdict() | saved._asdict()
    sealed = inside(ledger).key.sealed("snapshots", values)
    await inside(ledger).write(Save(snapshots, sealed))


async def deadlines(ledger: Ledger) -> list[tuple[int, int]]:
    """Tables and their deadlines, the earliest first."""
    return [(each.table_id, each.at) for each in await ledger.tables.deadlines()]


@contextmanager
def executed(ledger: Ledger) -> Iterator[list[str]]:
    """The statements that read or change rows, as a ledger executes them in this block."""
    seen: list[str] = []

    def note(_connection: object, _cursor: object, words: str, *_more: object) -> None:
        if words.split(maxsplit=1)[0] in ("SELECT", "INSERT", "UPDATE", "DELETE"):
            seen.append(words)

    for engine in engines(ledger):
        event.listen(engine, "before_cursor_execute", note)
    try:
        yield seen
    finally:
        for engine in engines(ledger):
            event.remove(engine, "before_cursor_execute", note)


def inside(ledger: Ledger) -> Access:
    """Return the database, the writer and the key of a ledger, which only tests reach for."""
    return ledger._access


def in_file(ledger: Ledger) -> SQLite:
    """Return the database of a ledger in SQLite."""
    assert isinstance(inside(ledger).database, SQLite)
    return inside(ledger).database  # type: ignore[return-value]


def on_server(ledger: Ledger) -> PostgreSQL:
    """Return the database of a ledger on PostgreSQL."""
    assert isinstance(inside(ledger).database, PostgreSQL)
    return inside(ledger).database  # type: ignore[return-value]


async def execute(ledger: Ledger, *statements: str) -> None:
    """Execute statements on the connection that writes."""

    def work(connection: Connection) -> None:
        for statement in statements:
            connection.exec_driver_sql(statement)

    await inside(ledger).database.write(work)


async def fetch(ledger: Ledger, query: str | Executable) -> Sequence[Row[Any]]:
    """Return the rows of a query."""
    asked = text(query) if isinstance(query, str) else query
    return await inside(ledger).database.read(lambda connection: connection.execute(asked).all())


def by_hand(file: Path, *statements: str, parameters: Sequence[Any] = ()) -> None:
    """Change a database as somebody with a shell would, triggers out of the way."""
    with closing(sqlite3.connect(file)) as connection, connection:
        for name in ("update", "delete", "replace"):
            connection.execute(f"DROP TRIGGER IF EXISTS entries_no_{name}")
        for statement in statements:
            connection.execute(statement, parameters)


def engines(ledger: Ledger) -> list[Engine]:
    """The engines that execute a ledger's statements, to listen to."""
    if isinstance(inside(ledger).database, SQLite):
        return [in_file(ledger).writing, in_file(ledger).reading]
    return [on_server(ledger).writing.sync_engine, on_server(ledger).reading.sync_engine]
