"""Commands of Twilight Imperium 4. Players are named by their seats."""

from __future__ import annotations

from dataclasses import dataclass

from bot.api import Command
from data.ti4 import TradeLift


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
