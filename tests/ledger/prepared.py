"""Empty databases that are up to date.

Copying a SQLite file takes a sixth of the time of making one; emptying a database on PostgreSQL, a
tenth.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import shutil
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from bot.ledger import Ledger
from bot.ledger.schema import metadata
from tests.postgresql import fresh_database

DATABASES = ["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)]
"""The kinds of database, as a fixture's parameters."""

WORKER = os.environ.get("PYTEST_XDIST_WORKER", "alone")
"""Tests that run at the same time on one server have databases of their own."""


def prepared(file: Path) -> Path:
    """Put an empty database here, with its key beside it, unless there is one. Return the file."""
    if file.exists():
        return file
    made = Path(_folder().name) / "bourse.db"
    shutil.copy(f"{made}.key", f"{file}.key")
    return Path(shutil.copy(made, file))


def emptied(server: str) -> str:
    """Return the address of an empty database on a PostgreSQL server: the same one each time.

    Whoever is still connected to it is cut off. A test that changes more than rows takes a
    `fresh_database`. Runs an event loop of its own: inside another, use a thread.
    """
    url = _made(server)
    asyncio.run(_empty(url))
    return url


@cache
def _folder() -> TemporaryDirectory[str]:
    """Make the database that is copied, once in this process."""
    folder = TemporaryDirectory(prefix="bourse-prepared-")
    with ThreadPoolExecutor(1) as thread:  # an event loop may be running in this one
        thread.submit(asyncio.run, _make(f"sqlite:///{folder.name}/bourse.db")).result()
    return folder


@cache
def _made(server: str) -> str:
    """Make the database that is emptied, once in this process."""
    url = fresh_database(server, f"bourse_{WORKER}")
    asyncio.run(_make(url, secrets.token_hex(32)))  # with the rows, its mark goes too
    return url


async def _make(url: str, key: str | None = None) -> None:
    await (await Ledger.open(url, key)).close()


async def _empty(url: str) -> None:
    import asyncpg  # type: ignore[import-untyped]

    connection = await asyncpg.connect(url)
    try:
        await connection.execute(_CUT_OFF)
        await connection.execute(_EMPTY)
    finally:
        await connection.close()


CUT_OFF_CLAIMS = """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND application_name LIKE 'bourse %'
"""
"""Ends the connections by which bots on a database hold their shards."""

_CUT_OFF = """
    SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()
"""

# Its triggers forbid to take entries away. TRUNCATE would make new files, which the server must
# sync when it stops.
_EMPTY = "".join(
    (
        "ALTER TABLE entries DISABLE TRIGGER USER;",
        *(f"DELETE FROM {table.name};" for table in reversed(metadata.sorted_tables)),
        "SELECT setval(seqrelid, seqstart, false) FROM pg_sequence;",
        # several statements at once are one transaction
        "ALTER TABLE entries ENABLE TRIGGER USER;",
    )
)
