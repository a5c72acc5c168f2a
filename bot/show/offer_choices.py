"""Offers and deals in autocomplete: a sentence each; those that the command can act on come first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from bot.rules.model.actions import OfferAction
from bot.rules.model.markup import quoted
from bot.rules.views import DealView, OfferView, TableView
from bot.show.names import game_of, name, plain_text
from bot.show.truncation import truncate

LABEL_MAX = 100
"""Discord's limit on a choice, in characters."""

OfferUse = Literal["accept", "hand", "counter", "decline", "alter", "pick", "withdraw", "suspend", "resume"]

_MOVES: Mapping[OfferUse, tuple[str, ...]] = {
    "accept": ("accept", "confirm"),
    "hand": ("hand_over", "choose_again", "accept_and_hand_over"),
    "counter": ("counter",),
    "decline": ("decline", "back_out"),
    "alter": ("alter",),
    "withdraw": ("withdraw", "back_out"),
    "suspend": ("suspend",),
    "resume": ("resume",),
}
"""The buttons equivalent to each command."""


def offers_for(view: TableView, use: OfferUse) -> list[tuple[str, int]]:
    """Return a sentence and the number of each offer that this command may be about, the likely ones first."""
    found = [offer for offer in view.offers.values() if offer.live and _may_be(view, offer, use)]
    found.sort(
        key=lambda offer: (
            not _has_button(offer, use),
            use == "accept" and offer.ruling.why_not is not None,
            -offer.number,
        )
    )
    return [(offer_choice(view, offer), offer.number) for offer in found]


def _may_be(view: TableView, offer: OfferView, use: OfferUse) -> bool:
    """Return whether the viewer has the role in this offer that the command needs."""
    match use:
        case "hand":
            return offer.role is not None
        case "accept" | "counter" | "decline":
            return offer.role == "addressed" or (use == "accept" and view.seat in offer.progress.confirming)
        case "pick":
            return offer.role == "poster" and offer.to is None
        case "suspend" | "resume":
            return offer.role == "poster" and (offer.status == "suspended") == (use == "resume")
        case _:
            return offer.role == "poster"


def _has_button(offer: OfferView, use: OfferUse) -> bool:
    if use == "pick":
        return bool(offer.progress.takers)
    return any(isinstance(action, OfferAction) and action.what in _MOVES[use] for action in offer.buttons.actions)


def offer_choice(view: TableView, offer: OfferView) -> str:
    """Return an offer as a sentence of a choice's length: ``Offer 12: you offer bob 3 trade goods for 1 commodity``."""
    sentence = plain_text(view, f"Offer {offer.number}: {_offered(view, offer)}{_ended(offer)}")
    return truncate(sentence, LABEL_MAX)


def _offered(view: TableView, offer: OfferView) -> str:
    give, want = (game_of(view).goods.describe_short(goods) for goods in (offer.sides.give, offer.sides.want))
    mine = view.seat == offer.poster
    who = "you" if mine else quoted(name(offer, offer.poster))
    to = _to(view, offer)
    if not offer.sides.give:
        return f"{who} {'ask' if mine else 'asks'} {to} for {want}"
    what = f"{give} for {want}" if offer.sides.want else f"{give} for nothing"
    return f"{who} {'offer' if mine else 'offers'} {to} {what}"


def _to(view: TableView, offer: OfferView) -> str:
    if offer.to is None:
        return "everybody"
    return "you" if offer.to == view.seat else quoted(name(offer, offer.to))


def _ended(offer: OfferView) -> str:
    match offer.status:
        case "open":
            return ""
        case "resolved":
            return " (done)"
        case "void":
            return " (no longer possible)"
        case status:
            return f" ({status})"


def deals_among(view: TableView, deals: Iterable[DealView]) -> list[tuple[str, int]]:
    """Return a sentence and the number of each of the viewer's deals, in this order."""
    return [(deal_choice(view, deal), deal.number) for deal in deals]


def deal_choice(view: TableView, deal: DealView) -> str:
    """Return a deal as a sentence of a choice's length: ``Deal 4 with bob: I leave Vega to you``."""
    other = deal.to if view.seat == deal.seat else deal.seat
    words = f": {quoted(deal.terms)}" if deal.terms else ""
    return truncate(plain_text(view, f"Deal {deal.number} with {quoted(name(deal, other))}{words}"), LABEL_MAX)
