"""Whose turn it is, and who are neighbours: what the board says and the rules on transactions ask for."""

from __future__ import annotations

from collections.abc import Iterable

from bot.rules.apply import with_
from bot.rules.commands import Command
from bot.rules.entries import Entry
from bot.rules.games.ti4.commands import EndTurn, JoinNeighbors, PartNeighbors, StartTurn
from bot.rules.games.ti4.entries import NeighborsJoined, NeighborsParted, TurnEnded, TurnStarted
from bot.rules.games.ti4.state import Ti4State, are_neighbors, state_of
from bot.rules.ruling import Refused
from bot.rules.seats import rules_the_table, seat_of
from bot.rules.table import Pair, Table, Window, pair


def active_seat(table: Table) -> str | None:
    """The seat whose turn it is, in the action phase."""
    return table.window.holder if table.window.kind == "turn" else None


def start_turn(table: Table, command: StartTurn) -> Iterable[Entry]:
    """A turn begins. Anybody seated may begin their own when no turn is under way; the host may begin anyone's."""
    seat = seat_of(table, command.person)
    active = active_seat(table)
    if active == seat.id:
        raise Refused("", f"It is <seat:{seat.id}>'s turn already.", "Several actions are still one turn.")
    if not rules_the_table(table, command):
        if seat.person != command.by:
            raise Refused("", "Only the host may begin somebody else's turn.", f"Ask <person:{table.host}>.")
        if active is not None:
            raise Refused("", f"It is <seat:{active}>'s turn.", "It must end first: /turn end.")
    return [TurnStarted(seat=seat.id, window=table.window.number + 1)]


def end_turn(table: Table, command: EndTurn) -> Iterable[Entry]:
    """The active player, or the host, ends the turn."""
    active = active_seat(table)
    if active is None:
        raise Refused("", "Nobody's turn is under way.", "/turn start begins one.")
    if table.seats[active].person != command.by and not rules_the_table(table, command):
        raise Refused("", f"It is <seat:{active}>'s turn, so only they or the host may end it.")
    return [TurnEnded(seat=active, window=table.window.number + 1)]


def join_neighbors(table: Table, command: JoinNeighbors) -> Iterable[Entry]:
    """Two seats have become neighbours on the board."""
    first, second = _two(table, command, command.first, command.second)
    if are_neighbors(table, first, second):
        raise Refused("", f"<seat:{first}> and <seat:{second}> are neighbours already.", "/neighbors show lists all.")
    return [NeighborsJoined(first=first, second=second)]


def part_neighbors(table: Table, command: PartNeighbors) -> Iterable[Entry]:
    """Two seats are no longer neighbours on the board."""
    first, second = _two(table, command, command.first, command.second)
    if not are_neighbors(table, first, second):
        raise Refused("", f"<seat:{first}> and <seat:{second}> are not neighbours.", "/neighbors show lists all.")
    return [NeighborsParted(first=first, second=second)]


def applied(table: Table, entry: Entry) -> Table:
    """The table after a turn or neighbours entry."""
    match entry:
        case TurnStarted(seat=seat, window=number):
            return with_(table, phase="action", window=Window(number=number, kind="turn", holder=seat))
        case TurnEnded(window=number):
            return with_(table, window=Window(number=number))
        case NeighborsJoined(first=first, second=second):
            return _with_neighbors(table, state_of(table).neighbors | {pair(first, second)})
        case NeighborsParted(first=first, second=second):
            return _with_neighbors(table, state_of(table).neighbors - {pair(first, second)})
    raise TypeError(f"{entry.kind} is no entry of this game")


def _with_neighbors(table: Table, neighbors: frozenset[Pair]) -> Table:
    return with_(table, state=Ti4State(neighbors=neighbors))


def _two(table: Table, command: Command, first: int, second: int) -> Pair:
    """The two seats that are spoken of; one of them must be who asks, unless it is the host."""
    if first == second:
        raise Refused("", "Nobody is their own neighbour.", "Name two players.")
    seats = (seat_of(table, first), seat_of(table, second))
    if command.by not in (first, second) and not rules_the_table(table, command):
        raise Refused("", "You can only speak for yourself here.", f"One of the two, or <person:{table.host}>, can.")
    return (seats[0].id, seats[1].id)
