"""Commands of Advanced Civilization."""

from __future__ import annotations

from bot.rules.commands import Command
from bot.rules.goods import Goods


class DrawCards(Command):
    """A person collects a card for each city. ``chance`` is what the stacks are shuffled with, where they are not yet:
    random, and known to nobody.
    """

    person: int
    cities: int
    chance: str


class BuyCard(Command):
    """A person buys a card from the ninth stack."""


class SurrenderCards(Command):
    """Turn in cards after trading: for civilization cards, or as there are too many. ``mining``: a commodity's name."""

    cards: Goods
    mining: str = ""


class ShowCalamities(Command):
    """Trading is over: all show their calamities. ``chance`` picks two where somebody has more, if no seed does."""

    chance: str


class OpenTrading(Command):
    """Trading begins, for so many minutes; 0 without limit, None as the table is set. Also moves the bell."""

    minutes: int | None = None


class DoneTrading(Command):
    """One's own trades are made; or, said again, not yet."""

    done: bool | None = None


class CloseTrading(Command):
    """Trading is over, by the host's word."""
