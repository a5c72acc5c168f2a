"""What each entry means for a table of Twilight Imperium 4."""

from __future__ import annotations

from collections.abc import Callable

from bot.api import Entry, Pair, PhaseSet, SeatLeft, Table, Transaction, Window, pair, replace
from bot.games.ti4.chances import noted
from bot.games.ti4.entries import (
    AgendaResolved,
    AgendaRevealed,
    CombatBegun,
    CombatEnded,
    Eliminated,
    FactionChanged,
    GainedByEffect,
    GivenByEffect,
    NeighborsClaimed,
    NeighborsDenied,
    NeighborsJoined,
    NeighborsParted,
    NeighborsSet,
    NoteAsked,
    NoteReturned,
    OrderSet,
    PassUndone,
    PermitGranted,
    PermitRevoked,
    PillageAsked,
    PillageDenied,
    ReplenishAsked,
    Replenished,
    RequestDenied,
    TurnEnded,
    TurnPassed,
    TurnStarted,
)
from bot.games.ti4.given_back import trades_now
from bot.games.ti4.gone import renamed, without
from bot.games.ti4.state import Chance, Permit, Pillaging, PlayedRound, Request, Ti4State, active_seat, state_of
from bot.games.ti4.take_back.record import recorded
from bot.games.ti4.trade_agreements import followed

NO_PAIRS: frozenset[Pair] = frozenset()


def apply(table: Table, entry: Entry) -> Table:
    """Return the table after an entry of the game, or after one of the core that the core has applied already."""
    return recorded(followed(noted(_after(table, entry), entry), entry), entry)


def _after(table: Table, entry: Entry) -> Table:
    match entry:
        case TurnStarted():
            return _turn(table, entry)
        case TurnEnded(seat=seat, window=number):
            state = _closed(state_of(table))  # in a turn of passing no ships have moved
            moved = None if seat in state.passed else seat
            state = replace(state, last=trades_now(table, seat), moved=moved)
            return replace(table, window=Window(number=number), state=state)
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
        case FactionChanged(seat=seat, becomes=becomes):
            return renamed(table, seat, becomes)
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
    state = replace(_closed(state), parted=frozenset(entry.parted), last=left, interrupted=interrupted, played=None)
    return replace(table, window=window, phase="action", state=state)


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
    """Return the table with this window in place of the last one."""
    return replace(table, window=window, phase=phase, state=_closed(state_of(table)))


def _closed(state: Ti4State) -> Ti4State:
    """Return the state without what is over with a window: combat, agenda, and what else ends with a turn."""
    if state.combat or state.parted or state.agenda is not None:
        state = replace(state, combat=NO_PAIRS, parted=NO_PAIRS, agenda=None)
    return _of_new_window(state)


def _changed(state: Ti4State, entry: Entry) -> Ti4State:
    """Return the state after an entry that opens and closes no window of the game's own."""
    match entry:
        case TurnPassed(seat=seat):
            return replace(state, passed=state.passed | {seat})
        case Eliminated(seat=seat):
            return without(state, seat)
        case OrderSet(order=order):
            return replace(state, order=order)
        case CombatBegun(first=first, second=second):
            return replace(state, combat=state.combat | {pair(first, second)})
        case CombatEnded():
            return replace(state, combat=NO_PAIRS)
        case PermitGranted(permit=permit):
            return replace(state, permits=(*state.permits, permit), permits_granted=permit.number)
        case PermitRevoked(permit=permit):
            return _without_permits(state, lambda each: each.number == permit.number)
        case Transaction(permits=used) if used:
            return _without_permits(state, lambda each: each.number in used)
        case PhaseSet(phase=phase):  # a new round or agenda phase starts with nobody passed
            fresh = replace(_fresh(state), combat=NO_PAIRS, parted=NO_PAIRS, agenda=None, moved=None)
            if phase == "status" and state.passed:
                fresh = replace(fresh, played=PlayedRound(state.passed, state.last))
            return _of_new_window(fresh)
    return _effects(_requests(_neighbors(state, entry), entry), entry)


def _of_new_window(state: Ti4State) -> Ti4State:
    """Return the state without what ends with a turn or an agenda."""
    return _without_permits(_without_requests(state), lambda each: each.until == "window")


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


def _said(state: Ti4State, *seats: str) -> Ti4State:
    """Return the state after somebody said who are the neighbours of these seats: they are not asked for any more."""
    return replace(state, moved=None) if state.moved in seats else state


def _neighbors(state: Ti4State, entry: Entry) -> Ti4State:
    match entry:
        case NeighborsClaimed(seat=seat, other=other):
            return replace(state, claims=state.claims | {(seat, other)})
        case NeighborsDenied(seat=seat, other=other):
            return replace(state, claims=state.claims - {(other, seat)})
        case NeighborsJoined(first=first, second=second):
            settled = {(first, second), (second, first)}
            joined = state.neighbors | {pair(first, second)}
            return _said(replace(state, neighbors=joined, claims=state.claims - settled), first, second)
        case NeighborsParted(first=first, second=second):
            two = {pair(first, second)}
            parted = replace(state, neighbors=state.neighbors - two, parted=state.parted | two)
            return _said(parted, first, second)
        case NeighborsSet(seat=seat, order=order, joined=joined, parted=parted):
            settled = {*joined, *((second, first) for first, second in joined)}
            kept = state.neighbors.union(joined).difference(parted)
            set_to = replace(state, neighbors=kept, parted=state.parted.union(parted), claims=state.claims - settled)
            return _said(set_to, *([seat] if seat else order))
        case SeatLeft(seat=seat):
            left = replace(state, claims=frozenset(two for two in state.claims if seat not in two))
            return _said(left, seat)
    return state
