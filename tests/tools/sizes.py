"""Measures a table's size on disk and in memory, and how long the list of all tables takes.

    python -m tests.tools.sizes

For docs/scaling.md. Times are the shortest of several, since other programs can only make them
longer.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import tempfile
import time
import tracemalloc
from collections.abc import Awaitable, Callable
from pathlib import Path

from sqlalchemy import Connection

from bot.ledger import Ledger
from bot.ledger.schema import metadata
from tests.ledger.samples import inside
from tests.postgresql import fresh_database, postgresql
from tests.tools.bench.workload import KEY, bench

TRIES = 5
ENTRIES = 6
"""Entries of a trade."""

LISTED = (
    "INSERT INTO tables (id, guild_id, channel_id, place_salt, game, name, closed_at)"
    " SELECT i, i * 4194304, i, 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'ti4', 'Friday', CASE WHEN i % "
    "10 > 0 THEN 1 END"
    " FROM rows",
    "INSERT INTO entries (table_id, seq, kind, version, at, public, hash) SELECT i, 1, 'k', 1, 1, "
    "'{}', '' FROM rows",
    "INSERT INTO cursors (table_id, seq) SELECT i, 1 FROM rows",
)
"""Many tables with one entry each, all of it delivered. One in ten is open."""


async def room(url: str | Path, tables: int, trades: int) -> str:
    """Return what the entries of real trades take on disk, indexes and snapshots included.

    PostgreSQL frees the room of old versions of rows now and then, here after each quarter, and
    uses it again.
    """
    async with bench(url, tables) as opened:
        sizes = []
        for _ in range(4):
            for _ in range(trades // 4):
                await asyncio.gather(*map(opened.trade, opened.trades))
            await inside(opened.ledger).database.read(_vacuum)
            sizes.append(await inside(opened.ledger).database.read(_bytes))
        made = tables * 3 * (trades // 4)
        grown = (sizes[-1] - sizes[0]) / made
        return f"{grown / ENTRIES:.0f} bytes an entry, {grown:.0f} a trade"


def _vacuum(connection: Connection) -> None:
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql("VACUUM")


def _bytes(connection: Connection) -> int:
    if connection.dialect.name == "sqlite":
        return int(
            connection.exec_driver_sql(
                "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"
            ).scalar_one()
        )
    sizes = " + ".join(f"pg_total_relation_size('{name}')" for name in metadata.tables)
    return int(connection.exec_driver_sql(f"SELECT {sizes}").scalar_one())


async def memory(folder: Path, tables: int) -> str:
    """Return what a table that is kept in memory takes, after two rounds of trades."""
    async with bench(folder, 20) as opened:
        await asyncio.gather(*map(opened.trade, opened.trades))
        gc.collect()
        tracemalloc.start()
        for _ in range(tables):
            table = await opened.add_table()
            for _ in range(8):
                await opened.trade(table)
        gc.collect()
        taken, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return f"{taken / tables / 1000:.0f} kB a table in memory"


async def listing(url: str, tables: int) -> list[str]:
    """Return how long a start, and a look for missed changes, takes with so many tables."""
    ledger = await Ledger.open(url, KEY)
    try:
        await inside(ledger).database.write(lambda connection: _fill(connection, tables))
        looks: dict[str, Callable[[], Awaitable[object]]] = {
            "deadlines": ledger.tables.deadlines,
            "undelivered": ledger.messages.undelivered,
            "heads": ledger.tables.heads,
            "heads of 1 shard in 16": lambda: ledger.tables.heads([3], 16),
        }
        return [
            f"{name}: {await _shortest(look) / tables * 1e6:.2f} s per million tables"
            for name, look in looks.items()
        ]
    finally:
        await ledger.close()


def _fill(connection: Connection, tables: int) -> None:
    if connection.dialect.name == "sqlite":
        some = (
            f"(WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r WHERE i < {tables}) "
            "SELECT i FROM r)"
        )
    else:
        some = f"generate_series(1::bigint, {tables}) AS rows (i)"
    for statement in (*LISTED, "ANALYZE"):
        connection.exec_driver_sql(statement.replace("FROM rows", f"FROM {some}"))


async def _shortest(look: Callable[[], Awaitable[object]]) -> float:
    times = []
    for _ in range(TRIES):
        began = time.perf_counter()
        await look()
        times.append(time.perf_counter() - began)
    return min(times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=40, help="with trades, for the room on disk")
    parser.add_argument("--trades", type=int, default=32, help="at each of them")
    parser.add_argument("--kept", type=int, default=200, help="tables in memory")
    parser.add_argument("--listed", type=int, default=100_000, help="tables in the list")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, postgresql(None) as server:
        here = Path(folder)
        for name, where in (
            ("SQLite", here),
            ("PostgreSQL", fresh_database(server, "bourse_room")),
        ):
            print(f"{name}: {asyncio.run(room(where, options.tables, options.trades))}", flush=True)
        (here / "memory").mkdir()
        print(asyncio.run(memory(here / "memory", options.kept)), flush=True)
        lists = (
            ("SQLite", f"sqlite:///{here}/list.db"),
            ("PostgreSQL", fresh_database(server, "bourse_list")),
        )
        for name, url in lists:
            for line in asyncio.run(listing(url, options.listed)):
                print(f"{name}, {line}", flush=True)


if __name__ == "__main__":
    main()
