"""What each entry means for a table of Twilight Imperium 4."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from bot.rules.entries import Entry
from bot.rules.games.ti4.entries import (
    AgendaResolved,
    AgendaRevealed,
    CombatBegun,
    CombatEnded,
    NeighborsClaimed,
    NeighborsDenied,
    NeighborsJoined,
    NeighborsParted,
    NoteAsked,
    NoteReturned,
    OrderSet,
    PassUndone,
    PermitGranted,
    ReplenishAsked,
    Replenished,
    RequestDenied,
    TurnEnded,
    TurnPassed,
    TurnStarted,
)
from bot.rules.games.ti4.given_back import trades_now
from bot.rules.games.ti4.state import PlayedRound, Request, Ti4State, active_seat, state_of
from bot.rules.model.table import Table
from bot.rules.model.windows import Pair, Window, pair
from bot.rules.offers.entries import Transaction
from bot.rules.seats.entries import SeatLeft
from bot.rules.tables.entries import PhaseSet

NO_PAIRS: frozenset[Pair] = frozenset()


def apply(table: Table, entry: Entry) -> Table:
    """Return the table after an entry of the game, or after one of the core that the core has applied already."""
    match entry:
        case TurnStarted():
            return _turn(table, entry)
        case TurnEnded(seat=seat, window=number):
            closed = _opened(table, Window(number=number), table.phase)
            return closed.with_state(replace(state_of(closed), last=trades_now(table, seat)))
        case AgendaRevealed(title=title, in_turn=True):
            return table.with_state(replace(state_of(table), agenda=title))
        case AgendaRevealed(title=title, window=number):
            if table.phase != "agenda":
                table = table.with_state(_fresh(state_of(table)))
            opened = _opened(table, Window(number=number, kind="agenda"), phase="agenda")
            return opened.with_state(replace(state_of(opened), agenda=title))
        case AgendaResolved(in_turn=True):
            return table.with_state(replace(state_of(table), agenda=None))
        case AgendaResolved(window=number):
            return _opened(table, Window(number=number), table.phase)
        case PassUndone():
            return _unpassed(table, entry)
    state = state_of(table)
    changed = _changed(state, entry)
    return table if changed is state else table.with_state(changed)


def _turn(table: Table, entry: TurnStarted) -> Table:
    """Return the table with this turn under way; the one that it comes in the place of, if any, was left."""
    state, active = state_of(table), active_seat(table)
    left = trades_now(table, active) if active and active != entry.seat else state.last
    interrupted = tuple(each for each in state.interrupted if each.seat != entry.seat)
    given_back = entry.again and state.last is not None and state.last.seat == entry.seat
    if given_back and left is not None and left.seat == active and left.used:
        interrupted += (left,)
    window = Window(number=entry.window, kind="turn", holder=entry.seat, used=frozenset(entry.used))
    opened = _opened(table, window, phase="action")
    state = replace(state_of(opened), parted=frozenset(entry.parted), last=left, interrupted=interrupted, played=None)
    return opened.with_state(state)


def _unpassed(table: Table, entry: PassUndone) -> Table:
    """Return the table with that pass taken back; where it had ended the action phase, that goes on."""
    state = replace(state_of(table), passed=frozenset(entry.passed))
    if not entry.reopens or state.played is None:
        return table.with_state(state)
    return replace(table, phase="action", state=replace(state, last=state.played.last, played=None))


def _fresh(state: Ti4State) -> Ti4State:
    """Return the state with nothing left of the action phase: nobody has passed, no turn can be given back."""
    return replace(state, passed=frozenset(), last=None, interrupted=(), played=None)


def _opened(table: Table, window: Window, phase: str) -> Table:
    """Return the table with this window in place of the last one: combat and agenda are over."""
    state = _without_requests(replace(state_of(table), combat=NO_PAIRS, parted=NO_PAIRS, agenda=None))
    return replace(table, window=window, phase=phase, state=state)


def _changed(state: Ti4State, entry: Entry) -> Ti4State:
    """Return the state after an entry that opens and closes no window of the game's own."""
    match entry:
        case TurnPassed(seat=seat):
            return replace(state, passed=state.passed | {seat})
        case OrderSet(order=order):
            return replace(state, order=order)
        case CombatBegun(first=first, second=second):
            return replace(state, combat=state.combat | {pair(first, second)})
        case CombatEnded():
            return replace(state, combat=NO_PAIRS)
        case PermitGranted(permit=permit):
            return replace(state, permits=(*state.permits, permit), permits_granted=permit.number)
        case Transaction(permits=used) if used:
            return replace(state, permits=tuple(permit for permit in state.permits if permit.number not in used))
        case PhaseSet(phase=phase):  # a new round or agenda phase starts with nobody passed
            fresh = replace(_fresh(state), combat=NO_PAIRS, parted=NO_PAIRS, agenda=None)
            if phase == "status" and state.passed:
                fresh = replace(fresh, played=PlayedRound(state.passed, state.last))
            return _without_requests(fresh)
    return _requests(_neighbors(state, entry), entry)


def _without_requests(state: Ti4State) -> Ti4State:
    """Return the state without what the active player asked for: their turn is over."""
    return replace(state, requests=frozenset(each for each in state.requests if each.note))


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


def _still(state: Ti4State, stays: Callable[[Request], bool]) -> Ti4State:
    left = frozenset(each for each in state.requests if stays(each))
    return state if left == state.requests else replace(state, requests=left)


def _neighbors(state: Ti4State, entry: Entry) -> Ti4State:
    match entry:
        case NeighborsClaimed(seat=seat, other=other):
            return replace(state, claims=state.claims | {(seat, other)})
        case NeighborsDenied(seat=seat, other=other):
            return replace(state, claims=state.claims - {(other, seat)})
        case NeighborsJoined(first=first, second=second):
            settled = {(first, second), (second, first)}
            joined = state.neighbors | {pair(first, second)}
            return replace(state, neighbors=joined, claims=state.claims - settled)
        case NeighborsParted(first=first, second=second):
            two = {pair(first, second)}
            return replace(state, neighbors=state.neighbors - two, parted=state.parted | two)
        case SeatLeft(seat=seat):
            return replace(state, claims=frozenset(two for two in state.claims if seat not in two))
    return state
