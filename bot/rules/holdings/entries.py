"""Entries that change what seats have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from bot.rules.entries import Entry, Sealed
from bot.rules.model.goods import NOTHING, Goods
from bot.rules.model.references import Reference, reference
from bot.rules.model.replacing import replace
from bot.rules.model.seats import Change, Seat
from bot.rules.model.table import Table


class GoodsMoved(Entry):
    """Anything that changes holdings. ``hidden`` are the changes that only the seat itself may know.

    ``always``: it moves goods also where holdings are not counted, since it changes which there are.
    """

    always: ClassVar[bool] = False
    changes: dict[str, Change] = Field(default_factory=dict)
    hidden: Annotated[dict[str, Change] | None, Sealed("parties")] = None

    def parties(self) -> frozenset[str]:
        """Return each seat whose hidden goods changed."""
        return frozenset(self.hidden or ())

    def seats(self) -> frozenset[str]:
        """Return each seat whose goods changed for all to see."""
        return frozenset(self.changes)

    def redacted(self, seats: frozenset[str]) -> Entry:
        """Return the entry with the hidden changes of these seats only."""
        hidden = {seat: change for seat, change in (self.hidden or {}).items() if seat in seats}
        return self if hidden == self.hidden else self.model_copy(update={"hidden": hidden})

    def apply(self, table: Table) -> Table:
        """Return the table after the goods have moved; where holdings are not counted nothing changes."""
        return moved(table, self)


def moved(table: Table, entry: GoodsMoved) -> Table:
    """Return the table after an entry's goods have moved."""
    if not table.tracked and not entry.always:
        return table
    seats = dict(table.seats)
    for changes in (entry.changes, entry.hidden or {}):
        _change(seats, changes)
    return replace(table, seats=seats)


def _change(seats: dict[str, Seat], changes: Mapping[str, Change]) -> None:
    for id, change in changes.items():
        seat = seats[id]
        holdings = seat.holdings - change.lost + change.gained
        in_play = seat.in_play - change.left_play + change.entered_play
        seats[id] = replace(seat, holdings=holdings, in_play=in_play)


class GoodsOfSeat(GoodsMoved):
    """One seat's goods changed, and perhaps another's with them."""

    seat: str

    def seats(self) -> frozenset[str]:
        """Return the seat, and the others whose goods changed for all to see."""
        return frozenset({self.seat, *self.changes})


class _HoldingsEntry(GoodsOfSeat):
    """A seat's goods changed by a command about its holdings."""

    def subject(self) -> Reference | None:
        """Return the seat."""
        return reference("seat", self.seat)


class Corrected(_HoldingsEntry):
    """A host or moderator said what a seat really has: set-up, or the correction of a mistake, with its ``reason``.

    ``before`` and ``after`` are what lay open before the seat and lies there now. ``hidden_named``: so many hidden
    cards were named for this hand, where that is public. Which ones is not, nor whether it held them already.
    """

    kind: Literal["holdings.correction"] = "holdings.correction"
    hidden_named: int = 0
    reason: str = ""
    before: Goods = NOTHING
    after: Goods = NOTHING


class Gained(_HoldingsEntry):
    """A seat gained goods other than by trade. ``declared``: said with one press when a trade was short of them."""

    kind: Literal["holdings.gained"] = "holdings.gained"
    declared: bool = False


class Spent(_HoldingsEntry):
    """A seat spent goods other than by trade."""

    kind: Literal["holdings.spent"] = "holdings.spent"


ENTRIES: tuple[type[Entry], ...] = (Corrected, Gained, Spent)
