"""Commands of Advanced Civilization."""

from __future__ import annotations

from dataclasses import dataclass

from bot.rules.commands import Command
from bot.rules.model.goods import Goods


@dataclass(frozen=True, slots=True)
class DrawCards(Command):
    """Collect a card for each city, for the caller or (hosts) for another seat.

    ``chance`` is the seed of the stacks at a table that committed to none, see `bot.rules.games.advciv.seeds`.
    """

    cities: int
    chance: str
    seat: str | None = None


@dataclass(frozen=True, slots=True)
class BuyCard(Command):
    """Buy a card from the ninth stack."""


@dataclass(frozen=True, slots=True)
class SurrenderCards(Command):
    """Turn in cards after trading. ``mining`` is the commodity that Mining counts for, as typed; empty for none."""

    cards: Goods
    mining: str = ""


@dataclass(frozen=True, slots=True)
class ShowCalamities(Command):
    """Have everybody show their calamities when trading is over.

    ``chance`` picks those that take effect where a hand holds too many, at a table that committed to no seed.
    """

    chance: str


@dataclass(frozen=True, slots=True)
class OpenTrading(Command):
    """Open trading, or move the bell while it is open. Needs the host.

    ``minutes`` is how long it lasts: 0 for no limit, None for what the table is set to.
    """

    minutes: int | None = None


@dataclass(frozen=True, slots=True)
class DoneTrading(Command):
    """Say to be done trading, or not any more. ``done`` None means the opposite of what was said last."""

    done: bool | None = None


@dataclass(frozen=True, slots=True)
class CloseTrading(Command):
    """End trading. Needs the host."""
