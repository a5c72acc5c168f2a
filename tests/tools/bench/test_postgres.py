"""Tests of the benchmarks on PostgreSQL, also where they can't be measured."""

from __future__ import annotations

import json
from contextlib import AsyncExitStack

import asyncpg  # type: ignore[import-untyped]
import pytest

from bot.ledger import Ledger
from bot.rules.features.offers.entries import Transaction
from tests.postgresql import make_database
from tests.tools.bench import postgres as lines
from tests.tools.bench.measure import Effort
from tests.tools.bench.run import run
from tests.tools.bench.worker import working
from tests.tools.bench.workload import KEY, bench

pytestmark = [pytest.mark.postgres, pytest.mark.long]

EFFORT = Effort(rounds=5, seconds=0, trades=0)


@pytest.fixture
async def url(postgres: str) -> str:
    return await make_database(postgres, "bourse_bench_test")


async def fetched(url: str, query: str) -> object:
    connection = await asyncpg.connect(url)
    try:
        return await connection.fetchval(query)
    finally:
        await connection.close()


async def test_each_row_of_plain_asyncpg_is_a_commit_of_its_own(url: str) -> None:
    async with lines.plain(url) as insert:
        assert await lines.inserts_per_second(insert, 0.05) > 0
    assert (rows := await fetched(url, "SELECT count(*) FROM rows")) > 1  # type: ignore[operator]
    assert await fetched(url, "SELECT count(DISTINCT xmin::text) FROM rows") == rows
    assert await fetched(url, "SELECT min(length(text)) FROM rows") == 300


async def test_trades_on_postgresql_are_those_of_a_file(url: str) -> None:
    async with bench(url, 2) as opened:
        assert await opened.commands_per_second(0) > 0
        for table in opened.trades:
            entries = await opened.ledger.entries.read(table)
            assert (
                sum(isinstance(one.entry, Transaction) for one in entries)
                == opened.trades[table]
                == 1
            )
            assert await opened.ledger.entries.verify(table) is None


async def test_two_processes_trade_at_tables_of_their_own(url: str) -> None:
    async with AsyncExitStack() as stack:
        pair = [await stack.enter_async_context(working(url, 2)) for _ in range(2)]
        assert await lines.together(pair, 0) > 0
        assert await lines.together(pair[:1], 0) > 0
    ledger = await Ledger.open(url, KEY)
    try:
        tables = [row.id for row in await ledger.tables.all_tables()]
        made = [
            await ledger.entries.count(table, until_seq=999, kinds=["offer.transaction"])
            for table in tables
        ]
    finally:
        await ledger.close()
    assert sorted(made) == [1, 1, 2, 2]


async def test_a_server_that_may_lose_commits_is_not_measured(
    postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(
        lines.SERVER, f"{postgres}{'&' if '?' in postgres else '?'}synchronous_commit=off"
    )
    told: list[str] = []
    await run(["postgres"], told.append, json=False, quick=True)
    (text,) = told
    assert text.split(maxsplit=1) == [
        "postgres",
        "skipped: The PostgreSQL server has synchronous_commit off, so its commits are not "
        "durable.",
    ]
    left = "SELECT count(*) FROM pg_database WHERE datname LIKE 'bourse_bench\\_________'"
    assert await fetched(postgres, left) == 0


async def test_where_there_is_no_server_the_line_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(lines.SERVER, "postgresql:///x?host=/nowhere")
    told: list[str] = []
    await run(["postgres"], told.append, json=True, quick=True)
    found = json.loads(told[0])
    assert found["lines"] == []
    assert found["skipped"]["postgres"].startswith("There is no PostgreSQL server: ")
