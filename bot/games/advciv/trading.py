"""Rule 28.4: the limits of the time for trade. The host opens it; the bell, the host or all players end it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from bot.api import MINUTE, Caller, Entry, LabelledAction, Refused, Table, mentions, own_seat, require_host, with_window
from bot.games.advciv import cities
from bot.games.advciv.actions import OpenAnyway
from bot.games.advciv.commands import CloseTrading, DoneTrading, OpenTrading, UndoTrading
from bot.games.advciv.drawing import draw_all
from bot.games.advciv.entries import (
    BellSet,
    TradingClosed,
    TradingDone,
    TradingOpened,
    TradingUndone,
    TradingWarned,
)
from bot.games.advciv.order import deals, draws_are_due, require_all_drawn, said_by, yet_to_draw
from bot.games.advciv.seeds import has_seed
from bot.games.advciv.state import ACQUIRE, state_of, trading

WARNING = MINUTE
"""How long before the bell everybody is warned, in milliseconds."""

LONGEST = 24 * 60
"""The most minutes that trading may be opened for; 28.41 recommends five."""


AT_ONCE = 1
"""A deadline that has come, in milliseconds since 1970."""


def open_trading(table: Table, command: OpenTrading, caller: Caller) -> Iterable[Entry]:
    """Open trading, with a bell or without; while it is open, set the bell to another time.

    Those who have said how many cities they have draw first. Raises `Refused` unless a host asks, for more minutes than
    `LONGEST`, by 28.4 when calamities have been shown this turn or, unless they say so, while somebody still has cards
    to draw, and when nothing changes.
    """
    require_host(table, caller, "open trading")
    minutes = table.settings.timer if command.minutes is None else command.minutes
    if not 0 <= minutes <= LONGEST:
        raise Refused(
            "", f"Trading can't last {minutes} minutes.", "Five are recommended [28.41]: /trading open minutes:5."
        )
    require_not_shown(table)
    opened = opened_for(minutes, caller.at, window=table.window.number + 1)
    if not trading(table):
        if not command.anyway:
            require_drawn(table, minutes)
        return [*_said(table), opened]
    if command.anyway or command.minutes is None or opened.bell == state_of(table).bell:
        raise Refused("", "Trading is open already.", "With minutes alone: you set the bell anew, from now on.")
    return [BellSet(bell=opened.bell, warned=opened.warned)]


def require_drawn(table: Table, minutes: int) -> None:
    """Raise `Refused` by 28.4 while somebody still has cards to draw, with a button that opens trading anyway."""
    require_all_drawn(
        table, "28.4", "They can also draw later. To open trading now all the same: /trading open anyway:yes.",
        LabelledAction("Open anyway", OpenAnyway(table.id, minutes)),
    )  # fmt: skip


def _said(table: Table) -> list[Entry]:
    """Return the draws of those who have said how many cities they have; their turn to draw has come."""
    return draw_all(table, said_by(table), "") if deals(table) and has_seed(state_of(table)) else []


def opened_for(minutes: int, at: int, *, window: int) -> TradingOpened:
    """Return the entry that opens trading for this long; 0 minutes are no limit."""
    # Of a single minute the warning would come as it begins, so it counts as given.
    return TradingOpened(window=window, bell=at + minutes * MINUTE if minutes else None, warned=minutes == 1)


def require_not_shown(table: Table) -> None:
    """Raise `Refused` when the calamities of this turn have been shown: then there is no more trade."""
    if state_of(table).shown is not None:
        raise Refused(
            "28.4", "Trading is over for this turn: the calamities have been shown.",
            "The next turn begins with /phase set phase:acquire.",
        )  # fmt: skip


def done(table: Table, command: DoneTrading, caller: Caller) -> Iterable[Entry]:
    """Record that a player is done trading, or trades on; when all are done, trading is over [28.41].

    Raises `Refused` by 28.4 when trading is not open, and for what the player has said already.
    """
    seat, state = own_seat(table, caller), state_of(table)
    _require_open(table)
    says = seat.id not in state.done if command.done is None else command.done
    if says == (seat.id in state.done):
        raise Refused("", "You have said so already." if says else "You are still trading.")
    yield TradingDone(seat=seat.id, done=says)
    if says and set(table.seated()) <= state.done | {seat.id}:
        yield from _closed(table, "done")


def left(table: Table, seat: str) -> Iterable[Entry]:
    """Return the end of trading when all who are still at the table are done, now that another has left [28.41]."""
    stay = set(table.seated())
    return _closed(table, "done") if trading(table) and stay and stay <= state_of(table).done else []


def close_trading(table: Table, command: CloseTrading, caller: Caller) -> Iterable[Entry]:
    """End trading. Raises `Refused` unless a host asks, and by 28.4 when it is not open."""
    require_host(table, caller, "close trading")
    _require_open(table)
    return _closed(table, "host")


def undo(table: Table, command: UndoTrading, caller: Caller) -> Iterable[Entry]:
    """Take back that trading was opened: it is as before, and what was offered ends.

    Raises `Refused` unless a host asks, by 28.4 when it was not opened or calamities have been shown, and by 28.1 when
    cards have changed hands in it.
    """
    require_host(table, caller, "take that back")
    if table.phase == ACQUIRE:
        raise Refused("28.4", "Trading is not open.", "The host opens it: /trading open.")
    require_not_shown(table)
    if state_of(table).traded:
        waiting = yet_to_draw(table)
        late = f"{mentions(waiting)} can still draw: /cards draw." if waiting else "/trading close ends it."
        raise Refused("28.1", "Cards have changed hands since trading opened, so that stands.", late)
    return [*with_window(table), TradingUndone(window=table.window.number + 1)]


def tick(table: Table, at: int) -> Iterable[Entry]:
    """Ring the bell, or warn a minute before it, when that is due at ``at``; have all draw who have said."""
    if draws := cities.tick(table):
        return draws
    bell = state_of(table).bell
    if not trading(table) or bell is None:
        return []
    if bell <= at:
        return _closed(table, "bell")
    return [TradingWarned()] if not state_of(table).warned and bell - WARNING <= at else []


def deadline(table: Table) -> int | None:
    """Return when the bell, or the warning before it, is due; the first moment there is when all draw now."""
    state = state_of(table)
    if draws_are_due(table):
        return AT_ONCE
    if not trading(table) or state.bell is None:
        return None
    return state.bell if state.warned else state.bell - WARNING


def _closed(table: Table, reason: Literal["bell", "host", "done"]) -> list[Entry]:
    """Return the end of trading: offers that have not resolved by now end with it [28.41]."""
    return [*with_window(table), TradingClosed(window=table.window.number + 1, reason=reason)]


def _require_open(table: Table) -> None:
    if not trading(table):
        raise Refused("28.4", "Trading is not open.", "The host opens it: /trading open.")
