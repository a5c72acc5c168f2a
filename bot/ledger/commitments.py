"""Commitments: digests that an entry's hash covers. Their data is stored elsewhere, where it can be erased.

    person:<n>   = sha256(salt + canonical({"person": n, "user": user_id}))      on the entry that adds person n
    place        = sha256(salt + canonical({"guild": g, "channel": c}))          on the first entry of a table

Changing the data later breaks the commitment. Erasing it together with its salt leaves a digest that reveals nothing.
"""

from __future__ import annotations

import re

from bot.ledger.chain import SALT_BYTES, digest

PLACE = "place"

_SALT = re.compile(rf"[0-9a-f]{{{2 * SALT_BYTES}}}")


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
