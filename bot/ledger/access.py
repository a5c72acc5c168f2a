"""What the rooms of an open ledger share: reading rows, checking their seals, and writing
requests.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import Connection, CursorResult, Executable, Table
from sqlalchemy.dialects import sqlite
from sqlalchemy.exc import SQLAlchemyError

from bot.ledger.engine import Database, reason
from bot.ledger.errors import Damaged, LedgerError, Tampered
from bot.ledger.health import Trouble, trouble_of
from bot.ledger.keys import AnyRow, Key
from bot.ledger.schema import Query, cursors, snapshots
from bot.ledger.values import Head, Removal
from bot.ledger.writer import Writer

log = logging.getLogger(__name__)

T = TypeVar("T")

PAGE = 500
"""Rows that are fetched, or kept in memory by a reader of a whole table, at once."""


class Written(NamedTuple):
    """The result of a request: its table, and the head after each entry written.

    ``erased``: the number of tables that an erasure changed. ``removal``: the record of a removal.
    """

    table_id: int = 0
    heads: Sequence[Head] = ()
    erased: int = 0
    removal: Removal | None = None


class Access:
    """An open database with its writer and its key. Every method that reads or writes may raise
    `LedgerError`.
    """

    def __init__(self, database: Database, writer: Writer[Any, Written], key: Key) -> None:
        self.database = database
        self.writer = writer
        self.key = key
        # the table of each `Tampered` that was logged, by message
        self._logged: dict[str, int | None] = {}

    async def run(self, work: Callable[[Connection], T]) -> T:
        """Run ``work`` on a connection for reading, and return its result."""
        try:
            return await self.database.read(work)
        except (SQLAlchemyError, OSError) as error:
            if trouble_of(error) is Trouble.DAMAGED:
                raise Damaged(f"The database is damaged: {reason(error)}.") from error
            raise LedgerError(f"The ledger could not be read: {reason(error)}.") from error

    async def all(self, query: Query, values: Mapping[str, Any] | None = None) -> Sequence[AnyRow]:
        return await self.run(lambda connection: fetched(connection.execute(query, values)))

    async def first(self, query: Query) -> AnyRow | None:
        rows = await self.all(query.limit(1))
        return rows[0] if rows else None

    async def scalar(self, query: Query) -> int | None:
        return await self.run(lambda connection: connection.scalar(query))

    async def sealed(self, table: Table, query: Query) -> Sequence[AnyRow]:
        """Return the rows of a database table. Raises `Tampered` unless all their seals are
        valid.
        """
        rows = await self.all(query)
        try:
            return [self.key.require(table, row) for row in rows]
        except Tampered as error:
            raise self.stop(error) from None

    async def write(
        self, request: object, then: Callable[[Written], object] | None = None
    ) -> Written:
        """Write a request, as `Writer.write` does. Raises also `Tampered`."""
        try:
            return await self.writer.write(request, then)
        except Tampered as error:
            raise self.stop(error) from None

    def stop(self, error: Tampered) -> Tampered:
        """Log the error once. Nothing more is appended to the table until the database is
        reopened.
        """
        if str(error) not in self._logged:
            log.critical(
                "%s Until that is fixed and I am restarted, I record nothing there.", error
            )
            self._logged[str(error)] = error.table_id
        return error

    def is_stopped(self, table_id: int) -> bool:
        """Return whether data was found at this table that the bot did not write."""
        return table_id in self._logged.values()


def fetched(result: CursorResult[Any]) -> Sequence[AnyRow]:
    """Return all rows of a result. They are fetched in pages, so that other threads can run."""
    rows = list(result.fetchmany(PAGE))
    some = len(rows)
    while some == PAGE:
        more = result.fetchmany(PAGE)
        rows += more
        some = len(more)
    result.close()
    return rows


def insert(dialect: str, table: Table) -> Any:
    """Return the INSERT of a dialect, which says what happens to a row with the same key."""
    if dialect == "sqlite":
        return sqlite.insert(table)
    from sqlalchemy.dialects import postgresql

    return postgresql.insert(table)


@cache
def upsert(dialect: str, table: Table) -> Executable:
    """Return the statement that stores a row, or replaces the row with the same key.

    A cursor or snapshot is replaced only by one with a later entry. The same statement is returned
    every time, so that a batch runs it once with many values.
    """
    new = insert(dialect, table)
    statement: Executable = new.on_conflict_do_update(
        index_elements=list(table.primary_key.columns),
        set_={
            column.name: new.excluded[column.name]
            for column in table.columns
            if not column.primary_key
        },
        where=new.excluded.seq > table.c.seq if table in (cursors, snapshots) else None,
    )
    return statement
