"""Base classes of entries of Twilight Imperium 4."""

from __future__ import annotations

from bot.api import Entry


class OfSeat(Entry):
    """An entry about one seat."""

    seat: str

    def seats(self) -> frozenset[str]:
        return frozenset({self.seat})


class OfPair(Entry):
    """An entry about two seats."""

    first: str
    second: str

    def seats(self) -> frozenset[str]:
        return frozenset({self.first, self.second})


class ToAnother(OfSeat):
    """An entry in which ``seat`` did or said something to ``other``."""

    other: str

    def seats(self) -> frozenset[str]:
        return frozenset({self.seat, self.other})
