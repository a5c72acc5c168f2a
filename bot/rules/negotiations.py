"""Negotiations: two seats that talk in private. What they say there is nobody else's until something resolves."""

from __future__ import annotations

from collections.abc import Iterable

from bot.rules.commands import CloseNegotiation, OpenNegotiation
from bot.rules.entries import Entry, NegotiationClosed, NegotiationOpened, Topic
from bot.rules.offer_ends import voided
from bot.rules.ruling import Refused
from bot.rules.seats import own_seat, seat_of
from bot.rules.table import Negotiation, Table

TOPIC_MOST = 60
"""The longest topic, in characters: it has to fit into the name of a thread beside two names."""


def open_negotiation(table: Table, command: OpenNegotiation) -> Iterable[Entry]:
    """Two begin to negotiate. They may have several at once, on different things."""
    seat = own_seat(table, command)
    if command.other == command.by:
        raise Refused("", "You can't negotiate with yourself.", "Name another player.")
    if len(command.topic) > TOPIC_MOST:
        raise Refused("", f"That topic is {len(command.topic)} characters long.", f"Say it in {TOPIC_MOST}.")
    other = seat_of(table, command.other)
    number = len(table.negotiations) + 1
    return [NegotiationOpened(negotiation=number, seat=seat.id, other=other.id, topic=Topic(text=command.topic))]


def close_negotiation(table: Table, command: CloseNegotiation) -> Iterable[Entry]:
    """Either of the two is done. What is still offered in it ends."""
    talks = ongoing(table, command.negotiation)
    if own_seat(table, command).id not in (talks.seat, talks.other):
        raise Refused("", "These are not your negotiations.", "Only the two who hold them can close them.")
    return closing(table, talks)


def closing(table: Table, talks: Negotiation) -> list[Entry]:
    """What the end of a negotiation means."""
    offers = (offer for offer in table.live_offers() if offer.negotiation == talks.number)
    return [*(voided(offer) for offer in offers), NegotiationClosed(negotiation=talks.number)]


def ongoing(table: Table, number: int) -> Negotiation:
    """The negotiation of this number. Raises `Refused` when it is over."""
    talks = table.negotiations.get(number)
    if talks is None or not talks.open:
        raise Refused("", "These negotiations are closed.", "/negotiate open begins new ones.")
    return talks
