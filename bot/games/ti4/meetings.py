"""Neighbours many at a time: all of one seat's in a list, or everybody's by the order in which they sit."""

from __future__ import annotations

from collections.abc import Iterable

from bot.api import Caller, Entry, Handlers, Pair, Refused, Table, handler, pair, require_host, seat_meant, taken_seat
from bot.games.ti4.commands import SeatNeighbors, SetNeighbors
from bot.games.ti4.entries import NeighborsSet
from bot.games.ti4.neighbors import require_may_speak_for
from bot.games.ti4.state import state_of, turn_order


def set_neighbors(table: Table, command: SetNeighbors, caller: Caller) -> Iterable[Entry]:
    """Record who are all neighbours of a seat. After a turn of theirs, also that they have stayed the same.

    Raises `Refused` for a caller who may not say so of that seat, for a seat beside itself, and when nothing changes
    and nobody has asked.
    """
    seat = seat_meant(table, command.seat, caller)
    said_by = require_may_speak_for(table, seat, caller)
    others = tuple(dict.fromkeys(taken_seat(table, other).id for other in command.others))
    if seat.id in others:
        raise Refused("", "Nobody is their own neighbour.", "Name the others.")
    wanted = {pair(seat.id, other) for other in others}
    own = {two for two in _between_seated(table) if seat.id in two}
    if wanted == own and state_of(table).moved != seat.id:
        raise Refused("", f"<seat:{seat.id}>'s neighbours are just those already.", "/neighbors show lists all.")
    return [_set(own, wanted, seat=seat.id, order=others, said_by=said_by)]


def seat_neighbors(table: Table, command: SeatNeighbors, caller: Caller) -> Iterable[Entry]:
    """Record that everybody is the neighbour of the two beside them in the order of play, and of nobody else.

    Raises `Refused` unless a host asks, for fewer than two players, and when nothing changes.
    """
    require_host(table, caller, "say who are neighbours of everybody")
    order = turn_order(table)
    if len(order) < 2:
        raise Refused("", "It takes two players to be neighbours.", "/table sit takes a seat.")
    wanted, there = {pair(order[place - 1], seat) for place, seat in enumerate(order)}, _between_seated(table)
    if wanted == there:
        raise Refused("", "They are neighbours in just that way already.", "/table order sets how they sit.")
    return [_set(there, wanted, order=tuple(order))]


def _between_seated(table: Table) -> set[Pair]:
    """Return the pairs of neighbours both of whom are there."""
    seated = table.seated()
    return {two for two in state_of(table).neighbors if two[0] in seated and two[1] in seated}


def _set(
    there: set[Pair], wanted: set[Pair], *, order: tuple[str, ...], seat: str = "", said_by: tuple[str, ...] = ()
) -> NeighborsSet:
    joined, parted = tuple(sorted(wanted - there)), tuple(sorted(there - wanted))
    return NeighborsSet(seat=seat, order=order, joined=joined, parted=parted, said_by=said_by)


HANDLERS: Handlers = dict([handler(SetNeighbors, set_neighbors), handler(SeatNeighbors, seat_neighbors)])
