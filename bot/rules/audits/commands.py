"""Commands about audits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from bot.rules.commands import Command

What = Literal["ledger", "trade", "player", "holdings", "verify", "export"]
"""What can be looked at: all entries, a transaction, a person's books, what they hold now, the chain, a file."""


@dataclass(frozen=True, slots=True)
class Audit(Command):
    """Look at what is not open to all. Needs the host. ``about`` is a transaction's number, or a person's."""

    what: What
    about: int | None = None
