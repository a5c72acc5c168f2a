"""What waits for one person: offers to answer, to confirm or to pick from, and questions; with the buttons for it.

It comes first in what a person is shown privately, before what they asked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from bot.rules.model.actions import OfferAction
from bot.rules.views import OfferView, TableView
from bot.show.board import short_goods
from bot.show.cards import Button, Rows, buttons, rows_of
from bot.show.names import format_text, mention
from bot.show.offers import offer_line

LISTED, ROWS_MAX = 5, 3
"""The most things that are listed, and the most rows of buttons for them: what was asked for needs some too."""


class Waiting(NamedTuple):
    """One thing that waits for a person: a line about it, and what they can press."""

    line: str
    buttons: tuple[Button, ...]


def waiting(view: TableView) -> list[Waiting]:
    """Return what waits for the viewer, who reads it alone; what both sides wait for comes first."""
    return [*_offers(view), *_questions(view)]


def waiting_block(view: TableView) -> str:
    """Return what waits for the viewer as a block of text, empty for nothing."""
    found = waiting(view)
    if not found:
        return ""
    more = f"\n-# and {len(found) - LISTED} more" if len(found) > LISTED else ""
    return "**Waiting for you**\n" + "\n".join(each.line for each in found[:LISTED]) + more


def waiting_rows(view: TableView) -> Rows:
    """Return the buttons for what waits: what only looks shares rows, each question has its own."""
    found = waiting(view)[:LISTED]
    looks = [each.buttons[0] for each in found if len(each.buttons) == 1]
    asks = [each.buttons for each in found if len(each.buttons) > 1]
    return (*rows_of(looks), *asks)[:ROWS_MAX]


def _offers(view: TableView) -> Iterator[Waiting]:
    offers = [offer for offer in view.offers.values() if offer.status == "open" and offer.role is not None]
    for offer in sorted(offers, key=lambda each: (view.seat not in each.waits_for, each.number)):
        if (what := _what(view, offer)) is not None:
            look = OfferAction(offer.table, offer.number, offer.revision, "show")
            yield Waiting(what[1], (Button(f"{what[0]} offer {offer.number}", look, "primary"),))


def _what(view: TableView, offer: OfferView) -> tuple[str, str] | None:
    """Return what the viewer has to do about an offer, in a word for the button and in a line; None for nothing."""
    number, other = f"Offer #{offer.number}", mention(offer, _other(offer))
    if view.seat in offer.confirming:
        return "Confirm", f"{number} with {other}: both have agreed, and now you **confirm** it."
    if view.seat in offer.handing_over:
        return "Hand over for", f"{number} with {other}: both have agreed, and now you **hand over**."
    if offer.role == "poster" and offer.takers:
        who = ", ".join(mention(offer, taker) for taker in offer.takers)
        return "Pick for", f"{number} is accepted by {who}: **pick** with whom you trade."
    if offer.role == "addressed" and offer.to is not None and not offer.agreed_by_both:
        get, give = short_goods(view, offer.gives), short_goods(view, offer.wants)
        words = ", with terms" if offer.terms or offer.terms_now else ""
        return "Answer", f"{number} from {other}: you get {get} for {give}{words}"
    return None


def _other(offer: OfferView) -> str:
    return (offer.to or offer.poster) if offer.role == "poster" else offer.poster


def _questions(view: TableView) -> Iterator[Waiting]:
    for prompt in view.prompts:
        text = format_text(view, prompt.text)
        offer = view.offers.get(prompt.offer or 0)
        line = f"{text} {offer_line(view, offer)}" if offer else text
        deal = view.deals.get(prompt.deal or 0)
        if deal is not None:
            line = f"Deal #{deal.number}, proposed by {mention(deal, deal.seat)}."
        yield Waiting(line, buttons(prompt.buttons))
