"""From an address to two SQLAlchemy engines: one writes, one transaction after another, the other reads."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import URL, event, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from bot.ledger.errors import LedgerError

BUSY_MS = 5000
"""How long SQLite waits for another process's transaction."""

_PRAGMAS = (
    f"PRAGMA busy_timeout = {BUSY_MS}",
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",  # what was announced survives power loss
    "PRAGMA foreign_keys = ON",
    "PRAGMA recursive_triggers = ON",  # REPLACE deletes, and then asks the triggers too
)


@dataclass(frozen=True, slots=True)
class Engines:
    """Two ways into one database."""

    writing: AsyncEngine
    reading: AsyncEngine

    async def dispose(self) -> None:
        """Close every connection."""
        await self.reading.dispose()
        await self.writing.dispose()


def address(url: str) -> URL:
    """The database that ``url`` means: ``sqlite:///file``, a file's path, or ``postgresql://...``.

    Raises `LedgerError` when it is none of these.
    """
    try:
        given = make_url(url) if "://" in url else URL.create("sqlite", database=url)
    except (ArgumentError, ValueError) as error:
        raise LedgerError("The database's address is neither sqlite:///FILE nor postgresql://...") from error
    match given.get_backend_name():
        case "sqlite":
            if given.database in (None, "", ":memory:"):
                raise LedgerError("The database needs a file: sqlite:///FILE.")
            return given.set(drivername="sqlite+aiosqlite")
        case "postgresql" | "postgres":
            # libpq's word for it; asyncpg's is ssl
            query = {("ssl" if key == "sslmode" else key): value for key, value in given.query.items()}
            return given.set(drivername="postgresql+asyncpg", query=query)
        case other:
            raise LedgerError(f"A database of the kind {other!r} will not do: expected sqlite or postgresql.")


def name_of(url: URL) -> str:
    """What to call a database when speaking to people: never its password."""
    if url.get_backend_name() == "sqlite":
        return str(url.database)
    return f"{url.database or ''} on {url.host or url.query.get('host') or 'this machine'}"


def check_file(url: URL) -> None:
    """Raise `LedgerError` when a SQLite file cannot be there or be written: SQLite's own words say less."""
    file = Path(str(url.database))
    folder = file.parent
    if not folder.exists():
        raise LedgerError(f"The database {file} cannot be opened: there is no folder {folder}.")
    if not folder.is_dir():
        raise LedgerError(f"The database {file} cannot be opened: {folder} is not a folder.")
    if file.is_dir():
        raise LedgerError(f"The database {file} cannot be opened: it is a folder.")
    # WAL keeps two files beside the database
    if not os.access(folder, os.W_OK | os.X_OK):
        raise LedgerError(f"The database {file} cannot be opened: no permission to write in {folder}.")
    if file.exists() and not os.access(file, os.R_OK | os.W_OK):
        raise LedgerError(f"The database {file} cannot be opened: no permission to read and write it.")


def engines(url: URL) -> Engines:
    """Make the engines for an `address`; nothing is connected yet.

    Raises `LedgerError` when the driver is not installed.
    """
    sqlite = url.get_backend_name() == "sqlite"
    # SQLAlchemy begins and ends transactions, the driver never does so on its own
    manual: dict[str, Any] = {"connect_args": {"isolation_level": None}} if sqlite else {}
    alive: dict[str, Any] = {} if sqlite else {"pool_pre_ping": True}
    alive["hide_parameters"] = True  # an error is logged, and what is sealed stands among them
    try:
        writing = create_async_engine(url, pool_size=1, max_overflow=1, **manual, **alive)
        # what reads does so in single statements, each of which sees one state: no BEGIN, no ROLLBACK
        reading = create_async_engine(
            url, isolation_level="AUTOCOMMIT", skip_autocommit_rollback=True, pool_size=5, **manual, **alive
        )
    except ModuleNotFoundError as error:
        raise LedgerError(f"This database needs {error.name}: install bourse[postgres].") from error
    if sqlite:
        for engine in (writing, reading):
            event.listen(engine.sync_engine, "connect", _set_pragmas)
        event.listen(writing.sync_engine, "begin", _begin_immediate)
    return Engines(writing, reading)


def reason(error: BaseException) -> str:
    """One line that says what the database or the system complained of."""
    if isinstance(error, DBAPIError) and error.orig is not None:
        # asyncpg's own error stands behind SQLAlchemy's copy of it
        error = error.orig.__cause__ or error.orig
    lines = str(error).strip().splitlines()
    return lines[0].rstrip(".") if lines else type(error).__name__


def _set_pragmas(connection: Any, _record: object) -> None:
    cursor = connection.cursor()
    for pragma in _PRAGMAS:
        cursor.execute(pragma)
    cursor.close()


def _begin_immediate(connection: Any) -> None:
    # taking the write lock at once: a transaction that reads first and writes later could be refused midway
    connection.exec_driver_sql("BEGIN IMMEDIATE")
