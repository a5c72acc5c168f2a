"""Health: watches whether the database works, and tells its owner when it does not.

It listens to SQLAlchemy's engines. The owner is told of a trouble once, then hourly while it lasts,
and when it is over. Writing stops where it would do harm: to a SQLite file that was moved away
under the running program, because nobody would find the entries there, and to a damaged file,
because writing would damage it further.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sqlite3
import threading
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from enum import Enum
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Engine, ExceptionContext, event
from sqlalchemy.exc import DBAPIError

from bot.ledger.engine import Database, PostgreSQL, SQLite, name_of, reason
from bot.ledger.errors import Damaged, LedgerError, Unreachable

log = logging.getLogger(__name__)

LOOKED_EVERY = 2.0
"""Seconds between two checks of the file, and between two attempts to write while something is
wrong.
"""

SAID_EVERY, SAID_AGAIN_AFTER = 3600.0, 600.0
"""Seconds before the owner is told of the same trouble again: while it lasts, and after it comes
back.
"""

Identity = tuple[int, int]
"""A file's device and inode."""


class Trouble(Enum):
    """What can be wrong with a database. The value is the message to the owner; ``{}`` is the name,
    then the reason.
    """

    MOVED = (
        "The database {} was moved, deleted or replaced while I was running ({}), so I write "
        "nothing more. Put the "
        "same file back and I go on. Or stop me, put the right one there, and start me again."
    )
    DAMAGED = (
        "The database {} is damaged ({}), so I write nothing more. Stop me, keep a copy of it with "
        "its -wal and -shm "
        "files, and put a backup in its place; bourse verify checks what a backup holds."
    )
    FULL = "The disk of the database {} is full ({}). Make room, and I go on by myself."
    READ_ONLY = (
        "The database {} can't be written ({}). Look at its permissions and its disk; then I go on "
        "by myself."
    )
    DISK = "The disk of the database {} fails ({}). Look at the disk and make a backup now."
    LOCKED = (
        "Another program keeps the database {} locked ({}). Close it there, and I go on by myself."
    )
    AWAY = "The database {} can't be reached ({}). When it is back, I go on by myself."
    OTHER = "The database {} does not do what I ask ({}). bourse verify may say more."


REFUSED = {
    Trouble.MOVED: "nothing is written while the database's file is not in its place",
    Trouble.DAMAGED: "nothing is written, since the database is damaged",
}
"""Troubles during which a SQLite file is not written, with the reason."""

LASTING = {
    Trouble.FULL: "the disk of the database is full",
    Trouble.READ_ONLY: "the database can't be written",
}
"""Troubles that last until somebody acts, with the reason. Meanwhile one write a second finds out
whether it works.
"""

PROBED_EVERY = 1.0
"""Seconds between two such writes."""

FINAL = (Trouble.DAMAGED,)
"""Troubles that last even if a later write succeeds."""

PASSING = {Trouble.LOCKED: 5.0, Trouble.AWAY: 5.0}
"""Seconds that a trouble must last before the owner is told, for troubles that often pass
quickly.
"""


class Health:
    """The health of one database. ``file`` is its path on SQLite, None on PostgreSQL."""

    def __init__(self, name: str, file: Path | None) -> None:
        self._name = name
        self._file = file
        self._identity: Identity | None = None
        self._wal: Identity | None = None
        self._trouble: Trouble | None = None
        self._since = self._failed_at = self.committed_at = 0.0
        self._told, self._said = False, ""
        self._told_at: dict[Trouble, float] = {}
        self._started = False
        self._connections = 0
        self._judging = threading.RLock()  # SQLite's engines call from their own threads

    @property
    def trouble(self) -> str:
        """What is wrong with the database, as the owner was told; empty if nothing is known.

        A database that is away is left out: only a request finds out whether it is back.
        """
        return self._said if self._trouble not in (None, Trouble.AWAY) and self._told else ""

    def start(self) -> None:
        """Start watching. Call it once the database is open: earlier failures are reported by
        opening it.
        """
        if self._file is not None:
            self._identity = _identity(self._file)
        self._started = True

    async def watch(self, probe: Callable[[], Awaitable[object]]) -> None:
        """Run `look` every `LOOKED_EVERY` seconds. Never returns.

        While the disk is full, call ``probe`` before, which writes something, and more often.
        """
        while True:
            if full := self._trouble in LASTING:
                with suppress(LedgerError):
                    await probe()
            self.look()
            await asyncio.sleep(PROBED_EVERY if full else LOOKED_EVERY)

    def refusal(self) -> str:
        """Return why a write would fail now, as one did less than `PROBED_EVERY` seconds ago; empty
        if it may work.
        """
        if self._trouble not in LASTING or self.committed_at > self._failed_at:
            return ""
        return LASTING[self._trouble] if time.monotonic() < self._failed_at + PROBED_EVERY else ""

    def look(self) -> None:
        """Check whether the file was moved away or is back, and whether a trouble is over."""
        self._look_at_file()
        if self._trouble not in (None, Trouble.MOVED) and self.committed_at > self._failed_at:
            self._recovered()

    def attach(self, engine: Engine, *, writes: bool) -> None:
        """Listen to an engine. ``writes``: this engine writes."""
        event.listen(engine, "do_connect", self._connect)
        event.listen(engine, "connect", self._connected)
        event.listen(engine, "close", self._closed)
        event.listen(engine, "handle_error", self._failed)
        if writes:
            event.listen(engine, "before_cursor_execute", self._execute)
            event.listen(engine, "commit", self.committed)

    # ---------------------------------------------------------------- the engines' events

    def _connect(self, dialect: Any, _record: object, arguments: Any, options: Any) -> Any:
        """Connect; never let SQLite recreate a deleted file."""
        self._refuse_if(Trouble.MOVED)
        try:
            return dialect.connect(*arguments, **options)
        except OSError as error:  # from a server; the driver's own errors arrive in _failed
            self.note(Trouble.AWAY, reason(error))
            raise

    def _connected(self, *_about: object) -> None:
        with self._judging:
            self._connections += 1

    def _closed(self, *_about: object) -> None:
        with self._judging:
            self._connections -= 1
            if not self._connections:  # SQLite deletes the -wal file with the last connection
                self._wal = None

    def _execute(
        self, _connection: object, _cursor: object, statement: str, *_about: object
    ) -> None:
        # Not in the event "begin", which comes after SQLite's transaction has begun.
        if statement.startswith("BEGIN"):
            self._refuse_if(*REFUSED)

    def committed(self, _connection: object) -> None:
        self.committed_at = time.monotonic()  # if the commit fails, _failed sets a later time

    def _failed(self, context: ExceptionContext) -> None:
        trouble = trouble_of(context.sqlalchemy_exception or context.original_exception)
        if trouble is not None:
            self.note(trouble, reason(context.original_exception))

    # ---------------------------------------------------------------- judging

    def _refuse_if(self, *troubles: Trouble) -> None:
        """Raise `LedgerError` if the SQLite file has one of these troubles, which must be in
        `REFUSED`.
        """
        self._look_at_file()
        if self._file is not None and self._trouble is not None and self._trouble in troubles:
            refusal = Damaged if self._trouble in FINAL else LedgerError
            raise refusal(f"For now {REFUSED[self._trouble]}.")

    def _look_at_file(self) -> None:
        if self._identity is None or self._file is None:
            return
        with self._judging:
            if (wrong := self._displaced(self._file)) is not None:
                self.note(Trouble.MOVED, wrong)
            elif self._trouble is Trouble.MOVED:
                self._recovered()

    def _displaced(self, file: Path) -> str | None:
        """Return how the database's files were displaced; None if they are still in place."""
        try:
            if _identity(file) != self._identity:
                return "another file is there"
            wal = f"{file}-wal"
            if self._wal is None:
                self._wal = _identity(wal) if self._connections and os.path.exists(wal) else None
            elif _identity(wal) != self._wal:
                return f"another {file.name}-wal is there"
        except OSError as error:
            return f"{Path(str(error.filename)).name}: {error.strerror}"
        return None

    def note(self, trouble: Trouble, why: str) -> None:
        """Record a trouble, and tell the owner unless they were told recently."""
        if not self._started or (self._trouble in FINAL and trouble is not self._trouble):
            return
        now = time.monotonic()
        with self._judging:
            if trouble is not self._trouble:
                self._trouble, self._since, self._told = trouble, now, False
            self._failed_at, self._said = now, trouble.value.format(self._name, why)
            last = self._told_at.get(trouble)
            known = last is not None and now - last < (
                SAID_EVERY if self._told else SAID_AGAIN_AFTER
            )
            if not known and now - self._since >= PASSING.get(trouble, 0.0):
                self._told, self._told_at[trouble] = True, now
                log.critical("%s", self._said)

    def _recovered(self) -> None:
        if self._trouble in FINAL:
            return
        with self._judging:
            if self._told:
                log.warning("The database %s works again.", self._name)
            self._trouble, self._told = None, False


def health_of(database: Database, where: URL) -> Health:
    """Attach a `Health` to a database that is not connected yet."""
    match database:
        case SQLite():
            health = Health(name_of(where), Path(str(where.database)).absolute())
            health.attach(database.writing, writes=True)
            health.attach(database.reading, writes=False)
        case PostgreSQL():
            health = Health(name_of(where), None)
            health.attach(database.writing.sync_engine, writes=True)
            health.attach(database.reading.sync_engine, writes=False)
        case _:
            health = Health(name_of(where), None)
    return health


def not_opened(name: str, error: BaseException) -> LedgerError:
    """Return the error for a database that can't be opened: `Unreachable` if it may be there
    later.
    """
    state = str(getattr(getattr(error, "orig", error), "sqlstate", None) or "")
    theirs = isinstance(error, PermissionError) or state[:2] in _OPERATORS
    passes = not theirs and (trouble_of(error) in PASSING or _of_state(state) in PASSING)
    return (Unreachable if passes else LedgerError)(
        f"The database {name} cannot be opened: {reason(error)}."
    )


def trouble_of(error: BaseException) -> Trouble | None:
    """Return the trouble that a database error indicates; None if only the request is at fault.

    A broken constraint, for example, is an ordinary result.
    """
    if not isinstance(error, DBAPIError):
        return Trouble.AWAY if isinstance(error, OSError) else None
    code = getattr(error.orig, "sqlite_errorcode", None)
    if isinstance(code, int):
        return _OF_SQLITE.get(code & 0xFF)  # the higher bits of an extended code only add detail
    state = getattr(error.orig, "sqlstate", None)
    if isinstance(state, str):
        return _of_state(state)
    return Trouble.AWAY if error.connection_invalidated else None


_OF_SQLITE = {
    sqlite3.SQLITE_CORRUPT: Trouble.DAMAGED,
    sqlite3.SQLITE_NOTADB: Trouble.DAMAGED,
    sqlite3.SQLITE_FULL: Trouble.FULL,
    sqlite3.SQLITE_READONLY: Trouble.READ_ONLY,
    sqlite3.SQLITE_PERM: Trouble.READ_ONLY,
    sqlite3.SQLITE_IOERR: Trouble.DISK,
    sqlite3.SQLITE_CANTOPEN: Trouble.DISK,
    sqlite3.SQLITE_BUSY: Trouble.LOCKED,
    sqlite3.SQLITE_LOCKED: Trouble.LOCKED,
    sqlite3.SQLITE_PROTOCOL: Trouble.LOCKED,
    sqlite3.SQLITE_ERROR: Trouble.OTHER,  # such as a missing table
}

_OF_POSTGRESQL = {
    "53100": Trouble.FULL,
    "25006": Trouble.READ_ONLY,
    "42501": Trouble.READ_ONLY,
    "55P03": Trouble.LOCKED,
    "58030": Trouble.DISK,
    "42P01": Trouble.OTHER,
    "42703": Trouble.OTHER,
    "57P01": Trouble.AWAY,
    "57P02": Trouble.AWAY,
    "57P03": Trouble.AWAY,
    "XX001": Trouble.DAMAGED,
    "XX002": Trouble.DAMAGED,
}
_OF_CLASSES = {"08": Trouble.AWAY, "28": Trouble.AWAY, "3D": Trouble.AWAY, "53": Trouble.AWAY}
_OPERATORS = ("28", "3D")
"""Classes of errors that no waiting mends at a start: a wrong password, a database that does not
exist.
"""


def _of_state(state: str) -> Trouble | None:
    """Return the trouble that PostgreSQL's code for an error indicates."""
    return _OF_POSTGRESQL.get(state) or _OF_CLASSES.get(state[:2])


def _identity(file: Path | str) -> Identity:
    found = os.stat(file)
    return found.st_dev, found.st_ino
