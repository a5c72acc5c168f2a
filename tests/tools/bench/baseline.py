"""The baseline of the ledger's benchmarks: plain sqlite3, one connection, one row in a durable
commit.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

ROW = "x" * 300
"""About as much text as an entry's row holds."""


@contextmanager
def plain(folder: Path) -> Iterator[sqlite3.Connection]:
    """Open a database in this folder, with the pragmas of the ledger that decide what a commit
    costs.
    """
    with closing(sqlite3.connect(folder / "plain.db", isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("CREATE TABLE rows (id INTEGER PRIMARY KEY, text TEXT NOT NULL)")
        yield connection


def commits_per_second(connection: sqlite3.Connection, seconds: float) -> float:
    """Insert rows for this many seconds, each in its own commit, and return how many a second were
    durable.
    """
    begun, count = time.perf_counter(), 0
    while time.perf_counter() - begun < seconds:
        connection.execute("INSERT INTO rows (text) VALUES (?)", (ROW,))
        count += 1
    return count / (time.perf_counter() - begun)
