"""What each entry means for a table of Twilight Imperium 4."""

from __future__ import annotations

from collections.abc import Callable

from bot.api import Entry, PhaseSet, Table, Transaction, replace
from bot.games.ti4.agendas import AgendaResolved, AgendaRevealed
from bot.games.ti4.entries import (
    Eliminated,
    FactionChanged,
    PermitGranted,
    PermitRevoked,
)
from bot.games.ti4.gone import renamed, without
from bot.games.ti4.state import Permit, Ti4State, state_of
from bot.games.ti4.take_back.record import recorded
from bot.games.ti4.trade_agreements import followed
from bot.games.ti4.turns import TurnEnded, TurnStarted


def apply(table: Table, entry: Entry) -> Table:
    """Return the table after an entry that no feature declares yet."""
    match entry:
        case FactionChanged(seat=seat, becomes=becomes):
            return renamed(table, seat, becomes)
        case Eliminated(seat=seat):
            return without(table, seat)
    state = state_of(table)
    changed = _changed(state, entry)
    if isinstance(entry, PhaseSet | TurnStarted | TurnEnded) or _opens(entry):
        changed = _without_permits(changed, lambda each: each.until == "window")
    return table if changed is state else table.with_state(changed)


def at_last(table: Table, entry: Entry) -> Table:
    """Return the table with what is remembered of an entry once everything else is done."""
    return recorded(followed(table, entry), entry)


def _opens(entry: Entry) -> bool:
    return isinstance(entry, AgendaRevealed | AgendaResolved) and not entry.in_turn


def _changed(state: Ti4State, entry: Entry) -> Ti4State:
    match entry:
        case PermitGranted(permit=permit):
            return replace(state, permits=(*state.permits, permit), permits_granted=permit.number)
        case PermitRevoked(permit=permit):
            return _without_permits(state, lambda each: each.number == permit.number)
        case Transaction(permits=used) if used:
            return _without_permits(state, lambda each: each.number in used)
    return state


def _without_permits(state: Ti4State, over: Callable[[Permit], bool]) -> Ti4State:
    left = tuple(permit for permit in state.permits if not over(permit))
    return state if left == state.permits else replace(state, permits=left)
