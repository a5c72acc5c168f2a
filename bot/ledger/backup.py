"""Copies a ledger's SQLite file at one moment in time, even while the bot writes to it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from bot.ledger.engine import address, name_of
from bot.ledger.errors import LedgerError
from bot.ledger.keys import key_file
from bot.ledger.presence import check_ledger_file

STEP = 2_000
"""Pages per copy step."""


def copy_ledger(url: str, target: Path, tell: Callable[[int, int], object] = lambda done, total: None) -> Path:
    """Copy a ledger to a new file. Return the path of its key, which is not part of the copy.

    ``tell`` is called with the number of pages copied and the total. The copy does not contain entries written
    meanwhile. Raises `LedgerError` when there is no ledger, it is on PostgreSQL, or the file can't be written; no file
    is left behind then.
    """
    where = address(url)
    if where.get_backend_name() != "sqlite":
        raise LedgerError(f"{name_of(where)} is on PostgreSQL, whose own pg_dump makes a copy of it.")
    check_ledger_file(where)
    try:
        target.touch(exist_ok=False)
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
