"""The private card shown before an acceptance that moves hidden goods: what goes, what comes, a button to do it."""

from __future__ import annotations

from typing import Literal

from bot.rules.views import OfferView, TableView
from bot.show.actions import AcceptAsShown
from bot.show.cards import Button, Card
from bot.show.goods import goods_text
from bot.show.names import escape, game_of, mention
from bot.show.terms import irrevocable_text, terms_text


def moves_hidden(view: TableView, offer: OfferView) -> bool:
    """Return whether accepting would move goods that not everybody can see, such as cards in a hand.

    False if cards are handed over in a separate step, or if accepting only agrees and a confirmation follows.
    """
    game = game_of(view)
    only_agrees = view.settings.confirm == "twice" and not offer.progress.agreed_by_both
    if game.exchange is not None or only_agrees:
        return False
    return any(game.self_reportable(goods) != goods for goods in (offer.sides.give, offer.sides.want))


def accept_card(view: TableView, offer: OfferView, what: Literal["accept", "confirm"]) -> Card:
    """Return what the viewer would get and give, with a button that accepts exactly this revision."""
    mine, other = offer.role == "poster", offer.to if offer.role == "poster" else offer.poster
    gets, gives = (offer.sides.want, offer.sides.give) if mine else (offer.sides.give, offer.sides.want)
    blocks = [
        f"### Offer {offer.number} with {mention(offer, other or offer.poster)}",
        f"You get {goods_text(view, gets)}\nYou give {goods_text(view, gives)}",
    ]
    if terms := terms_text(view, offer):
        blocks.append(terms)
    small = (irrevocable_text(view), f"revision {offer.revision}", escape(view.name))
    blocks.append(f"-# {' · '.join(filter(None, small))}")
    press = AcceptAsShown(offer.table, offer.number, offer.revision)
    return Card("waiting", tuple(blocks), ((Button(what.capitalize(), press, "success"),),))
