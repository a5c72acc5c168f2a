"""Agendas: each one of the agenda phase is a window; one that is voted on within a turn is none."""

from __future__ import annotations

from collections.abc import Iterable

from bot.api import Caller, Entry, Handlers, Refused, Table, handler, is_host, quoted, require_seat_or_host
from bot.games.ti4.commands import ResolveAgenda, RevealAgenda
from bot.games.ti4.entries import AgendaResolved, AgendaRevealed, TurnEnded
from bot.games.ti4.state import active_seat, state_of, voted_on


def reveal_agenda(table: Table, command: RevealAgenda, caller: Caller) -> Iterable[Entry]:
    """Reveal an agenda. 94.6: it is a window for every pair. Note 5: one in place of another is a fresh one.

    One that is voted on within a turn, as Executive Order has it, is no window: the turn goes on as it was.
    Raises `Refused` for people without a seat, when another agenda is being resolved, when there is none to replace,
    and by 94.6 in the strategy phase, and in the action phase unless a host asks, or the active player for their turn.
    """
    require_seat_or_host(table, caller)
    _require_fitting(state_of(table).agenda, command.replaces)
    active, window = active_seat(table), table.window.number + 1
    if voted_on(table) is not None or (command.during == "turn" and not command.replaces):
        _require_own_turn(table, caller)
        yield AgendaRevealed(
            title=command.title, window=table.window.number, replaces=command.replaces, in_turn=True
        )  # fmt: skip
        return
    _require_agenda_time(table, caller)
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
    if voted_on(table) is not None:
        return [AgendaResolved(title=title, window=table.window.number, in_turn=True)]
    return [AgendaResolved(title=title, window=table.window.number + 1)]


def _require_agenda_time(table: Table, caller: Caller) -> None:
    """Raise `Refused` in the strategy phase, and unless a host asks in the action phase."""
    if table.phase == "strategy":
        raise Refused(
            "94.6", "This is the strategy phase, and agendas come in the agenda phase.",
            f"When it has come, <person:{table.host}> can say so: /phase set.",
        )  # fmt: skip
    if (active_seat(table) is not None or table.phase == "action") and not is_host(table, caller):
        raise Refused(
            "94.6", "This is the action phase: an agenda in it brings no transactions of its own.",
            f"When the agenda phase has come, <person:{table.host}> can say so: /phase set.",
        )  # fmt: skip


def _require_own_turn(table: Table, caller: Caller) -> None:
    """Raise `Refused` unless a turn is under way and the caller is its player, or a host."""
    active = active_seat(table)
    if active is None:
        raise Refused("", "Nobody's turn is under way, to vote within it.", "/turn start begins one.")
    if table.seats[active].person != caller.person and not is_host(table, caller):
        raise Refused("", f"It is <seat:{active}>'s turn.", "Only they or the host may say what is voted on in it.")


def _require_fitting(title: str | None, replaces: bool) -> None:
    """Raise `Refused` when there is no agenda to replace, or one in the way of another."""
    if replaces and title is None:
        raise Refused("", "There is no agenda to replace.", "/agenda reveal reveals one.")
    if not replaces and title is not None:
        titled = f": {quoted(title)}" if title else ""
        raise Refused(
            "", f"An agenda is being resolved already{titled}.", "/agenda resolve ends it, /agenda replace swaps it."
        )


HANDLERS: Handlers = dict([handler(RevealAgenda, reveal_agenda), handler(ResolveAgenda, resolve_agenda)])
