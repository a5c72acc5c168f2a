"""Who are neighbours: what the board says. The players declare it, or where the host wishes, only the host does."""

from __future__ import annotations

from collections.abc import Iterable

from bot.rules.commands import Command
from bot.rules.entries import Entry
from bot.rules.game import Answer, Ask
from bot.rules.games.ti4.commands import AnswerClaim, ClaimNeighbor, JoinNeighbors, PartNeighbors
from bot.rules.games.ti4.entries import NeighborsClaimed, NeighborsDenied, NeighborsJoined, NeighborsParted
from bot.rules.games.ti4.state import are_neighbors, state_of
from bot.rules.ruling import Refused
from bot.rules.seats import own_seat, rules_the_table, seat_of
from bot.rules.table import Pair, Table


def join(table: Table, command: JoinNeighbors) -> Iterable[Entry]:
    """Two seats have become neighbours on the board."""
    first, second = _two(table, command, command.first, command.second)
    _require_strangers(table, first, second)
    return [NeighborsJoined(first=first, second=second, said_by=_said_by(table, command))]


def part(table: Table, command: PartNeighbors) -> Iterable[Entry]:
    """Two seats are no longer neighbours on the board."""
    first, second = _two(table, command, command.first, command.second)
    if not are_neighbors(table, first, second):
        raise Refused("", f"<seat:{first}> and <seat:{second}> are not neighbours.", "/neighbors show lists all.")
    return [NeighborsParted(first=first, second=second)]


def claim(table: Table, command: ClaimNeighbor) -> Iterable[Entry]:
    """One says so, and the other is asked; if the other has said so before, it is agreed."""
    _require_players_may(table, command)
    seat = own_seat(table, command).id
    if command.other not in table.seats or command.other == seat:
        raise Refused("", "That is no other seat of this table.", "/neighbors join names two players.")
    _require_strangers(table, seat, command.other)
    if (command.other, seat) in state_of(table).claims:
        return [NeighborsJoined(first=command.other, second=seat, said_by=(command.other, seat))]
    if (seat, command.other) in state_of(table).claims:
        raise Refused("", f"You have said so already; <seat:{command.other}> has been asked.")
    return [NeighborsClaimed(seat=seat, other=command.other)]


def answer(table: Table, command: AnswerClaim) -> Iterable[Entry]:
    """The other confirms it, and both names stand in the ledger; or denies it."""
    seat = own_seat(table, command).id
    if (command.other, seat) not in state_of(table).claims:
        raise Refused("", "That question is settled already.", "/neighbors show lists all neighbours.")
    if not command.agreed:
        return [NeighborsDenied(seat=seat, other=command.other)]
    return [NeighborsJoined(first=command.other, second=seat, said_by=(command.other, seat))]


def asks(table: Table) -> list[Ask]:
    """The claims that wait for the other's word."""
    return [
        Ask(
            key=f"neighbors:{seat}:{other}",
            seat=other,
            text=f"<seat:{seat}> says that you two are neighbours now.",
            answers=(Answer(label="Accept", action="yes"), Answer(label="Not so", action="no")),
        )
        for seat, other in sorted(state_of(table).claims)
    ]


def _said_by(table: Table, command: Command) -> tuple[str, ...]:
    seat = table.seat_of(command.by)
    return (seat.id,) if seat and not rules_the_table(table, command) else ()


def _require_strangers(table: Table, first: str, second: str) -> None:
    if are_neighbors(table, first, second):
        raise Refused("", f"<seat:{first}> and <seat:{second}> are neighbours already.", "/neighbors show lists all.")


def _require_players_may(table: Table, command: Command) -> None:
    if table.settings.declare_neighbors == "host" and not rules_the_table(table, command):
        raise Refused("", "At this table only the host says who are neighbours.", f"Ask <person:{table.host}>.")


def _two(table: Table, command: Command, first: int, second: int) -> Pair:
    """The two seats that are spoken of; one of them must be who asks, unless it is the host."""
    if first == second:
        raise Refused("", "Nobody is their own neighbour.", "Name two players.")
    _require_players_may(table, command)
    seats = (seat_of(table, first), seat_of(table, second))
    if command.by not in (first, second) and not rules_the_table(table, command):
        raise Refused("", "You can only speak for yourself here.", f"One of the two, or <person:{table.host}>, can.")
    return (seats[0].id, seats[1].id)
