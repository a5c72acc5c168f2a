"""Audits: every look into the ledger is an entry itself, also of a closed table."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from bot.rules.access import require_host
from bot.rules.audits.commands import Audit
from bot.rules.audits.entries import Looked
from bot.rules.commands import Caller, Handlers, handler
from bot.rules.entries import Entry
from bot.rules.model.table import Table
from bot.rules.model.violation import Refused


def look(table: Table, command: Audit, caller: Caller) -> Iterable[Entry]:
    """Record that the host or a moderator looks.

    Raises `Refused` for others, and for a transaction that does not exist or a player that is not named.
    """
    require_auditor(table, caller)
    if command.what == "trade" and not 1 <= (command.about or 0) <= table.transactions:
        last = f"The last one is {table.transactions}." if table.transactions else "There was none yet."
        raise Refused("", f"There is no transaction {command.about} at this table.", last)
    if command.what == "player" and command.about is None:
        raise Refused("", "That does not say whose books.", "Name a player.")
    return [Looked(what=command.what, about=command.about)]


def require_auditor(table: Table, caller: Caller) -> None:
    """Raise `Refused` unless the caller hosts the table or moderates its server."""
    require_host(table, caller, "audit this table")


def sees_hands(table: Table, person: int, erased: Collection[int] = ()) -> bool:
    """Return whether hands are open to this host or moderator: they have never sat at the table.

    ``erased`` are the people of whom only their number is left. Once one of them has sat here, the person who asks
    might be that one under a new number, so hands are open to nobody.
    """
    sat = {tenure.person for tenure in table.tenures}
    return sat.isdisjoint({person, *erased})


def require_removable(table: Table, caller: Caller) -> None:
    """Raise `Refused` unless the caller may have this table removed from the ledger: its host, when it is closed."""
    require_host(table, caller, "remove a table")
    if table.open:
        raise Refused("", "This table is still open.", "Close it first: /table close.")


HANDLERS: Handlers = dict([handler(Audit, look)])
