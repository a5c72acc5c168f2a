"""Entries about deals."""

from __future__ import annotations

from typing import Annotated, Literal

from bot.rules.entries import Entry, Sealed
from bot.rules.model.deals import Deal, Mark, Wording
from bot.rules.model.people import Holders, Parties
from bot.rules.model.references import Reference, reference
from bot.rules.model.replacing import replace
from bot.rules.model.table import Table


class DealEntry(Entry):
    """Something that happened to one deal."""

    deal: int
    seat: str

    def subject(self) -> Reference | None:
        """Return the deal."""
        return reference("deal", self.deal)

    def change(self, deal: Deal) -> Deal:
        """Return the deal after this."""
        return deal


class DealProposed(DealEntry):
    """A deal in words, see `bot.rules.model.deals.Deal`. The terms of a resolved offer become one agreed at once.

    Of a private one, everybody may know that there is one: ``terms`` is empty, ``later`` and ``card`` are None, and
    ``secret`` holds all three for the two.
    """

    kind: Literal["deal.proposed"] = "deal.proposed"
    to: str
    terms: str = ""
    later: bool | None = None
    card: bool | None = None
    offer: int | None = None
    private: bool = False
    secret: Annotated[Wording | None, Sealed("parties")] = None

    def parties(self) -> frozenset[str]:
        """Return the two it is between."""
        return frozenset({self.seat, self.to})

    def seats(self) -> frozenset[str]:
        """Return the two it is between."""
        return frozenset({self.seat, self.to})

    def wording(self) -> Wording | None:
        """Return what it says; None where that is sealed."""
        return self.secret if self.private else Wording(self.terms, bool(self.later), bool(self.card))

    def proposed(self, holders: Holders) -> Deal:
        """Return the deal as it begins, between those who hold its seats; with an offer it is agreed at once."""
        words = self.wording() or Wording("", later=True)
        return Deal(
            number=self.deal, seat=self.seat, to=self.to, terms=words.terms, later=words.later, card=words.card,
            offer=self.offer, private=self.private, status="proposed" if self.offer is None else "agreed",
            parties=Parties.of((self.seat, self.to), holders),
        )  # fmt: skip

    def apply(self, table: Table) -> Table:
        """Return the table with the deal waiting for its answer, or counted where it is agreed already."""
        counted, deal = replace(table, deals_proposed=self.deal), self.proposed(table.holders())
        if deal.status == "proposed":
            return counted.with_deal(deal)
        return counted if self.private else _tallied(counted, deal.binding)


class DealAnswered(DealEntry):
    """The other side agreed to a deal, or declined it. ``other`` proposed it; ``binding`` if all is done at once.

    Of a private one, ``agreed`` and ``binding`` are None, and ``secret`` tells the two whether it was agreed to.
    """

    kind: Literal["deal.answered"] = "deal.answered"
    other: str
    agreed: bool | None = None
    binding: bool | None = None
    private: bool = False
    secret: Annotated[bool | None, Sealed("parties")] = None

    def parties(self) -> frozenset[str]:
        """Return the two it is between."""
        return frozenset({self.seat, self.other})

    def seats(self) -> frozenset[str]:
        """Return the two it is between."""
        return frozenset({self.seat, self.other})

    def answer(self) -> bool | None:
        """Return whether it was agreed to; None where that is sealed."""
        return self.secret if self.private else self.agreed

    def change(self, deal: Deal) -> Deal:
        """Return the deal with its answer."""
        return replace(deal, status="agreed" if self.answer() else "declined")

    def apply(self, table: Table) -> Table:
        """Return the table without the deal, which needs no answer any more, and with it counted if agreed."""
        table = table.without_deal(self.deal)
        return _tallied(table, bool(self.binding)) if self.agreed else table


class DealVoided(DealEntry):
    """A proposed deal ended before it was answered, because one of the two people left. ``other`` was asked."""

    kind: Literal["deal.voided"] = "deal.voided"
    other: str
    private: bool = False

    def seats(self) -> frozenset[str]:
        """Return the two it was between."""
        return frozenset({self.seat, self.other})

    def change(self, deal: Deal) -> Deal:
        """Return the deal as ended."""
        return replace(deal, status="void")

    def apply(self, table: Table) -> Table:
        """Return the table without the deal."""
        return table.without_deal(self.deal)


class DealMarked(DealEntry):
    """One of the two says of the other's part that it was kept, or broken.

    ``promised_by`` is the person whose part that is, who may have left the seat ``other`` since. ``breaks``: with this
    a promise that everybody knows counts as broken, and nobody had called it broken before. Of a private one, ``mark``
    is None and ``secret`` holds it for the two, or for the one who says it: ``succeeded`` means that the other's seat
    is not theirs any more, and who has it now does not know of the deal.
    """

    kind: Literal["deal.marked"] = "deal.marked"
    other: str
    promised_by: int
    mark: Mark | None = None
    breaks: bool = False
    private: bool = False
    succeeded: bool = False
    secret: Annotated[Mark | None, Sealed("parties")] = None

    def parties(self) -> frozenset[str]:
        """Return the two it is between, or the one who still knows of it."""
        return frozenset({self.seat} if self.succeeded else {self.seat, self.other})

    def seats(self) -> frozenset[str]:
        """Return the two it is between."""
        return frozenset({self.seat, self.other})

    def said(self) -> Mark | None:
        """Return what was said; None where that is sealed."""
        return self.secret if self.private else self.mark

    def change(self, deal: Deal) -> Deal:
        """Return the deal with this mark on it."""
        said = self.said()
        return replace(deal, marks={**deal.marks, self.seat: said}) if said else deal

    def apply(self, table: Table) -> Table:
        """Return the table with the broken promise counted."""
        tally = table.deal_tally
        return replace(table, deal_tally=replace(tally, broken=tally.broken + 1)) if self.breaks else table


def _tallied(table: Table, binding: bool) -> Table:
    """Return the table with one more agreed deal counted."""
    tally = table.deal_tally
    more = replace(tally, binding=tally.binding + 1) if binding else replace(tally, promises=tally.promises + 1)
    return replace(table, deal_tally=more)


ENTRIES: tuple[type[Entry], ...] = (DealProposed, DealAnswered, DealVoided, DealMarked)
