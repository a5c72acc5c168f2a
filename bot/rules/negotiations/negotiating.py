"""Negotiations: two seats that talk in private. What they say there is public only once something resolves."""

from __future__ import annotations

from collections.abc import Iterable

from bot.rules.caps import require_room_for_negotiation
from bot.rules.commands import Caller, Handlers, handler
from bot.rules.entries import Entry
from bot.rules.lookup import ongoing, own_seat, taken_seat
from bot.rules.model.table import Table
from bot.rules.model.violation import Refused
from bot.rules.negotiations.closing import closed
from bot.rules.negotiations.commands import CloseNegotiation, OpenNegotiation
from bot.rules.negotiations.entries import NegotiationOpened
from bot.rules.offers.ends import voided

TOPIC_MAX = 60
"""The longest topic, in characters: it must fit into the name of a thread beside two names."""


def open_negotiation(table: Table, command: OpenNegotiation, caller: Caller) -> Iterable[Entry]:
    """Begin to negotiate with another seat. Two may have several negotiations at once, about different things.

    Raises `Refused` for the caller's own seat or an empty one, for a topic that is too long, and for one
    negotiation too many (`bot.rules.caps`).
    """
    seat = own_seat(table, caller)
    if command.other == seat.id:
        raise Refused("", "You can't negotiate with yourself.", "Name another player.")
    if len(command.topic) > TOPIC_MAX:
        raise Refused("", f"That topic is {len(command.topic)} characters long.", f"Say it in {TOPIC_MAX}.")
    other = taken_seat(table, command.other)
    require_room_for_negotiation(table, seat.id, other.id)
    number = table.negotiations_opened + 1
    return [NegotiationOpened(negotiation=number, seat=seat.id, other=other.id, topic=command.topic)]


def close_negotiation(table: Table, command: CloseNegotiation, caller: Caller) -> Iterable[Entry]:
    """End a negotiation, and every offer in it. Raises `Refused` for others than the two, and when it is closed."""
    negotiation = ongoing(table, command.negotiation)
    if not negotiation.party(own_seat(table, caller).id):
        raise Refused("", "These are not your negotiations.", "Only the two who hold them can close them.")
    yield from (voided(offer) for offer in table.live_offers() if offer.negotiation == negotiation.number)
    yield closed(negotiation)


HANDLERS: Handlers = dict([handler(OpenNegotiation, open_negotiation), handler(CloseNegotiation, close_negotiation)])
