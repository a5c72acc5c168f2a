"""Several processes on one database: which process has which shards, and how they notify each
other.

A SQLite file allows one process (`bot.ledger.files`). On PostgreSQL a process holds an advisory
lock for each of its shards, on a dedicated connection. The server drops the locks with the
connection, so no lease can expire. A process whose shards are taken waits, and takes over when
their holder ends for any reason. The same connection receives the notices of other processes.
"""

from __future__ import annotations

import asyncio
import logging
import random
import secrets
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any, Final, Protocol

from sqlalchemy import URL, NullPool, text
from sqlalchemy.exc import SQLAlchemyError

from bot.errors import how_to_add
from bot.ledger.engine import address, name_of, reason
from bot.ledger.errors import LedgerError
from bot.ledger.files import locked_file
from bot.ledger.health import not_opened
from bot.ledger.keys import AnyRow
from bot.tasks import Tasks

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

log = logging.getLogger(__name__)

Listener = Callable[[str | None], None]
"""Called with the text of each notice, or with None when notices may have been missed."""

KEY: Final = 0x426F7572
"""The first half of each advisory lock's key. It separates our locks from those of other
programs.
"""

CHANNEL: Final = "bourse"

TRY_EVERY = 1.0
"""The longest pause between two attempts to take the shards, in seconds."""

CHECK_EVERY = 10.0
"""Seconds between two checks of the connection: a cut connection is otherwise not noticed."""

ANSWER_WITHIN = 5.0
"""Timeout for connecting and for each statement, in seconds. None of these statements waits for a
lock.
"""

FIRST_PAUSE, LONGEST_PAUSE = 0.1, 2.0
"""The first and the longest pause before reconnecting, in seconds."""

HEAD_START = 3.0
"""Seconds that a waiting process does not take free shards after losing its own connection. A
server restart drops every process's locks, and this lets the previous holder take them again.
"""

_ALIVE: Final = {
    "tcp_keepalives_idle": "10",
    "tcp_keepalives_interval": "5",
    "tcp_keepalives_count": "3",
}
"""Keepalives with which the server notices within half a minute that a process's machine is
gone.
"""

_HELD = text("""SELECT pid, objid::bigint AS number, application_name, usename
FROM pg_locks LEFT JOIN pg_stat_activity USING (pid)
WHERE locktype = 'advisory' AND classid = :key AND objsubid = 2 AND granted
AND pid <> pg_backend_pid()
AND database = (SELECT oid FROM pg_database WHERE datname = current_database())""")
_LOCK = text("SELECT pg_try_advisory_lock(:key, :number) AS taken")
_UNLOCK = text("SELECT pg_advisory_unlock_all()")
_END = text("SELECT pg_terminate_backend(:pid)")
_NOTIFY = text("SELECT pg_notify(:channel, notice) FROM unnest(CAST(:notices AS text[])) AS notice")
_ALIVE_STILL = text("SELECT 1")


class Claim(Protocol):
    """This process's exclusive right to its shards."""

    lost: asyncio.Event
    """Set when another process took the shards while this process had lost the database."""

    def listen(self, listener: Listener) -> None:
        """Call ``listener`` for each notice from another process. It must return at once."""

    async def notify(self, notices: Sequence[str]) -> None:
        """Send notices, each shorter than 8,000 bytes, to all other processes. Raises `LedgerError`
        on failure.
        """


@asynccontextmanager
async def claimed(
    url: str, ids: Sequence[int], count: int, waiting: Callable[[str], object]
) -> AsyncIterator[Claim]:
    """Hold the shards ``ids`` of ``count`` while the block lasts.

    On PostgreSQL this waits while another process holds any of them or runs with a different
    ``count``; ``waiting`` is called with a sentence that says why. Raises `LedgerError` when the
    database can't be reached, and on SQLite when another process uses the file.
    """
    where = address(url)
    if where.get_backend_name() == "sqlite":
        with locked_file(where):
            yield _Alone()
        return
    session = _Session(where, ids, count)
    try:
        await session.start(waiting)
        yield session
    finally:
        await session.close()


class _Alone:
    """The claim of a SQLite file's only process. There are no others to notify."""

    def __init__(self) -> None:
        self.lost = asyncio.Event()

    def listen(self, listener: Listener) -> None:
        """See `Claim`."""

    async def notify(self, notices: Sequence[str]) -> None:
        """See `Claim`."""


class _Taken(Exception):
    """The shards are not free. The text is a sentence with the reason."""


class _Session:
    """A claim held by a connection to PostgreSQL. Reconnects when the connection is lost."""

    def __init__(self, url: URL, ids: Sequence[int], count: int) -> None:
        self.lost = asyncio.Event()
        self._ids, self._count = ids, count
        self._database = name_of(url)
        # Unlike a server process's id, this name is never reused.
        self._name = f"bourse {secrets.token_hex(4)} {','.join(map(str, ids))}/{count}"[:63]
        self._engine = _engine(url, self._name)
        self._connection: AsyncConnection | None = None
        self._driver: Any = None  # the connection's own, as asyncpg gives it to its listeners
        self._pid = 0
        self._one_at_a_time = asyncio.Lock()
        self._broken = asyncio.Event()
        self._listeners: list[Listener] = []
        self._tasks = Tasks()

    def listen(self, listener: Listener) -> None:
        self._listeners.append(listener)

    async def notify(self, notices: Sequence[str]) -> None:
        await self._ask(_NOTIFY, {"channel": CHANNEL, "notices": list(notices)})

    async def start(self, waiting: Callable[[str], object]) -> None:
        """Connect and wait for the shards. Raises `LedgerError` when the server can't be
        reached.
        """
        await self._connect()
        said = ""
        while (why := await self._in_the_way()) is not None:
            if why != said:
                waiting(said := why)
            if self._broken.is_set():
                await self._reconnect()
                await asyncio.sleep(HEAD_START)
            else:  # jitter, so that two processes don't keep undoing each other's attempts
                await asyncio.sleep(TRY_EVERY * random.uniform(0.5, 1.0))
        self._tasks.keep("the claim on the shards", self._keep)

    async def close(self) -> None:
        """Release the shards. Harmless when repeated."""
        await self._tasks.close()
        await self._disconnect()
        await self._engine.dispose()

    # ---------------------------------------------------------------- keeping

    async def _in_the_way(self) -> str | None:
        """Take the shards, or return a sentence that says why not."""
        try:
            await self._take()
        except _Taken as taken:
            return f"{taken} I wait until it has ended, then I start."
        except LedgerError as error:
            return f"{error} I wait until it does."
        return None

    async def _keep(self) -> None:
        """Watch the connection. When it is lost, reconnect and take the shards again; set `lost` if
        they are taken.
        """
        while not self.lost.is_set():
            await self._until_broken()
            log.warning(
                "The database does not answer. I will read other processes' changes when it does."
            )
            while not await self._again():
                pass

    async def _until_broken(self) -> None:
        while not self._broken.is_set():
            with suppress(TimeoutError):
                await asyncio.wait_for(self._broken.wait(), CHECK_EVERY)
                return
            with suppress(LedgerError):  # `_ask` sets `_broken` before it raises this
                await self._ask(_ALIVE_STILL)

    async def _again(self) -> bool:
        """Reconnect and take the shards. Return False if the attempt must be repeated."""
        await self._reconnect()
        try:
            await self._take()
        except _Taken:
            self.lost.set()
            return True
        except LedgerError:
            return False
        log.warning("The database answers again.")
        self._tell(None)
        return True

    # ---------------------------------------------------------------- the shards

    async def _take(self) -> None:
        """Lock all shards. Raises `_Taken` and locks none if one is taken, `LedgerError` if the
        connection fails.
        """
        self._check(await self._others())
        try:
            for shard in self._ids:
                (row,) = await self._ask(_LOCK, {"key": KEY, "number": self._count << 16 | shard})
                if not row.taken:
                    raise self._taken(shard)
            # again: a process with another count may have locked at the same time
            self._check(await self._others())
        except _Taken:
            await self._ask(_UNLOCK)
            raise

    def _check(self, others: Sequence[AnyRow]) -> None:
        """Raise `_Taken` if these locks of other processes conflict with this process's shards."""
        for lock in others:
            count, shard = divmod(lock.number, 1 << 16)
            # Any role that may connect can take our locks: the operator has to know whose it is.
            role = f" as the role {lock.usename}" if lock.usename else ""
            if count != self._count:
                raise _Taken(
                    f"Another process{role} runs with {count} shards altogether, "
                    f"this one with {self._count}."
                )
            if shard in self._ids:
                raise self._taken(shard, role)

    def _taken(self, shard: int, role: str = "") -> _Taken:
        what = f"shard {shard} of {self._count}" if self._count > 1 else "this database"
        return _Taken(f"Another process{role} has {what}.")

    async def _others(self) -> list[AnyRow]:
        """Return the locks of other processes, after ending this process's stale connections on the
        server.
        """
        while True:
            held = await self._ask(_HELD, {"key": KEY})
            ghosts = {row.pid for row in held if row.application_name == self._name}
            if not ghosts:
                return list(held)
            for pid in ghosts:
                await self._ask(_END, {"pid": pid})
            await asyncio.sleep(FIRST_PAUSE)

    # ---------------------------------------------------------------- the connection

    async def _ask(
        self, statement: Any, values: Mapping[str, Any] | None = None
    ) -> Sequence[AnyRow]:
        """Execute a statement. Marks the connection broken and raises `LedgerError` if the server
        does not answer.
        """
        async with self._one_at_a_time:
            if self._connection is None or self._broken.is_set():
                raise LedgerError("The database does not answer.")
            try:
                async with asyncio.timeout(ANSWER_WITHIN):
                    return (await self._connection.execute(statement, values)).all()
            except (SQLAlchemyError, OSError) as error:  # TimeoutError is an OSError
                self._broken.set()
                raise LedgerError(f"The database does not answer: {reason(error)}.") from error

    async def _connect(self) -> None:
        """Connect and listen. Raises `LedgerError`."""
        from asyncpg import (  # type: ignore[import-untyped]
            InterfaceError,
            InternalClientError,
            PostgresError,
        )

        # one that was cut off in the middle of something says the second of these
        errors = (InterfaceError, InternalClientError, PostgresError, SQLAlchemyError, OSError)

        try:
            async with asyncio.timeout(ANSWER_WITHIN):
                self._connection = await self._engine.connect()
                driver: Any = (await self._connection.get_raw_connection()).driver_connection
                self._driver = driver
                self._pid = driver.get_server_pid()
                self._broken.clear()
                driver.add_termination_listener(self._ended)
                await driver.add_listener(CHANNEL, self._heard)  # SQLAlchemy has no API for notices
        except errors as error:
            self._broken.set()
            raise not_opened(self._database, error) from error

    async def _reconnect(self) -> None:
        pause, said = FIRST_PAUSE, ""
        while True:
            await self._disconnect()
            await asyncio.sleep(pause)
            try:
                await self._connect()
                return
            except LedgerError as error:
                if str(error) != said:  # once, not at each attempt
                    log.info("%s I keep trying.", said := str(error))
            pause = min(2 * pause, LONGEST_PAUSE)

    async def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is None:
            return
        with suppress(SQLAlchemyError, OSError):
            async with asyncio.timeout(ANSWER_WITHIN):
                if self._broken.is_set():
                    await connection.invalidate()
                await connection.close()

    def _ended(self, driver: Any) -> None:
        if driver is self._driver:  # what is closed no longer knows its server's process
            self._broken.set()

    def _heard(self, _driver: Any, pid: int, _channel: str, notice: str) -> None:
        if pid != self._pid:
            self._tell(notice)

    def _tell(self, notice: str | None) -> None:
        for listener in self._listeners:
            try:
                listener(notice)
            except Exception:  # one failing listener must not stop the others
                log.exception("a listener failed at the notice %s", notice)


def _engine(url: URL, name: str) -> AsyncEngine:
    """Return an engine for one connection. Raises `LedgerError` when the driver is not
    installed.
    """
    from sqlalchemy.ext.asyncio import create_async_engine

    try:
        return create_async_engine(
            url,
            poolclass=NullPool,
            isolation_level="AUTOCOMMIT",
            hide_parameters=True,
            connect_args={"server_settings": {"application_name": name, **_ALIVE}},
        )
    except ModuleNotFoundError as error:
        raise LedgerError(
            f"PostgreSQL needs {error.name}. Type: {how_to_add('postgres')}"
        ) from error
