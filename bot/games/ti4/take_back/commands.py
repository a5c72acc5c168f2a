"""Commands about taking a transaction back."""

from __future__ import annotations

from dataclasses import dataclass

from bot.api import Command


@dataclass(frozen=True, slots=True)
class TakeTradeBack(Command):
    """Ask the other side of a transaction to take it back, or agree to that; not ``agreed``: don't."""

    transaction: int
    agreed: bool = True
