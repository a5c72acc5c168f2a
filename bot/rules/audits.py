"""Audits: who may look into a table's ledger, what they see, and that they did."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from bot.rules.commands import Audit, Command
from bot.rules.entries import Entry, Looked, SeatTaken
from bot.rules.ruling import Refused
from bot.rules.seats import require_host, rules_the_table
from bot.rules.table import Table
from bot.rules.views import Viewer


def look(table: Table, command: Audit) -> Iterable[Entry]:
    """Every look is an entry itself, of a closed table too. What does not exist is refused before."""
    require_auditor(table, command)
    if command.what == "trade" and not 1 <= (command.about or 0) <= table.transactions:
        last = f"The last one is {table.transactions}." if table.transactions else "There was none yet."
        raise Refused("", f"There is no transaction {command.about} at this table.", last)
    if command.what == "player" and command.about is None:
        raise Refused("", "That does not say whose books.", "Name a player.")
    return [Looked(what=command.what, about=command.about)]


def require_auditor(table: Table, command: Command) -> None:
    """Raises `Refused` unless who asks is the table's host or may manage the server."""
    require_host(table, command, "audit this table")


def auditor(table: Table, person: int, entries: Iterable[Entry], erased: Collection[int] = ()) -> Viewer:
    """A host or moderator as a viewer. Whoever sits at the table, or ever did, sees no more than a player.

    When the table has closed, what is sealed is open to them as to everybody, unless the host chose otherwise.
    Of the people who are ``erased`` nobody knows any more who they were: once one of them has sat here, it might be
    anybody who asks, and nobody sees more than a player.
    """
    sat = {entry.person for entry in entries if isinstance(entry, SeatTaken)}
    return table_viewer(table, person).model_copy(update={"moderates": sat.isdisjoint({person, *erased})})


def table_viewer(table: Table, person: int) -> Viewer:
    """Somebody as a viewer of the table: who sits there, or anybody else."""
    seat = table.seat_of(person)
    return Viewer(seat=seat.id if seat else None, since=seat.since if seat else 0, after_close=opened(table))


def opened(table: Table) -> bool:
    """Whether what was sealed is open to everybody now: the table is closed, and its host did not choose otherwise."""
    return table.seq > 0 and not table.open and table.settings.open_on_close == "yes"


def require_removable(table: Table, command: Command) -> None:
    """Raises `Refused` unless who asks may have this table forgotten: its host, when it is closed."""
    if not rules_the_table(table, command):
        raise Refused("", "Only the host may remove a table.", f"Ask <person:{table.host}>.")
    if table.open:
        raise Refused("", "This table is still open.", "Close it first: /table close.")
