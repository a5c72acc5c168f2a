"""Slips: an offer that its poster has posted already, as by pressing twice, is asked about first."""

from __future__ import annotations

from bot.rules.model.actions import LabelledAction, OfferAction
from bot.rules.model.offers import Offer
from bot.rules.model.table import MINUTE, Table
from bot.rules.model.violation import Refused

A_MOMENT = MINUTE
"""Milliseconds within which the same offer is likely to be posted twice by mistake."""


def require_meant(table: Table, offer: Offer, at: int) -> None:
    """Raise `Refused`, with a button to post it all the same, if the same offer was posted a moment before ``at``.

    ``at`` is in milliseconds since 1970. An offer that is over stands in nobody's way.
    """
    if (first := _first(table, offer, at)) is not None:
        again = OfferAction(table.id, first.number, first.revision, "again")
        raise Refused(
            "", f"You posted the same a moment ago as offer {first.number}, and it stands.",
            "Was that meant? Then post it again.", (LabelledAction("Post it again", again),),
        )  # fmt: skip


def _first(table: Table, offer: Offer, at: int) -> Offer | None:
    """Return the newest offer that stands, is the same as this one and was posted a moment ago, if there is one."""
    same = (each for each in table.live_offers() if _said(each) == _said(offer))
    recent = (each for each in same if each.posted_at is not None and 0 <= at - each.posted_at < A_MOMENT)
    return max(recent, key=lambda each: each.number, default=None)


def _said(offer: Offer) -> object:
    """Return everything that makes two offers the same to those who read them."""
    return (
        offer.seat, offer.to, offer.parties, offer.give, offer.want, offer.terms, offer.terms_now, offer.terms_card,
        offer.negotiation, None if offer.until is None or offer.posted_at is None else offer.until - offer.posted_at,
    )  # fmt: skip
