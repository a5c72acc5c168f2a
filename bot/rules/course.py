"""The course of play: what goes on at a table, kept so that it can be resumed after a slip."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from bot.rules.model.deals import Deal
from bot.rules.model.replacing import replace
from bot.rules.model.table import Table
from bot.rules.model.values import frozen
from bot.rules.model.windows import Window
from bot.rules.registry import game_of


@frozen
class Course:
    """The window and the phase that go on. ``ending`` are the table's deals of which both are
    asked, and ``over`` the numbers of those whose end has come.

    >>> Course.of(table).phase == table.phase
    True
    """

    window: Window = field(default_factory=Window)
    phase: str = ""
    phase_since: int = 0
    ending: Mapping[int, Deal] = field(default_factory=dict)
    over: frozenset[int] = frozenset()

    @classmethod
    def of(cls, table: Table) -> Course:
        """Return what goes on at a table."""
        over = [number for number, deal in _deals(table).items() if deal.over]
        return cls(table.window, table.phase, table.phase_since, table.ending, frozenset(over))

    def resumed(self, table: Table, number: int) -> Table:
        """Return the table at which this goes on again, in a window with this number."""
        asked = dict(table.ending)
        if table.phase == game_of(table).info.phases[0] != self.phase:
            # The round that began asked no more of these.
            asked = {**self.ending, **asked}
        return replace(
            table,
            window=replace(self.window, number=number),
            phase=self.phase,
            phase_since=self.phase_since,
            deals=self._as_then(table.deals),
            ending=self._as_then(asked),
        )

    def _as_then(self, deals: Mapping[int, Deal]) -> dict[int, Deal]:
        as_then = {}
        for number, deal in deals.items():
            as_then[number] = replace(deal, over=number in self.over)
        return as_then


def _deals(table: Table) -> Mapping[int, Deal]:
    return {**table.deals, **table.ending}
