"""Commands of Advanced Civilization."""

from __future__ import annotations

from dataclasses import dataclass

from bot.api import Command, Goods


@dataclass(frozen=True, slots=True)
class DrawCards(Command):
    """Collect a card for each city, for the caller or (hosts) for another seat.

    ``chance`` is the seed of the stacks at a table that committed to none, see `bot.games.advciv.seeds`.
    """

    cities: int
    chance: str
    seat: str | None = None


@dataclass(frozen=True, slots=True)
class SayCities(Command):
    """Say how many cities the caller, or (hosts) another seat, has: when all have said, all draw in order [27.1].

    ``chance``: see `DrawCards`.
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
class TakeCard(Command):
    """Take a card at random from another's hand, whose city the taker has eliminated [24.51].

    Without ``seat`` the caller takes it, and ``other`` is asked first. With it, a host says that this seat takes it.
    ``chance`` picks the card at a table that committed to no seed.
    """

    other: str
    chance: str
    seat: str | None = None


@dataclass(frozen=True, slots=True)
class AnswerTake(Command):
    """Answer ``other``, who asks for a card of the caller's hand [24.51]. ``chance``: see `TakeCard`."""

    other: str
    agreed: bool
    chance: str


@dataclass(frozen=True, slots=True)
class LoseCards(Command):
    """Lose cards at random, which go back to the stacks [15.62].

    So many ``cards`` go, or all but one for each of ``cities``. ``seat``: whose, where a host says so. ``chance``: see
    `TakeCard`.
    """

    chance: str
    cards: int | None = None
    cities: int | None = None
    seat: str | None = None


@dataclass(frozen=True, slots=True)
class ShowCalamities(Command):
    """Have everybody show their calamities when trading is over.

    ``chance`` picks those that take effect where a hand holds too many, at a table that committed to no seed.
    ``anyway``: even if somebody still has cards to draw.
    """

    chance: str
    anyway: bool = False


@dataclass(frozen=True, slots=True)
class OpenTrading(Command):
    """Open trading, or move the bell while it is open. Needs the host.

    ``minutes`` is how long it lasts: 0 for no limit, None for what the table is set to. ``anyway``: even if somebody
    still has cards to draw.
    """

    minutes: int | None = None
    anyway: bool = False


@dataclass(frozen=True, slots=True)
class DoneTrading(Command):
    """Say to be done trading, or not any more. ``done`` None means the opposite of what was said last."""

    done: bool | None = None


@dataclass(frozen=True, slots=True)
class CloseTrading(Command):
    """End trading. Needs the host."""


@dataclass(frozen=True, slots=True)
class UndoTrading(Command):
    """Take back that trading was opened, as long as no card has changed hands. Needs the host."""
