"""The order of play: turns, passing, combat in the active system. Each turn is a window."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from bot.api import (
    Caller,
    Command,
    Entry,
    Handlers,
    LabelledAction,
    PhaseSet,
    Refused,
    Seat,
    SettingOption,
    Table,
    handler,
    is_host,
    require_host,
    seat_meant,
    taken_seat,
)
from bot.games.ti4.actions import TakePassBack
from bot.games.ti4.commands import (
    BeginCombat,
    EndCombat,
    EndTurn,
    NextTurn,
    PassTurn,
    SetOrder,
    StartTurn,
    UndoPass,
)
from bot.games.ti4.entries import (
    CombatBegun,
    CombatEnded,
    OrderSet,
    PassUndone,
    TurnEnded,
    TurnPassed,
)
from bot.games.ti4.given_back import begun
from bot.games.ti4.neighbors import players_declare, require_one_of
from bot.games.ti4.state import active_seat, in_combat, next_seat, state_of

AFTER_PASS = SettingOption(
    "after_pass", ("next", "stay"), "After a pass: the next turn begins, or it stays open for a last transaction"
)
"""The table setting for what a pass does with the turn."""

# ---------------------------------------------------------------- turns


def start_turn(table: Table, command: StartTurn, caller: Caller) -> Iterable[Entry]:
    """Begin a turn. Players begin their own when no turn is under way; the host begins anyone's at any time.

    A turn that the host gives back after a slip is the same turn; see `bot.games.ti4.given_back`.
    Raises `Refused` by 94 note 4 for the seat whose turn it is or, unless a host asks, was the last one; for one that
    has passed; and where another turn or an agenda comes first.
    """
    seat = seat_meant(table, command.seat, caller)
    if command.turn is not None:
        require_host(table, caller, "say whether a turn is the same as before")
    if active_seat(table) == seat.id and command.turn is None:
        raise Refused("94 note 4", f"It is <seat:{seat.id}>'s turn already.", "Several actions are still one turn.")
    if not is_host(table, caller):
        _require_may_begin(table, seat, caller)
    _require_not_passed(table, seat.id)
    named = command.seat is not None
    return [begun(table, seat.id, table.window.number + 1, command.turn, by_name=named)]


def end_turn(table: Table, command: EndTurn, caller: Caller) -> Iterable[Entry]:
    """End the turn; when all have passed, the action phase with it.

    Raises `Refused` for others than the active player and hosts, and when there is none.
    """
    active, window = _own_turn(table, caller), table.window.number + 1
    yield TurnEnded(seat=active, window=window)
    if state_of(table).passed and next_seat(table, active) is None:
        yield from _next(table, active, window)


def next_turn(table: Table, command: NextTurn, caller: Caller) -> Iterable[Entry]:
    """End the turn and begin the next one in order. With no turn under way, the host begins the next, or the first.

    Raises `Refused` for others than the active player and hosts.
    """
    if active_seat(table) is None:
        require_host(table, caller, "begin the next turn")
        last = state_of(table).last
        yield from _next(table, last.seat if last else None, table.window.number)
    else:
        active, window = _own_turn(table, caller), table.window.number + 1
        yield TurnEnded(seat=active, window=window)
        yield from _next(table, active, window)


def pass_turn(table: Table, command: PassTurn, caller: Caller) -> Iterable[Entry]:
    """Pass: the active player is out for the round, and when all are, the action phase is over.

    Where the table is set so, their turn stays open until they end it, for a last transaction (94.1.1).
    Raises `Refused` for others than the active player and hosts, and for a second pass.
    """
    active, window = _own_turn(table, caller), table.window.number + 1
    if active in state_of(table).passed:
        raise Refused("", f"<seat:{active}> has passed already.", "/turn end ends the turn.")
    stays = table.settings.options.get(AFTER_PASS.name, AFTER_PASS.values[0]) == "stay"
    yield TurnPassed(seat=active, stays=stays)
    if stays:
        return
    yield TurnEnded(seat=active, window=window)
    state = state_of(table)
    # Entries are applied only after all are decided, so the pass is added here to find who is next.
    yield from _next(table.with_state(replace(state, passed=state.passed | {active})), active, window)


def undo_pass(table: Table, command: UndoPass, caller: Caller) -> Iterable[Entry]:
    """Take a mistaken pass back. If no other turn has ended since, the turn is given back with it.

    Raises `Refused` unless a host asks, and for a seat that has not passed.
    """
    require_host(table, caller, "take a pass back")
    seat, state = taken_seat(table, command.seat).id, state_of(table)
    passed, last = (state.played.passed, state.played.last) if state.played else (state.passed, state.last)
    if seat not in passed:
        raise Refused("", f"<seat:{seat}> has not passed.", "/turn start gives a turn back that was ended by a slip.")
    left = tuple(sorted(passed - {seat}))
    yield PassUndone(seat=seat, passed=left, reopens=state.played is not None)
    if last is not None and last.seat == seat != active_seat(table):
        # Entries are applied only after all are decided, so the turn to give back is put in its place here.
        back = table.with_state(replace(state, passed=frozenset(left), last=last))
        yield begun(back, seat, table.window.number + 1, "same")


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
    just = state.last is not None and state.last.seat == seat.id
    if just and (following := next_seat(table, seat.id)) not in (None, seat.id):
        raise Refused(
            "94 note 4", f"You have just had your turn; <seat:{following}> is next.",
            f"Several actions are one turn. Ended by a slip? <person:{table.host}> can give it back: /turn start.",
        )  # fmt: skip


def _require_not_passed(table: Table, seat: str) -> None:
    """Raise `Refused` for a seat that has passed, with the button that takes it back."""
    if seat in state_of(table).passed:
        raise Refused(
            "", f"<seat:{seat}> has passed for this round.", "A slip? The host can take it back: /turn unpass.",
            (LabelledAction("Take the pass back", TakePassBack(table.id, seat)),),
        )  # fmt: skip


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
        return [begun(table, following, window + 1, None if following != after else "new")]
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


HANDLERS: Handlers = dict(
    [
        handler(StartTurn, start_turn),
        handler(EndTurn, end_turn),
        handler(NextTurn, next_turn),
        handler(PassTurn, pass_turn),
        handler(UndoPass, undo_pass),
        handler(SetOrder, set_order),
        handler(BeginCombat, begin_combat),
        handler(EndCombat, end_combat),
    ]
)
