"""Caches each table's last change by this process, so that delivery need not read it back."""

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
"""The most tables with a cached change."""


@dataclass(frozen=True)
class LastChange:
    """The entries of a table's last change, and the table before and after it."""

    before: Table
    after: Table
    recorded: Sequence[Recorded]

    def is_since(self, after: int, table: Table) -> bool:
        """Return whether this change is everything after entry ``after``, and leads to this state of the table."""
        return self.before.seq == after and self.recorded[-1].seq == table.seq

    @cached_property
    def sight(self) -> Sight:
        """The entries and the table after them, including what they ended. The reply and delivery share it."""
        return Sight(with_ended(self.before, self.after, [each.entry for each in self.recorded]), self.recorded)


class Recent:
    """The last changes by this process, one for each table, until delivery takes them."""

    def __init__(self) -> None:
        self._changes: OrderedDict[int, LastChange] = OrderedDict()

    def note(self, change: LastChange) -> None:
        """Keep a durable change."""
        self._changes[change.after.id] = change
        self._changes.move_to_end(change.after.id)
        if len(self._changes) > KEPT:
            self._changes.popitem(last=False)

    def take(self, after: int, table: Table) -> LastChange | None:
        """Remove and return the change that is everything after entry ``after``; None if the entries must be read."""
        found = self._changes.get(table.id)
        if found is None or not found.is_since(after, table):
            return None
        return self._changes.pop(table.id)
