"""Calls: announcements that bring people to the table."""

from __future__ import annotations

from collections.abc import Sequence

from bot.rules.model.actions import OfferAction
from bot.rules.views import OfferView, TableView
from bot.show.cards import BUTTONS_MAX, Button, Card, text_card
from bot.show.names import escape, mention, name


def turn_card(public: TableView, text: str, seats: Sequence[str]) -> Card:
    """Return the announcement of a turn, with the public offers that wait for these seats."""
    waiting = [offer for offer in public.offers.values() if _waits_for(offer, seats)][:BUTTONS_MAX]
    if not waiting:
        return text_card(text)
    listed = ", ".join(f"offer {offer.number} from {escape(name(public, offer.poster))}" for offer in waiting)
    row = tuple(Button(_label(offer, len(waiting)), _look(offer), "primary") for offer in waiting)
    return Card("open", (text, f"Waiting for you: {listed}."), (row,))


def called_text(public: TableView) -> str:
    """Return a mention of every player, in small text."""
    everybody = " ".join(mention(public, seat) for seat in public.seated())
    return f"-# {everybody}" if everybody else ""


def _waits_for(offer: OfferView, seats: Sequence[str]) -> bool:
    return offer.status == "open" and offer.to in seats and not offer.progress.agreed_by_both


def _label(offer: OfferView, of: int) -> str:
    return "Look" if of == 1 else f"Look at {offer.number}"


def _look(offer: OfferView) -> OfferAction:
    return OfferAction(offer.table, offer.number, offer.revision, "show")
