"""Entries about deals."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Literal

from bot.rules.entries import Entry, Sealed
from bot.rules.model.deals import Deal, Mark
from bot.rules.model.references import Reference, reference
from bot.rules.model.table import Table


class _DealEntry(Entry):
    """Something that happened to one deal."""

    deal: int
    seat: str

    def subject(self) -> Reference | None:
        """Return the deal."""
        return reference("deal", self.deal)


class DealProposed(_DealEntry):
    """A deal in words, see `bot.rules.model.deals.Deal`. The terms of a resolved offer become one agreed at once.

    Of terms said in private, ``terms`` is empty and ``secret`` holds them for the two.
    """

    kind: Literal["deal.proposed"] = "deal.proposed"
    to: str
    terms: str
    later: bool
    card: bool = False
    offer: int | None = None
    private: bool = False
    secret: Annotated[str | None, Sealed("parties")] = None

    def parties(self) -> frozenset[str]:
        """Return the two it is between."""
        return frozenset({self.seat, self.to})

    def seats(self) -> frozenset[str]:
        """Return the two it is between."""
        return frozenset({self.seat, self.to})

    def proposed(self) -> Deal:
        """Return the deal as it begins; one that came with an offer is agreed at once."""
        return Deal(
            number=self.deal, seat=self.seat, to=self.to, later=self.later, card=self.card, offer=self.offer,
            terms=self.secret or "" if self.private else self.terms, private=self.private,
            status="proposed" if self.offer is None else "agreed",
        )  # fmt: skip

    def apply(self, table: Table) -> Table:
        """Return the table with the deal waiting for its answer, or counted where it is agreed already."""
        counted, deal = replace(table, deals_proposed=self.deal), self.proposed()
        return counted.with_deal(deal) if deal.status == "proposed" else _tallied(counted, deal.binding)


class DealAnswered(_DealEntry):
    """The other side agreed to a deal, or declined it. ``other`` proposed it; ``binding`` if all is done at once."""

    kind: Literal["deal.answered"] = "deal.answered"
    other: str
    agreed: bool
    binding: bool
    private: bool = False

    def seats(self) -> frozenset[str]:
        """Return the two it is between."""
        return frozenset({self.seat, self.other})

    def change(self, deal: Deal) -> Deal:
        """Return the deal with its answer."""
        return replace(deal, status="agreed" if self.agreed else "declined")

    def apply(self, table: Table) -> Table:
        """Return the table without the deal, which needs no answer any more, and with it counted if agreed."""
        table = replace(table, deals={number: deal for number, deal in table.deals.items() if number != self.deal})
        return _tallied(table, self.binding) if self.agreed else table


class DealMarked(_DealEntry):
    """One of the two says of the other's part that it was kept, or broken.

    ``breaks``: with this a promise counts as broken that nobody had called broken before.
    """

    kind: Literal["deal.marked"] = "deal.marked"
    other: str
    mark: Mark
    breaks: bool = False

    def seats(self) -> frozenset[str]:
        """Return the two it is between."""
        return frozenset({self.seat, self.other})

    def change(self, deal: Deal) -> Deal:
        """Return the deal with this mark on it."""
        return replace(deal, marks={**deal.marks, self.seat: self.mark})

    def apply(self, table: Table) -> Table:
        """Return the table with the broken promise counted."""
        tally = table.deal_tally
        return replace(table, deal_tally=replace(tally, broken=tally.broken + 1)) if self.breaks else table


def _tallied(table: Table, binding: bool) -> Table:
    """Return the table with one more agreed deal counted."""
    tally = table.deal_tally
    more = replace(tally, binding=tally.binding + 1) if binding else replace(tally, promises=tally.promises + 1)
    return replace(table, deal_tally=more)


ENTRIES: tuple[type[Entry], ...] = (DealProposed, DealAnswered, DealMarked)
