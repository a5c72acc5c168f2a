"""How offers end that nobody withdrew or declined: with the time for trade, a seat that is left, the table."""

from __future__ import annotations

from bot.rules.entries import Entry, OfferVoided
from bot.rules.game import game_named
from bot.rules.table import Offer, Table


def voided(offer: Offer) -> OfferVoided:
    """This offer is over, for a reason that everybody knows."""
    return OfferVoided(offer=offer.number)


def with_window(table: Table) -> list[Entry]:
    """The offers that end with the window there is: all that stand, in a game where they live no longer than that."""
    return [voided(offer) for offer in table.live_offers()] if game_named(table.game).offers_end else []
