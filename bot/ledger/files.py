"""The files of a SQLite database: checked, private to their owner, locked by one process, copied."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout
from sqlalchemy import URL

from bot import private
from bot.ledger.engine import address, name_of
from bot.ledger.errors import LedgerError
from bot.ledger.keys import key_file
from bot.ledger.schema import entries

VERSIONS = "alembic_version"
LEDGER_TABLES = {VERSIONS, entries.name}
"""Tables that exist in every ledger."""

BESIDE = ("-wal", "-shm", "-journal", ".lock")
"""Suffixes of the files beside the database."""


STEP = 2_000
"""Pages per copy step."""


def check_file(url: URL) -> None:
    """Raise `LedgerError` if a SQLite file can't be created or written. SQLite's own messages are less helpful."""
    file = Path(str(url.database))
    folder = file.parent
    if not folder.exists():
        raise LedgerError(f"The database {file} cannot be opened: there is no folder {folder}.")
    if not folder.is_dir():
        raise LedgerError(f"The database {file} cannot be opened: {folder} is not a folder.")
    if file.is_dir():
        raise LedgerError(f"The database {file} cannot be opened: it is a folder.")
    # WAL keeps two files beside the database.
    if not os.access(folder, os.W_OK | os.X_OK):
        raise LedgerError(f"The database {file} cannot be opened: no permission to write in {folder}.")
    if file.exists() and not os.access(file, os.R_OK | os.W_OK):
        raise LedgerError(f"The database {file} cannot be opened: no permission to read and write it.")


def has_ledger(where: URL) -> bool:
    """Return whether a SQLite file has the ledger's tables. True for a damaged file: opening it reports the damage.

    This only reads the file; opening a ledger would switch it to WAL.
    """
    file = Path(str(where.database)).absolute()
    if not file.exists() or not file.stat().st_size:
        return False
    with suppress(sqlite3.Error), closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as connection:
        found = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        return {name for (name,) in found} >= LEDGER_TABLES
    return True


def require_ledger(where: URL) -> None:
    """Raise `LedgerError` if a SQLite file has no ledger, for programs that must never create one."""
    if not has_ledger(where):
        raise no_ledger(where)


def require_first_start(where: URL, key: Path) -> None:
    """Raise `LedgerError` if a SQLite file has no ledger, but its key shows that it had one."""
    if key.exists() and not has_ledger(where):
        file = Path(str(where.database))
        raise LedgerError(
            f"The key {key} is there, but its ledger is not: {file} is {'empty' if file.exists() else 'missing'}. Put "
            f"the ledger or a backup back, with its -wal file if there is one. To begin anew, move {key} away first."
        )


def no_ledger(where: URL) -> LedgerError:
    """Return the error for a database without a ledger, where none may be made."""
    return LedgerError(
        f"There is no ledger at {name_of(where)}, and this command doesn't create one. DATABASE_URL says where it is; "
        "bourse creates one when it starts."
    )


def make_private(url: URL) -> None:
    """Create a SQLite file for its owner alone. If it exists, remove others' permissions on all its files.

    Logs a warning for a file that can't be changed because somebody else owns it. Does nothing on systems without such
    permissions. If the file can't be created, SQLite reports why when it opens it.
    """
    if os.name != "posix":
        return
    file = Path(str(url.database)).resolve()
    with suppress(OSError):
        private.create(file).close()
    for each in (file, *(file.with_name(f"{file.name}{end}") for end in BESIDE)):
        private.close_to_others(each)


@contextmanager
def locked_file(url: URL) -> Iterator[None]:
    """Lock a SQLite file for this process while the block lasts.

    Raises `LedgerError` when another process holds the lock, or the folder is not writable.
    """
    check_file(url)
    file = Path(str(url.database)).resolve()  # two names of one file share the lock
    # No soft locks: a crash would leave their file behind. A file system without locks is an error instead.
    lock = FileLock(
        file.with_name(f"{file.name}.lock"),
        timeout=0,
        mode=private.OWNER_ONLY,
        thread_local=False,
        fallback_to_soft=False,
    )
    try:
        lock.acquire()
    except Timeout:
        raise LedgerError(
            f"The database {url.database} is in use by another Bourse: stop that one first, or give this one another "
            "DATABASE_URL."
        ) from None
    except (OSError, NotImplementedError) as error:
        raise LedgerError(f"The database {url.database} cannot be locked: {error}.") from error
    try:
        yield
    finally:
        lock.release()


def copy_ledger(url: str, target: Path, tell: Callable[[int, int], object] = lambda done, total: None) -> Path:
    """Copy a ledger to a new file. Return the path of its key, which is not part of the copy.

    ``tell`` is called with the number of pages copied and the total. The copy does not contain entries written
    meanwhile. Raises `LedgerError` when there is no ledger, it is on PostgreSQL, or the file can't be written; no file
    is left behind then.
    """
    where = address(url)
    if where.get_backend_name() != "sqlite":
        raise LedgerError(f"{name_of(where)} is on PostgreSQL, whose own pg_dump makes a copy of it.")
    require_ledger(where)
    try:
        private.create(target).close()
    except FileExistsError:
        raise LedgerError(f"{target} already exists, and I don't overwrite files. Name a new file.") from None
    except OSError as error:
        raise LedgerError(f"{target} can't be written: {error.strerror}.") from error
    try:
        _copy(Path(str(where.database)).absolute(), target, tell)
    except BaseException as error:
        target.unlink(missing_ok=True)
        if isinstance(error, sqlite3.Error):
            raise LedgerError(f"{name_of(where)} could not be copied: {error}.") from error
        raise
    return key_file(where)


def _copy(file: Path, target: Path, tell: Callable[[int, int], object]) -> None:
    with (
        closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True, isolation_level=None)) as source,
        closing(sqlite3.connect(target)) as copy,
    ):
        # The open transaction pins one snapshot: otherwise the backup restarts whenever the bot writes.
        source.execute("BEGIN")
        source.execute("SELECT 1 FROM sqlite_master").fetchone()
        source.backup(copy, pages=STEP, progress=lambda _status, left, total: tell(total - left, total))
        found = copy.execute("PRAGMA quick_check(1)").fetchone()
        if found != ("ok",):
            raise sqlite3.DatabaseError(f"the ledger is damaged ({found[0]})")
