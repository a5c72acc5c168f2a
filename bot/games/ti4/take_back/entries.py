"""Entries about taking a transaction back."""

from __future__ import annotations

from typing import Literal

from bot.api import Entry, GoodsMoved, Reference, reference


class _OfTransaction(Entry):
    """Something that was said of a transaction by ``seat`` to ``other``. ``offer`` is the offer that it resolved."""

    transaction: int
    offer: int
    seat: str
    other: str

    def subject(self) -> Reference | None:
        """Return the offer."""
        return reference("offer", self.offer)

    def seats(self) -> frozenset[str]:
        """Return the two."""
        return frozenset({self.seat, self.other})


class TakeBackAsked(_OfTransaction):
    """A seat asks to take a transaction back. Nothing moves until the other agrees."""

    kind: Literal["ti4.takeback.asked"] = "ti4.takeback.asked"


class TakeBackDenied(_OfTransaction):
    """A seat does not agree to take a transaction back, or the one that asked does not ask any more."""

    kind: Literal["ti4.takeback.denied"] = "ti4.takeback.denied"


class TradeTakenBack(GoodsMoved):
    """Both took a transaction back: what each got went back to the other, as it was before.

    ``counted``: it was the one transaction of these two in this window, which they may have anew.
    """

    kind: Literal["ti4.takeback.done"] = "ti4.takeback.done"
    transaction: int
    offer: int
    first: str
    second: str
    counted: bool

    def subject(self) -> Reference | None:
        """Return the offer."""
        return reference("offer", self.offer)

    def parties(self) -> frozenset[str]:
        """Return the two."""
        return frozenset({self.first, self.second})

    def seats(self) -> frozenset[str]:
        """Return the two."""
        return frozenset({self.first, self.second})

    def redacted(self, seats: frozenset[str]) -> Entry:
        """Return the entry whole: each of the two knows what the other gave."""
        return self


ENTRIES: tuple[type[Entry], ...] = (TakeBackAsked, TakeBackDenied, TradeTakenBack)
