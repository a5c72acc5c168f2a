"""What a person reads who waits for another, of what that one did."""

from __future__ import annotations

from bot.rules.views import DealView, EntryView, OfferView, TableView
from bot.show.actions import OfferAgain
from bot.show.cards import Button, Card
from bot.show.deals import deal_text
from bot.show.goods import goods_text
from bot.show.names import escape, mention
from bot.show.narration import sentence


def declined_card(view: TableView, offer: OfferView, other: str) -> Card:
    """Return the news for its poster that an offer was declined, by one who may have agreed to it before."""
    did = "backed out of" if other in offer.accepted else "declined"
    text = f"{mention(offer, other)} {did} offer {offer.number}."
    again = Button("Offer again", OfferAgain(offer.table, offer.number), "primary")
    return Card("over", (text, _about(view, offer)), ((again,),))


def backed_out_card(view: TableView, offer: OfferView, other: str) -> Card:
    """Return the news for its poster that one who had accepted an offer to all does not any more."""
    text = f"{mention(view, other)} backed out of offer {offer.number}. It stands for the others."
    return Card("over", (text, _about(view, offer)))


def withdrawn_card(view: TableView, offer: OfferView) -> Card:
    """Return the news for a person who had accepted an offer that its poster withdrew."""
    text = f"{mention(offer, offer.poster)} withdrew offer {offer.number}, which you had accepted."
    return Card("over", (text, _about(view, offer)))


def marked_card(view: TableView, entry: EntryView, deal: DealView) -> Card:
    """Return the news for a person that the other of a deal says whether they kept it."""
    return Card("open", (sentence(entry), deal_text(view, deal), f"-# {escape(view.name)}"))


def _about(view: TableView, offer: OfferView) -> str:
    """Return what an offer was about, in small text."""
    return f"-# {goods_text(view, offer.gives)} for {goods_text(view, offer.wants)} · {escape(view.name)}"
