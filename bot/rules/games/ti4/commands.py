"""Commands of Twilight Imperium 4."""

from __future__ import annotations

from bot.rules.commands import Command
from bot.rules.games.ti4.state import Lift


class StartTurn(Command):
    """A person's turn begins; whoever was active before is not any more."""

    person: int


class EndTurn(Command):
    """The turn is over."""


class NextTurn(Command):
    """The turn is over and the next one in order begins."""


class PassTurn(Command):
    """The active player passes, and the next turn in order begins."""


class SetOrder(Command):
    """The order of play, by person."""

    people: tuple[int, ...]


class BeginCombat(Command):
    """Two players fight in the active system."""

    first: int
    second: int


class EndCombat(Command):
    """No more combat in the active system."""


class RevealAgenda(Command):
    """An agenda is revealed; or another in its place."""

    title: str = ""
    replaces: bool = False


class ResolveAgenda(Command):
    """The agenda has been dealt with."""


class JoinNeighbors(Command):
    """Two players are neighbours on the board."""

    first: int
    second: int


class PartNeighbors(Command):
    """Two players are no longer neighbours on the board."""

    first: int
    second: int


class ClaimNeighbor(Command):
    """Say to be the neighbour of a seat; they are asked to confirm it."""

    other: str


class AnswerClaim(Command):
    """Answer a seat that says to be one's neighbour."""

    other: str
    agreed: bool


class Replenish(Command):
    """A player replenishes commodities."""

    person: int


class Convert(Command):
    """Turn own commodities over to trade goods."""

    amount: int


class GainCommodities(Command):
    """Gain commodities other than by replenishing."""

    amount: int


class PlayNote(Command):
    """Play a promissory note from hand; ``note`` is its token."""

    note: str


class ReturnNote(Command):
    """Give a promissory note back to its owner; ``note`` is its token."""

    note: str


class GrantPermit(Command):
    """Lift a rule for one pair, for a card that is not modelled."""

    first: int
    second: int
    lifts: Lift
    once: bool = True
    reason: str
