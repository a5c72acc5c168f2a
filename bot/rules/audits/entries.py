"""Entries about audits."""

from __future__ import annotations

from typing import Literal

from bot.rules.audits.commands import What
from bot.rules.entries import Entry
from bot.rules.model.replacing import replace
from bot.rules.model.table import Table


class Looked(Entry):
    """A host or moderator, ``person``, looked: that they did is public.

    ``about`` is the number of the transaction or person they looked at. ``hidden``: what others may not know was open
    to them, so that they can't play at this table any more.
    """

    kind: Literal["audit.looked"] = "audit.looked"
    person: int
    what: What
    about: int | None = None
    hidden: bool

    def apply(self, table: Table) -> Table:
        """Return the table with this person among those who have looked."""
        return replace(table, looked=table.looked | {self.person}) if self.hidden else table


ENTRIES: tuple[type[Entry], ...] = (Looked,)
