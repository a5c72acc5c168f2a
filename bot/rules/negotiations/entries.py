"""Entries about negotiations."""

from __future__ import annotations

from typing import Annotated, Literal

from bot.rules.entries import Entry, Sealed
from bot.rules.model.deals import Negotiation
from bot.rules.model.people import Holders, Parties
from bot.rules.model.references import Reference, reference
from bot.rules.model.replacing import replace
from bot.rules.model.table import Table


class _NegotiationEntry(Entry):
    """Something that happened to one negotiation."""

    negotiation: int
    seat: str
    other: str

    def seats(self) -> frozenset[str]:
        """Return the two who talk."""
        return frozenset({self.seat, self.other})

    def subject(self) -> Reference | None:
        """Return the negotiation."""
        return reference("negotiation", self.negotiation)


class NegotiationOpened(_NegotiationEntry):
    """Two seats began to talk in private. That they do is public, what about is not."""

    kind: Literal["negotiation.opened"] = "negotiation.opened"
    topic: Annotated[str | None, Sealed("parties")] = None

    def parties(self) -> frozenset[str]:
        """Return the two who talk."""
        return frozenset({self.seat, self.other})

    def opened(self, holders: Holders) -> Negotiation:
        """Return the negotiation as it begins, between those who hold the two seats."""
        return Negotiation(
            number=self.negotiation, seat=self.seat, other=self.other, topic=self.topic or "",
            parties=Parties.of((self.seat, self.other), holders),
        )  # fmt: skip

    def apply(self, table: Table) -> Table:
        """Return the table with the negotiation open."""
        return replace(table, negotiations_opened=self.negotiation).with_negotiation(self.opened(table.holders()))


class NegotiationClosed(_NegotiationEntry):
    """The two are done. ``resolved`` are its offers that became transactions."""

    kind: Literal["negotiation.closed"] = "negotiation.closed"
    resolved: tuple[int, ...] = ()

    def change(self, negotiation: Negotiation) -> Negotiation:
        """Return the negotiation as closed."""
        return replace(negotiation, open=False, resolved=self.resolved)

    def apply(self, table: Table) -> Table:
        """Return the table without the negotiation."""
        return replace(table, negotiations={n: each for n, each in table.negotiations.items() if n != self.negotiation})


ENTRIES: tuple[type[Entry], ...] = (NegotiationOpened, NegotiationClosed)
