"""Large ledgers, made quickly: a table's rows copied within the database, past the rules, with
hashes and seals.

The copies can be read and played on, but no two commands may have the same interaction, so the
copies have none: `bourse verify` would complain of each.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import orjson

from bot.ledger.chain import (
    PLACE,
    canonical,
    digests_of,
    link,
    person_digest,
    person_key,
    place_digest,
)
from bot.ledger.keys import SEAL, Key, read_key
from bot.ledger.values import Head

FIRST_CHANNEL = 1_000_000
"""The channel of the first copy; each further one has the next."""

FAR = 4_102_444_800_000
"""The deadline of the copies, in milliseconds since 1970: the year 2100, so that nothing falls
due.
"""

APART = 1_000
"""A user of the first table is another one at each copy: its number so many times higher."""

_UNDELIVERED = (
    "SELECT table_id, max(seq) AS seq FROM entries WHERE table_id NOT IN (SELECT table_id FROM "
    "cursors) GROUP BY 1"
)


def mark_delivered(file: Path) -> None:
    """Have all that happened at the tables of a ledger count as delivered. Nothing may be writing
    to it.
    """
    with closing(_opened(file)) as database:
        _mark_delivered(database, _key_of(file))


def fill(file: Path, template: int, copies: int) -> range:
    """Copy a table of the ledger in this file so many times and return the numbers of the copies.

    Nothing may be writing to the ledger. What all its tables have to tell counts as delivered.
    Everybody at a copy is another Discord user.
    """
    key = _key_of(file)
    with closing(_opened(file)) as database:
        database.execute("PRAGMA synchronous = OFF")
        (last,) = database.execute("SELECT max(id) FROM tables").fetchone()
        [table] = _rows(database, "tables", "id", template)
        people = _rows(database, "people", "table_id", template)
        entries = [
            (row, orjson.loads(row["sealed"] or "{}"))
            for row in _rows(database, "entries", "table_id", template)
        ]
        triggers = database.execute(
            "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
        ).fetchall()
        database.execute("BEGIN IMMEDIATE")
        for name, _ in triggers:  # they look at each row, and there are up to a million
            database.execute(f"DROP TRIGGER {name}")
        for number in range(last + 1, last + 1 + copies):
            copy = {**table, "id": number, "channel_id": FIRST_CHANNEL + number, "deadline": FAR}
            persons = [
                {**one, "table_id": number, "user_id": one["user_id"] + APART * number}
                for one in people
            ]
            digests = {
                PLACE: place_digest(copy["place_salt"], copy["guild_id"], copy["channel_id"])
            }
            for one in persons:
                digest = person_digest(one["salt"], one["person"], one["user_id"])
                digests[person_key(one["person"])] = digest
            _insert(database, "tables", [copy])
            _insert(database, "people", [key.sealed("people", one) for one in persons])
            _insert(database, "entries", _chained(key, number, entries, digests))
        _mark_delivered(database, key)
        for _, sql in triggers:
            database.execute(sql)
        database.execute("COMMIT")
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return range(last + 1, last + 1 + copies)


def _chained(
    key: Key,
    number: int,
    entries: Iterable[tuple[Mapping[str, Any], Mapping[str, Any]]],
    digests: Mapping[str, str],
) -> list[dict[str, Any]]:
    """Return the entries of a copy, each with its sealed column as it was read, with these
    commitments in it.
    """
    head, rows = Head(), []
    for row, cells in entries:
        sealed = {
            name: {"digest": digests[name]} if name in digests else cell
            for name, cell in cells.items()
        }
        found = link(
            head.hash,
            table_id=number,
            seq=row["seq"],
            at=row["at"],
            by=row["by"],
            public=row["public"].encode(),
            digests=digests_of(sealed),
        )
        head = Head(row["seq"], found)
        changed = {
            "table_id": number,
            "interaction": None,
            "command_size": None,
            "hash": found,
            SEAL: None,
        }
        if sealed:
            changed["sealed"] = canonical(sealed).decode()
        rows.append({**row, "sealed": None, **changed})
    rows[-1][SEAL] = key.seal_head(number, *head)
    return rows


def _mark_delivered(database: sqlite3.Connection, key: Key) -> None:
    found = database.execute(_UNDELIVERED).fetchall()
    _insert(
        database,
        "cursors",
        [key.sealed("cursors", {"table_id": each, "seq": seq}) for each, seq in found],
    )


def _opened(file: Path) -> sqlite3.Connection:
    return sqlite3.connect(file, isolation_level=None)


def _key_of(file: Path) -> Key:
    key = read_key(Path(f"{file}.key"))
    assert key is not None
    return key


def _rows(
    database: sqlite3.Connection, name: str, column: str, number: int
) -> list[dict[str, Any]]:
    found = database.execute(f"SELECT * FROM {name} WHERE {column} = ? ORDER BY 1, 2", (number,))
    names = [each[0] for each in found.description]
    return [dict(zip(names, row, strict=True)) for row in found]


def _insert(database: sqlite3.Connection, name: str, rows: list[dict[str, Any]]) -> None:
    if rows:
        columns = ", ".join(f'"{column}"' for column in rows[0])
        values = ", ".join(f":{column}" for column in rows[0])
        database.executemany(f"INSERT INTO {name} ({columns}) VALUES ({values})", rows)
