"""Reports new ledger entries, over a separate read-only connection.

It reads the stored rows instead of asking the bot, since a play's `records` is about durable
entries.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import Any

from sqlalchemy import URL, select

from bot.ledger.engine import address
from bot.ledger.schema import entries

_HEADS = "SELECT table_id, max(seq) FROM entries GROUP BY table_id"
_NEW = "SELECT kind FROM entries WHERE table_id = ? AND seq > ? ORDER BY seq"


class _InFile:
    """Watches SQLite. The file's change counter tells cheaply if nothing was written."""

    def __init__(self, where: URL) -> None:
        self._connection = sqlite3.connect(str(where.database), isolation_level=None)
        self._connection.execute("PRAGMA query_only = ON")
        self._version = -1
        self._heads: dict[int, int] = {}

    async def new_kinds(self) -> tuple[str, ...]:
        """Return the kinds of the entries written since the last call, table by table."""
        version = self._rows("PRAGMA data_version")[0][0]
        if version == self._version:
            return ()
        self._version = version
        kinds: list[str] = []
        for table, head in self._rows(_HEADS):
            before = self._heads.get(table, 0)
            if head > before:
                kinds += [str(row[0]) for row in self._rows(_NEW, table, before)]
                self._heads[table] = head
        return tuple(kinds)

    def _rows(self, query: str, *values: int) -> list[Any]:
        with closing(self._connection.execute(query, values)) as cursor:
            return cursor.fetchall()

    async def close(self) -> None:
        self._connection.close()


class _OnServer:
    """Watches PostgreSQL, through the bot's driver."""

    def __init__(self, where: URL) -> None:
        from sqlalchemy.ext.asyncio import create_async_engine

        self._engine = create_async_engine(where, isolation_level="AUTOCOMMIT", pool_size=1)
        self._seen: dict[int, int] = {}

    async def new_kinds(self) -> tuple[str, ...]:
        rows = entries.c.table_id, entries.c.seq, entries.c.kind
        query = select(*rows).order_by(entries.c.table_id, entries.c.seq)
        for table, head in self._seen.items():
            query = query.where((entries.c.table_id != table) | (entries.c.seq > head))
        async with self._engine.connect() as connection:
            found = (await connection.execute(query)).all()
        for table, seq, _ in found:
            self._seen[table] = seq
        return tuple(kind for _, _, kind in found)

    async def close(self) -> None:
        await self._engine.dispose()


LedgerWatch = _InFile | _OnServer
"""Reports the entries written since the last call."""


async def watch(url: str) -> LedgerWatch:
    """Watch the ledger at a database URL. Existing entries are not reported."""
    where = address(url)
    watching = _InFile(where) if where.get_backend_name() == "sqlite" else _OnServer(where)
    await watching.new_kinds()
    return watching
