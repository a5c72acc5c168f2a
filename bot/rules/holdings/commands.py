"""Commands about holdings."""

from __future__ import annotations

from dataclasses import dataclass

from bot.rules.commands import Command
from bot.rules.model.goods import Goods


@dataclass(frozen=True, slots=True)
class SetHoldings(Command):
    """Say what a seat has now, and why. Needs the host."""

    seat: str
    goods: Goods
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Gain(Command):
    """Gain goods other than by trade."""

    goods: Goods


@dataclass(frozen=True, slots=True)
class Spend(Command):
    """Spend goods other than by trade."""

    goods: Goods
