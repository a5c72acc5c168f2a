"""One process for a SQLite file: a lock of the operating system on a file beside it.

The system drops the lock with the process that holds it, however that ends, so it is never stale. The empty file stays
and means nothing by itself. Programs that only read, such as ``bourse verify``, don't ask for the lock.
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

    Raises `LedgerError` when another process has it, or its folder can't be written to.
    """
    check_file(url)
    file = Path(str(url.database)).resolve()  # two names of one file share the lock
    # A soft lock would be a file that a crash leaves behind; a file system without locks is an error instead.
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
