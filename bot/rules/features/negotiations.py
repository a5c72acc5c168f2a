"""Negotiations: two seats talk in private. The result becomes public only when an offer
resolves.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

from bot.rules.access import ongoing, own_seat, taken_seat
from bot.rules.commands import Caller, Command
from bot.rules.entries import Entry, Reference, Sealed, ToAnother, reference
from bot.rules.feature import Feature
from bot.rules.features.offers.entries import voided
from bot.rules.limits import require_room_for_negotiation
from bot.rules.model.deals import Negotiation
from bot.rules.model.people import Holders, Parties
from bot.rules.model.replacing import replace
from bot.rules.model.table import Table
from bot.rules.model.text import quoted
from bot.rules.model.violation import Refused

TOPIC_MAX = 60
"""The longest topic, in characters: it must fit into the name of a thread beside two names."""


class OpenNegotiation(Command):
    """Begin to talk to another seat in private."""

    words = ("topic",)
    other: str
    topic: str = ""

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        """Two seats may have several negotiations at once, about different topics."""
        seat = own_seat(table, caller)
        if self.other == seat.id:
            raise Refused("You can't negotiate with yourself.", "Name another player.")
        if len(self.topic) > TOPIC_MAX:
            raise Refused(
                f"That topic is {len(self.topic)} characters long.", f"Use at most {TOPIC_MAX}."
            )
        other = taken_seat(table, self.other)
        require_room_for_negotiation(table, seat.id, other.id)
        number = table.negotiations_opened + 1
        return [
            NegotiationOpened(negotiation=number, seat=seat.id, other=other.id, topic=self.topic)
        ]


class _NegotiationEntry(ToAnother):
    """An entry about one negotiation."""

    announced = False
    negotiation: int

    def subject(self) -> Reference | None:
        return reference("negotiation", self.negotiation)


class NegotiationOpened(_NegotiationEntry):
    """Two seats began to talk in private. That they talk is public, the topic is not."""

    kind = "negotiation.opened"
    topic: Annotated[str | None, Sealed("parties")] = None

    def parties(self) -> frozenset[str]:
        return frozenset({self.seat, self.other})

    def sentence(self, ruler: str) -> str:
        about = f" about “{quoted(self.topic)}”" if self.topic else ""
        return f"<seat:{self.seat}> and <seat:{self.other}> began to negotiate in private{about}."

    def opened(self, holders: Holders) -> Negotiation:
        """Return the new negotiation, between the current holders of the seats."""
        return Negotiation(
            number=self.negotiation,
            seat=self.seat,
            other=self.other,
            topic=self.topic or "",
            parties=Parties.of((self.seat, self.other), holders),
        )

    def apply(self, table: Table) -> Table:
        holders, table = table.holders(), replace(table, negotiations_opened=self.negotiation)
        return table.with_negotiation(replace(self.opened(holders), made=table.seq + 1))


class CloseNegotiation(Command):
    """End one of the caller's negotiations, and every offer in it."""

    kind = "negotiation.close"
    negotiation: int

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        negotiation = ongoing(table, self.negotiation)
        if not negotiation.party(own_seat(table, caller).id):
            raise Refused(
                "These are not your negotiations.",
                "Only the two players in them can close them.",
            )
        for offer in table.live_offers():
            if offer.negotiation == negotiation.number:
                yield voided(offer, "The negotiation ended.")
        yield closed(negotiation)


class NegotiationClosed(_NegotiationEntry):
    """A negotiation ended. ``resolved`` are its offers that became transactions."""

    kind = "negotiation.closed"
    resolved: tuple[int, ...] = ()

    def sentence(self, ruler: str) -> str:
        return f"<seat:{self.seat}> and <seat:{self.other}> ended the negotiation."

    def change(self, negotiation: Negotiation) -> Negotiation:
        return replace(negotiation, open=False, resolved=self.resolved)

    def apply(self, table: Table) -> Table:
        negotiations = dict(table.negotiations)
        negotiations.pop(self.negotiation, None)
        return replace(table, negotiations=negotiations)


def closed(negotiation: Negotiation) -> NegotiationClosed:
    """Return the entry that ends this negotiation.

    >>> [close_negotiations(each) for each in table.negotiations.values()]
    []
    """
    return NegotiationClosed(
        negotiation=negotiation.number,
        seat=negotiation.seat,
        other=negotiation.other,
        resolved=negotiation.resolved,
    )


FEATURE = Feature(
    commands=(OpenNegotiation, CloseNegotiation), entries=(NegotiationOpened, NegotiationClosed)
)
