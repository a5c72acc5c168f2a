"""Deals and negotiations as state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Literal

from bot.rules.model.people import Parties
from bot.rules.model.replacing import replace
from bot.rules.model.values import frozen, frozen_by_name
from bot.rules.model.windows import Window

DealStatus = Literal["proposed", "agreed", "declined", "void"]
Mark = Literal["kept", "broken"]
MARKS: tuple[Mark, ...] = ("kept", "broken")

ROUND = "round"
"""A promise may be kept by the end of the round, or by that of the window in which it was proposed;
see `Deal`.
"""


def ends(window: Window) -> tuple[str, ...]:
    """Return what a promise of now may be kept by the end of.

    >>> ends(Window(kind="turn")), ends(Window())
    (('turn', 'round'), ('round',))
    """
    return (ROUND,) if window.kind == "none" else (window.kind, ROUND)


@frozen
class Wording:
    """The words of a deal. ``later``, ``card``, ``by`` and ``rules`` are as in `Deal`."""

    terms: str
    later: bool
    card: bool = False
    by: str = ""
    rules: Mapping[str, str] = field(default_factory=dict, hash=False)


@frozen_by_name
class DealFacts:
    """What a deal and every view of it say alike.

    ``marks`` maps a seat to what it says about the other's part. ``offer`` is the offer whose terms
    these were, if any. ``private``: only the parties know it. ``by``: the window or the round that
    it names is the end of the promise, empty for none. ``made`` is the number of the entry that
    proposed it. ``rules`` are the house rules that its words name, as those stood then.
    """

    number: int
    seat: str
    to: str
    terms: str
    status: DealStatus = "proposed"
    marks: Mapping[str, Mark] = field(default_factory=dict)
    offer: int | None = None
    private: bool = False
    by: str = ""
    made: int = 0
    rules: Mapping[str, str] = field(default_factory=dict)

    def other(self, seat: str) -> str:
        """Return the seat on the other side."""
        return self.to if seat == self.seat else self.seat


@frozen_by_name
class Deal(DealFacts):
    """An agreement in words between two seats.

    ``later``: part of it can't be done at once. ``card``: it depends on the result of an action
    card. ``parties`` are people: a promise stays with the person who made it. ``over``: its end has
    come, so both are asked whether it was kept.
    """

    later: bool
    parties: Parties
    card: bool = False
    # it follows from the table, not from what was said of the deal
    over: bool = field(default=False, compare=False)

    def renamed(self, became: Mapping[str, str]) -> Deal:
        """Return the deal with the current ids of seats that have become others. Promises stay in
        force.
        """
        return replace(
            self,
            seat=became.get(self.seat, self.seat),
            to=became.get(self.to, self.to),
            parties=self.parties.renamed(became),
            marks={became.get(seat, seat): mark for seat, mark in self.marks.items()},
        )

    def party(self, seat: str | None) -> bool:
        """Return whether this seat proposed the deal or was asked."""
        return seat is not None and seat in (self.seat, self.to)

    @property
    def binding(self) -> bool:
        """Whether the deal binds, in a game in which deals bind.

        All of it can be done at once, and none of it depends on the result of an action card.
        """
        return not self.later and not self.card


@frozen
class DealTally:
    """Counts of agreed public deals: binding ones, promises, and broken promises. The deals are in
    the ledger.
    """

    binding: int = 0
    promises: int = 0
    broken: int = 0


@frozen_by_name
class NegotiationFacts:
    """What a private talk between two seats and every view of it say alike.

    ``resolved`` are its offers that became transactions. ``made`` is the number of the entry that
    opened it.
    """

    number: int
    seat: str
    other: str
    topic: str = ""
    open: bool = True
    resolved: tuple[int, ...] = ()
    made: int = 0

    def partner(self, seat: str) -> str:
        """Return the other seat."""
        return self.other if seat == self.seat else self.seat


@frozen_by_name
class Negotiation(NegotiationFacts):
    """A private talk between two seats."""

    parties: Parties

    def party(self, seat: str | None) -> bool:
        """Return whether this seat takes part."""
        return seat is not None and seat in (self.seat, self.other)
