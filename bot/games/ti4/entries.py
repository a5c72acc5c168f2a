"""What several kinds of entry of Twilight Imperium 4 share."""

from __future__ import annotations

from bot.api import Entry


class OfSeat(Entry):
    """Something that happened to one seat."""

    seat: str

    def seats(self) -> frozenset[str]:
        """Return the seat."""
        return frozenset({self.seat})


class OfPair(Entry):
    """Something that happened between two seats."""

    first: str
    second: str

    def seats(self) -> frozenset[str]:
        """Return the two."""
        return frozenset({self.first, self.second})


class ToAnother(OfSeat):
    """What one seat did or said to another, ``other``."""

    other: str

    def seats(self) -> frozenset[str]:
        """Return the two."""
        return frozenset({self.seat, self.other})
