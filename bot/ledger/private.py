"""The files of a SQLite database belong to their owner alone: they hold everybody's hand.

SQLite gives the files that it makes beside a database the database's own permissions, so those of a new database count.
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
"""Permissions with which the owner may read and write, and nobody else anything."""

OTHERS = stat.S_IRWXG | stat.S_IRWXO

BESIDE = ("-wal", "-shm", "-journal", ".lock")
"""What follows the database's name in the names of the files beside it."""


def make_private(url: URL) -> None:
    """Make a SQLite file if there is none, for its owner alone, and take others' permissions from those there are.

    What can't be changed, since somebody else owns it, is said in the log. Systems without such permissions are left
    alone. Where no file can be made, SQLite says why when it opens it.
    """
    if os.name != "posix":
        return
    file = Path(str(url.database)).resolve()
    with suppress(OSError):
        os.close(os.open(file, os.O_CREAT | os.O_RDWR, OWNER_ONLY))
    for each in (file, *(file.with_name(f"{file.name}{end}") for end in BESIDE)):
        _tighten(each)


def _tighten(file: Path) -> None:
    """Take all permissions on a file from others, and say so if there were any."""
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
        log.warning("%s was open to others on this machine. I have closed it to them: it is yours alone now.", file)
