"""Commands about audits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from bot.rules.commands import Command


@dataclass(frozen=True, slots=True)
class Audit(Command):
    """Look into the ledger. Needs the host. ``about`` is a transaction's number, or a person's."""

    what: Literal["ledger", "trade", "player", "verify", "export"]
    about: int | None = None
