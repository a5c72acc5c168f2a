"""Allows one process for a SQLite file, by an operating system lock on a file beside it.

The system drops the lock when the process ends for any reason, so the lock is never stale. The empty lock file remains
and means nothing by itself. Programs that only read, such as ``bourse verify``, don't take the lock.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout
from sqlalchemy import URL

from bot.ledger.engine import check_file
from bot.ledger.errors import LedgerError
from bot.ledger.private import OWNER_ONLY


@contextmanager
def locked_file(url: URL) -> Iterator[None]:
    """Lock a SQLite file for this process while the block lasts.

    Raises `LedgerError` when another process holds the lock, or the folder is not writable.
    """
    check_file(url)
    file = Path(str(url.database)).resolve()  # two names of one file share the lock
    # No soft locks: a crash would leave their file behind. A file system without locks is an error instead.
    lock = FileLock(
        file.with_name(f"{file.name}.lock"), timeout=0, mode=OWNER_ONLY, thread_local=False, fallback_to_soft=False
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
