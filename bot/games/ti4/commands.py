"""Commands of Twilight Imperium 4. Players are named by their seats."""

from __future__ import annotations

from dataclasses import dataclass

from bot.api import Command
from bot.games.ti4.state import Take
from data.ti4 import TradeLift


@dataclass(frozen=True, slots=True)
class Replenish(Command):
    """Replenish the commodities of a seat, None for the caller's own. Another player is asked first."""

    seat: str | None = None


@dataclass(frozen=True, slots=True)
class Convert(Command):
    """Turn the caller's own commodities over to trade goods."""

    amount: int


@dataclass(frozen=True, slots=True)
class GainCommodities(Command):
    """Gain commodities other than by replenishing."""

    amount: int


@dataclass(frozen=True, slots=True)
class PlayNote(Command):
    """Play a promissory note from hand; ``note`` is its token."""

    note: str


@dataclass(frozen=True, slots=True)
class ReturnNote(Command):
    """Give a note in play back to its owner; ``note`` is its token. An owner asks the one who has it in play."""

    note: str


@dataclass(frozen=True, slots=True)
class GiveNote(Command):
    """Give a note of the caller's hand to another seat, because an effect says so; ``note`` is its token."""

    note: str
    to: str
    reason: str


@dataclass(frozen=True, slots=True)
class AnswerRequest(Command):
    """Do what this seat asks of the caller, or don't: replenish, or give back its ``note``, by its id."""

    other: str
    note: str
    agreed: bool


@dataclass(frozen=True, slots=True)
class Eliminate(Command):
    """Take a seat out of the game. ``stamp`` is that of the preview that was shown, None for none. Needs the host."""

    seat: str
    stamp: str | None = None


@dataclass(frozen=True, slots=True)
class ChangeFaction(Command):
    """Make a seat another faction, the one that it becomes. ``stamp`` as of `Eliminate`. Needs the host."""

    seat: str
    stamp: str | None = None


@dataclass(frozen=True, slots=True)
class LoseCommodities(Command):
    """Lose commodities by an effect: to the seat ``to``, or to the supply. ``seat`` None: the caller's own.

    ``effect`` is its name, empty where it is not said.
    """

    amount: int
    to: str | None = None
    effect: str = ""
    seat: str | None = None


@dataclass(frozen=True, slots=True)
class Pillage(Command):
    """Take one of these from a seat, as Mentak. ``since`` is the entry that allows it, None: the newest that does."""

    of: str
    take: Take
    since: int | None = None


@dataclass(frozen=True, slots=True)
class AnswerPillage(Command):
    """Hand over what Mentak takes since this entry, or say that it is not so."""

    since: int
    agreed: bool


@dataclass(frozen=True, slots=True)
class TakeGain(Command):
    """Gain the trade good that Dark Pact brings since this entry."""

    since: int


@dataclass(frozen=True, slots=True)
class DiscardCards(Command):
    """Discard the caller's action cards that are too many for a hand."""


@dataclass(frozen=True, slots=True)
class GrantPermit(Command):
    """Lift a rule for two seats, one with anybody (``second`` None) or everybody, for a card that is not modelled.

    Needs the host.
    """

    first: str | None
    second: str | None
    lifts: TradeLift
    reason: str
    once: bool = True


@dataclass(frozen=True, slots=True)
class GrantCard(Command):
    """Say that a known card is in force, by its id; ``seats`` are those it was played for. Needs the host."""

    card: str
    seats: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RevokePermit(Command):
    """End the permits of this reason, or for this card. Needs the host."""

    reason: str
