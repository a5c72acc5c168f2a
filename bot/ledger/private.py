"""Restricts the files of a SQLite database to their owner, since they contain everybody's hand.

SQLite creates its other files with the database's own permissions, so setting them on a new database is enough.
"""

from __future__ import annotations

import logging
import os
import stat
from contextlib import suppress
from pathlib import Path

from sqlalchemy import URL

log = logging.getLogger(__name__)

OWNER_ONLY = 0o600
"""Read and write permission for the owner, none for anyone else."""

OTHERS = stat.S_IRWXG | stat.S_IRWXO

BESIDE = ("-wal", "-shm", "-journal", ".lock")
"""Suffixes of the files beside the database."""


def make_private(url: URL) -> None:
    """Create a SQLite file for its owner alone. If it exists, remove others' permissions on all its files.

    Logs a warning for a file that can't be changed because somebody else owns it. Does nothing on systems without such
    permissions. If the file can't be created, SQLite reports why when it opens it.
    """
    if os.name != "posix":
        return
    file = Path(str(url.database)).resolve()
    with suppress(OSError):
        os.close(os.open(file, os.O_CREAT | os.O_RDWR, OWNER_ONLY))
    for each in (file, *(file.with_name(f"{file.name}{end}") for end in BESIDE)):
        _tighten(each)


def _tighten(file: Path) -> None:
    """Remove others' permissions on a file, and log a warning if there were any."""
    try:
        if not file.stat().st_mode & OTHERS:
            return
        file.chmod(OWNER_ONLY)
    except FileNotFoundError:
        return
    except OSError as error:
        log.warning(
            "%s may be open to others on this machine, and I can't change that (%s). Type: sudo chmod 600 '%s'",
            file, error.strerror, file,
        )  # fmt: skip
    else:
        log.warning("%s was open to others on this machine. I have fixed that: only you can read it now.", file)
