"""The engine: `decide` returns the entries that follow from a command, or raises `Refused`."""

from __future__ import annotations

from bot.rules.commands import Caller, Command, cleaned
from bot.rules.entries import Entry
from bot.rules.features.audits import Audit
from bot.rules.features.next_time import Come, SetNextTime
from bot.rules.features.offers.chains import in_confidence, with_chains
from bot.rules.features.offers.signing import with_standing
from bot.rules.features.seats import Leave, Sit, TakeUp
from bot.rules.features.tables import (
    BeginClosing,
    CloseTable,
    MoveTable,
    OpenTable,
    ReopenTable,
    ResumeTable,
    Tick,
)
from bot.rules.guard import blamed
from bot.rules.model.table import Table
from bot.rules.model.violation import Refused, SecretViolation
from bot.rules.registry import game_of, games
from bot.rules.vocabulary import CORE

ANY_TIME = (OpenTable, Audit, SetNextTime, Come, TakeUp)
"""Commands that do not need an open table."""

WHILE_CLOSING = (*ANY_TIME, ReopenTable, Tick)
"""Commands for a table that is about to close."""

WHILE_PAUSED = (*WHILE_CLOSING, Sit, Leave, ResumeTable, MoveTable, BeginClosing, CloseTable)
"""Commands for a paused table: people come and go while the game rests."""


def decide(table: Table, command: Command, caller: Caller) -> tuple[Entry, ...]:
    """Return the entries that this command of this caller leads to at this table.

    Raises `Refused` if it may not be done. Raises `SecretViolation` in place of a refusal that only
    another seat, or people with a recorded look, may know of: success must not depend on that.
    Invisible characters are removed from every text first.
    """
    try:
        with blamed(table.game, f"{type(command).__name__}.decide"):
            return _decided(table, cleaned(command), caller)
    except Refused as refused:
        own, known_to = table.seat_of(caller.person), refused.violation.known_to
        if known_to and (own is None or own.id != known_to) and caller.person not in table.looked:
            raise SecretViolation(
                f"{type(command).__name__} is refused for what only {known_to} knows"
            ) from refused
        raise


def _decided(table: Table, command: Command, caller: Caller) -> tuple[Entry, ...]:
    reminds = isinstance(command, Tick) and table.next_time is not None
    if not table.open and not reminds and not isinstance(command, ANY_TIME):
        raise Refused("This table is closed.", "Open a new one with /table open.")
    if table.closing is not None and not isinstance(command, WHILE_CLOSING):
        raise ReopenTable.needed(table.id, table.closing, table.since)
    if table.paused is not None and not isinstance(command, WHILE_PAUSED):
        raise ResumeTable.needed(table.id, table.since)
    if not table.game:  # it is being opened
        return tuple(command.decide(table, caller))
    game = game_of(table)
    # a stand-in says why nothing is possible
    if type(command) in CORE.commands or table.game not in games():
        game.commands.may(table, command, caller)
    elif type(command) not in game.features.commands:
        raise Refused(
            f"That doesn't exist in {game.info.name}.", "/help explains how to trade here."
        )
    entries = game.features.brings(table, tuple(command.decide(table, caller)), caller)
    entries = with_standing(table, with_chains(table, entries))
    entries = in_confidence(table, entries)
    for entry in entries:
        with blamed(table.game, f"{type(entry).__name__}.redacted"):
            # what nobody could be shown must not be recorded: the table would fall silent
            entry.seats()
            entry.redacted(frozenset())
            entry.redacted(entry.parties())
    return entries
