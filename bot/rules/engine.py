"""The engine: `decide` returns the entries that follow from a command, or raises `Refused`."""

from __future__ import annotations

from functools import cache

from bot.rules.audits.audit import HANDLERS as AUDITS
from bot.rules.audits.commands import Audit
from bot.rules.commands import Caller, Command, Handlers, cleaned
from bot.rules.deadlines import HANDLERS as DEADLINES
from bot.rules.deals.dealing import HANDLERS as DEALS
from bot.rules.entries import Entry
from bot.rules.holdings.changing import HANDLERS as HOLDINGS
from bot.rules.model.table import Table
from bot.rules.model.violation import Refused
from bot.rules.negotiations.negotiating import HANDLERS as NEGOTIATIONS
from bot.rules.offers.signing import HANDLERS as OFFERS
from bot.rules.registry import game_of
from bot.rules.seats.sitting import HANDLERS as SEATS
from bot.rules.tables.commands import OpenTable
from bot.rules.tables.running import HANDLERS as TABLES

ANY_TIME = (OpenTable, Audit)
"""Commands that do not need an open table."""


def decide(table: Table, command: Command, caller: Caller) -> tuple[Entry, ...]:
    """Return the entries that this command of this caller leads to at this table.

    Raises `Refused` when it may not be done; then nothing has happened. Characters that nobody can see are taken out
    of every text first, so that no entry holds one.
    """
    command = cleaned(command)
    if not table.open and not isinstance(command, ANY_TIME):
        raise Refused("", "This table is closed.", "Open a new one with /table open.")
    if (handle := core_handlers().get(type(command))) is not None:
        if table.game:  # a table that is being opened has none yet
            game_of(table).commands.may(table, command, caller)
        return tuple(handle(table, command, caller))
    game = game_of(table)
    if (handle := game.commands.handlers.get(type(command))) is not None:
        return tuple(handle(table, command, caller))
    raise Refused("", f"{game.info.name} knows nothing of that kind.", "/help tells how to trade here.")


@cache
def core_handlers() -> Handlers:
    """Return the handlers of the core's commands."""
    return {**TABLES, **SEATS, **HOLDINGS, **OFFERS, **NEGOTIATIONS, **DEALS, **AUDITS, **DEADLINES}
