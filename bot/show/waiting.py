"""What waits for one person: offers to answer, confirm or pick from, and questions; with buttons.

Private cards show it above everything else.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from bot.rules.model.actions import OfferAction
from bot.rules.views import OfferView, TableView
from bot.show.actions import RevealPrompt
from bot.show.board import short_goods
from bot.show.cards import Button, Card, Rows, rows_of
from bot.show.names import escape, format_text, mention
from bot.show.offers import offer_line
from bot.show.truncation import LINE_MAX, truncate

LISTED, ROOM = 5, 1800
"""The most items to list, as many as a row has buttons; and the most characters for them."""


class Waiting(NamedTuple):
    """Something that waits for a person: a line, and the button that opens it."""

    line: str
    button: Button


def waiting(view: TableView) -> list[Waiting]:
    """Return what waits for the viewer, for a card that nobody else reads. Agreed trades come first."""
    return [*_offers(view), *_questions(view)]


def with_waiting(view: TableView, card: Card) -> Card:
    """Return a private card with what waits for its reader on top."""
    first = waiting_block(view)
    if not first:
        return card
    return replace(card, mood="waiting", blocks=(first, *card.blocks), rows=(*waiting_rows(view), *card.rows))


def waiting_block(view: TableView) -> str:
    """Return what waits for the viewer as a block of text; empty for nothing."""
    found = waiting(view)
    if not found:
        return ""
    lines, room = [], ROOM
    for line in (each.line for each in found[:LISTED]):
        room -= len(line)
        if room > 0:
            lines.append(line)
    more = f"\n-# and {len(found) - len(lines)} more" if len(found) > len(lines) else ""
    return "**Waiting for you**\n" + "\n".join(lines) + more


def waiting_rows(view: TableView) -> Rows:
    """Return the buttons for what waits. Each shows the item in its present state, with its own buttons."""
    return rows_of([each.button for each in waiting(view)[:LISTED]])


def _offers(view: TableView) -> Iterator[Waiting]:
    offers = [offer for offer in view.offers.values() if offer.status == "open" and offer.role is not None]
    for offer in sorted(offers, key=lambda each: (view.seat not in each.progress.waits_for, each.number)):
        if (what := _what(view, offer)) is not None:
            look = OfferAction(offer.table, offer.number, offer.revision, "show")
            yield Waiting(what[1], Button(f"{what[0]} offer {offer.number}", look, "primary"))


def _what(view: TableView, offer: OfferView) -> tuple[str, str] | None:
    """Return the viewer's task in an offer, as a word for the button and as a line; None for no task."""
    number, other = f"Offer {offer.number}", mention(offer, _other(offer))
    if view.seat in offer.progress.confirming:
        return "Confirm", f"{number} with {other}: both have agreed, and now you **confirm** it."
    if view.seat in offer.progress.handing_over:
        return "Hand over for", f"{number} with {other}: both have agreed, and now you **hand over**."
    if offer.role == "poster" and offer.progress.takers:
        who = ", ".join(mention(offer, taker) for taker in offer.progress.takers)
        return "Pick for", f"{number} is accepted by {who}: **pick** with whom you trade."
    if offer.role == "addressed" and offer.to is not None and not offer.progress.agreed_by_both:
        get, give = short_goods(view, offer.sides.give), short_goods(view, offer.sides.want)
        words = ", with terms" if offer.sides.terms or offer.sides.terms_now else ""
        return "Answer", f"{number} from {other}: you get {get} for {give}{words}"
    return None


def _other(offer: OfferView) -> str:
    return (offer.to or offer.poster) if offer.role == "poster" else offer.poster


def _questions(view: TableView) -> Iterator[Waiting]:
    for number, prompt in enumerate(view.prompts, start=1):
        show = RevealPrompt(view.id, prompt.key)
        offer, deal = view.offers.get(prompt.offer or 0), view.deals.get(prompt.deal or 0)
        if deal is not None:
            line = f"Deal {deal.number}, proposed by {mention(deal, deal.seat)}."
            yield Waiting(line, Button(f"Answer deal {deal.number}", show, "primary"))
            continue
        text = truncate(format_text(view, prompt.text), LINE_MAX)
        about = f"\n-# {escape(offer_line(view, offer))}" if offer else ""
        yield Waiting(f"{text}{about}", Button(f"Answer question {number}", show, "primary"))
