"""How offers end that nobody withdrew or declined: with their time, the window, a seat that is left, the table."""

from __future__ import annotations

from bot.rules.entries import Entry
from bot.rules.features.offers.entries import OfferExpired, OfferVoided
from bot.rules.model.offers import Offer
from bot.rules.model.table import Table
from bot.rules.registry import game_of


def between(offer: Offer) -> tuple[str, ...]:
    """Return the seats an offer is between: the two, or its poster while it is open to all."""
    return (offer.seat, offer.to) if offer.to else (offer.seat,)


def voided(offer: Offer) -> OfferVoided:
    """Return the end of this offer for a reason that everybody knows."""
    return OfferVoided(offer=offer.number, between=between(offer))


def expired(table: Table, at: int) -> list[Entry]:
    """Return the end of every offer whose time is up at ``at``, in milliseconds since 1970."""
    return [
        OfferExpired(offer=offer.number, between=between(offer))
        for offer in table.live_offers()
        if offer.until and offer.until <= at
    ]


def with_window(table: Table) -> list[Entry]:
    """Return the end of all offers, in a game where they live no longer than their window."""
    return [voided(offer) for offer in table.live_offers()] if game_of(table).trade.offers_end else []
