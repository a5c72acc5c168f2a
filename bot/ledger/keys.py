"""The key, which is stored outside the database, and the seals made with it.

A *seal* is an HMAC-SHA256 over a row. A program that can write to the database but lacks the key
cannot make a seal. Every row that the hash chain does not cover has a seal over all its other
columns. The last entry of each table has a seal over its table, number and hash. A trigger erases
that seal when another entry follows, so a chain that was cut or rewritten ends with an unsealed
entry.

The program seals only rows that it made itself and, with `Key.change`, rows whose old seal is
valid. It passes a row through `Key.require` before using it.
"""

from __future__ import annotations

import hmac
import os
import re
import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from sqlalchemy import URL, Row, Table

from bot import private
from bot.ledger.chain import canonical
from bot.ledger.engine import address
from bot.ledger.errors import LedgerError, Tampered
from bot.ledger.values import Head

AnyRow = Row[Any]
"""A row of any table or query."""

Rows = Sequence[AnyRow]

SEAL: Final = "seal"
"""The column that holds a row's seal."""

KEY_MIN = 32
"""The minimum length of a key, in characters."""

KeySource = str | Path | None
"""The key as text, or the file that holds it; None for the file that `key_file` returns."""

_KEY = re.compile(rf"[!-~]{{{KEY_MIN},}}")


class Key:
    """The secret that makes and checks seals."""

    def __init__(self, text: str) -> None:
        """Raise ``ValueError`` if the key is shorter than `KEY_MIN` or has a character that is not
        visible ASCII.
        """
        if not _KEY.fullmatch(text):
            raise ValueError(f"A key has at least {KEY_MIN} characters, none of them a space.")
        self._secret = text.encode()

    def __repr__(self) -> str:
        return "Key(***)"

    def seal(self, table: str, values: Mapping[Any, Any]) -> str:
        """Return the seal of a row of a database table, in hex. ``values`` are its columns; a
        `SEAL` in it is ignored.

        Raises ``TypeError`` for a value that JSON cannot represent.
        """
        covered = {
            str(name): value for name, value in values.items() if name != SEAL
        }  # str(), since SQLAlchemy's names are a subclass of it
        return hmac.digest(self._secret, canonical([table, covered]), "sha256").hex()

    def sealed(self, table: str, values: Mapping[str, Any]) -> dict[str, Any]:
        return {**values, SEAL: self.seal(table, values)}

    def verifies(self, table: str, row: Mapping[Any, Any]) -> bool:
        """Return whether a row's seal is valid. Never raises, whatever the row contains."""
        found = row[SEAL]
        try:
            return isinstance(found, str) and hmac.compare_digest(
                found.encode(), self.seal(table, row).encode()
            )
        except (TypeError, ValueError):  # a value that JSON cannot represent, such as bytes
            return False

    def require(self, table: Table, row: AnyRow) -> AnyRow:
        """Return a row of a database table. Raises `Tampered` unless its seal is valid."""
        if not self.verifies(table.name, row._mapping):
            raise Tampered(row._mapping.get("table_id"), described(table, row))
        return row

    def change(self, table: Table, row: AnyRow, **changes: object) -> dict[str, Any]:
        """Return a row with changed values and a new seal. Raises `Tampered` unless its old seal is
        valid.
        """
        return self.sealed(table.name, {**self.require(table, row)._mapping, **changes})

    def require_head(self, table_id: int, row: AnyRow) -> Head:
        """Return a table's head, given the row of its last entry. Raises `Tampered` unless the seal
        is valid.
        """
        if row.seal != self.seal_head(table_id, row.seq, row.hash):
            raise Tampered(table_id, "the end of its entries")
        return Head(row.seq, row.hash)

    def seal_head(self, table_id: object, seq: object, hash: object) -> str:
        return self.seal("entries", {"table_id": table_id, "seq": seq, "hash": hash})


def described(table: Table, row: AnyRow) -> str:
    """Describe a row in words: its table and primary key."""
    return (
        f"{table.name} {', '.join(str(row._mapping[column.name]) for column in table.primary_key)}"
    )


def key_of(source: str | Path) -> Key | None:
    """Return the key of a source; None if its file does not exist. Raises `LedgerError` for an
    invalid key.
    """
    if isinstance(source, Path):
        return read_key(source)
    try:
        return Key(source)
    except ValueError as error:
        raise LedgerError(str(error)) from error


def key_file(url: URL) -> Path:
    """Return the default file of a database's key: beside a SQLite file, or in the current
    folder.
    """
    if url.get_backend_name() == "sqlite":
        return Path(f"{url.database}.key")
    return Path("bourse.key")


def key_source(url: str, key: KeySource) -> str | Path:
    """Return the key or its file, by default beside the database at this address."""
    return key_file(address(url)) if key is None else key


def read_key(file: Path) -> Key | None:
    """Return the key in a file; None if there is no such file. Raises `LedgerError` if it can't be
    read.
    """
    try:
        return Key(file.read_text(encoding="ascii").strip())
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise LedgerError(
            f"The key in {file} can't be read: it is one word of at least {KEY_MIN} characters."
        ) from error


def make_key(file: Path) -> Key:
    """Create a key in a file that only its owner can read. Return it, or the key that another
    process created first.

    Raises `LedgerError` when the file can't be written.
    """
    begun = file.with_name(f".{file.name}.{secrets.token_hex(4)}")
    try:
        with private.create(begun) as new:
            new.write(f"{secrets.token_hex(32)}\n".encode())
            new.flush()
            os.fsync(new.fileno())
        try:
            os.link(begun, file)  # atomic, and never overwrites an existing key
        except FileExistsError:
            pass
        finally:
            begun.unlink()
    except OSError as error:
        raise LedgerError(
            f"The key of the database can't be written to {file}: {error.strerror}."
        ) from error
    made = read_key(file)
    if made is None:
        raise LedgerError(f"The key of the database was taken away from {file} as it was made.")
    return made
