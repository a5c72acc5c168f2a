"""Commands of Twilight Imperium 4. Players are named by their seats."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from bot.rules.commands import Command
from bot.rules.games.ti4.state import Lift
from bot.rules.offers.commands import OfferCommand


@dataclass(frozen=True, slots=True)
class StartTurn(Command):
    """Begin a turn, None for the caller's own; the seat that was active before is not any more.

    ``turn``: whether it is the same turn as before, given back after a slip, or a new one. Saying so needs the host.
    """

    seat: str | None = None
    turn: Literal["same", "new"] | None = None


@dataclass(frozen=True, slots=True)
class EndTurn(Command):
    """End the turn."""


@dataclass(frozen=True, slots=True)
class NextTurn(Command):
    """End the turn and begin the next one in order."""


@dataclass(frozen=True, slots=True)
class PassTurn(Command):
    """Pass as the active player, and begin the next turn in order, unless this one stays open."""


@dataclass(frozen=True, slots=True)
class UndoPass(Command):
    """Take a seat's mistaken pass back, and give its turn back if that was the last one. Needs the host."""

    seat: str


@dataclass(frozen=True, slots=True)
class SetOrder(Command):
    """Set the order of play, first seat first. Needs the host."""

    seats: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BeginCombat(Command):
    """Say that two seats fight in the active system. ``first`` None: the caller's own."""

    first: str | None
    second: str


@dataclass(frozen=True, slots=True)
class EndCombat(Command):
    """End all combat in the active system."""


@dataclass(frozen=True, slots=True)
class RevealAgenda(Command):
    """Reveal an agenda; or another in its place. ``during``: in the agenda phase, or to be voted on within a turn."""

    title: str = ""
    replaces: bool = False
    during: Literal["agenda", "turn"] = "agenda"


@dataclass(frozen=True, slots=True)
class ResolveAgenda(Command):
    """Say that the agenda has been dealt with."""


@dataclass(frozen=True, slots=True)
class JoinNeighbors(Command):
    """Say that two seats are neighbours on the board."""

    first: str
    second: str


@dataclass(frozen=True, slots=True)
class PartNeighbors(Command):
    """Say that two seats are no longer neighbours on the board."""

    first: str
    second: str


@dataclass(frozen=True, slots=True)
class ClaimNeighbor(Command):
    """Say that the caller is this seat's neighbour; its player is asked to confirm it."""

    other: str


@dataclass(frozen=True, slots=True)
class ClaimTradePartner(OfferCommand):
    """Say that the caller is the neighbour of the other side of this offer, as `ClaimNeighbor`."""


@dataclass(frozen=True, slots=True)
class AnswerClaim(Command):
    """Confirm or deny that the caller is the neighbour of this seat, which says so."""

    other: str
    agreed: bool


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
    """Give a promissory note back to its owner; ``note`` is its token. An owner asks the one who has it in play."""

    note: str


@dataclass(frozen=True, slots=True)
class AnswerRequest(Command):
    """Do what this seat asks of the caller, or don't: replenish, or give back its ``note``, by its id."""

    other: str
    note: str
    agreed: bool


@dataclass(frozen=True, slots=True)
class GrantPermit(Command):
    """Lift a rule for one pair, for a card that is not modelled. Needs the host."""

    first: str
    second: str
    lifts: Lift
    reason: str
    once: bool = True
