"""The hash chain: each entry's hash covers the one before it, so one byte changed anywhere shows.

    hash   = sha256(previous hash + canonical({table, seq, at, by, entry, sealed}))
    sealed = {part: sha256(salt + canonical(data))}

The hash covers only digests of what is sealed, salted so that nobody finds a hand by trying all hands. What
is public, with those digests, verifies on its own and reveals nothing. Pure functions: they read no database.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import orjson

from bot.ledger.values import Bad, Published

GENESIS = sha256(b"bourse ledger").hexdigest()
"""What the first entry of every table follows."""

SALT_BYTES = 16


def canonical(value: object) -> bytes:
    """The one way of writing a value as JSON: UTF-8, keys sorted, no spaces.

    Raises ``TypeError`` (orjson's) for what JSON cannot hold.
    """
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)


def digest(salt: bytes, data: object) -> str:
    """The digest that stands for one sealed part, in hex."""
    return sha256(salt + canonical(data)).hexdigest()


def link(
    previous: str,
    *,
    table_id: int,
    seq: int,
    at: int,
    by: int | None,
    public: bytes,
    digests: Mapping[str, str],
) -> str:
    """The hash, in hex, of an entry that follows ``previous``. ``public`` is canonical JSON already."""
    covered = {
        "table": table_id,
        "seq": seq,
        "at": at,
        "by": by,
        "entry": orjson.Fragment(public),
        "sealed": digests,
    }
    return sha256(bytes.fromhex(previous) + canonical(covered)).hexdigest()


@dataclass(frozen=True, slots=True)
class Stored:
    """A row as the database gave it: what is in it may be anything."""

    table_id: object
    seq: object
    kind: object
    version: object
    at: object
    by: object
    public: object
    sealed: object
    hash: object


@dataclass(frozen=True, slots=True)
class Head:
    """How far a table's chain has come: the last entry's number and hash."""

    seq: int = 0
    hash: str = GENESIS


def check(table_id: int, head: Head, row: Stored) -> Head | Bad:
    """Follow the chain by one stored row: the new head, or what is wrong with the row. Never raises."""
    expected = head.seq + 1
    if type(row.seq) is not int or row.seq < expected:
        return Bad(expected, f"an entry is numbered {row.seq!r}")
    if row.seq > expected:
        return Bad(expected, "the entry is missing")
    for name, value, fits in (
        ("table", row.table_id, row.table_id == table_id),
        ("time", row.at, type(row.at) is int),
        ("person", row.by, row.by is None or type(row.by) is int),
        ("public part", row.public, isinstance(row.public, str)),
        ("sealed part", row.sealed, row.sealed is None or isinstance(row.sealed, str)),
    ):
        if not fits:
            return Bad(expected, f"the {name} is not of its kind but {type(value).__name__}")
    try:
        return _follow(table_id, head, row)
    except _Wrong as wrong:
        return Bad(expected, str(wrong))
    except (ValueError, TypeError) as error:
        return Bad(expected, f"the entry cannot be read: {error}")


def check_published(table_id: int, entries: Iterable[Published]) -> Bad | None:
    """Verify a public export from the first entry on, without the ledger and without anything sealed."""
    head = Head()
    for entry in entries:
        if entry.seq != head.seq + 1:
            return Bad(head.seq + 1, "the entry is missing")
        found = link(
            head.hash,
            table_id=table_id,
            seq=entry.seq,
            at=entry.at,
            by=entry.by,
            public=canonical(entry.public),
            digests=entry.digests,
        )
        if found != entry.hash:
            return Bad(entry.seq, "the hash does not fit what is recorded")
        head = Head(entry.seq, found)
    return None


def digests_of(sealed: Mapping[str, Any]) -> dict[str, str]:
    """The digests of sealed parts as they are stored, ``{part: {"salt": hex, "data": {...}}}``.

    Raises ``ValueError`` or ``TypeError`` when they are not of that shape.
    """
    return {part: digest(bytes.fromhex(cell["salt"]), cell["data"]) for part, cell in sealed.items()}


class _Wrong(Exception):
    pass


def _follow(table_id: int, head: Head, row: Stored) -> Head:
    assert isinstance(row.seq, int)
    assert isinstance(row.at, int)
    assert isinstance(row.public, str)
    assert row.by is None or isinstance(row.by, int)
    public = _read(row.public, "public")
    if public.get("kind") != row.kind or public.get("v") != row.version:
        raise _Wrong("its kind and version are not those of its public part")
    digests: dict[str, str] = {}
    if isinstance(row.sealed, str):
        sealed = _read(row.sealed, "sealed")
        for part, cell in sealed.items():
            if not isinstance(cell, dict) or cell.keys() != {"salt", "data"}:
                raise _Wrong(f"what is sealed for the {part} has not its shape")
            salt = bytes.fromhex(cell["salt"])
            # upper case would read as the same bytes, yet is not what was written
            if len(salt) != SALT_BYTES or salt.hex() != cell["salt"]:
                raise _Wrong(f"the salt for the {part} is not as it was written")
        digests = digests_of(sealed)
        if not digests:
            raise _Wrong("something sealed is empty")
    found = link(
        head.hash,
        table_id=table_id,
        seq=row.seq,
        at=row.at,
        by=row.by,
        public=row.public.encode(),
        digests=digests,
    )
    if found != row.hash:
        raise _Wrong("the hash does not fit what is recorded")
    return Head(row.seq, found)


def _read(text: str, which: str) -> dict[str, Any]:
    value = orjson.loads(text)
    if not isinstance(value, dict):
        raise _Wrong(f"the {which} part is no JSON object")
    if canonical(value) != text.encode():
        raise _Wrong(f"the {which} part is not written as it was recorded")
    return value
