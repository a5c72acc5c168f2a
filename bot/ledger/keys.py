"""The key, which lies outside the database, and the seals made with it.

A *seal* is an HMAC-SHA256 over a row: a program that can write to the database but lacks the key cannot make one. Every
row that the hash chain does not cover has a seal over all of its other columns. The last entry of each table has one
over its place and hash, which a trigger erases when another entry follows: a chain that was cut or written anew ends
with an entry that has none.

Only two things are ever sealed: what this program made itself, and with `Key.change` a row whose old seal fits. What is
read goes through `Key.require` before it is used.
"""

from __future__ import annotations

import hmac
import os
import re
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from sqlalchemy import URL, Row, Table

from bot.ledger.chain import canonical
from bot.ledger.errors import LedgerError, Tampered
from bot.ledger.values import Head

SEAL: Final = "seal"
"""The column that holds a row's seal."""

KEY_MIN = 32
"""The fewest characters of a key."""

KeySource = str | Path | None
"""The key as text, or the file that holds it; None for the file that `key_file` says."""

_KEY = re.compile(rf"[!-~]{{{KEY_MIN},}}")


class Key:
    """The secret that seals are made with."""

    def __init__(self, text: str) -> None:
        """Take the key as text.

        Raises ``ValueError`` for fewer than `KEY_MIN` characters, or any that is not visible ASCII.
        """
        if not _KEY.fullmatch(text):
            raise ValueError(f"A key has at least {KEY_MIN} characters, none of them a space.")
        self._secret = text.encode()

    def __repr__(self) -> str:
        return "Key(***)"

    def seal(self, table: str, values: Mapping[Any, Any]) -> str:
        """Return the seal of a row of a database table, in hex. ``values`` are its columns; its own seal is left out.

        Raises ``TypeError`` for what JSON cannot hold.
        """
        covered = {
            str(name): value for name, value in values.items() if name != SEAL
        }  # SQLAlchemy's names are no plain str
        return hmac.digest(self._secret, canonical([table, covered]), "sha256").hex()

    def sealed(self, table: str, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return a row with its seal."""
        return {**values, SEAL: self.seal(table, values)}

    def fits(self, table: str, row: Mapping[Any, Any]) -> bool:
        """Return whether a row has its seal. Never raises, whatever the row holds."""
        found = row[SEAL]
        try:
            return isinstance(found, str) and hmac.compare_digest(found.encode(), self.seal(table, row).encode())
        except (TypeError, ValueError):  # bytes, or a number or text that JSON cannot hold
            return False

    def require(self, table: Table, row: Row[Any]) -> Row[Any]:
        """Return a row of a database table if it has its seal. Raises `Tampered`."""
        if not self.fits(table.name, row._mapping):
            raise Tampered(row._mapping.get("table_id"), described(table, row))
        return row

    def change(self, table: Table, row: Row[Any], **changes: object) -> dict[str, Any]:
        """Return a row with some values changed and a new seal, if it has its old one. Raises `Tampered`."""
        return self.sealed(table.name, {**self.require(table, row)._mapping, **changes})

    def require_head(self, table_id: int, row: Row[Any]) -> Head:
        """Return the head of a table whose last entry this row is, if it has its seal. Raises `Tampered`."""
        if row.seal != self.seal_head(table_id, row.seq, row.hash):
            raise Tampered(table_id, "the end of its entries")
        return Head(row.seq, row.hash)

    def seal_head(self, table_id: object, seq: object, hash: object) -> str:
        """Return the seal of an entry that is the last of its table."""
        return self.seal("entries", {"table_id": table_id, "seq": seq, "hash": hash})


def described(table: Table, row: Row[Any]) -> str:
    """Return a row in words: its table and its primary key."""
    return f"{table.name} {', '.join(str(row._mapping[column.name]) for column in table.primary_key)}"


def key_of(source: str | Path) -> Key | None:
    """Return the key of a source; None for a file that is not there. Raises `LedgerError` for what is no key."""
    if isinstance(source, Path):
        return read_key(source)
    try:
        return Key(source)
    except ValueError as error:
        raise LedgerError(str(error)) from error


def key_file(url: URL) -> Path:
    """Return where the key of a database is kept if nothing else is said: beside a SQLite file, or in this folder."""
    if url.get_backend_name() == "sqlite":
        return Path(f"{url.database}.key")
    return Path("bourse.key")


def read_key(file: Path) -> Key | None:
    """Return the key in a file; None when there is no such file. Raises `LedgerError` when it can't be read."""
    try:
        return Key(file.read_text(encoding="ascii").strip())
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise LedgerError(
            f"The key in {file} can't be read: it is one word of at least {KEY_MIN} characters."
        ) from error


def make_key(file: Path) -> Key:
    """Make a key in a file that only its owner may read; return it, or the one that another process made meanwhile.

    Raises `LedgerError` when the file can't be written.
    """
    begun = file.with_name(f".{file.name}.{secrets.token_hex(4)}")
    try:
        with os.fdopen(os.open(begun, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as new:
            new.write(f"{secrets.token_hex(32)}\n")
            new.flush()
            os.fsync(new.fileno())
        try:
            os.link(begun, file)  # all at once, and never over another one
        except FileExistsError:
            pass
        finally:
            begun.unlink()
    except OSError as error:
        raise LedgerError(f"The key of the database can't be written to {file}: {error.strerror}.") from error
    made = read_key(file)
    if made is None:
        raise LedgerError(f"The key of the database was taken away from {file} as it was made.")
    return made
