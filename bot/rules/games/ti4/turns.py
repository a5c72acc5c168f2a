"""The order of play: turns, passing, combat in the active system, agendas. Each turn and each agenda is a window."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from bot.rules.access import is_host, require_host, require_seat_or_host
from bot.rules.commands import Caller, Command, Handlers, handler
from bot.rules.entries import Entry
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
from bot.rules.games.ti4.neighbors import players_declare, require_one_of
from bot.rules.games.ti4.state import active_seat, in_combat, next_seat, state_of
from bot.rules.lookup import seat_meant, taken_seat
from bot.rules.model.markup import quoted
from bot.rules.model.seats import Seat
from bot.rules.model.table import Table
from bot.rules.model.violation import Refused
from bot.rules.tables.entries import PhaseSet

# ---------------------------------------------------------------- turns


def start_turn(table: Table, command: StartTurn, caller: Caller) -> Iterable[Entry]:
    """Begin a turn. Players begin their own when no turn is under way; the host begins anyone's at any time.

    Raises `Refused` by 94 note 4 for the seat whose turn it is or, unless a host asks, was the last one; and where
    another turn or an agenda comes first.
    """
    seat = seat_meant(table, command.seat, caller)
    if active_seat(table) == seat.id:
        raise Refused("94 note 4", f"It is <seat:{seat.id}>'s turn already.", "Several actions are still one turn.")
    if not is_host(table, caller):
        _require_may_begin(table, seat, caller)
    return [TurnStarted(seat=seat.id, window=table.window.number + 1)]


def end_turn(table: Table, command: EndTurn, caller: Caller) -> Iterable[Entry]:
    """End the turn. Raises `Refused` for others than the active player and hosts, and when there is none."""
    return [TurnEnded(seat=_own_turn(table, caller), window=table.window.number + 1)]


def next_turn(table: Table, command: NextTurn, caller: Caller) -> Iterable[Entry]:
    """End the turn and begin the next one in order. With no turn under way, the host begins the first one.

    Raises `Refused` for others than the active player and hosts.
    """
    if active_seat(table) is None:
        require_host(table, caller, "begin the next turn")
        yield from _next(table, None, table.window.number)
    else:
        active, window = _own_turn(table, caller), table.window.number + 1
        yield TurnEnded(seat=active, window=window)
        yield from _next(table, active, window)


def pass_turn(table: Table, command: PassTurn, caller: Caller) -> Iterable[Entry]:
    """Pass: the active player is out for the round, and when all are, the action phase is over.

    Raises `Refused` for others than the active player and hosts.
    """
    active, window = _own_turn(table, caller), table.window.number + 1
    yield TurnPassed(seat=active)
    yield TurnEnded(seat=active, window=window)
    state = state_of(table)
    # Entries are applied only after all are decided, so the pass is added here to find who is next.
    yield from _next(table.with_state(replace(state, passed=state.passed | {active})), active, window)


def set_order(table: Table, command: SetOrder, caller: Caller) -> Iterable[Entry]:
    """Set the order in which players take turns. Raises `Refused` unless a host asks and names each seat once."""
    require_host(table, caller, "set the order of play")
    order = tuple(taken_seat(table, seat).id for seat in command.seats)
    if not order or len(set(order)) != len(order):
        raise Refused("", "Name each player once, the first to play first.")
    return [OrderSet(order=order)]


def order(seats: tuple[str, ...]) -> Command:
    """Return the command that sets this order of play, first seat first."""
    return SetOrder(seats)


def _require_may_begin(table: Table, seat: Seat, caller: Caller) -> None:
    """Raise `Refused` unless this player, who is no host, may begin the turn of this seat."""
    active, state = active_seat(table), state_of(table)
    if seat.person != caller.person:
        require_host(table, caller, "begin somebody else's turn")
    if active is not None:
        raise Refused("", f"It is <seat:{active}>'s turn.", "It must end first: /turn end.")
    if table.window.kind == "agenda":
        raise Refused("", "An agenda is being resolved.", "It must end first: /agenda resolve.")
    if seat.id in state.passed:
        raise Refused("", "You have passed for this round.", f"A slip? Ask <person:{table.host}>.")
    if state.last == seat.id and (following := next_seat(table, seat.id)) not in (None, seat.id):
        raise Refused(
            "94 note 4", f"You have just had your turn; <seat:{following}> is next.", "Several actions are one turn."
        )


def _own_turn(table: Table, caller: Caller) -> str:
    """Return the active seat. Raises `Refused` unless its turn is the caller's to end."""
    active = active_seat(table)
    if active is None:
        raise Refused("", "Nobody's turn is under way.", "/turn start begins one.")
    if table.seats[active].person != caller.person and not is_host(table, caller):
        raise Refused("", f"It is <seat:{active}>'s turn, so only they or the host may end it.")
    return active


def _next(table: Table, after: str | None, window: int) -> Iterable[Entry]:
    """Return the beginning of the next turn in order; or, when all have passed, of the status phase.

    ``window`` is the number of the last window, the one with which the turn before ended. Raises `Refused` when there
    are no seats.
    """
    following = next_seat(table, after)
    if following is not None:
        return [TurnStarted(seat=following, window=window + 1)]
    if not state_of(table).passed:
        raise Refused("", "Nobody sits here yet.", "/table sit takes a seat.")
    return [PhaseSet(phase="status", window=window + 1)]


# ---------------------------------------------------------------- combat


def begin_combat(table: Table, command: BeginCombat, caller: Caller) -> Iterable[Entry]:
    """Record a combat. 94 note 3.2: opponents in the active system count as neighbours while it lasts.

    Raises `Refused` outside of turns, unless the active player is one of the two, unless the caller is one of the two
    or a host, and when they fight already.
    """
    active = active_seat(table)
    if active is None:
        raise Refused("", "There is combat only during a turn.", "/turn start begins one.")
    first, second = seat_meant(table, command.first, caller), taken_seat(table, command.second)
    if first.id == second.id:
        raise Refused("", "Nobody fights themselves.", "Name the opponent.")
    if active not in (first.id, second.id):
        raise Refused("", f"It is <seat:{active}>'s turn, so they are one of the two who fight.")
    _require_may_say_who_fights(table, (first.person, second.person), caller)
    if in_combat(table, first.id, second.id):
        raise Refused("", f"<seat:{first.id}> and <seat:{second.id}> are fighting already.", "/turn peace ends it.")
    return [CombatBegun(first=first.id, second=second.id)]


def end_combat(table: Table, command: EndCombat, caller: Caller) -> Iterable[Entry]:
    """End all combat. Raises `Refused` unless one of those who fight, or a host, asks; and when there is none."""
    fighting = {seat for two in state_of(table).combat for seat in two}
    if not fighting:
        raise Refused("", "There is no combat.", "/turn combat begins one.")
    seat = table.seat_of(caller.person)
    if not is_host(table, caller) and (seat is None or seat.id not in fighting):
        raise Refused("", "You are not in this combat.", f"One of those who are, or <person:{table.host}>, can end it.")
    return [CombatEnded()]


def _require_may_say_who_fights(table: Table, people: tuple[int | None, int | None], caller: Caller) -> None:
    if not players_declare(table):
        require_host(table, caller, "say who fights")
    require_one_of(table, people, caller)


# ---------------------------------------------------------------- agendas


def reveal_agenda(table: Table, command: RevealAgenda, caller: Caller) -> Iterable[Entry]:
    """Reveal an agenda. 94.6: it is a window for every pair. Note 5: one in place of another is a fresh one.

    Raises `Refused` for people without a seat, by 94.6 in the action phase unless a host asks, when another agenda is
    being resolved, and when there is none to replace.
    """
    require_seat_or_host(table, caller)
    _require_agenda_time(table, caller)
    _require_fitting(state_of(table).agenda, command.replaces)
    active, window = active_seat(table), table.window.number + 1
    if active is not None:
        yield TurnEnded(seat=active, window=window)
        window += 1
    yield AgendaRevealed(title=command.title, window=window, replaces=command.replaces)


def resolve_agenda(table: Table, command: ResolveAgenda, caller: Caller) -> Iterable[Entry]:
    """Record that the agenda has been dealt with. Raises `Refused` without a seat, and when there is none."""
    require_seat_or_host(table, caller)
    title = state_of(table).agenda
    if title is None:
        raise Refused("", "No agenda is being resolved.", "/agenda reveal reveals one.")
    return [AgendaResolved(title=title, window=table.window.number + 1)]


def _require_agenda_time(table: Table, caller: Caller) -> None:
    """Raise `Refused` in the action phase, where only a host may say that an agenda brings transactions."""
    if (active_seat(table) is not None or table.phase == "action") and not is_host(table, caller):
        raise Refused(
            "94.6", "This is the action phase: an agenda in it brings no transactions of its own.",
            f"When the agenda phase has come, <person:{table.host}> can say so: /phase set.",
        )  # fmt: skip


def _require_fitting(title: str | None, replaces: bool) -> None:
    """Raise `Refused` when there is no agenda to replace, or one in the way of another."""
    if replaces and title is None:
        raise Refused("", "There is no agenda to replace.", "/agenda reveal reveals one.")
    if not replaces and title is not None:
        titled = f": {quoted(title)}" if title else ""
        raise Refused(
            "", f"An agenda is being resolved already{titled}.", "/agenda resolve ends it, /agenda replace swaps it."
        )


HANDLERS: Handlers = dict(
    [
        handler(StartTurn, start_turn),
        handler(EndTurn, end_turn),
        handler(NextTurn, next_turn),
        handler(PassTurn, pass_turn),
        handler(SetOrder, set_order),
        handler(BeginCombat, begin_combat),
        handler(EndCombat, end_combat),
        handler(RevealAgenda, reveal_agenda),
        handler(ResolveAgenda, resolve_agenda),
    ]
)
