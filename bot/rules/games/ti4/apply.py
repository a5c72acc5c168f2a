"""What each entry means for a table of Twilight Imperium 4."""

from __future__ import annotations

from typing import Any

from bot.rules.entries import Entry, PhaseSet, SeatLeft, Transaction
from bot.rules.games.ti4.entries import (
    AgendaResolved,
    AgendaRevealed,
    CombatBegun,
    CombatEnded,
    NeighborsClaimed,
    NeighborsDenied,
    NeighborsJoined,
    NeighborsParted,
    OrderSet,
    PermitGranted,
    TurnEnded,
    TurnPassed,
    TurnStarted,
)
from bot.rules.games.ti4.state import state_of
from bot.rules.table import Pair, Table, Window, pair

NONE: frozenset[Pair] = frozenset()


def applied(table: Table, entry: Entry) -> Table:
    """The table after an entry of the game's own, or after the core has applied one of its own."""
    state = state_of(table)
    match entry:
        case TurnStarted(seat=seat, window=number):
            return _window(table, Window(number=number, kind="turn", holder=seat), phase="action")
        case TurnEnded(seat=seat, window=number):
            return _with(_window(table, Window(number=number)), last=seat)
        case TurnPassed(seat=seat):
            return _with(table, passed=state.passed | {seat})
        case OrderSet(seats=seats):
            return _with(table, order=seats)
        case CombatBegun(first=first, second=second):
            return _with(table, combat=state.combat | {pair(first, second)})
        case CombatEnded():
            return _with(table, combat=NONE)
        case AgendaRevealed(title=title, window=number):
            return _with(_window(table, Window(number=number, kind="agenda"), phase="agenda"), agenda=title)
        case AgendaResolved(window=number):
            return _window(table, Window(number=number))
        case NeighborsClaimed(seat=seat, other=other):
            return _with(table, claims=state.claims | {(seat, other)})
        case NeighborsDenied(seat=seat, other=other):
            return _with(table, claims=state.claims - {(other, seat)})
        case NeighborsJoined(first=first, second=second):
            settled = {(first, second), (second, first)}
            return _with(table, neighbors=state.neighbors | {pair(first, second)}, claims=state.claims - settled)
        case NeighborsParted(first=first, second=second):
            two = {pair(first, second)}
            return _with(table, neighbors=state.neighbors - two, parted=state.parted | two)
        case PermitGranted(permit=permit):
            return _with(table, permits=(*state.permits, permit), permits_granted=permit.number)
        case PhaseSet():  # the core has closed the window; a new round or agenda phase forgets who has passed
            return _with(table, combat=NONE, parted=NONE, agenda=None, passed=frozenset(), last=None)
        case Transaction(permits=used) if used:
            return _with(table, permits=tuple(permit for permit in state.permits if permit.number not in used))
        case SeatLeft(seat=seat):
            return _with(table, claims=frozenset(two for two in state.claims if seat not in two))
    return table


def _window(table: Table, window: Window, phase: str | None = None) -> Table:
    """One window closes and another state begins: combat and agenda are over."""
    changed = table.model_copy(update={"window": window, "phase": phase or table.phase})
    return _with(changed, combat=NONE, parted=NONE, agenda=None)


def _with(table: Table, **changes: Any) -> Table:
    return table.model_copy(update={"state": state_of(table).model_copy(update=changes)})
