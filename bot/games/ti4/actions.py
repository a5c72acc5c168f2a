"""Actions of Twilight Imperium 4: what can be pressed or chosen at its tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from bot.api import Action, Choice
from bot.games.ti4.state import Take


@dataclass(frozen=True, slots=True)
class TurnAction(Action):
    """A button of the board or its menu.

    ``start`` begins the presser's turn; ``end``, ``pass`` and ``next`` move it on. ``combat``, ``agenda`` and ``vote``
    ask back first: whom the presser fights, what happens to the agenda, or to the one that is voted on in this turn.
    """

    name = "ti4.turn"
    what: Literal["start", "end", "pass", "next", "combat", "agenda", "vote"]


@dataclass(frozen=True, slots=True)
class AgendaAction(Action):
    """An agenda is revealed, replaced by another, or resolved."""

    name = "ti4.agenda"
    what: Literal["reveal", "replace", "resolve"]


@dataclass(frozen=True, slots=True)
class RevealDuring(Action):
    """An agenda is revealed in the agenda phase, or to be voted on within the turn. ``title`` has no colon in it."""

    name = "ti4.reveal"
    during: Literal["agenda", "turn"]
    title: str


@dataclass(frozen=True, slots=True)
class TakePassBack(Action):
    """The host takes back that this seat passed."""

    name = "ti4.unpass"
    seat: str


@dataclass(frozen=True, slots=True)
class Peace(Action):
    """The combat in the active system is over."""

    name = "ti4.peace"


@dataclass(frozen=True, slots=True)
class GiveTurnBack(Action):
    """The host gives this seat its last turn back, which ended by a slip."""

    name = "ti4.back"
    seat: str


@dataclass(frozen=True, slots=True)
class FightAction(Action):
    """The presser fights this seat in the active system."""

    name = "ti4.fight"
    seat: str


@dataclass(frozen=True, slots=True)
class NeighborsAction(Action):
    """The board's button after a turn: who are whose neighbours now. It asks back."""

    name = "ti4.neighbors"


@dataclass(frozen=True, slots=True)
class ChooseNeighbors(Choice):
    """A select with the seats that may be neighbours of this one; those it has are chosen already."""

    name = "ti4.meets"
    seat: str


@dataclass(frozen=True, slots=True)
class MeetNeighbors(Action):
    """This seat has these neighbours and no others.

    ``picked`` has a 1 for each of the others that is one, a 0 for each that is not, in order of their ids. ``others``
    is a digest of who these are.
    """

    name = "ti4.meet"
    seat: str
    picked: str
    others: str


@dataclass(frozen=True, slots=True)
class NoNeighbors(Action):
    """This seat has no neighbours."""

    name = "ti4.alone"
    seat: str


@dataclass(frozen=True, slots=True)
class ClaimNeighbors(Action):
    """The presser says that they are the neighbour of the other side of an offer."""

    name = "ti4.claim"
    offer: int


@dataclass(frozen=True, slots=True)
class ClaimSeat(Action):
    """The presser says that they are the neighbour of this seat."""

    name = "ti4.beside"
    other: str


@dataclass(frozen=True, slots=True)
class ClaimAnswer(Action):
    """The presser, in ``seat``, confirms or denies that they are the neighbour of ``other``, who says so."""

    name = "ti4.answer"
    other: str
    seat: str
    agreed: bool


@dataclass(frozen=True, slots=True)
class RequestAnswer(Action):
    """The presser, in ``seat``, does what ``other`` asks, or doesn't: to replenish, or to give back a ``note``."""

    name = "ti4.request"
    other: str
    seat: str
    note: str
    agreed: bool


@dataclass(frozen=True, slots=True)
class EliminateAction(Action):
    """This seat is out of the game, just as the preview with this stamp said."""

    name = "ti4.eliminate"
    seat: str
    stamp: str


@dataclass(frozen=True, slots=True)
class ChangeAction(Action):
    """This seat becomes the faction that it can become, just as the preview with this stamp said."""

    name = "ti4.change"
    seat: str
    stamp: str


@dataclass(frozen=True, slots=True)
class PillageAction(Action):
    """Mentak pillages a trade good or commodity ``of`` a seat, which the entry ``since`` let them."""

    name = "ti4.pillage"
    of: str
    take: Take
    since: int


@dataclass(frozen=True, slots=True)
class PillageAnswer(Action):
    """The presser, in ``seat``, hands over what is pillaged, or says that it is not so."""

    name = "ti4.pillage.answer"
    seat: str
    since: int
    agreed: bool


@dataclass(frozen=True, slots=True)
class TakeAction(Action):
    """The presser, in ``seat``, gains the trade good that Dark Pact brings since an entry."""

    name = "ti4.take"
    seat: str
    since: int


@dataclass(frozen=True, slots=True)
class DiscardAction(Action):
    """The presser, in ``seat``, has discarded the action cards that were too many."""

    name = "ti4.discard"
    seat: str


@dataclass(frozen=True, slots=True)
class AgreementAnswer(Action):
    """The presser, in ``seat``, plays the Trade Agreement of ``owner``, who has just replenished, or puts it aside."""

    name = "ti4.agreement"
    owner: str
    seat: str
    plays: bool


@dataclass(frozen=True, slots=True)
class TakeBackTrade(Action):
    """The presser asks to take a transaction of theirs back, or agrees to that; not ``agreed``: leaves it as it is."""

    name = "ti4.takeback"
    transaction: int
    agreed: bool


@dataclass(frozen=True, slots=True)
class SeatNeighborsAction(Action):
    """A button of the set-up: everybody is the neighbour of the two beside them."""

    name = "ti4.ring"


@dataclass(frozen=True, slots=True)
class BeginTurn(Action):
    """A button of the set-up: this seat takes the first turn."""

    name = "ti4.begin"
    seat: str


ACTIONS: tuple[type[Action], ...] = (
    TurnAction, AgendaAction, RevealDuring, TakePassBack, GiveTurnBack, Peace, FightAction, NeighborsAction,
    ChooseNeighbors, MeetNeighbors, NoNeighbors, ClaimNeighbors, ClaimSeat, ClaimAnswer, RequestAnswer,
    EliminateAction, ChangeAction, PillageAction, PillageAnswer, TakeAction, DiscardAction, AgreementAnswer,
    TakeBackTrade, SeatNeighborsAction, BeginTurn,
)  # fmt: skip
"""Every action of the game."""
