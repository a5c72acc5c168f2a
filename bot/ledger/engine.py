"""The database: one connection writes, one transaction at a time, and several connections read
concurrently.
"""

from __future__ import annotations

import asyncio
import re
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import aiosqlite
from sqlalchemy import (
    URL,
    Connection,
    Engine,
    QueuePool,
    Transaction,
    create_engine,
    event,
    make_url,
)
from sqlalchemy.dialects import registry
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.exc import ArgumentError, DBAPIError, OperationalError, SQLAlchemyError
from sqlalchemy.util import LRUCache

from bot.errors import how_to_add
from bot.ledger.aiosqlite_hooks import join, on_thread
from bot.ledger.errors import LedgerError, OutcomeUnknown
from bot.tasks import Tasks, loop_time

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection

T = TypeVar("T")

Work = Callable[[Connection], T]
"""What is done on a connection, in a thread of its own or between two awaits."""

READERS = 4
"""Connections for reading."""

CONNECTIONS = READERS + 3
"""Connections of a process to PostgreSQL: the readers, two writers (one for single statements, one
for transactions), and the one that holds its shards.
"""

BUSY_MS = 250
"""How long a thread waits for another program's transaction, in milliseconds. Nothing can interrupt
this wait.

It is short so that the ledger can close promptly. Writes are retried by the writer, reads by
`SQLite.read`.
"""

READ_WAIT = 5.0
"""How long a read waits for a locked SQLite file, in seconds. In WAL mode, writers don't block
readers.
"""

SCRUB_EVERY = 1.0
"""Seconds between two attempts to empty a log that another program reads, such as a backup."""

LOCK_TIMEOUT = "60s"
"""How long a write waits for another program's lock on PostgreSQL."""

CLOSE_WAIT = 0.5
"""How long `PostgreSQL.close` waits for a server that does not answer, in seconds."""

LOG_EXPECTED = 1
"""SQLite's ``user_version`` in a file that has a log with what was recorded last. In the log it
is 0.
"""

_PRAGMAS = (
    f"PRAGMA busy_timeout = {BUSY_MS}",
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",  # a committed entry survives power loss
    "PRAGMA foreign_keys = ON",
    "PRAGMA secure_delete = ON",  # what is deleted is overwritten, however SQLite was compiled
    "PRAGMA recursive_triggers = ON",  # otherwise the delete inside a REPLACE fires no triggers
)


_NO_FILE = re.compile(r"(sqlite|postgres\w*)(\+\w+)?:|.*:[^/]*@")
"""An address without ``://``. Taken for a file's name, it would be shown with its password."""


def address(url: str) -> URL:
    """Parse a database's address: ``sqlite:///file``, a file's path, or ``postgresql://...``.

    Raises `LedgerError` for anything else. Its text never has the address, which may hold a
    password.
    """
    try:
        if "://" not in url and _NO_FILE.match(url):
            raise ValueError
        given = make_url(url) if "://" in url else URL.create("sqlite", database=url)
    except (ArgumentError, ValueError) as error:
        raise LedgerError(
            "The database's address must be sqlite:///FILE or postgresql://..."
        ) from error
    match given.get_backend_name():
        case "sqlite":
            if given.database in (None, "", ":memory:"):
                raise LedgerError("The database needs a file: sqlite:///FILE.")
            return given.set(drivername="sqlite+pysqlite")
        case "postgresql" | "postgres":
            # libpq calls it sslmode, asyncpg ssl.
            query = {
                ("ssl" if key == "sslmode" else key): value for key, value in given.query.items()
            }
            return given.set(drivername="postgresql+asyncpg", query=query)
        case other:
            raise LedgerError(
                f"I can't use a database of the kind {other!r}. Use sqlite or postgresql."
            )


def name_of(url: URL) -> str:
    """Return a database's name for messages, without its password."""
    if url.get_backend_name() == "sqlite":
        return str(url.database)
    return f"{url.database or ''} on {url.host or url.query.get('host') or 'this machine'}"


def database_name(url: str) -> str:
    """Return the name of the database at this address for messages, without its password."""
    return name_of(address(url))


class Database(Protocol):
    """A database with one connection for writing and several for reading.

    ``work`` is an ordinary function of a connection. On SQLite it runs in aiosqlite's thread, so a
    whole transaction costs one hop between threads. On PostgreSQL it runs in the event loop, over
    an asynchronous driver.

    ``commits_late``: a commit that failed here may still take effect later, on a server we lost the
    connection to.
    """

    commits_late: bool

    async def write(self, work: Work[T], *, single: bool = False) -> T:
        """Run ``work`` in a transaction and commit it. Return when the result is durable. One
        caller at a time.

        ``single``: ``work`` executes at most one statement, which can then be its own transaction.

        Raises the database's error when nothing was written, and `OutcomeUnknown` when the commit
        failed. If cancelled, the transaction may or may not be committed.
        """

    async def read(self, work: Work[T]) -> T:
        """Run ``work`` without a transaction: each statement sees its own consistent state. Safe to
        cancel.
        """

    async def scrub(self) -> None:
        """Write SQLite's log into the file, and empty it of what was deleted. On PostgreSQL, the
        server's own vacuum does that. While another program uses the file, it is tried again later.

        Raises ``sqlite3.Error`` when the disk fails.
        """

    async def close(self) -> None:
        """Close every connection. Harmless when repeated."""


def database(url: URL) -> Database:
    """Return the database at an `address`, without connecting.

    Raises `LedgerError` when the driver is not installed.
    """
    return SQLite(url) if url.get_backend_name() == "sqlite" else PostgreSQL(url)


class _Dialect(SQLiteDialect_pysqlite):
    """SQLAlchemy's dialect, with all instances equal, so that files share compiled statements."""

    supports_statement_cache = True

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Dialect)

    def __hash__(self) -> int:
        return hash(_Dialect)


registry.register("sqlite.bourse", __name__, _Dialect.__name__)

_COMPILED: LRUCache[Any, Any] = LRUCache(500)
"""A cache of compiled statements, since compiling takes longer than running. The size is
SQLAlchemy's default.

It is bounded because Alembic's queries are new statements each time.
"""


class SQLite:
    """A database in a file, through aiosqlite: one thread writes, `READERS` threads read."""

    commits_late = False

    def __init__(self, url: URL) -> None:
        # isolation_level: SQLAlchemy begins and ends transactions; the driver must not.
        # check_same_thread: `close` disposes of connections in a thread other than the one that
        # opened them.
        driver = {"isolation_level": None, "check_same_thread": False}
        ours = url.set(drivername="sqlite+bourse")
        shared = {"compiled_cache": _COMPILED}
        self.writing = create_engine(
            ours,
            poolclass=QueuePool,
            pool_size=1,
            max_overflow=1,
            connect_args=driver,
            hide_parameters=True,
            execution_options=shared,
        )
        self.reading = create_engine(
            ours,
            isolation_level="AUTOCOMMIT",
            skip_autocommit_rollback=True,
            poolclass=QueuePool,
            pool_size=READERS,
            connect_args=driver,
            hide_parameters=True,
            execution_options=shared,
        )
        for engine in (self.writing, self.reading):
            event.listen(engine, "connect", _set_pragmas)
        event.listen(self.writing, "begin", begin_immediate)
        self._writer = _Worker(self.writing)
        self._readers = [_Worker(self.reading) for _ in range(READERS)]
        self._free: asyncio.LifoQueue[_Worker] = asyncio.LifoQueue()
        for reader in self._readers:
            self._free.put_nowait(reader)
        self._tasks = Tasks()
        self._closed = False

    async def write(self, work: Work[T], *, single: bool = False) -> T:
        """See `Database`. ``single`` has no effect."""
        return await self._writer.run(lambda connection: transact(connection, work))

    async def read(self, work: Work[T]) -> T:
        """See `Database`. Retries a locked file for `READ_WAIT`."""
        until = loop_time() + READ_WAIT
        while True:
            try:
                return await self._read(work)
            except OperationalError as error:
                if not is_locked(error) or self._closed or loop_time() > until:
                    raise

    async def _read(self, work: Work[T]) -> T:
        reader = await self._free.get()
        try:
            result = await reader.run(work)
        except asyncio.CancelledError:
            self._tasks.start("freeing a connection", self._give_back(reader))
            raise
        except BaseException:
            self._free.put_nowait(reader)
            raise
        self._free.put_nowait(reader)
        return result

    async def _give_back(self, reader: _Worker) -> None:
        """Free the reader of a cancelled caller once its thread has finished."""
        try:
            with suppress(LedgerError, ValueError):  # closed meanwhile
                await reader.run(lambda _connection: None)
        finally:
            self._free.put_nowait(reader)

    async def scrub(self) -> None:
        """See `Database`. The log keeps old pages until it is emptied, which waits until no other
        program reads it.
        """
        if not await self._writer.run(_empty_log):
            self._tasks.start("emptying the database's log", self._scrub_later())

    async def _scrub_later(self) -> None:
        # Closed meanwhile, which empties the log; or the disk fails, which the next write says.
        with suppress(LedgerError, ValueError, sqlite3.Error):
            while not await self._writer.run(_empty_log):  # noqa: ASYNC110  (the other program tells nobody)
                await asyncio.sleep(SCRUB_EVERY)

    async def close(self) -> None:
        """See `Database`. Waits for reads and writes in progress."""
        self._closed = True
        await self._tasks.close()
        for worker in (*self._readers, self._writer):
            await worker.close()
        self.reading.dispose()
        self.writing.dispose()


class _Worker:
    """One aiosqlite connection. Runs ordinary functions of an SQLAlchemy connection on its thread.

    aiosqlite hops to its thread for every statement, and SQLAlchemy's dialect for it several times;
    here a whole transaction is one hop.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._connection: Connection | None = None
        self._thread: aiosqlite.Connection | None = None
        self._starting = asyncio.Lock()
        self._closed = False

    async def run(self, work: Work[T]) -> T:
        """Run ``work`` on the thread. Raises `LedgerError` when the worker is closed."""
        async with self._starting:  # two callers at once must not start two threads
            if self._closed:
                raise LedgerError("The ledger is closed.")
            if self._thread is None:
                self._thread = await self._started()
        return await on_thread(self._thread, partial(self._run, work))

    async def _started(self) -> aiosqlite.Connection:
        thread = aiosqlite.Connection(self._connect, iter_chunk_size=64)
        try:
            return await thread
        except (Exception, asyncio.CancelledError):
            join(thread)  # the thread fails if the event loop closes before it ends
            self._disconnect()  # it may have opened although nobody waits any more
            raise

    async def close(self) -> None:
        """Finish running work, then close the connection and end the thread. Harmless when
        repeated.
        """
        async with self._starting:
            self._closed = True
            thread, self._thread = self._thread, None
            if thread is not None:
                await on_thread(thread, self._disconnect)
                await thread.close()

    def _connect(self) -> sqlite3.Connection:
        self._connection = self._engine.connect()
        driver = self._connection.connection.driver_connection
        assert isinstance(driver, sqlite3.Connection)
        return driver

    def _run(self, work: Work[T]) -> T:
        assert self._connection is not None
        return work(self._connection)

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


class PostgreSQL:
    """A database on a server, through asyncpg."""

    commits_late = True

    def __init__(self, url: URL) -> None:
        from sqlalchemy.ext.asyncio import create_async_engine

        try:
            # No overflow: by default, a server allows only a hundred connections.
            self.writing = create_async_engine(
                url, pool_size=2, max_overflow=0, pool_pre_ping=True, hide_parameters=True
            )
            self.reading = create_async_engine(
                url,
                isolation_level="AUTOCOMMIT",
                skip_autocommit_rollback=True,
                pool_size=READERS,
                max_overflow=0,
                hide_parameters=True,
            )
        except ModuleNotFoundError as error:
            raise LedgerError(
                f"PostgreSQL needs {error.name}. Type: {how_to_add('postgres')}"
            ) from error
        event.listen(self.writing.sync_engine, "connect", _set_lock_timeout)
        self._single = self.writing.execution_options(isolation_level="AUTOCOMMIT")
        self._connections: dict[bool, AsyncConnection] = {}
        self._closed = False

    async def write(self, work: Work[T], *, single: bool = False) -> T:
        """See `Database`. A single statement takes one round trip instead of three."""
        self._check_open()
        connection = await self._connection(single)
        return await connection.run_sync(transact, work, single=single)

    async def read(self, work: Work[T]) -> T:
        """See `Database`. Retries once if the server had closed the connection since the last
        read.
        """
        try:
            return await self._read(work)
        except DBAPIError as error:
            if not error.connection_invalidated:
                raise
            # A retry is cheaper than the pool's ping, which costs a round trip before every read.
            return await self._read(work)

    async def _read(self, work: Work[T]) -> T:
        self._check_open()
        async with self.reading.connect() as connection:
            return await connection.run_sync(work)

    async def scrub(self) -> None:
        """See `Database`."""

    async def close(self) -> None:
        """See `Database`. Gives up on a server that does not answer within `CLOSE_WAIT`."""
        self._closed = True
        with suppress(OSError, SQLAlchemyError):
            async with asyncio.timeout(CLOSE_WAIT):
                for connection in self._connections.values():
                    await connection.close()
                self._connections.clear()
                await self.reading.dispose()
                await self.writing.dispose()

    def _check_open(self) -> None:
        if self._closed:  # the engine would connect again
            raise LedgerError("The ledger is closed.")

    async def _connection(self, single: bool) -> AsyncConnection:
        """Return the connection for writing. It stays open, since the pool would ping it each
        time.
        """
        kept = self._connections.get(single)
        if kept is None:
            kept = self._connections[single] = await (
                self._single if single else self.writing
            ).connect()
        elif single and not kept.invalidated:
            driver: Any = (await kept.get_raw_connection()).driver_connection
            if driver.is_closed():
                # The server was restarted since the last write. Reconnecting is safe: no write is
                # in progress.
                await kept.invalidate()
        return kept


def transact(connection: Connection, work: Work[T], *, single: bool = False) -> T:
    """Run ``work`` in one transaction of ``connection`` and commit it.

    Raises the error of ``work``, with nothing written, and `OutcomeUnknown` when the commit fails,
    since it may have taken effect. ``single``: the statement of ``work`` commits itself, so it may
    raise `OutcomeUnknown` too.
    """
    transaction = connection.begin()
    try:
        result = work(connection)
    except BaseException as error:
        _undo(connection, transaction)
        if single and _may_be_committed(error):
            raise _unknown(error) from error
        raise
    try:
        transaction.commit()
    except Exception as error:
        # SQLAlchemy considers the transaction over, but the database may not. A new connection has
        # none open.
        _discard(connection, transaction)
        raise _unknown(error) from error
    return result


def is_locked(error: BaseException) -> bool:
    """Return whether another program's lock caused the error. Nothing was written, and a retry may
    succeed.
    """
    if not isinstance(error, DBAPIError):
        return False
    if _sqlstate(error) == _LOCK_NOT_AVAILABLE:
        return True
    return _is_busy(error.orig)


def _is_busy(error: BaseException | None) -> bool:
    code = getattr(error, "sqlite_errorcode", None)
    return isinstance(code, int) and code & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


_LOCK_NOT_AVAILABLE, _QUERY_CANCELED, _COMPLETION_UNKNOWN = "55P03", "57014", "40003"
# classes of SQLSTATE: connection, operator's intervention, system, internal
_LOST = ("08", "57", "58", "XX")


def _may_be_committed(error: BaseException) -> bool:
    """Return whether an autocommitted statement that failed with this error may have been
    committed.
    """
    if not isinstance(error, DBAPIError):
        return isinstance(error, OSError)
    state = _sqlstate(error) or ""
    lost = state[:2] in _LOST and state != _QUERY_CANCELED
    return error.connection_invalidated or lost or state == _COMPLETION_UNKNOWN


def _sqlstate(error: DBAPIError) -> str | None:
    state = getattr(error.orig, "sqlstate", None)
    return state if isinstance(state, str) else None


def _unknown(error: BaseException) -> OutcomeUnknown:
    return OutcomeUnknown(f"The ledger could not be written: {reason(error)}.")


def _undo(connection: Connection, transaction: Transaction) -> None:
    try:
        transaction.rollback()
    except (SQLAlchemyError, OSError):
        _discard(connection, transaction)


def _discard(connection: Connection, transaction: Transaction) -> None:
    """Discard the connection. A new one is opened when needed."""
    connection.invalidate()
    with suppress(SQLAlchemyError, OSError):
        transaction.rollback()


def reason(error: BaseException) -> str:
    """Return the database's or system's error message, in one line."""
    if isinstance(error, DBAPIError) and error.orig is not None:
        # For asyncpg, orig is SQLAlchemy's copy of the error, and its cause the error itself.
        error = error.orig.__cause__ or error.orig
    lines = str(error).strip().splitlines()
    return lines[0].rstrip(".") if lines else type(error).__name__


def _set_pragmas(connection: Any, _record: object) -> None:
    cursor = connection.cursor()
    for pragma in _PRAGMAS:
        cursor.execute(pragma)
    cursor.close()


def _empty_log(connection: Connection) -> bool:
    """Write the log into the database and empty it. Return False if another program is still
    reading it, or writes.
    """
    driver = connection.connection.driver_connection
    assert isinstance(driver, sqlite3.Connection)
    try:
        # Whoever finds the file without its log later sees by the number that there was one.
        driver.execute(f"PRAGMA user_version = {LOG_EXPECTED}")
        try:
            # not possible in a transaction
            (busy, *_) = driver.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        finally:
            driver.execute("PRAGMA user_version = 0")
    except sqlite3.OperationalError as error:
        if _is_busy(error):
            return False
        raise
    return not busy


def begin_immediate(connection: Any) -> None:
    """Begin a transaction that takes the write lock at once: SQLite can refuse to upgrade one that
    has read.
    """
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _set_lock_timeout(connection: Any, _record: object) -> None:
    connection.run_async(lambda driver: driver.execute(f"SET lock_timeout = '{LOCK_TIMEOUT}'"))
