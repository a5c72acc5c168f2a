"""Pings: which calls each person has silenced, for all their tables.

They are key-value pairs, since they belong to a person and not to a table. A silenced call still sends its message,
but without a notification.
"""

from __future__ import annotations

from bot.ledger import Ledger
from bot.rules.model.calls import CALL_KINDS, CallKind


async def muted(ledger: Ledger, user_id: int) -> frozenset[CallKind]:
    """Return which calls a user has silenced. Raises `bot.ledger.LedgerError`."""
    stored = await ledger.key_value(key(user_id)) or ""
    return frozenset(kind for kind in CALL_KINDS if kind in stored.split(","))


async def mute(ledger: Ledger, user_id: int, kinds: frozenset[CallKind]) -> None:
    """Silence exactly these calls of a user. Raises `bot.ledger.LedgerError`."""
    await ledger.set_key_value(key(user_id), ",".join(kind for kind in CALL_KINDS if kind in kinds))


def key(user_id: int) -> str:
    """Return the key of a user's silenced calls. `bot.ledger.batch` lists it among what it erases with a user."""
    return f"muted:{user_id}"
