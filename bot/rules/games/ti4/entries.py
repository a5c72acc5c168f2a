"""Entries of Twilight Imperium 4: turns, agendas, neighbours, combat, commodities, notes, permits."""

from __future__ import annotations

from typing import Literal

from bot.rules.entries import Entry
from bot.rules.games.ti4.state import Permit
from bot.rules.holdings.entries import GoodsOfSeat
from bot.rules.model.references import Reference, reference
from bot.rules.model.windows import Pair


class _OfOneSeat(Entry):
    """Something that happened to one seat."""

    seat: str

    def seats(self) -> frozenset[str]:
        """Return the seat."""
        return frozenset({self.seat})


class _OfPair(Entry):
    """Something that happened between two seats."""

    first: str
    second: str

    def seats(self) -> frozenset[str]:
        """Return the two."""
        return frozenset({self.first, self.second})


class TurnStarted(_OfOneSeat):
    """A turn began, and with it a window in which the active player may trade. It begins the action phase.

    ``again``: it is the same turn as before, that was ended or left by a slip. Then the pairs in ``used`` have had
    their transaction in it, and those in ``parted`` stopped being neighbours. ``assumed``: it could be either, and
    nobody said which.
    """

    kind: Literal["ti4.turn.started"] = "ti4.turn.started"
    window: int
    again: bool = False
    assumed: bool = False
    used: tuple[Pair, ...] = ()
    parted: tuple[Pair, ...] = ()


class TurnEnded(_OfOneSeat):
    """The active player's turn is over, and its window with it."""

    kind: Literal["ti4.turn.ended"] = "ti4.turn.ended"
    window: int


class TurnPassed(_OfOneSeat):
    """The active player is out for the rest of the round. ``stays``: their turn goes on until they end it."""

    kind: Literal["ti4.turn.passed"] = "ti4.turn.passed"
    stays: bool = False


class PassUndone(_OfOneSeat):
    """The host took a mistaken pass back. ``passed`` are those who have passed all the same.

    ``reopens``: with that pass the action phase had ended, and it goes on.
    """

    kind: Literal["ti4.turn.unpassed"] = "ti4.turn.unpassed"
    passed: tuple[str, ...]
    reopens: bool = False


class OrderSet(Entry):
    """The order of play was set. Seats that are not in ``order`` follow after."""

    kind: Literal["ti4.turn.order"] = "ti4.turn.order"
    order: tuple[str, ...]


class CombatBegun(_OfPair):
    """Two players fight in the active system; while they do, they count as neighbours (94 note 3.2)."""

    kind: Literal["ti4.turn.combat"] = "ti4.turn.combat"


class CombatEnded(Entry):
    """All combat in the active system is over."""

    kind: Literal["ti4.turn.peace"] = "ti4.turn.peace"


class AgendaRevealed(Entry):
    """An agenda is being resolved, and every pair may trade once (94.6). ``replaces``: in place of another (note 5).

    ``in_turn``: it is voted on within a turn, whose window goes on. Then ``window`` is the number of that one.
    """

    kind: Literal["ti4.agenda.revealed"] = "ti4.agenda.revealed"
    title: str
    window: int
    replaces: bool = False
    in_turn: bool = False


class AgendaResolved(Entry):
    """The agenda has been dealt with, and its window is over. ``in_turn`` as of `AgendaRevealed`."""

    kind: Literal["ti4.agenda.resolved"] = "ti4.agenda.resolved"
    title: str
    window: int
    in_turn: bool = False


class _Claim(_OfOneSeat):
    """What one seat said to another about being neighbours."""

    other: str

    def seats(self) -> frozenset[str]:
        """Return the two."""
        return frozenset({self.seat, self.other})


class NeighborsClaimed(_Claim):
    """A player said that they are another's neighbour; the other is asked."""

    kind: Literal["ti4.neighbors.claimed"] = "ti4.neighbors.claimed"


class NeighborsDenied(_Claim):
    """The player who was asked said that they are not."""

    kind: Literal["ti4.neighbors.denied"] = "ti4.neighbors.denied"


class NeighborsJoined(_OfPair):
    """Two seats are neighbours. ``said_by`` are the seats that said so, none when it was the host."""

    kind: Literal["ti4.neighbors.joined"] = "ti4.neighbors.joined"
    said_by: tuple[str, ...] = ()


class NeighborsParted(_OfPair):
    """Two seats are no longer neighbours."""

    kind: Literal["ti4.neighbors.parted"] = "ti4.neighbors.parted"


class Replenished(GoodsOfSeat):
    """A player replenished commodities: took as many as were missing to the maximum, maybe none (21.3, 21 note 2).

    ``by_host``: the host said so for them.
    """

    kind: Literal["ti4.commodities.replenished"] = "ti4.commodities.replenished"
    amount: int
    by_host: bool = False


class ReplenishAsked(_Claim):
    """The active player lets another replenish, who is asked."""

    kind: Literal["ti4.commodities.asked"] = "ti4.commodities.asked"


class Converted(GoodsOfSeat):
    """A player turned their own commodities over. The trade goods are not gained (21.5.3)."""

    kind: Literal["ti4.commodities.converted"] = "ti4.commodities.converted"
    amount: int


class CommoditiesGained(GoodsOfSeat):
    """A player gained commodities, other than by replenishing."""

    kind: Literal["ti4.commodities.gained"] = "ti4.commodities.gained"
    amount: int


class NotePlayed(GoodsOfSeat):
    """A promissory note left its holder's hand: into the play area, or back to its owner once it has taken effect."""

    kind: Literal["ti4.note.played"] = "ti4.note.played"
    note: str
    stays: bool


class NoteReturned(GoodsOfSeat):
    """A promissory note went back to its owner. ``said_by`` is the seat that said so, "" when it was the host."""

    kind: Literal["ti4.note.returned"] = "ti4.note.returned"
    note: str
    said_by: str = ""


class NoteAsked(_Claim):
    """The owner of a note asked for it back, in whose play area it lies. ``note`` is its id."""

    kind: Literal["ti4.note.asked"] = "ti4.note.asked"
    note: str


class RequestDenied(_Claim):
    """The player who was asked did not do it: replenish, or give back the note of this id."""

    kind: Literal["ti4.request.denied"] = "ti4.request.denied"
    note: str = ""


class PermitGranted(Entry):
    """A host lifted a rule for one pair, and said for what reason."""

    kind: Literal["ti4.permit.granted"] = "ti4.permit.granted"
    permit: Permit

    def subject(self) -> Reference | None:
        """Return the permit, so that the audit of a transaction that used it up finds this entry."""
        return reference("permit", self.permit.number)

    def seats(self) -> frozenset[str]:
        """Return the two that it is for."""
        return frozenset(self.permit.pair)

    def grants(self) -> int | None:
        """Return the permit's number."""
        return self.permit.number


ENTRIES: tuple[type[Entry], ...] = (
    TurnStarted, TurnEnded, TurnPassed, PassUndone, OrderSet, CombatBegun, CombatEnded, AgendaRevealed, AgendaResolved,
    NeighborsClaimed, NeighborsDenied, NeighborsJoined, NeighborsParted, Replenished, ReplenishAsked, Converted,
    CommoditiesGained, NotePlayed, NoteReturned, NoteAsked, RequestDenied, PermitGranted,
)  # fmt: skip
"""Every kind of entry of the game."""
