"""How negotiations end."""

from __future__ import annotations

from bot.rules.model.deals import Negotiation
from bot.rules.negotiations.entries import NegotiationClosed


def closed(negotiation: Negotiation) -> NegotiationClosed:
    """Return the end of this negotiation."""
    return NegotiationClosed(
        negotiation=negotiation.number, seat=negotiation.seat, other=negotiation.other, resolved=negotiation.resolved
    )
