"""Negotiations: two seats that talk in private. What they say there is public only once something resolves."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Literal

from bot.rules.caps import require_room_for_negotiation
from bot.rules.commands import Caller, Command
from bot.rules.entries import Entry, Sealed
from bot.rules.feature import Feature
from bot.rules.features.offers.entries import voided
from bot.rules.lookup import ongoing, own_seat, taken_seat
from bot.rules.model.deals import Negotiation
from bot.rules.model.people import Holders, Parties
from bot.rules.model.references import Reference, reference
from bot.rules.model.replacing import replace
from bot.rules.model.table import Table
from bot.rules.model.violation import Refused

TOPIC_MAX = 60
"""The longest topic, in characters: it must fit into the name of a thread beside two names."""


@dataclass(frozen=True, slots=True)
class OpenNegotiation(Command):
    """Talk to another seat in private."""

    other: str
    topic: str = ""

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        """Begin to negotiate with another seat. Two may have several negotiations at once, about different things.

        Raises `Refused` for the caller's own seat or an empty one, for a topic that is too long, and for one
        negotiation too many (`bot.rules.caps`).
        """
        seat = own_seat(table, caller)
        if self.other == seat.id:
            raise Refused("", "You can't negotiate with yourself.", "Name another player.")
        if len(self.topic) > TOPIC_MAX:
            raise Refused("", f"That topic is {len(self.topic)} characters long.", f"Say it in {TOPIC_MAX}.")
        other = taken_seat(table, self.other)
        require_room_for_negotiation(table, seat.id, other.id)
        number = table.negotiations_opened + 1
        return [NegotiationOpened(negotiation=number, seat=seat.id, other=other.id, topic=self.topic)]


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


@dataclass(frozen=True, slots=True)
class CloseNegotiation(Command):
    """End a negotiation of the caller's."""

    negotiation: int

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        """End a negotiation, and every offer in it. Raises `Refused` for others than the two, and when it is closed."""
        negotiation = ongoing(table, self.negotiation)
        if not negotiation.party(own_seat(table, caller).id):
            raise Refused("", "These are not your negotiations.", "Only the two who hold them can close them.")
        yield from (voided(offer) for offer in table.live_offers() if offer.negotiation == negotiation.number)
        yield closed(negotiation)


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


def closed(negotiation: Negotiation) -> NegotiationClosed:
    """Return the end of this negotiation."""
    return NegotiationClosed(
        negotiation=negotiation.number, seat=negotiation.seat, other=negotiation.other, resolved=negotiation.resolved
    )


FEATURE = Feature(commands=(OpenNegotiation, CloseNegotiation), entries=(NegotiationOpened, NegotiationClosed))
