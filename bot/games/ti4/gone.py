"""The state of play once a seat is out of the game, or goes on as another."""

from __future__ import annotations

from bot.api import Pair, Table, pair, replace
from bot.games.ti4.state import PlayedRound, Request, Ti4State, TurnTrades, state_of


def without(state: Ti4State, seat: str) -> Ti4State:
    """Return the state without a seat that is eliminated: nobody's neighbour, asked for nothing, without turns."""
    return replace(
        state,
        eliminated=state.eliminated | {seat},
        neighbors=_apart(state.neighbors, seat),
        combat=_apart(state.combat, seat),
        parted=_apart(state.parted, seat),
        claims=_apart(state.claims, seat),
        requests=frozenset(each for each in state.requests if seat not in (each.seat, each.other)),
        order=tuple(each for each in state.order if each != seat),
        passed=state.passed - {seat},
        moved=None if state.moved == seat else state.moved,
        replenished=tuple(each for each in state.replenished if each.seat != seat),
        chances=tuple(each for each in state.chances if seat not in (each.seat, each.of)),
        pillages=frozenset(each for each in state.pillages if seat not in (each.seat, each.of)),
        permits=tuple(permit for permit in state.permits if seat not in permit.seats),
    )


def renamed(table: Table, before: str, now: str) -> Table:
    """Return the table with one seat in the place of another in everything that goes on: turns, pairs, the window.

    What the one has traded in this window the other has, so nobody trades twice for it. Both seats are there.
    """
    state, window = state_of(table), table.window

    def seat(id: str) -> str:
        return now if id == before else id

    def pairs(found: frozenset[Pair]) -> frozenset[Pair]:
        return frozenset(pair(seat(first), seat(second)) for first, second in found)

    def trades(turn: TurnTrades) -> TurnTrades:
        return TurnTrades(seat(turn.seat), pairs(turn.used), pairs(turn.parted))

    def played(phase: PlayedRound) -> PlayedRound:
        return PlayedRound(frozenset(map(seat, phase.passed)), trades(phase.last) if phase.last else None)

    order = _order(table, before, now)
    changed = replace(
        state,
        neighbors=pairs(state.neighbors),
        combat=pairs(state.combat),
        parted=pairs(state.parted),
        claims=frozenset((seat(first), seat(second)) for first, second in state.claims),
        requests=frozenset(Request(seat(each.seat), seat(each.other), each.note) for each in state.requests),
        order=tuple(map(seat, order)),
        passed=frozenset(map(seat, state.passed)),
        last=trades(state.last) if state.last else None,
        interrupted=tuple(map(trades, state.interrupted)),
        played=played(state.played) if state.played else None,
        moved=seat(state.moved) if state.moved else None,
        replenished=tuple(replace(each, seat=seat(each.seat)) for each in state.replenished),
        chances=tuple(replace(each, seat=seat(each.seat), of=seat(each.of)) for each in state.chances),
        pillages=frozenset(replace(each, seat=seat(each.seat), of=seat(each.of)) for each in state.pillages),
        permits=tuple(replace(permit, seats=tuple(map(seat, permit.seats))) for permit in state.permits),
    )
    window = replace(window, holder=seat(window.holder) if window.holder else None, used=pairs(window.used))
    return replace(table, window=window, state=changed)


def _order(table: Table, before: str, now: str) -> list[str]:
    """Return the order of play as it was when the one seat was taken, and the other not yet."""
    sat = {before, *table.seated()} - {now}
    named = [seat for seat in state_of(table).order if seat in sat]
    return [*named, *(seat for seat in table.seats if seat in sat and seat not in named)]


def _apart(pairs: frozenset[Pair], seat: str) -> frozenset[Pair]:
    return frozenset(two for two in pairs if seat not in two)
