"""Private files: the only way to make a file, so that nobody else on the machine can read a hand, a
key or a secret.
"""

from __future__ import annotations

import errno
import logging
import os
import stat
from pathlib import Path
from typing import BinaryIO

log = logging.getLogger(__name__)

OWNER_ONLY = 0o600
"""Read and write permission for the owner, none for anyone else."""


KINDS = {stat.S_IFDIR: "a folder", stat.S_IFIFO: "a pipe", stat.S_IFSOCK: "a socket"}
"""What may be in a file's place, but for devices."""


def require_plain(file: Path) -> None:
    """Raise ``OSError`` if something is there that is no plain file, such as a device, which root
    could replace.
    """
    if file.exists() and not file.is_file():
        kind = KINDS.get(stat.S_IFMT(file.stat().st_mode), "a device")
        raise OSError(
            errno.EINVAL, f"it is {kind}, and I write only plain files: name another", str(file)
        )


def require_folder(folder: Path) -> None:
    """Make a folder for its owner alone unless it is there. Raises ``OSError`` if something else is
    in its place.
    """
    try:
        if not folder.is_dir():
            folder.mkdir(parents=True)
            folder.chmod(OWNER_ONLY | stat.S_IXUSR)  # whatever the umask
    except (FileExistsError, NotADirectoryError) as error:
        raise OSError(errno.ENOTDIR, "it is no folder: name another", str(folder)) from error


def remove(file: Path) -> None:
    """Delete a plain file, if it is there, to make it anew. Raises ``OSError`` for anything
    else.
    """
    require_plain(file)
    file.unlink(missing_ok=True)


def create(file: Path) -> BinaryIO:
    """Make a new file for its owner alone, and open it for writing.

    Raises ``FileExistsError`` if it exists, since somebody else might own it or still have it open,
    and ``OSError``.
    """
    return os.fdopen(
        os.open(
            file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), OWNER_ONLY
        ),
        "wb",
    )


def publish(part: Path, target: Path) -> None:
    """Give a finished file its name, durably. Raises ``OSError``."""
    part.rename(target)
    if os.name == "posix":  # elsewhere a folder can't be opened
        folder = os.open(target.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def is_open_to_others(file: Path) -> bool:
    """Return whether other users of this machine have any permission on a file.

    False if there is no such file, or the system has no such permissions. Raises ``OSError``.
    """
    try:
        return os.name == "posix" and bool(file.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO))
    except FileNotFoundError:
        return False


def close_to_others(file: Path) -> None:
    """Remove others' permissions on a file of ours, and log a warning if there were any.

    The warning says what to type where somebody else owns the file, so that this program can't
    change it.
    """
    try:
        if not is_open_to_others(file):
            return
        file.chmod(OWNER_ONLY)
    except FileNotFoundError:
        return
    except OSError as error:
        log.warning(
            "%s may be open to others on this machine, and I can't change that (%s). Type: sudo "
            "chmod 600 '%s'",
            file,
            error.strerror,
            file,
        )
    else:
        log.warning(
            "%s was open to others on this machine. I have fixed that: only you can read it now.",
            file,
        )
