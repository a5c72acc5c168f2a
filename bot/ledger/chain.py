"""The hash chain: each entry's hash covers the previous one, so a change to any byte is detected.

    hash   = sha256(previous hash + canonical({table, seq, at, by, interaction, command_size, entry,
    sealed})) sealed = {name: digest}

The digest of a sealed part is ``sha256(salt + canonical(data))``; the salt prevents guessing a hand
by trying all hands. A detached digest is a commitment to data stored elsewhere (see the end of this
file). The public part and the digests are enough to verify the chain, and they reveal nothing.
FORMAT.md beside this file describes the whole format. Pure functions; no database access.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any, Final

import orjson

from bot.ledger.values import BadEntry, Head, Removal
from bot.rules.model.values import frozen

REMOVALS_GENESIS: Final = sha256(b"bourse removals").hexdigest()
"""The previous hash of the first removal."""

SALT_BYTES = 16

MISFIT = "the hash does not fit what is recorded"
"""The reason given when a stored hash differs from the one computed from its row."""

_DETACHED = re.compile(r"place|person:[1-9][0-9]*")
_DIGEST = re.compile(r"[0-9a-f]{64}")
_SALT = re.compile(rf"[0-9a-f]{{{2 * SALT_BYTES}}}")


def canonical(value: object) -> bytes:
    """Return a value as canonical JSON: UTF-8, keys sorted, no spaces.

    Raises ``TypeError`` (orjson's) for a value that JSON cannot represent.
    """
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)


def digest(salt: bytes, data: object) -> str:
    """Return the salted digest of ``data``, in hex."""
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
    interaction: int | None = None,
    command_size: int | None = None,
) -> str:
    """Return the hash, in hex, of an entry that follows ``previous``. ``public`` must be canonical
    JSON.

    ``interaction`` and ``command_size`` are set only on the first entry of a command that came from
    an interaction.
    """
    covered = {
        "table": table_id,
        "seq": seq,
        "at": at,
        "by": by,
        "interaction": interaction,
        "command_size": command_size,
        "entry": orjson.Fragment(public),
        "sealed": digests,
    }
    return sha256(bytes.fromhex(previous) + canonical(covered)).hexdigest()


def link_removal(
    previous: str, *, seq: int, table_id: int, at: int, last_seq: int, head: str
) -> str:
    """Return the hash, in hex, of a removal that follows the hash ``previous``."""
    covered = {"removal": seq, "table": table_id, "at": at, "last_seq": last_seq, "head": head}
    return sha256(bytes.fromhex(previous) + canonical(covered)).hexdigest()


@frozen
class StoredRow:
    """The hashed columns of a row, as read from the database. Their values may be of any type."""

    table_id: object
    seq: object
    kind: object
    version: object
    at: object
    by: object
    public: object
    sealed: object
    hash: object
    interaction: object = None
    command_size: object = None


def check_row(table_id: int, head: Head, row: StoredRow) -> Head | BadEntry:
    """Check the next stored row against the chain. Return the new head, or the fault. Never
    raises.
    """
    expected = head.seq + 1
    if type(row.seq) is not int or row.seq < expected:
        return BadEntry(expected, f"an entry is numbered {row.seq!r}")
    if row.seq > expected:
        return BadEntry(expected, "the entry is missing")
    for name, value, fits in (
        ("table", row.table_id, row.table_id == table_id),
        ("time", row.at, type(row.at) is int),
        ("person", row.by, row.by is None or type(row.by) is int),
        ("interaction", row.interaction, row.interaction is None or type(row.interaction) is int),
        (
            "command's size",
            row.command_size,
            row.command_size is None or type(row.command_size) is int,
        ),
        ("public part", row.public, isinstance(row.public, str)),
        ("sealed part", row.sealed, row.sealed is None or isinstance(row.sealed, str)),
    ):
        if not fits:
            return BadEntry(expected, f"the {name} is not of its kind but {type(value).__name__}")
    try:
        return _follow(table_id, head, row)
    except _Wrong as wrong:
        return BadEntry(expected, str(wrong))
    except (ValueError, TypeError) as error:
        return BadEntry(expected, f"the entry cannot be read: {error}")


def check_removals(removals: Iterable[Removal]) -> BadEntry | None:
    """Verify the chain of removals from its first row. Never raises, whatever the rows contain."""
    previous, expected = REMOVALS_GENESIS, 1
    for row in removals:
        if row.seq != expected:
            return BadEntry(expected, "the removal is missing")
        covered = (row.seq, row.table_id, row.at, row.last_seq)
        if not all(type(value) is int for value in covered) or not isinstance(row.head, str):
            return BadEntry(expected, "the removal is not as it was written")
        found = link_removal(
            previous,
            seq=row.seq,
            table_id=row.table_id,
            at=row.at,
            last_seq=row.last_seq,
            head=row.head,
        )
        if found != row.hash:
            return BadEntry(expected, MISFIT)
        previous, expected = found, expected + 1
    return None


def is_detached(name: str) -> bool:
    """Return whether this names a commitment, whose data is stored elsewhere, rather than a sealed
    part.
    """
    return _DETACHED.fullmatch(name) is not None


def digests_of(sealed: Mapping[str, Any]) -> dict[str, str]:
    """Return the digests of a sealed column, ``{part: {"salt": hex, "data": {...}}, commitment:
    {"digest": hex}}``.

    Raises ``ValueError``, ``TypeError`` or ``KeyError`` for any other shape.
    """
    return {
        name: cell["digest"]
        if is_detached(name)
        else digest(bytes.fromhex(cell["salt"]), cell["data"])
        for name, cell in sealed.items()
    }


def without_commitments(sealed: Mapping[str, Any]) -> dict[str, Any]:
    """Return the sealed parts of a sealed column, without its commitments."""
    return {name: cell for name, cell in sealed.items() if not is_detached(name)}


def commitments_of(sealed: str | None) -> dict[str, str]:
    """Return the commitments of a sealed column that `check` accepted, by name."""
    if sealed is None or '"digest"' not in sealed:
        return {}
    return {
        name: cell["digest"] for name, cell in orjson.loads(sealed).items() if is_detached(name)
    }


class _Wrong(Exception):
    pass


def _follow(table_id: int, head: Head, row: StoredRow) -> Head:
    assert isinstance(row.seq, int)
    assert isinstance(row.at, int)
    assert isinstance(row.public, str)
    assert row.by is None or isinstance(row.by, int)
    assert row.interaction is None or isinstance(row.interaction, int)
    assert row.command_size is None or isinstance(row.command_size, int)
    public = _read(row.public, "public")
    if public.get("kind") != row.kind or public.get("v") != row.version:
        raise _Wrong("its kind and version are not those of its public part")
    found = link(
        head.hash,
        table_id=table_id,
        seq=row.seq,
        at=row.at,
        by=row.by,
        public=row.public.encode(),
        digests=_sealed(row.sealed) if isinstance(row.sealed, str) else {},
        interaction=row.interaction,
        command_size=row.command_size,
    )
    if found != row.hash:
        raise _Wrong(MISFIT)
    return Head(row.seq, found)


def _sealed(text: str) -> dict[str, str]:
    sealed = _read(text, "sealed")
    if not sealed:
        raise _Wrong("the sealed part is empty")
    for name, cell in sealed.items():
        if is_detached(name):
            _check_commitment(name, cell)
        else:
            _check_part(name, cell)
    return digests_of(sealed)


def _check_commitment(name: str, cell: object) -> None:
    if not isinstance(cell, dict) or cell.keys() != {"digest"}:
        raise _Wrong(f"the commitment {name} is not of its shape")
    if not isinstance(cell["digest"], str) or not _DIGEST.fullmatch(cell["digest"]):
        raise _Wrong(f"the commitment {name} is no digest")


def _check_part(name: str, cell: object) -> None:
    if not isinstance(cell, dict) or cell.keys() != {"salt", "data"}:
        raise _Wrong(f"what is sealed for the {name} is not of its shape")
    salt = bytes.fromhex(cell["salt"])
    # Upper case decodes to the same bytes, but the salt is always written in lower case.
    if len(salt) != SALT_BYTES or salt.hex() != cell["salt"]:
        raise _Wrong(f"the salt for the {name} is not as it was written")


def _read(text: str, which: str) -> dict[str, Any]:
    value = orjson.loads(text)
    if not isinstance(value, dict):
        raise _Wrong(f"the {which} part is no JSON object")
    if canonical(value) != text.encode():
        raise _Wrong(f"the {which} part is not written as it was recorded")
    return value


# ---------------------------------------------------------------- commitments
#
# A commitment is a digest of data stored elsewhere, where it can be erased. Changing the data later
# breaks it. Erasing the data together with its salt leaves a digest that reveals nothing.
#
#     person:<n> = sha256(salt + canonical({"person": n, "user": user_id}))
#         on the entry that adds person n
#     place      = sha256(salt + canonical({"guild": g, "channel": c}))
#         on a table's first entry and each move

PLACE = "place"


def person_key(number: int) -> str:
    """Return the name of a person's commitment."""
    return f"person:{number}"


def person_number(name: str) -> int | None:
    """Return the person's number from a commitment's name; None if it is not a person's."""
    found = re.fullmatch(r"person:(\d+)", name)
    return int(found[1]) if found else None


def person_digest(salt: str, number: int, user_id: int) -> str:
    """Return the commitment to a person's Discord user. ``salt`` is in hex."""
    return digest(bytes.fromhex(salt), {"person": number, "user": user_id})


def place_digest(salt: str, guild_id: int | None, channel_id: int) -> str:
    """Return the commitment to a table's server and channel. ``salt`` is in hex."""
    return digest(bytes.fromhex(salt), {"guild": guild_id, "channel": channel_id})


def is_salt(value: object) -> bool:
    """Return whether this is a salt: `SALT_BYTES` bytes in lower-case hex."""
    return isinstance(value, str) and _SALT.fullmatch(value) is not None
