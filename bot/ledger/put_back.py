"""The mark that a ledger was put back from a copy, beside its file until each table's people know.

``bourse restore`` leaves it, and the next start reads it.
"""

from __future__ import annotations

import json
import logging
import secrets
import sqlite3
from contextlib import closing
from dataclasses import asdict, dataclass, field
from pathlib import Path

from bot import private
from bot.ledger.engine import address
from bot.ledger.errors import LedgerError

log = logging.getLogger(__name__)


@dataclass
class PutBack:
    """A ledger that was put back.

    ``nonce`` differs from time to time. ``until`` is when its last entry was recorded, in
    milliseconds since 1970. ``told`` are the tables that know.
    """

    file: Path
    nonce: str
    until: int
    told: list[int] = field(default_factory=list)

    def note_told(self, table_id: int) -> None:
        """Note that a table knows. Raises ``OSError``."""
        self.told.append(table_id)
        self.write()

    def write(self) -> None:
        """Write the mark. Raises ``OSError``."""
        part = self.file.with_name(f".{self.file.name}.part")
        private.remove(part)
        with private.create(part) as opened:
            said = asdict(self) | {"file": self.file.name}
            opened.write(json.dumps(said).encode())
        private.publish(part, self.file)

    def forget(self) -> None:
        """Take the mark away. Raises ``OSError``."""
        private.remove(self.file)


def mark_of(file: Path) -> Path:
    """Return the mark's name beside a ledger's file."""
    return file.with_name(f"{file.name}.put-back")


def mark_put_back(file: Path) -> None:
    """Leave the mark that this ledger was put back, unless it has no entries. Raises ``OSError``,
    and `LedgerError`.
    """
    where = f"{file.absolute().as_uri()}?mode=ro"
    try:
        with closing(sqlite3.connect(where, uri=True)) as database:
            (until,) = database.execute("SELECT max(at) FROM entries").fetchone()
    except sqlite3.Error as error:
        raise LedgerError(str(error)) from error
    if until is not None:
        PutBack(mark_of(file), secrets.token_hex(6), until).write()


def read_put_back(url: str) -> PutBack | None:
    """Return the mark beside a ledger; None without one, on PostgreSQL, and for a file that is no
    mark.
    """
    where = address(url)
    if where.get_backend_name() != "sqlite":
        return None
    file = mark_of(Path(str(where.database)))
    try:
        said = json.loads(file.read_text(encoding="utf-8"))
        told = [int(each) for each in said["told"]]
        return PutBack(file, str(said["nonce"])[:12], int(said["until"]), told)
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError, KeyError) as error:
        log.warning("%s is not what bourse restore leaves: %s", file, error)
        return None
