"""Checks whether a database contains a ledger, for programs that only read and must never create one."""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from sqlalchemy import URL, Connection, inspect

from bot.ledger.engine import name_of
from bot.ledger.errors import LedgerError
from bot.ledger.migrate import VERSIONS
from bot.ledger.schema import entries

_TABLES = {VERSIONS, entries.name}
"""Tables that exist in every ledger."""


def check_ledger_file(where: URL) -> None:
    """Raise `LedgerError` if a SQLite file is missing, or is a sound database without the ledger's tables.

    This only reads the file; opening a ledger would switch it to WAL. A damaged file passes, and opening reports it.
    """
    file = Path(str(where.database)).absolute()
    if not file.exists() or not file.stat().st_size:
        raise _nothing(where)
    with suppress(sqlite3.Error), closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as connection:
        found = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        if not {name for (name,) in found} >= _TABLES:
            raise _nothing(where)


def check_ledger(where: URL, connection: Connection) -> None:
    """Raise `LedgerError` if a database lacks the ledger's tables."""
    if not set(inspect(connection).get_table_names()) >= _TABLES:
        raise _nothing(where)


def _nothing(where: URL) -> LedgerError:
    return LedgerError(
        f"There is no ledger at {name_of(where)}, and this command doesn't create one. DATABASE_URL says where it is; "
        "bourse creates one when it starts."
    )
