"""Entries about the table itself."""

from __future__ import annotations

from typing import Literal

from bot.rules.entries import Entry
from bot.rules.model.parts import open_window
from bot.rules.model.people import Hosting
from bot.rules.model.replacing import replace
from bot.rules.model.table import Table, TableSettings
from bot.rules.model.windows import Window
from bot.rules.registry import game_named


class TableOpened(Entry):
    """A table was opened; the person who opened it is its host."""

    kind: Literal["table.opened"] = "table.opened"
    game: str
    name: str
    host: int
    settings: TableSettings

    def apply(self, table: Table) -> Table:
        """Return a fresh table of this game."""
        info = game_named(self.game).info
        return Table(
            id=table.id, game=self.game, name=self.name, host=self.host, hosts=(Hosting(self.host, 0),), open=True,
            settings=self.settings, phase=info.phases[0], state=info.state(),
        )  # fmt: skip


class TableClosed(Entry):
    """The table is over."""

    kind: Literal["table.closed"] = "table.closed"

    def apply(self, table: Table) -> Table:
        """Return the table as closed."""
        return replace(table, open=False)


class HostChanged(Entry):
    """The table was handed over to another host."""

    kind: Literal["table.host"] = "table.host"
    person: int

    def apply(self, table: Table) -> Table:
        """Return the table with its new host."""
        # The entry itself is still its author's, and the table counts it only afterwards.
        return replace(table, host=self.person, hosts=(*table.hosts, Hosting(self.person, table.seq + 2)))


class SettingsChanged(Entry):
    """The host changed how the table plays. ``settings`` are all of them, ``changed`` the names of those changed."""

    kind: Literal["table.settings"] = "table.settings"
    settings: TableSettings
    changed: tuple[str, ...]

    def apply(self, table: Table) -> Table:
        """Return the table with these settings."""
        return replace(table, settings=self.settings)


class PhaseSet(Entry):
    """A phase began. It closes the window that was open."""

    kind: Literal["table.phase"] = "table.phase"
    phase: str
    window: int

    def begins_phase(self) -> str:
        """Return the phase."""
        return self.phase

    def apply(self, table: Table) -> Table:
        """Return the table in this phase, with no window open."""
        return open_window(table, Window(number=self.window), self.phase)


ENTRIES: tuple[type[Entry], ...] = (TableOpened, TableClosed, HostChanged, SettingsChanged, PhaseSet)
