"""Rule 28.4, the limits of the trading phase: opened by the host, ended by the bell, the host, or when all are done."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from bot.rules.entries import Entry
from bot.rules.games.advciv.commands import CloseTrading, DoneTrading, OpenTrading
from bot.rules.games.advciv.entries import BellSet, TradingClosed, TradingDone, TradingOpened, TradingWarned
from bot.rules.games.advciv.state import TRADE, seated, state_of, trading
from bot.rules.offer_ends import with_window
from bot.rules.ruling import Refused
from bot.rules.seats import own_seat, require_host
from bot.rules.table import Table
from bot.rules.time import MINUTE

WARNING = MINUTE
"""So long before the bell everybody is warned, in milliseconds."""

LONGEST = 24 * 60
"""The most minutes trading may be opened for; 28.41 recommends five."""


def open_trading(table: Table, command: OpenTrading) -> Iterable[Entry]:
    """The host opens trading, with a bell or without; while it is open, sets the bell to another time."""
    require_host(table, command, "open trading")
    minutes = table.settings.timer if command.minutes is None else command.minutes
    if not 0 <= minutes <= LONGEST:
        raise Refused(
            "", f"Trading can't last {minutes} minutes.", "Five are recommended [28.41]: /trading open minutes:5."
        )
    if state_of(table).shown is not None:
        raise Refused("28.4", "Trading is over for this turn: the calamities have been shown.", _NEXT_TURN)
    opened = _opened(table.window.number + 1, minutes, command.at)
    if not trading(table):
        return [opened]
    if command.minutes is None or opened.bell == state_of(table).bell:
        raise Refused("", "Trading is open already.", "With minutes: you set the bell anew, from now on.")
    return [BellSet(bell=opened.bell, warned=opened.warned)]


def begins(table: Table, phase: str, at: int) -> Iterable[Entry]:
    """The trade phase begins with trading open, for as long as the table is set to."""
    if phase != TRADE:
        return []
    if state_of(table).shown is not None:
        raise Refused("28.4", "Trading is over for this turn: the calamities have been shown.", _NEXT_TURN)
    return [_opened(table.window.number + 2, table.settings.timer, at)]


def _opened(window: int, minutes: int, at: int) -> TradingOpened:
    return TradingOpened(window=window, bell=at + minutes * MINUTE if minutes else None, warned=minutes == 1)


_NEXT_TURN = "The next turn begins with /phase set phase:acquire."


def done(table: Table, command: DoneTrading) -> Iterable[Entry]:
    """28.41: a player has made the deals they want, which they may take back; when all have, trading is over."""
    seat, state = own_seat(table, command), state_of(table)
    _require_open(table)
    says = seat.id not in state.done if command.done is None else command.done
    if says == (seat.id in state.done):
        raise Refused("", "You have said so already." if says else "You are still trading.")
    yield TradingDone(seat=seat.id, done=says)
    if says and set(seated(table)) <= state.done | {seat.id}:
        yield from _closed(table, "done")


def close_trading(table: Table, command: CloseTrading) -> Iterable[Entry]:
    """The host ends it."""
    require_host(table, command, "close trading")
    _require_open(table)
    return _closed(table, "host")


def clock(table: Table, at: int) -> Iterable[Entry]:
    """The bell, and a minute before it a warning."""
    bell = state_of(table).bell
    if not trading(table) or bell is None:
        return []
    if bell <= at:
        return _closed(table, "bell")
    return [TradingWarned()] if not state_of(table).warned and bell - WARNING <= at else []


def deadline(table: Table) -> int | None:
    """When the bell, or the warning before it, is due."""
    state = state_of(table)
    if not trading(table) or state.bell is None:
        return None
    return state.bell if state.warned else state.bell - WARNING


def _closed(table: Table, why: Literal["bell", "host", "done"]) -> list[Entry]:
    """28.41: what has not changed hands by now does not; offers end with the time for trade."""
    return [*with_window(table), TradingClosed(window=table.window.number + 1, why=why)]


def _require_open(table: Table) -> None:
    if table.window.kind != TRADE:
        raise Refused("28.4", "Trading is not open.", "The host opens it: /trading open.")
