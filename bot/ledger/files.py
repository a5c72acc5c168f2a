"""The files of a SQLite database: checked, private to their owner, locked by one process,
copied.
"""

from __future__ import annotations

import os
import secrets
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext, suppress
from pathlib import Path

from filelock import FileLock, Timeout
from sqlalchemy import URL

from bot import private
from bot.ledger.engine import LOG_EXPECTED, address, name_of
from bot.ledger.errors import LedgerError
from bot.ledger.schema import entries

VERSIONS = "alembic_version"
LEDGER_TABLES = {VERSIONS, entries.name}
"""Tables that exist in every ledger."""

LOGS = ("-wal", "-shm", "-journal")
"""Suffixes of the files that belong to the database, beside it."""

BESIDE = (*LOGS, ".lock")
"""Suffixes of all files beside the database."""

_HEADER, _USER_VERSION = 100, slice(60, 64)
"""The length of a SQLite file's header, and where it keeps its ``user_version``."""

STEP = 2_000
"""Pages per copy step."""


def check_file(url: URL) -> None:
    """Raise `LedgerError` if a SQLite file can't be created or written. SQLite's own messages are
    less helpful.
    """
    file = Path(str(url.database))
    folder = file.parent.resolve()  # “.” and “..” would say little
    if not folder.exists():
        raise LedgerError(f"The database {file} cannot be opened: there is no folder {folder}.")
    if not folder.is_dir():
        raise LedgerError(f"The database {file} cannot be opened: {folder} is not a folder.")
    try:
        private.require_plain(file)
    except OSError as error:
        raise LedgerError(f"The database {file} cannot be opened: {error.strerror}.") from error
    # WAL keeps two files beside the database.
    if not os.access(folder, os.W_OK | os.X_OK):
        raise LedgerError(
            f"The database {file} cannot be opened: no permission to write in {folder}."
        )
    if file.exists() and not os.access(file, os.R_OK | os.W_OK):
        raise LedgerError(
            f"The database {file} cannot be opened: no permission to read and write it."
        )


def has_ledger(where: URL) -> bool:
    """Return whether a SQLite file has the ledger's tables. True for a damaged file: opening it
    reports the damage.

    This only reads the file; opening a ledger would switch it to WAL.
    """
    file = Path(str(where.database))
    return not _is_empty(file) and _tables(file) >= LEDGER_TABLES


def _is_empty(file: Path) -> bool:
    return not file.exists() or not file.stat().st_size


def _tables(file: Path) -> set[str]:
    """Return the names of a SQLite file's tables; for a damaged file, those of a ledger."""
    with (
        suppress(sqlite3.Error),
        closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as connection,
    ):
        found = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        return {name for (name,) in found}
    return LEDGER_TABLES


def require_ledger(where: URL) -> None:
    """Raise `LedgerError` if a SQLite file has no ledger, for programs that must never create
    one.
    """
    if not has_ledger(where):
        raise no_ledger(where)


def require_whole(url: str) -> None:
    """Raise `LedgerError` if a SQLite file's log is missing, with what was recorded last."""
    file = database_file(url)
    if lacks_log(file):
        raise LedgerError(
            f"The end of the ledger {file} is missing: {file.name}-wal, which holds what was "
            "recorded last, is not beside it. Put that file back. If it is lost, give the ledger "
            "another name, and type: bourse restore NAME"
        )


def lacks_log(file: Path) -> bool:
    """Return whether a SQLite file says that it has a log, and none is beside it."""
    if _is_empty(file) or file.with_name(f"{file.name}-wal").exists():
        return False
    with file.open("rb") as opened:
        header = opened.read(_HEADER)
    return int.from_bytes(header[_USER_VERSION]) == LOG_EXPECTED


def require_first_start(where: URL, key: Path | None) -> None:
    """Raise `LedgerError` if a SQLite file has no ledger, but it or its ``key`` shows that it had
    one.
    """
    if has_ledger(where):
        return
    file = Path(str(where.database))
    if key is not None and key.exists():
        raise LedgerError(
            f"The key {key} is there, but its ledger is not: {file} is "
            f"{'empty' if file.exists() else 'missing'}. Put "
            "the ledger or a backup back, with its -wal file if there is one. To begin anew, move "
            f"{key} away first."
        )
    # The tables of a new file are written into it at once, so another file belongs to this one.
    if not _is_empty(file) and not _tables(file):
        raise LedgerError(
            f"{file} is not empty, but there is no ledger in it. Put its {file.name}-wal beside "
            f"it, or a backup in its place. To begin anew, move {file} away first."
        )


def no_ledger(where: URL) -> LedgerError:
    """Return the error for a database without a ledger, where none may be made."""
    return LedgerError(
        f"There is no ledger at {name_of(where)}, and this command doesn't create one. "
        "DATABASE_URL says where it is; "
        "bourse creates one when it starts."
    )


def make_private(url: URL) -> None:
    """Create a SQLite file for its owner alone. If it exists, remove others' permissions on all its
    files.

    Logs a warning for a file that can't be changed because somebody else owns it. Does nothing on
    systems without such permissions. If the file can't be created, SQLite reports why when it opens
    it.
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
    # No soft locks: a crash would leave their file behind. A file system without locks is an error
    # instead.
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
            f"The database {url.database} is in use by another Bourse: stop that one first, or "
            "give this one another "
            "DATABASE_URL."
        ) from None
    except (OSError, NotImplementedError) as error:
        raise LedgerError(f"The database {url.database} cannot be locked: {error}.") from error
    try:
        yield
    finally:
        lock.release()


def database_file(url: str) -> Path:
    """Return the file of a SQLite database. Raises `LedgerError` for a database on PostgreSQL."""
    where = address(url)
    if where.get_backend_name() != "sqlite":
        raise LedgerError(
            f"{name_of(where)} is on PostgreSQL: its own pg_dump makes a copy of it, and "
            "pg_restore puts it back."
        )
    return Path(str(where.database))


def held_alone(url: str) -> AbstractContextManager[None]:
    """Return a context that keeps other processes off a SQLite file. On PostgreSQL, changes don't
    need that.

    Entering it raises `LedgerError` while another process holds the file.
    """
    where = address(url)
    return locked_file(where) if where.get_backend_name() == "sqlite" else nullcontext()


@contextmanager
def copied(
    url: str,
    target: Path,
    tell: Callable[[int, int], object] = lambda done, total: None,
    *,
    aside: Path | None = None,
) -> Iterator[Path]:
    """Copy a ledger to ``target``, without its key. The block gets the finished copy under another
    name and checks it.

    The copy gets its name when the block ends, so a file with that name is complete even after a
    crash. If the block fails, no file is left. ``tell`` is called with the number of pages copied
    and the total. The copy does not contain entries written meanwhile. A file at ``target`` is
    moved to ``aside`` with its -wal and -shm files.

    Raises `LedgerError` when there is no ledger, it is on PostgreSQL, the file can't be written, or
    it exists and there is no ``aside``.
    """
    file, where = database_file(url), address(url)
    require_ledger(where)
    _require_new(target, aside)
    part = unfinished(target, secrets.token_hex(4))
    try:
        private.create(part).close()
    except OSError as error:
        raise LedgerError(f"{target} can't be written: {error.strerror}.") from error
    try:
        with closing(sqlite3.connect(part)) as copy:
            _copy(file, copy, tell)
            copy.execute("PRAGMA user_version = 0")  # a copy needs no log
        yield part
        # A copy in WAL mode can't be read where its folder can't be written, and leaves two files
        # beside it.
        with closing(sqlite3.connect(part)) as copy:
            copy.execute("PRAGMA journal_mode=DELETE")
        _require_new(target, aside)
        if aside is not None:
            for end in ("", *LOGS):
                with suppress(FileNotFoundError):
                    target.with_name(f"{target.name}{end}").rename(
                        aside.with_name(f"{aside.name}{end}")
                    )
        private.publish(part, target)
    except sqlite3.Error as error:
        raise LedgerError(f"{name_of(where)} could not be copied: {error}.") from error
    finally:
        for end in ("", *LOGS):
            part.with_name(f"{part.name}{end}").unlink(missing_ok=True)


def unfinished(target: Path, mark: str) -> Path:
    """Return the name of a copy to ``target`` until it is complete. ``*`` as its mark makes a
    pattern.
    """
    return target.with_name(f".{target.name}.{mark}.part")


def _require_new(target: Path, aside: Path | None) -> None:
    try:
        private.require_plain(target)
    except OSError as error:
        raise LedgerError(f"{target} can't be written: {error.strerror}.") from error
    if aside is None and os.path.lexists(target):
        raise LedgerError(f"{target} already exists, and I don't overwrite files. Name a new file.")


def in_memory(where: URL) -> tuple[URL, sqlite3.Connection]:
    """Copy a SQLite file into memory. Return the copy's address, which is good until the connection
    is closed.

    Raises ``sqlite3.Error`` if the file can't be read, or is damaged.
    """
    name = f"file:bourse-{secrets.token_hex(8)}"
    copy = sqlite3.connect(f"{name}?mode=memory&cache=shared", uri=True, check_same_thread=False)
    try:
        _copy(Path(str(where.database)), copy)
    except BaseException:
        copy.close()
        raise
    return where.set(
        database=name, query={"mode": "memory", "cache": "shared", "uri": "true"}
    ), copy


def _copy(
    file: Path,
    copy: sqlite3.Connection,
    tell: Callable[[int, int], object] = lambda done, total: None,
) -> None:
    with closing(
        sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None)
    ) as source:
        # The open transaction pins one snapshot: otherwise the backup restarts whenever the bot
        # writes.
        source.execute("BEGIN")
        source.execute("SELECT 1 FROM sqlite_master").fetchone()
        source.backup(
            copy, pages=STEP, progress=lambda _status, left, total: tell(total - left, total)
        )
        found = copy.execute("PRAGMA quick_check(1)").fetchone()
        if found != ("ok",):
            raise sqlite3.DatabaseError(f"the ledger is damaged ({found[0]})")


def heads_in(file: Path) -> list[tuple[int, str]]:
    """Return each table's number and the hash of its last entry, from a ledger's file of any format
    since 1.0.
    """
    last = "SELECT max(seq) FROM entries AS every WHERE every.table_id = entries.table_id"
    with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as connection:
        return connection.execute(
            f"SELECT table_id, hash FROM entries WHERE seq = ({last}) ORDER BY table_id"
        ).fetchall()
