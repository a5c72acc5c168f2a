"""What this process has just written to each table, so that delivery need not read it back."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from bot.rules.entries import Recorded
from bot.rules.model.table import Table
from bot.rules.recall import with_ended
from bot.rules.visibility import Sight

KEPT = 1024
"""Tables whose last change is kept."""


@dataclass(frozen=True)
class LastChange:
    """The entries of a table's last change, and the table before and after it."""

    before: Table
    after: Table
    recorded: Sequence[Recorded]

    def is_since(self, after: int, table: Table) -> bool:
        """Return whether it is all that happened after an entry, and leads to this state of the table."""
        return self.before.seq == after and self.recorded[-1].seq == table.seq

    @cached_property
    def sight(self) -> Sight:
        """The entries and the table after them, with what ended with them: for the reply and for delivery."""
        return Sight(with_ended(self.before, self.after, [each.entry for each in self.recorded]), self.recorded)


class Recent:
    """The last change of each of the tables that were changed last, by this process, until delivery takes it."""

    def __init__(self) -> None:
        self._changes: OrderedDict[int, LastChange] = OrderedDict()

    def note(self, change: LastChange) -> None:
        """Keep a change that is durable."""
        self._changes[change.after.id] = change
        self._changes.move_to_end(change.after.id)
        if len(self._changes) > KEPT:
            self._changes.popitem(last=False)

    def take(self, after: int, table: Table) -> LastChange | None:
        """Return the change that is all that happened after an entry, and forget it; None where that must be read."""
        found = self._changes.get(table.id)
        if found is None or not found.is_since(after, table):
            return None
        return self._changes.pop(table.id)
