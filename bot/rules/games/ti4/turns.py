"""The order of play: turns, passing, combat in the active system, agendas. Each turn and each agenda is a window."""

from __future__ import annotations

from collections.abc import Iterable

from bot.rules.commands import Command
from bot.rules.entries import Entry, PhaseSet
from bot.rules.games.ti4.commands import (
    BeginCombat,
    EndCombat,
    EndTurn,
    NextTurn,
    PassTurn,
    ResolveAgenda,
    RevealAgenda,
    SetOrder,
    StartTurn,
)
from bot.rules.games.ti4.entries import (
    AgendaResolved,
    AgendaRevealed,
    CombatBegun,
    CombatEnded,
    OrderSet,
    TurnEnded,
    TurnPassed,
    TurnStarted,
)
from bot.rules.games.ti4.state import active_seat, in_combat, next_seat, state_of
from bot.rules.ruling import Refused
from bot.rules.seats import require_host, rules_the_table, seat_of
from bot.rules.table import Table
from bot.rules.words import typed


def start_turn(table: Table, command: StartTurn) -> Iterable[Entry]:
    """A turn begins. Anybody seated may begin their own when no turn is under way; the host may begin anyone's."""
    seat = seat_of(table, command.person)
    active = active_seat(table)
    if active == seat.id:
        raise Refused("94 note 4", f"It is <seat:{seat.id}>'s turn already.", "Several actions are still one turn.")
    if not rules_the_table(table, command):
        if seat.person != command.by:
            raise Refused("", "Only the host may begin somebody else's turn.", f"Ask <person:{table.host}>.")
        if active is not None:
            raise Refused("", f"It is <seat:{active}>'s turn.", "It must end first: /turn end.")
        if table.window.kind == "agenda":
            raise Refused("", "An agenda is being resolved.", "It must end first: /agenda resolve.")
        if seat.id in state_of(table).passed:
            raise Refused("", "You have passed for this round.", f"A slip? Ask <person:{table.host}>.")
        following = next_seat(table, state_of(table).last) if state_of(table).last == seat.id else None
        if following not in (None, seat.id):
            raise Refused(
                "94 note 4",
                f"You have just had your turn; <seat:{following}> is next.",
                "Several actions are one turn.",
            )
    return [TurnStarted(seat=seat.id, window=table.window.number + 1)]


def end_turn(table: Table, command: EndTurn) -> Iterable[Entry]:
    """The active player, or the host, ends the turn."""
    return [TurnEnded(seat=_own_turn(table, command), window=table.window.number + 1)]


def next_turn(table: Table, command: NextTurn) -> Iterable[Entry]:
    """The turn ends and the next seat in order becomes active. With no turn under way, the first in order does."""
    active = active_seat(table)
    if active is None:
        require_host(table, command, "begin the next turn")
        yield from _next(table, None, table.window.number)
    else:
        _own_turn(table, command)
        yield TurnEnded(seat=active, window=table.window.number + 1)
        yield from _next(table, active, table.window.number + 1)


def pass_turn(table: Table, command: PassTurn) -> Iterable[Entry]:
    """The active player drops out for the round; when all have, the action phase is over."""
    active = _own_turn(table, command)
    yield TurnPassed(seat=active)
    yield TurnEnded(seat=active, window=table.window.number + 1)
    passed = state_of(table).passed | {active}
    left = table.model_copy(update={"state": state_of(table).model_copy(update={"passed": passed})})
    yield from _next(left, active, table.window.number + 1)


def set_order(table: Table, command: SetOrder) -> Iterable[Entry]:
    """The host says in which order the players take turns."""
    require_host(table, command, "set the order of play")
    seats = tuple(seat_of(table, person).id for person in command.people)
    if not seats or len(set(seats)) != len(seats):
        raise Refused("", "Name each player once, the first to play first.")
    return [OrderSet(seats=seats)]


def begin_combat(table: Table, command: BeginCombat) -> Iterable[Entry]:
    """94 note 3.2: opponents in the active system count as neighbours while the combat lasts."""
    if active_seat(table) is None:
        raise Refused("", "There is combat only during a turn.", "/turn start begins one.")
    first, second = seat_of(table, command.first).id, seat_of(table, command.second).id
    if first == second:
        raise Refused("", "Nobody fights themselves.", "Name the opponent.")
    if active_seat(table) not in (first, second):
        raise Refused("", f"It is <seat:{active_seat(table)}>'s turn, so they are one of the two who fight.")
    if table.settings.declare_neighbors == "host":
        require_host(table, command, "say who fights")
    if command.by not in (command.first, command.second) and not rules_the_table(table, command):
        raise Refused("", "You can only speak for yourself here.", f"One of the two, or <person:{table.host}>, can.")
    if in_combat(table, first, second):
        raise Refused("", f"<seat:{first}> and <seat:{second}> are fighting already.", "/turn peace ends it.")
    return [CombatBegun(first=first, second=second)]


def end_combat(table: Table, command: EndCombat) -> Iterable[Entry]:
    """One of those who fight, or the host, says that the combat is over."""
    fighting = {seat for two in state_of(table).combat for seat in two}
    if not fighting:
        raise Refused("", "There is no combat.", "/turn combat begins one.")
    seat = table.seat_of(command.by)
    if not rules_the_table(table, command) and (seat is None or seat.id not in fighting):
        raise Refused("", "You are not in this combat.", f"One of those who are, or <person:{table.host}>, can end it.")
    return [CombatEnded()]


def reveal_agenda(table: Table, command: RevealAgenda) -> Iterable[Entry]:
    """94.6: an agenda is a window for every pair. Note 5: one in place of another is a fresh one."""
    _require_seated_or_host(table, command)
    title = state_of(table).agenda
    active = active_seat(table)
    if (active is not None or table.phase == "action") and not rules_the_table(table, command):
        raise Refused(
            "94.6", "This is the action phase: an agenda in it brings no transactions of its own.",
            f"When the agenda phase has come, <person:{table.host}> can say so: /phase set.",
        )  # fmt: skip
    if command.replaces and title is None:
        raise Refused("", "There is no agenda to replace.", "/agenda reveal reveals one.")
    if not command.replaces and title is not None:
        raise Refused(
            "",
            f"An agenda is being resolved already{_titled(title)}.",
            "/agenda resolve ends it, /agenda replace swaps it.",
        )
    window = table.window.number + 1
    if active is not None:
        yield TurnEnded(seat=active, window=window)
        window += 1
    yield AgendaRevealed(title=command.title, window=window, replaces=command.replaces)


def resolve_agenda(table: Table, command: ResolveAgenda) -> Iterable[Entry]:
    """The agenda has been dealt with."""
    _require_seated_or_host(table, command)
    title = state_of(table).agenda
    if title is None:
        raise Refused("", "No agenda is being resolved.", "/agenda reveal reveals one.")
    return [AgendaResolved(title=title, window=table.window.number + 1)]


def _titled(title: str) -> str:
    return f": {typed(title)}" if title else ""


def _next(table: Table, after: str | None, window: int) -> Iterable[Entry]:
    """The next turn in order; or, when all have passed, the status phase."""
    following = next_seat(table, after)
    if following is not None:
        return [TurnStarted(seat=following, window=window + 1)]
    if not state_of(table).passed:
        raise Refused("", "Nobody sits here yet.", "/table sit takes a seat.")
    return [PhaseSet(phase="status", window=window + 1)]


def _own_turn(table: Table, command: Command) -> str:
    """The active seat, if who asks may end its turn. Raises `Refused`."""
    active = active_seat(table)
    if active is None:
        raise Refused("", "Nobody's turn is under way.", "/turn start begins one.")
    if table.seats[active].person != command.by and not rules_the_table(table, command):
        raise Refused("", f"It is <seat:{active}>'s turn, so only they or the host may end it.")
    return active


def _require_seated_or_host(table: Table, command: Command) -> None:
    if table.seat_of(command.by) is None and not rules_the_table(table, command):
        raise Refused("", "You have no seat at this table.", "Take one with /table sit.")
