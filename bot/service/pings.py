"""Pings: which calls each person has silenced, for all tables of theirs.

They are kept beside the tables, since they belong to a person and to no table. A call that is silenced loses no
message: it only notifies nobody.
"""

from __future__ import annotations

from bot.ledger import Ledger
from bot.rules.model.calls import CALL_KINDS, CallKind


async def muted(ledger: Ledger, user_id: int) -> frozenset[CallKind]:
    """Return which calls a user has silenced. Raises `bot.ledger.LedgerError`."""
    stored = await ledger.key_value(key(user_id)) or ""
    return frozenset(kind for kind in CALL_KINDS if kind in stored.split(","))


async def mute(ledger: Ledger, user_id: int, kinds: frozenset[CallKind]) -> None:
    """Have just these calls of a user silenced. Raises `bot.ledger.LedgerError`."""
    await ledger.set_key_value(key(user_id), ",".join(kind for kind in CALL_KINDS if kind in kinds))


def key(user_id: int) -> str:
    """Return the key under which a user's choice is kept; what the ledger erases with a user is listed there too."""
    return f"muted:{user_id}"
