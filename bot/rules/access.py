"""Checks that many commands share: the caller's rights, and what the table supports."""

from __future__ import annotations

from bot.rules.commands import Caller
from bot.rules.lookup import own_seat
from bot.rules.model.table import Table
from bot.rules.model.violation import Refused


def is_host(table: Table, caller: Caller) -> bool:
    """Return whether the caller is the table's host or moderates its server."""
    return caller.moderator or caller.person == table.host


def require_host(table: Table, caller: Caller, what: str) -> None:
    """Raise `Refused` unless `is_host`. ``what`` completes the sentence "Only the host may"."""
    if not is_host(table, caller):
        raise Refused("", f"Only the host may {what}.", f"Ask <person:{table.host}>.")


def require_seat_or_host(table: Table, caller: Caller) -> None:
    """Raise `Refused` unless the caller has a seat at this table or `is_host`."""
    if not is_host(table, caller):
        own_seat(table, caller)


def require_tracked(table: Table) -> None:
    """Raise `Refused` if the table does not track holdings."""
    if not table.tracked:
        raise Refused("", "This table does not keep count of holdings.", "The host can change that: /table settings.")
