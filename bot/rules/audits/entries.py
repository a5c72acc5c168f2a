"""Entries about audits."""

from __future__ import annotations

from typing import Literal

from bot.rules.entries import Entry


class Looked(Entry):
    """A host or moderator looked into the ledger: that they did is public.

    ``about`` is the number of the transaction or person they looked at.
    """

    kind: Literal["audit.looked"] = "audit.looked"
    what: Literal["ledger", "trade", "player", "verify", "export"]
    about: int | None = None


ENTRIES: tuple[type[Entry], ...] = (Looked,)
