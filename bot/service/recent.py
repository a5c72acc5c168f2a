"""What this process has just written to each table, so that delivery need not read it back."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

from bot.rules.entries import Recorded
from bot.rules.model.table import Table
from bot.rules.recall import with_ended

KEPT = 1024
"""Tables whose last change is kept."""


@dataclass(frozen=True, slots=True)
class LastChange:
    """The entries of a table's last change, and the table before it."""

    before: Table
    recorded: Sequence[Recorded]

    def is_since(self, after: int, table: Table) -> bool:
        """Return whether it is all that happened after an entry, and leads to this state of the table."""
        return self.before.seq == after and self.recorded[-1].seq == table.seq

    def with_ended(self, table: Table) -> Table:
        """Return the table after the change with the offers and deals put back that ended with it."""
        return with_ended(self.before, table, [each.entry for each in self.recorded])


class Recent:
    """The last change of each of the tables that were changed last, by this process."""

    def __init__(self) -> None:
        self._changes: OrderedDict[int, LastChange] = OrderedDict()

    def note(self, before: Table, recorded: Sequence[Recorded]) -> None:
        """Keep a change that is durable."""
        self._changes[before.id] = LastChange(before, recorded)
        self._changes.move_to_end(before.id)
        if len(self._changes) > KEPT:
            self._changes.popitem(last=False)

    def since(self, after: int, table: Table) -> LastChange | None:
        """Return the change that is all that happened after an entry; None where that must be read."""
        found = self._changes.get(table.id)
        return found if found is not None and found.is_since(after, table) else None
