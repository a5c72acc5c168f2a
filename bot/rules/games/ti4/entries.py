"""Entries of Twilight Imperium 4: turns, agendas, neighbours, combat, commodities, notes, permits."""

from __future__ import annotations

from typing import Literal

from bot.rules.entries import Entry, GoodsMoved
from bot.rules.games.ti4.state import Permit


class TurnStarted(Entry):
    """A turn begins, and with it a window in which the active player may trade. It begins the action phase."""

    kind: Literal["turn.started"] = "turn.started"
    seat: str
    window: int


class TurnEnded(Entry):
    """The active player's turn is over, and its window with it."""

    kind: Literal["turn.ended"] = "turn.ended"
    seat: str
    window: int


class TurnPassed(Entry):
    """The active player is out for the rest of the round."""

    kind: Literal["turn.passed"] = "turn.passed"
    seat: str


class OrderSet(Entry):
    """The order of play. ``seats`` that are not named follow after."""

    kind: Literal["turn.order"] = "turn.order"
    seats: tuple[str, ...]


class CombatBegun(Entry):
    """Two players fight in the active system; while they do, they count as neighbours (94 note 3.2)."""

    kind: Literal["turn.combat"] = "turn.combat"
    first: str
    second: str


class CombatEnded(Entry):
    """All combat in the active system is over."""

    kind: Literal["turn.peace"] = "turn.peace"


class AgendaRevealed(Entry):
    """An agenda is being resolved, and every pair may trade once (94.6). ``replaces``: in place of another (note 5)."""

    kind: Literal["agenda.revealed"] = "agenda.revealed"
    title: str
    window: int
    replaces: bool = False


class AgendaResolved(Entry):
    """The agenda is dealt with, and its window is over."""

    kind: Literal["agenda.resolved"] = "agenda.resolved"
    title: str
    window: int


class NeighborsClaimed(Entry):
    """One player says to be another's neighbour; the other is asked."""

    kind: Literal["neighbors.claimed"] = "neighbors.claimed"
    seat: str
    other: str


class NeighborsDenied(Entry):
    """The other says that they are not."""

    kind: Literal["neighbors.denied"] = "neighbors.denied"
    seat: str
    other: str


class NeighborsJoined(Entry):
    """Two seats are neighbours. ``said_by`` are the seats that said so, none when it was the host."""

    kind: Literal["neighbors.joined"] = "neighbors.joined"
    first: str
    second: str
    said_by: tuple[str, ...] = ()


class NeighborsParted(Entry):
    """Two seats are no longer neighbours."""

    kind: Literal["neighbors.parted"] = "neighbors.parted"
    first: str
    second: str


class Replenished(GoodsMoved):
    """A player replenished commodities: took as many as were missing to the maximum, maybe none (21.3, 21 note 2)."""

    kind: Literal["commodities.replenished"] = "commodities.replenished"
    seat: str
    amount: int


class Converted(GoodsMoved):
    """A player turned their own commodities over. The trade goods are not gained (21.5.3)."""

    kind: Literal["commodities.converted"] = "commodities.converted"
    seat: str
    amount: int


class CommoditiesGained(GoodsMoved):
    """A player gained commodities, other than by replenishing."""

    kind: Literal["commodities.gained"] = "commodities.gained"
    seat: str
    amount: int


class NotePlayed(GoodsMoved):
    """A promissory note left its holder's hand: into the play area, or back to its owner once it has taken effect."""

    kind: Literal["note.played"] = "note.played"
    seat: str
    note: str
    stays: bool


class NoteReturned(GoodsMoved):
    """A promissory note went back to its owner. ``said_by`` is the seat that said so, "" when it was the host."""

    kind: Literal["note.returned"] = "note.returned"
    seat: str
    note: str
    said_by: str = ""


class PermitGranted(Entry):
    """A host lifted a rule for one pair, and said why."""

    kind: Literal["permit"] = "permit"
    permit: Permit


TI4: tuple[type[Entry], ...] = (
    TurnStarted,
    TurnEnded,
    TurnPassed,
    OrderSet,
    CombatBegun,
    CombatEnded,
    AgendaRevealed,
    AgendaResolved,
    NeighborsClaimed,
    NeighborsDenied,
    NeighborsJoined,
    NeighborsParted,
    Replenished,
    Converted,
    CommoditiesGained,
    NotePlayed,
    NoteReturned,
    PermitGranted,
)
