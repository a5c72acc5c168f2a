"""Opening a database: its tables are upgraded, its key is checked, and a `Ledger` is returned."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack, suppress
from functools import partial
from pathlib import Path
from typing import Literal

from sqlalchemy import URL, Connection, NullPool, create_engine, event, func, inspect, select, text
from sqlalchemy.exc import OperationalError, SQLAlchemyError

from bot import private
from bot.ledger import batch
from bot.ledger.access import Access, insert
from bot.ledger.engine import (
    Database,
    address,
    begin_immediate,
    database,
    is_locked,
    name_of,
    reason,
)
from bot.ledger.entries import Entries
from bot.ledger.errors import LedgerError, Tampered
from bot.ledger.files import (
    LEDGER_TABLES,
    VERSIONS,
    check_file,
    has_ledger,
    in_memory,
    make_private,
    no_ledger,
    require_first_start,
    require_ledger,
    require_whole,
)
from bot.ledger.health import Health, Trouble, health_of, not_opened, trouble_of
from bot.ledger.keys import SEAL, Key, KeySource, key_file, key_of, make_key
from bot.ledger.messages import FLUSH_INTERVAL, Messages
from bot.ledger.schema import NOT_REMOVED, OPEN, OWED, key_values, messages, metadata, tables
from bot.ledger.tables import Tables
from bot.ledger.writer import Writer
from bot.tasks import loop_time

log = logging.getLogger(__name__)

KEY_MARK = {"key": "key", "value": ""}
"""The row whose seal shows whether a key is the database's original key."""

_DAMAGED = (
    "The database {} is damaged ({}). Keep a copy of it with its -wal and -shm files, and put a "
    "backup in its place; "
    "bourse verify checks what a backup holds."
)
_KEY_REMARK = (
    "Others on this machine can read or change %s, and the ledger's key is kept there. Type: chmod "
    "600 '%s'"
)

OPEN_WAIT = 5.0
"""How long `Ledger.open` waits for another process that has locked the database, in seconds."""


LOG_EVERY = 60.0
"""Seconds after which what was recorded is written into SQLite's file itself."""

KEYS = 500
"""The most keys that are asked for at once."""


class Ledger:
    """Everything that happened at every table, in one database. Create it with `open`.

    ``entries``, ``tables`` and ``messages`` read and write it; ``health`` watches the database.
    Their methods may raise `LedgerError` when the database fails or an entry can't be read. Those
    that write then raise `NotWritten` or `OutcomeUnknown`, whichever is true. A write is durable
    when its method returns.

    Every method may be cancelled at any time. A cancelled write that has not begun is not carried
    out.
    """

    def __init__(
        self,
        access: Access,
        health: Health,
        flush_interval: float,
        copy: sqlite3.Connection | None = None,
    ) -> None:
        self._access = access
        self._copy = copy
        self.health = health
        self.messages = Messages(access, flush_interval)
        self.tables = Tables(access, self.messages)
        self.entries = Entries(access)

    @classmethod
    async def open(
        cls,
        url: str,
        key: KeySource = None,
        *,
        create: bool = True,
        reading: bool = False,
        flush_interval: float = FLUSH_INTERVAL,
    ) -> Ledger:
        """Open ``sqlite:///FILE``, a file's path or ``postgresql://...``, and create or upgrade its
        tables.

        Without ``create``, raise `LedgerError` if there is no ledger, and create none. With
        ``reading``, nothing is changed: a SQLite file is copied into memory, and upgraded there if
        its format is older; what is written is lost. On PostgreSQL, an older format is then
        refused.

        ``key`` seals the rows outside the hash chain: the key itself or its file; None for the file
        that `key_file` returns. The file is created if the database has no key yet.
        ``flush_interval``: the flush interval for `Messages.buffer`, in seconds.

        Raises `LedgerError` with one sentence when the ledger can't be opened, for example with the
        wrong key, when a SQLite file is damaged, or when it is missing or empty though its key is
        there.
        """
        where = address(url)
        in_file = where.get_backend_name() == "sqlite"
        if in_file:
            check_file(where)
            require_whole(url)  # first, since SQLite makes a log when it reads a file
            if reading or not create:
                require_ledger(where)
            else:
                require_first_start(where, key_file(where) if key is None else None)
            if not reading:
                make_private(where)
                await asyncio.to_thread(_create, where)
        copy, there = None, where
        if reading and in_file:
            try:
                there, copy = await asyncio.to_thread(in_memory, where)
            except sqlite3.Error as error:
                raise LedgerError(_DAMAGED.format(name_of(where), error)) from error
        opened = database(there)
        health = health_of(opened, where)
        async with AsyncExitStack() as unfinished:
            # Whatever fails, its threads end: the program could not end without them.
            unfinished.push_async_callback(_close, opened, copy)
            try:
                if not create and not in_file:
                    await opened.read(partial(check_ledger, where))
                if create and in_file and (fault := await opened.read(page_fault)) is not None:
                    raise LedgerError(_DAMAGED.format(name_of(where), fault))
                if reading and not in_file and not await opened.read(is_current):
                    raise LedgerError(
                        f"An older Bourse wrote the database {name_of(where)}, and only a start of "
                        "bourse upgrades it."
                    )
                await _prepare(opened)
                if key is None:
                    key = key_file(where)
                    private.close_to_others(key)
                # not our file: it may be shared on purpose
                elif isinstance(key, Path) and private.is_open_to_others(key):
                    log.warning(_KEY_REMARK, key, key)
                found = await _key(opened, key)
            except (SQLAlchemyError, OSError, ValueError, TypeError) as error:
                if trouble_of(error) is Trouble.DAMAGED:
                    raise LedgerError(_DAMAGED.format(name_of(where), reason(error))) from error
                raise not_opened(name_of(where), error) from error
            if copy is None:
                with suppress(sqlite3.Error):  # the next write says what is wrong
                    await opened.scrub()
                health.start()
            unfinished.pop_all()
        writer = Writer(
            opened,
            partial(batch.perform, found),
            batch.explain,
            batch.find,
            batch.is_single,
            health.refusal,
        )
        writer.start()
        return cls(Access(opened, writer, found), health, flush_interval, copy)

    async def close(self) -> None:
        """Finish pending writes, then disconnect. Harmless when repeated.

        Takes only moments: writes to a database that is locked or gone are given up.
        """
        last = self.messages.close()
        await asyncio.sleep(0)  # lets the task queue its request
        await self._access.writer.close()
        await last
        await _close(self._access.database, self._copy)

    async def summary(self) -> str:
        """Return what the ledger holds, for the operator: how many tables, and how many messages
        are owed.
        """
        tables_kept = select(func.count()).select_from(tables).where(NOT_REMOVED)
        tables_open = select(func.count()).select_from(tables).where(OPEN)
        messages_owed = select(func.count()).select_from(messages).where(OWED)
        query = select(
            tables_kept.scalar_subquery().label("tables"),
            tables_open.scalar_subquery().label("open"),
            messages_owed.scalar_subquery().label("owed"),
        )
        (found,) = await self._access.all(query)
        if not found.tables:
            return "a new ledger"
        all_tables = "1 table" if found.tables == 1 else f"{found.tables} tables"
        owed = "1 message" if found.owed == 1 else f"{found.owed} messages"
        return f"{all_tables}, {found.open} of them open; {owed} owed"

    async def key_value(self, key: str) -> str | None:
        """Return the value stored under a key, such as the digest of the registered commands; None
        if there is none.

        A value changed outside the bot counts as missing, since every value can be recreated.
        """
        try:
            rows = await self._access.sealed(
                key_values, select(key_values).where(key_values.c.key == key)
            )
        except Tampered:
            return None
        return rows[0].value if rows else None

    async def values_of(self, keys: Sequence[str]) -> dict[str, str]:
        """Return the values stored under these keys. As for `key_value`, one changed outside the
        bot is missing.
        """
        found = dict[str, str]()
        for first in range(0, len(keys), KEYS):
            query = select(key_values).where(key_values.c.key.in_(keys[first : first + KEYS]))
            for row in await self._access.all(query):
                if self._access.key.verifies(key_values.name, row._mapping):
                    found[row.key] = row.value
        return found

    async def watch(self) -> None:
        """Watch the database's health, and write its log into the file. Never returns."""
        await asyncio.gather(
            self.health.watch(lambda: self.set_key_value("probe", "")), self._empty_log()
        )

    async def _empty_log(self) -> None:
        """Write SQLite's log into the file each minute in which something was recorded, so that a
        copy of the file alone lacks little.
        """
        while True:
            emptied = time.monotonic()
            await asyncio.sleep(LOG_EVERY)
            if self.health.committed_at > emptied:
                with suppress(LedgerError, sqlite3.Error):  # the next write says what is wrong
                    await self._access.database.scrub()

    async def keys(self, prefix: str) -> list[str]:
        """Return the keys that begin with ``prefix``."""
        query = select(key_values.c.key).where(key_values.c.key.startswith(prefix))
        return [row.key for row in await self._access.all(query)]

    async def set_key_value(self, key: str, value: str) -> None:
        row = self._access.key.sealed(key_values.name, {"key": key, "value": value})
        await self._access.write(batch.Save(key_values, row))


async def _close(database: Database, copy: sqlite3.Connection | None) -> None:
    await database.close()
    if copy is not None:
        copy.close()


def _create(where: URL) -> None:
    """Write the tables into a new SQLite file before it gets a log, so that no file of ours is
    without them, even one whose log is lost.
    """
    file = Path(str(where.database))
    if file.exists() and file.stat().st_size:
        return
    url = URL.create("sqlite", database=str(file))
    options = {"isolation_level": None, "timeout": OPEN_WAIT}
    engine = create_engine(url, poolclass=NullPool, connect_args=options)
    event.listen(engine, "begin", begin_immediate)
    try:
        with engine.begin() as connection:
            migrate(connection)
    except (SQLAlchemyError, OSError) as error:
        raise not_opened(name_of(where), error) from error


async def _prepare(database: Database) -> None:
    """Upgrade the database's tables. Wait if another process is doing so."""
    began = loop_time()
    while True:
        try:
            if not await database.read(is_current):
                await database.write(migrate)
            return
        except OperationalError as error:
            # SQLite's busy_timeout is short, and does not apply while another process switches a
            # new file to WAL.
            if not is_locked(error) or loop_time() > began + OPEN_WAIT:
                raise
        await asyncio.sleep(0.05)


async def _key(database: Database, given: str | Path) -> Key:
    """Return the database's key. A new database adopts the given key, or one created in the given
    file.

    Raises `LedgerError` when the database has another key, or its key is missing.
    """
    mark = await database.read(_mark)
    key = key_of(given)
    if key is None and mark is not None:
        raise LedgerError(
            f"The database was created with a key that is missing: put the file {given} back, "
            "or set BOURSE_KEY to what it held."
        )
    if key is None:
        assert isinstance(given, Path)
        key = make_key(given)
    row = key.sealed(key_values.name, KEY_MARK)

    def marked(connection: Connection) -> str | None:  # another process may have been first
        connection.execute(
            insert(connection.dialect.name, key_values).values(**row).on_conflict_do_nothing()
        )
        return _mark(connection)

    if mark is None:
        mark = await database.write(marked)
    if mark != row[SEAL]:
        raise LedgerError(
            "The database was created with another key: use the original one in BOURSE_KEY or the "
            "file of "
            "BOURSE_KEY_FILE, the same for every process."
        )
    return key


async def key_fault(url: str, given: KeySource) -> str:
    """Return why `Ledger.open` would refuse this key on PostgreSQL; empty if nothing is known
    against it.

    Changes nothing.
    """
    where = address(url)
    if where.get_backend_name() == "sqlite":
        return ""
    opened = database(where)
    try:
        if await opened.read(_mark) is not None:
            await _key(opened, key_file(where) if given is None else given)
    except LedgerError as error:
        return str(error)
    except (SQLAlchemyError, OSError):  # no ledger yet, or no server: opening it says so
        return ""
    finally:
        await opened.close()
    return ""


def _mark(connection: Connection) -> str | None:
    """Return the seal of `KEY_MARK` with the database's original key; None for a new database."""
    # PostgreSQL would log the question for a table that is not there as an ERROR.
    if not inspect(connection).has_table(key_values.name):
        return None
    query = select(key_values.c.seal).where(key_values.c.key == KEY_MARK["key"])
    return connection.execute(query).scalar_one_or_none()


def page_fault(connection: Connection) -> str | None:
    """Return what is wrong with the pages of a SQLite file; None if they are sound. This reads the
    whole file.
    """
    found = str(connection.exec_driver_sql("PRAGMA quick_check(1)").scalar_one())
    return None if found == "ok" else " ".join(found.split())


def check_ledger(where: URL, connection: Connection) -> None:
    """Raise `LedgerError` if a database lacks the ledger's tables."""
    if not set(inspect(connection).get_table_names()) >= LEDGER_TABLES:
        raise no_ledger(where)


# ---------------------------------------------------------------- migrations, by Alembic

MIGRATIONS = "bot.ledger:migrations"  # in the installed package, wherever that is
STEPS = ("1_0_0",)
"""The formats of a database, oldest first, as Alembic knows them. They are named here because
Alembic takes long to load, and few starts need it.
"""

# "bourse": an arbitrary number that no other program uses for a lock in this database
_LOCK = 0x626F75727365


def is_current(connection: Connection) -> bool:
    """Return whether a database's tables are those of this version.

    Raises `LedgerError` for a format that is not among `STEPS`.
    """
    new = not inspect(connection).has_table(VERSIONS)
    found = (
        set()
        if new
        else set(connection.execute(text(f"SELECT version_num FROM {VERSIONS}")).scalars())
    )
    if unknown := found.difference(STEPS):
        raise LedgerError(
            "A newer Bourse, or one from before 1.0.0, wrote the database (its format is "
            f"{', '.join(sorted(unknown))}), and this one can't read it. Update Bourse again, or "
            "put back the copy "
            "that you made before the update: bourse restore FILE."
        )
    return found == {STEPS[-1]}


async def stored_format(url: str, key: KeySource = None) -> Literal["none", "older", "current"]:
    """Return whether a database has a ledger, and whether its tables are those of this version.
    Changes nothing.

    Raises `LedgerError` where `Ledger.open` would do so before it looks at the key.
    """
    where = address(url)
    if where.get_backend_name() == "sqlite":
        check_file(where)
        require_whole(url)
        require_first_start(where, key_file(where) if key is None else None)
        if not has_ledger(where):
            return "none"
        return "current" if is_current_file(Path(str(where.database))) else "older"
    opened = database(where)
    try:
        there = await opened.read(lambda connection: set(inspect(connection).get_table_names()))
        if not there >= LEDGER_TABLES:
            return "none"
        return "current" if await opened.read(is_current) else "older"
    except (SQLAlchemyError, OSError) as error:
        raise not_opened(name_of(where), error) from error
    finally:
        await opened.close()


def is_current_file(file: Path) -> bool:
    """Return whether a ledger's SQLite file has this version's tables. Raises `LedgerError` as
    `is_current` does.
    """
    engine = create_engine(URL.create("sqlite", database=str(file)), poolclass=NullPool)
    try:
        with engine.connect() as connection:
            return is_current(connection)
    except SQLAlchemyError as error:
        raise LedgerError(_DAMAGED.format(file, reason(error))) from error


def migrate(connection: Connection) -> None:
    """Run the missing steps in the current transaction of ``connection``. Concurrent processes take
    turns.

    Raises `LedgerError` if its format is not among `STEPS`, or it is not Bourse's.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
    if is_current(connection):
        return
    there = set(inspect(connection).get_table_names())
    if VERSIONS not in there and (foreign := sorted(there & set(metadata.tables))):
        raise LedgerError(
            f"The database is another program's: it has a table {foreign[0]!r} of its own."
        )
    from alembic import command
    from alembic.config import Config
    from alembic.util import CommandError

    # Alembic logs every step at INFO, which is of no use to an operator.
    logging.getLogger("alembic").setLevel(logging.WARNING)
    config = Config()
    config.set_main_option("script_location", MIGRATIONS)
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, "head")
    except CommandError as error:
        raise LedgerError(f"The database can't be upgraded: {reason(error)}.") from error
