"""Tests that every statement of the running bot finds its rows by an index.

So a command costs the same however much there is. What reads one row a table of the club, at the
start and when the bot looks for what it missed, is named in `OF_ALL`: it may read these lists, but
still no other.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import orjson
import pytest
from sqlalchemy import Connection, event

from bot.ledger import Ledger, Message
from bot.ledger.engine import PostgreSQL, SQLite
from bot.ledger.schema import metadata
from bot.rules.entries import reference
from bot.service import Filter, Shards
from bot.service.requests import Requester
from tests.ledger.samples import engines, execute, inside
from tests.scale import variants
from tests.tools.bench.workload import Bench, bench

BIG = ("entries", "people", "messages", "snapshots", "cursors", "key_values", "removals", "tables")

OF_ALL = {"heads": {"tables"}, "undelivered": {"tables", "cursors", "removals"}}
"""What is about all tables of the club may read these, which have one short row for each."""

SHORT = re.compile("messages_owed|tables_by_deadline")
"""Indexes of those rows only that a start looks for: they may be read from end to end."""

BY_KIND = "entries_by_kind (table_id=? AND kind=?"

ROWS = 5_000
"""So many rows make PostgreSQL prefer an index."""

MANY = f"FROM generate_series(1001, {1000 + ROWS}) AS rows (i)"

FILLED = (
    "INSERT INTO tables (id, guild_id, channel_id, place_salt, game, name, closed_at, deadline)"
    " SELECT i, i, i, '', 'ti4', 'x', CASE WHEN i % 2 = 0 THEN 1 END, CASE WHEN i % 9 = 0 THEN i "
    "END FROM rows",
    "INSERT INTO entries (table_id, seq, kind, version, at, public, hash, interaction)"
    " SELECT i, 1, 'k', 1, 1, '{}', i, i FROM rows",
    "INSERT INTO people (table_id, person, user_id, name) SELECT i, 1, i, 'x' FROM rows",
    "INSERT INTO messages"
    " (table_id, subject, channel_id, message_id, shown, fate, entry, generation, anchor, at, "
    "reason)"
    " SELECT i, 'board', i, i, '', 'shown', 1, 1, '', 1, '' FROM rows",
    "INSERT INTO snapshots (table_id, seq, hash, channel_id, people, state) SELECT i, 1, '', i, 1, "
    "'' FROM rows",
    "INSERT INTO cursors (table_id, seq) SELECT i, 1 FROM rows",
    "INSERT INTO key_values (key, value) SELECT 'dm:' || i, '' FROM rows",
    "INSERT INTO removals (seq, table_id, at, last_seq, head, hash) SELECT i, i, 1, 1, '', '' FROM "
    "rows",
    "ANALYZE",
)
"""Rows of many other tables. On SQLite there are none: it plans without counting rows."""

ALL_OF_ONE = re.compile(r"(?s)(?!.*(\bLIMIT\b|\b(max|min)\()).*\bFROM entries\b")
"""Statements that read entries and do not stop at the first one."""

NOT_READ = re.compile(r"\s*(BEGIN|SET|SHOW|PRAGMA|SAVEPOINT|RELEASE|SELECT pg_|select pg_)")

MINE = Requester(1, "player 1", guild_id=1)


@dataclass
class Statement:
    text: str
    values: Any


@dataclass
class Plan:
    """The big tables that a statement reads from end to end, and the whole plan.

    ``all_of_one``: it reads all entries of one table, whose number grows too.
    """

    whole: set[str] = field(default_factory=set)
    all_of_one: bool = False
    lines: list[str] = field(default_factory=list)


@pytest.fixture
async def opened(url: str) -> AsyncIterator[Bench]:
    """A table with trades, and entries beyond a snapshot."""
    async with bench(url, 1) as made:
        for table in made.trades:
            for _ in range(15):
                await made.trade(table)
        if isinstance(inside(made.ledger).database, PostgreSQL):
            await execute(made.ledger, *(each.replace("FROM rows", MANY) for each in FILLED))
        yield made


@contextmanager
def captured(ledger: Ledger) -> Iterator[list[Statement]]:
    """The statements that are executed in this block, each once."""
    seen: dict[str, Statement] = {}

    def statement(
        _c: object, _cursor: object, words: str, values: Any, _context: object, many: bool
    ) -> None:
        if not NOT_READ.match(words):
            seen.setdefault(words, Statement(words, values[0] if many else values))

    found: list[Statement] = []
    for engine in engines(ledger):
        event.listen(engine, "before_cursor_execute", statement)
    try:
        yield found
    finally:
        found += seen.values()
        for engine in engines(ledger):
            event.remove(engine, "before_cursor_execute", statement)


async def plan(ledger: Ledger, statement: Statement) -> Plan:
    """How the database would execute a statement if its tables were big."""
    how = _plan_sqlite if isinstance(inside(ledger).database, SQLite) else _plan_postgresql
    return await inside(ledger).database.read(lambda connection: how(connection, statement))


def _plan_sqlite(connection: Connection, statement: Statement) -> Plan:
    rows = connection.exec_driver_sql(
        f"EXPLAIN QUERY PLAN {statement.text}", statement.values
    ).all()
    found = Plan(lines=[row.detail for row in rows])
    names = {name: name for name in BIG} | dict(re.findall(r"\b(\w+) AS (\w+)", statement.text))
    for detail in found.lines:
        # "SEARCH entries USING PRIMARY KEY (table_id=?)" finds rows; "SCAN entries" reads all, with
        # an index or without
        scan = re.match(r"SCAN (\w+)", detail)
        if scan and not SHORT.search(detail):
            name = scan[1]
            if names.get(name, name) in BIG:
                found.whole.add(name)
        found.all_of_one |= bool(re.match(r"SEARCH entries(_1)? .*\(table_id=\?\)$", detail))
        # which are wanted is known already, and still all entries up to one are read
        up_to = re.match(r"SEARCH entries .*\(table_id=\? AND seq<\?\)$", detail)
        found.all_of_one |= bool(up_to and "entries.seq IN (" in statement.text)
    found.all_of_one &= ALL_OF_ONE.match(statement.text) is not None
    # Without the index it would go through the table's life in search of a kind.
    found.all_of_one |= "entries.kind = " in statement.text and not any(
        BY_KIND in detail for detail in found.lines
    )
    return found


def _plan_postgresql(connection: Connection, statement: Statement) -> Plan:
    explained = f"EXPLAIN (FORMAT JSON) {statement.text}"
    answer = connection.exec_driver_sql(explained, statement.values).scalar_one()
    found = Plan()
    _walk(answer if isinstance(answer, list) else orjson.loads(answer), found)
    found.all_of_one &= ALL_OF_ONE.match(statement.text) is not None
    return found


def _walk(node: Any, found: Plan) -> None:
    if isinstance(node, list):
        for each in node:
            _walk(each, found)
        return
    if not isinstance(node, dict):
        return
    if name := node.get("Relation Name"):
        found.lines.append(
            f"{node['Node Type']} {name} {node.get('Index Name', '')} {node.get('Index Cond', '')}"
        )
        # a bitmap scan has its condition a level below
        reads = node["Node Type"] in ("Seq Scan", "Index Scan", "Index Only Scan")
        if reads and "Index Cond" not in node and not SHORT.match(node.get("Index Name", "")):
            found.whole.add(name)
    condition = node.get("Index Cond", "")
    if (node.get("Relation Name") or node.get("Index Name", "")).startswith("entries"):
        found.all_of_one |= "table_id" in condition and " AND " not in condition
    for value in node.values():
        _walk(value, found)


def message(subject: str) -> Message:
    return Message(subject, 1, 2, shown="{}", fate="shown", entry=1, at=1)


async def trade(opened: Bench, table: int) -> None:
    await opened.trade(table)


async def wake(opened: Bench, table: int) -> None:
    opened.restart()
    await opened.trade(table)


async def deliver(opened: Bench, table: int) -> None:
    ledger = opened.ledger
    await ledger.messages.of_table(table)
    await ledger.messages.cursor(table)
    await ledger.messages.save(
        table, [message("board"), message("offer:1")], forgotten=["offer:2"], cursor=1
    )
    assert await opened.service.briefing(table, 0) is not None


async def page(opened: Bench, table: int) -> None:
    seq = (await opened.ledger.entries.head(table)).seq
    look = partial(opened.service.history, table, MINE, until_seq=seq, size=5)
    await look(filter=Filter(), page=2)
    await look(filter=Filter(kind="offer"), page=1, begun=True)
    await look(filter=Filter(person=1), page=1, begun=True)
    await look(filter=Filter(offer=1), page=1, begun=True)
    await opened.service.deals(table, MINE)
    await opened.service.transactions(table, MINE)


async def answer(opened: Bench, table: int) -> None:
    ledger = opened.ledger
    await opened.service.view(table, MINE, offers=[1])
    await opened.service.tables_of(MINE)
    await opened.service.table_at(1, MINE)
    await opened.service.last_table_at(1, MINE)
    await opened.service.last_closed_at(1, MINE)
    await opened.service.dm_choice(MINE)
    await opened.service.muted(MINE)
    await opened.service.known_at(MINE)
    await ledger.tables.recorded_by(1, 1)
    await ledger.entries.answered(5)
    await ledger.entries.read_subjects(table, [reference("offer", 1), reference("offer", 2)])
    await ledger.tables.deadline(table)
    await ledger.set_key_value("dm:1", "1")


async def open_one(opened: Bench, table: int) -> None:
    await opened.add_table()
    await opened.ledger.tables.open_tables_on(1)


async def deadlines(opened: Bench, table: int) -> None:
    await opened.service.deadlines()


async def heads(opened: Bench, table: int) -> None:
    await opened.service.heads(Shards())
    await opened.service.heads(Shards((1, 2), 4))


async def undelivered(opened: Bench, table: int) -> None:
    await opened.service.undelivered()


ACTS: Sequence[Callable[[Bench, int], Awaitable[None]]] = (
    trade,
    wake,
    deliver,
    page,
    answer,
    open_one,
    deadlines,
    heads,
    undelivered,
)


async def slow(opened: Bench) -> dict[str, list[str]]:
    """The statements that read more than they need to, with their plans."""
    (table,) = opened.trades
    found = {}
    for act in ACTS:
        with captured(opened.ledger) as statements:
            await act(opened, table)
        assert statements
        for each in statements:
            how = await plan(opened.ledger, each)
            if how.whole - OF_ALL.get(act.__name__, set()) or how.all_of_one:
                found[each.text] = how.lines
    return found


async def test_every_statement_finds_its_rows_by_an_index(opened: Bench) -> None:
    assert await slow(opened) == {}


ALL_INDEXES = chain.from_iterable(table.indexes for table in metadata.tables.values())
INDEXES = {str(index.name) for index in ALL_INDEXES}


# that is a rule
@pytest.mark.parametrize("index", variants(*sorted(INDEXES - {"one_open_table_per_channel"})))
async def test_no_index_can_be_lost_unseen(index: str, file: Path) -> None:
    async with bench(file.parent, 1) as opened:
        for _ in range(4):
            await opened.trade(1)
        await execute(opened.ledger, f"DROP INDEX {index}")
        assert await slow(opened) or await slow_triggers(opened)


def trigger_statements(connection: Connection) -> list[Statement]:
    """What the triggers on entries ask and change for each new row, with numbers in place of its
    columns.
    """
    if connection.dialect.name == "sqlite":
        query = "SELECT sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'entries'"
    else:
        query = "SELECT prosrc FROM pg_proc WHERE proname = 'entries_follow'"
    found = []
    for code in connection.exec_driver_sql(query).scalars():
        inner = re.sub(r"\b(NEW|OLD)\.\w+", "5", code)
        found += re.findall(r"EXISTS\s+\((SELECT [^()]*)\)", inner) + re.findall(
            r"\b(UPDATE entries SET [^;]*)", inner
        )
    return [Statement(each, ()) for each in found]


async def slow_triggers(opened: Bench) -> dict[str, list[str]]:
    statements = await inside(opened.ledger).database.read(trigger_statements)
    assert len(statements) >= 3
    plans = {each.text: await plan(opened.ledger, each) for each in statements}
    return {words: found.lines for words, found in plans.items() if found.whole}


async def test_so_do_the_triggers(opened: Bench) -> None:
    assert await slow_triggers(opened) == {}
