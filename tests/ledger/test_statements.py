"""Tests of a write's costs: its statements and commits."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest
from sqlalchemy import Connection, event, text

from bot.ledger import Ledger, LedgerError, NotWritten, OutcomeUnknown
from bot.ledger.claims import claimed
from bot.ledger.engine import CONNECTIONS
from bot.ledger.writer import Writer
from tests.ledger.prepared import emptied
from tests.ledger.samples import (
    BOB,
    add,
    executed,
    fetch,
    inside,
    new_table,
    new_tables,
    on_server,
    signed,
)


def begin(statements: list[str]) -> list[str]:
    """Return the first words of statements."""
    first = []
    for statement in statements:
        words = statement.split()
        first.append(" ".join(words[:3]) if words[0] == "INSERT" else words[0])
    return first


async def test_an_append_is_one_insert(both: Ledger) -> None:
    table, _ = await new_table(both)
    head = await both.entries.head(table)
    with executed(both) as statements:
        await add(both, table, signed(), signed(), after=head, interaction=5)
    assert begin(statements) == ["INSERT INTO entries"]


async def test_what_an_append_brings_beside_its_entries(both: Ledger) -> None:
    table, _ = await new_table(both)
    head = await both.entries.head(table)
    with executed(both) as statements:
        await add(both, table, after=head, people=[BOB], deadline=7, interaction=5)
    assert begin(statements) == ["UPDATE", "INSERT INTO entries", "INSERT INTO people"]


async def test_fifty_appends_are_one_insert(both: Ledger) -> None:
    tables = await new_tables(both, *range(50))
    heads = [await both.entries.head(table) for table in tables]
    made = (
        add(both, table, after=head, interaction=table)
        for table, head in zip(tables, heads, strict=True)
    )
    with executed(both) as statements:
        await asyncio.gather(*made)
    assert begin(statements) == ["INSERT INTO entries"]


@pytest.mark.postgres
async def test_on_postgresql_it_is_one_round_trip(postgres: str) -> None:
    url = await asyncio.to_thread(emptied, postgres)
    ledger = await Ledger.open(url)
    table, _ = await new_table(ledger)
    await add(ledger, table)  # so that the statement is prepared
    head = await ledger.entries.head(table)
    kept = on_server(ledger)._connections[True]
    driver = (await kept.get_raw_connection()).driver_connection
    assert driver is not None
    queries: list[str] = []
    with driver.query_logger(lambda record: queries.append(record.query.split()[0])):
        await add(ledger, table, signed(), signed(), after=head)
    assert queries == ["INSERT"]
    await ledger.set_key_value("a", "b")
    queries.clear()
    with driver.query_logger(lambda record: queries.append(record.query.split()[0])):
        await asyncio.gather(*(ledger.set_key_value(key, "c") for key in "abc"))
    assert queries == ["INSERT"]
    await ledger.close()


@pytest.mark.postgres
async def test_on_postgresql_nothing_is_asked_before_a_look(postgres: str) -> None:
    url = await asyncio.to_thread(emptied, postgres)
    ledger = await Ledger.open(url)
    table, _ = await new_table(ledger)
    queries: list[str] = []

    def listen(connection: Any, *_more: object) -> None:
        connection.driver_connection.add_query_logger(
            lambda record: queries.append(record.query.split()[0])
        )

    event.listen(on_server(ledger).reading.sync_engine, "connect", listen)
    await asyncio.gather(
        *(ledger.entries.head(table) for _ in range(20))
    )  # on every connection, so that it is prepared
    await asyncio.sleep(0)
    queries.clear()
    await ledger.entries.head(table)
    await asyncio.sleep(0)
    await ledger.close()
    assert queries == []  # asyncpg tells only of what is not prepared, such as a ping


@pytest.mark.postgres
async def test_it_takes_seven_connections_at_most(postgres: str) -> None:
    url = await asyncio.to_thread(emptied, postgres)
    ledger = await Ledger.open(url)
    async with claimed(url, [0], 1, print):
        table, _ = await new_table(ledger)
        await add(ledger, table, deadline=5)
        await add(ledger, table)
        counts = [inside(ledger).run(_connections) for _ in range(50)]
        most = max(await asyncio.gather(*counts))
    assert most == CONNECTIONS == 7
    await ledger.close()


def _connections(connection: Connection) -> int:
    query = (
        "SELECT count(*), pg_sleep(0.01) FROM pg_stat_activity WHERE datname = current_database()"
    )
    query += " AND backend_type = 'client backend'"  # the server's own workers come and go
    return int(connection.execute(text(query)).scalar_one())


@pytest.mark.postgres
async def test_a_server_that_hung_up_meanwhile_is_called_again(postgres: str) -> None:
    url = await asyncio.to_thread(emptied, postgres)
    ledger, other = await Ledger.open(url), await Ledger.open(url)
    table, _ = await new_table(ledger)
    for more in ({}, {"deadline": 5}):  # on either of its connections that write
        await add(ledger, table, **more)
        head = await ledger.entries.head(table)
        await fetch(
            other,
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()",
        )
        await asyncio.sleep(0.1)
        assert len(await add(ledger, table, after=head, **more)) == 1
        assert (await ledger.entries.head(table)).seq == head.seq + 1
    assert await ledger.entries.verify(table) is None
    await ledger.close()
    await other.close()


@pytest.mark.postgres
@pytest.mark.parametrize(("single", "calls"), [(True, 1), (False, 2)])
async def test_a_server_that_hangs_up_in_the_middle(
    postgres: str, single: bool, calls: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A statement that is its own commit may have been written: only within a transaction is it
    known not to be.
    """
    monkeypatch.setattr("bot.ledger.writer.UNKNOWN_FOR", 0)
    url = await asyncio.to_thread(emptied, postgres)
    ledger = await Ledger.open(url)
    tried = 0

    def perform(connection: Connection, requests: Sequence[str]) -> list[str | LedgerError]:
        nonlocal tried
        tried += 1
        connection.execute(text("SELECT pg_terminate_backend(pg_backend_pid())"))
        return list(requests)

    writer = Writer(
        on_server(ledger),
        perform,
        lambda _connection, _request: None,
        single=lambda _requests: single,
    )
    writer.start()
    with pytest.raises(OutcomeUnknown if single else NotWritten):
        await writer.write("a")
    assert tried == calls
    await writer.close()
    await ledger.close()
