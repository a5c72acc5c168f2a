"""Deals and negotiations as state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from bot.rules.model.people import Parties

DealStatus = Literal["proposed", "agreed", "declined", "void"]
Mark = Literal["kept", "broken"]
MARKS: tuple[Mark, ...] = ("kept", "broken")


@dataclass(frozen=True, slots=True)
class Wording:
    """What two agree on: the words, and whether part of it comes later or depends on an action card's result."""

    terms: str
    later: bool
    card: bool = False


@dataclass(frozen=True, slots=True)
class Deal:
    """An agreement in words between two seats.

    ``later``: part of it can't be done at once. ``card``: it depends on an action card's result. ``marks``: what each
    seat says about the other's part. ``offer`` is the offer whose terms these were, if any. ``private``: it is for the
    two only. ``parties`` are the two people: a promise stays with the person who made it.
    """

    number: int
    seat: str
    to: str
    terms: str
    later: bool
    parties: Parties
    card: bool = False
    status: DealStatus = "proposed"
    marks: Mapping[str, Mark] = field(default_factory=dict)
    offer: int | None = None
    private: bool = False

    def party(self, seat: str | None) -> bool:
        """Return whether this seat is one of the two."""
        return seat is not None and seat in (self.seat, self.to)

    def other(self, seat: str) -> str:
        """Return the seat on the other side."""
        return self.to if seat == self.seat else self.seat

    @property
    def binding(self) -> bool:
        """Whether all of it can be resolved at once and nothing of it is an action card's result.

        Where deals bind at all, such a deal does.
        """
        return not self.later and not self.card


@dataclass(frozen=True, slots=True)
class DealTally:
    """How the answered deals that everybody may know of came out; the deals themselves are in the ledger."""

    binding: int = 0
    promises: int = 0
    broken: int = 0


@dataclass(frozen=True, slots=True)
class Negotiation:
    """Two seats that talk in private, and about what. ``resolved`` are its offers that became transactions.

    ``parties`` are the two people.
    """

    number: int
    seat: str
    other: str
    parties: Parties
    topic: str = ""
    open: bool = True
    resolved: tuple[int, ...] = ()

    def party(self, seat: str | None) -> bool:
        """Return whether this seat is one of the two."""
        return seat is not None and seat in (self.seat, self.other)

    def partner(self, seat: str) -> str:
        """Return the other one of the two."""
        return self.other if seat == self.seat else self.seat
