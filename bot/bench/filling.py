"""Large ledgers, made quickly: a table's rows copied within the database, past the rules and the chain.

The copies can be read and played on, but their seals are the first table's and their chains say nothing: `bourse
verify` would complain of each.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

FIRST_CHANNEL = 1_000_000
"""The channel of the first copy; each further one has the next."""

FAR = 4_102_444_800_000
"""The deadline of the copies, in milliseconds since 1970: the year 2100, so that nothing falls due."""

APART = 1_000
"""A user of the first table is another one at each copy: its number so many times higher."""

_NUMBERS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :copies)"
_COPIED = ("entries", "people", "cursors")
"""What is copied beside its row in the directory. Not its snapshot: a seal that does not fit would be noticed."""

_DELIVERED = (
    "INSERT INTO cursors (table_id, seq) SELECT id, (SELECT max(seq) FROM entries WHERE table_id = id) "
    "FROM tables WHERE id NOT IN (SELECT table_id FROM cursors)"
)


def mark_delivered(file: Path) -> None:
    """Have all that happened at the tables of a ledger count as delivered. Nothing may be writing to it."""
    with closing(sqlite3.connect(file, isolation_level=None)) as database:
        database.execute(_DELIVERED)


def fill(file: Path, template: int, copies: int) -> range:
    """Copy a table of the ledger in this file so many times and return the numbers of the copies.

    Nothing may be writing to the ledger. What all its tables have to tell counts as delivered. Everybody at a copy is
    another Discord user.
    """
    with closing(sqlite3.connect(file, isolation_level=None)) as database:
        database.execute("PRAGMA synchronous = OFF")
        (last,) = database.execute("SELECT max(id) FROM tables").fetchone()
        triggers = database.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        database.execute("BEGIN IMMEDIATE")
        for name, _ in triggers:  # they look at each row, and there are up to a million
            database.execute(f"DROP TRIGGER {name}")
        values = {"copies": copies, "last": last, "template": template, "channel": FIRST_CHANNEL, "far": FAR}
        changed = {"id": ":last + n.i", "channel_id": ":channel + :last + n.i", "deadline": ":far"}
        database.execute(_copy(database, "tables", "id", changed), values)
        for name in _COPIED:
            changed = {
                "table_id": ":last + n.i", "interaction": "NULL", "command_size": "NULL",
                "user_id": f"old.user_id + {APART} * (:last + n.i)",
            }  # fmt: skip
            database.execute(_copy(database, name, "table_id", changed), values)
        database.execute(_DELIVERED)
        for _, sql in triggers:
            database.execute(sql)
        database.execute("COMMIT")
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return range(last + 1, last + 1 + copies)


def _copy(database: sqlite3.Connection, name: str, key: str, changed: dict[str, str]) -> str:
    """Return the statement that copies a table's rows, with some columns changed."""
    columns = [row[1] for row in database.execute(f"PRAGMA table_info({name})")]
    listed = ", ".join(f'"{column}"' for column in columns)
    values = ", ".join(changed.get(column, f'old."{column}"') for column in columns)
    return (
        f"{_NUMBERS} INSERT INTO {name} ({listed}) SELECT {values} FROM n CROSS JOIN {name} old "
        f"WHERE old.{key} = :template"
    )
