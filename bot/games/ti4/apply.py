"""What each entry means for a table of Twilight Imperium 4."""

from __future__ import annotations

from collections.abc import Callable

from bot.api import Entry, PhaseSet, SeatLeft, Table, Transaction, replace
from bot.games.ti4.agendas import AgendaResolved, AgendaRevealed
from bot.games.ti4.chances import noted
from bot.games.ti4.entries import (
    Eliminated,
    FactionChanged,
    GainedByEffect,
    GivenByEffect,
    NoteAsked,
    NoteReturned,
    PermitGranted,
    PermitRevoked,
    PillageAsked,
    PillageDenied,
    ReplenishAsked,
    Replenished,
    RequestDenied,
)
from bot.games.ti4.gone import renamed, without
from bot.games.ti4.state import Chance, Permit, Pillaging, Request, Ti4State, state_of
from bot.games.ti4.take_back.record import recorded
from bot.games.ti4.trade_agreements import followed
from bot.games.ti4.turns import TurnEnded, TurnStarted


def apply(table: Table, entry: Entry) -> Table:
    """Return the table after an entry that no feature declares yet."""
    return recorded(followed(noted(_after(table, entry), entry), entry), entry)


def _after(table: Table, entry: Entry) -> Table:
    match entry:
        case FactionChanged(seat=seat, becomes=becomes):
            return renamed(table, seat, becomes)
        case Eliminated(seat=seat):
            return without(table, seat)
    state = state_of(table)
    changed = _changed(state, entry)
    if isinstance(entry, PhaseSet | TurnStarted | TurnEnded) or _opens(entry):
        changed = _without_permits(_without_requests(changed), lambda each: each.until == "window")
    return table if changed is state else table.with_state(changed)


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
    return _effects(_requests(state, entry), entry)


def _without_permits(state: Ti4State, over: Callable[[Permit], bool]) -> Ti4State:
    left = tuple(permit for permit in state.permits if not over(permit))
    return state if left == state.permits else replace(state, permits=left)


def _without_requests(state: Ti4State) -> Ti4State:
    """Return the state without what the active player asked for: their turn is over."""
    return _still(state, lambda each: each.note != "")


def _requests(state: Ti4State, entry: Entry) -> Ti4State:
    match entry:
        case ReplenishAsked(seat=seat, other=other):
            return replace(state, requests=state.requests | {Request(seat, other)})
        case NoteAsked(seat=seat, other=other, note=note):
            return replace(state, requests=state.requests | {Request(seat, other, note)})
        case RequestDenied(seat=seat, other=other, note=note):
            return replace(state, requests=state.requests - {Request(other, seat, note)})
        case Replenished(seat=seat):
            return _still(state, lambda each: each.note != "" or each.other != seat)
        case NoteReturned(note=note):
            return _still(state, lambda each: each.token != note)
        case SeatLeft(seat=seat):
            return _still(state, lambda each: seat not in (each.seat, each.other))
    return state


def _effects(state: Ti4State, entry: Entry) -> Ti4State:
    """Return the state after an entry by which a chance is used, or given up."""
    match entry:
        case PillageAsked(seat=seat, other=other, take=take, since=since):
            asked = Pillaging(seat=seat, of=other, take=take, since=since)
            left = _chances(state, lambda each: (each.effect, each.of, each.seq) != ("pillage", other, since))
            return replace(left, pillages=state.pillages | {asked})
        case PillageDenied(seat=seat, since=since):
            return _pillages(state, seat, since)
        case GivenByEffect(seat=seat, since=int(since)):
            left = _chances(state, lambda each: (each.effect, each.of, each.seq) != ("pillage", seat, since))
            return _pillages(left, seat, since)
        case GainedByEffect(seat=seat, since=since):
            return _chances(state, lambda each: (each.effect, each.seat, each.seq) != ("dark_pact", seat, since))
        case SeatLeft(seat=seat):
            left = _chances(state, lambda each: seat not in (each.seat, each.of))
            asked_on = frozenset(each for each in left.pillages if seat not in (each.seat, each.of))
            return left if asked_on == left.pillages else replace(left, pillages=asked_on)
    return state


def _chances(state: Ti4State, stays: Callable[[Chance], bool]) -> Ti4State:
    left = tuple(each for each in state.chances if stays(each))
    return state if left == state.chances else replace(state, chances=left)


def _pillages(state: Ti4State, of: str, since: int) -> Ti4State:
    left = frozenset(each for each in state.pillages if (each.of, each.since) != (of, since))
    return replace(state, pillages=left)


def _still(state: Ti4State, stays: Callable[[Request], bool]) -> Ti4State:
    left = frozenset(each for each in state.requests if stays(each))
    return state if left == state.requests else replace(state, requests=left)
