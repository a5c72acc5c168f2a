"""The engine: what follows from a command. `decide` returns entries, or raises `Refused` and nothing has changed."""

from __future__ import annotations

from functools import cache

from bot.rules.audits.audit import HANDLERS as AUDITS
from bot.rules.audits.commands import Audit
from bot.rules.commands import Caller, Command, Handlers, handler
from bot.rules.deadlines import tick
from bot.rules.deals.dealing import HANDLERS as DEALS
from bot.rules.entries import Entry
from bot.rules.holdings.changing import HANDLERS as HOLDINGS
from bot.rules.model.table import Table
from bot.rules.model.violation import Refused
from bot.rules.negotiations.negotiating import HANDLERS as NEGOTIATIONS
from bot.rules.offers.signing import HANDLERS as OFFERS
from bot.rules.registry import game_of
from bot.rules.seats.sitting import HANDLERS as SEATS
from bot.rules.tables.commands import OpenTable, Tick
from bot.rules.tables.running import HANDLERS as TABLES

ANY_TIME = (OpenTable, Audit)
"""Commands that do not need an open table."""


def decide(table: Table, command: Command, caller: Caller) -> tuple[Entry, ...]:
    """Return the entries that this command of this caller leads to at this table.

    Raises `Refused` when it may not be done; then nothing has happened.
    """
    if not table.open and not isinstance(command, ANY_TIME):
        raise Refused("", "This table is closed.", "Open a new one with /table open.")
    if (answer := _core().get(type(command))) is not None:
        if table.game:
            game_of(table).commands.may(table, command, caller)
        return tuple(answer(table, command, caller))
    game = game_of(table)
    if (answer := game.commands.handlers.get(type(command))) is not None:
        return tuple(answer(table, command, caller))
    raise Refused("", f"{game.info.name} knows nothing of that kind.", "/help tells how to trade here.")


@cache
def _core() -> Handlers:
    """Return what answers the commands of the core."""
    every = (TABLES, SEATS, HOLDINGS, OFFERS, NEGOTIATIONS, DEALS, AUDITS, dict([handler(Tick, tick)]))
    return {command: answer for handlers in every for command, answer in handlers.items()}
