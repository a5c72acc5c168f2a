"""DMs about what the counterparty did."""

from __future__ import annotations

from bot.rules.views import DealView, EntryView, OfferView, TableView
from bot.show.actions import OfferAgain
from bot.show.cards import Button, Card
from bot.show.deals import deal_text
from bot.show.goods import goods_text
from bot.show.names import escape, mention
from bot.show.narration import sentence


def declined_card(view: TableView, offer: OfferView, other: str) -> Card:
    """Return the news for the poster that an offer was declined. If ``other`` had accepted it, they backed out."""
    did = "backed out of" if other in offer.progress.accepted else "declined"
    text = f"{mention(offer, other)} {did} offer {offer.number}."
    again = Button("Offer again", OfferAgain(offer.table, offer.number), "primary")
    return Card("over", (text, _about(view, offer)), ((again,),))


def backed_out_card(view: TableView, offer: OfferView, other: str) -> Card:
    """Return the news for the poster of an offer to all that somebody withdrew their acceptance."""
    text = f"{mention(view, other)} backed out of offer {offer.number}. It stands for the others."
    return Card("over", (text, _about(view, offer)))


def withdrawn_card(view: TableView, offer: OfferView) -> Card:
    """Return the news for a taker that the poster withdrew the offer."""
    text = f"{mention(offer, offer.poster)} withdrew offer {offer.number}, which you had accepted."
    return Card("over", (text, _about(view, offer)))


def marked_card(view: TableView, entry: EntryView, deal: DealView) -> Card:
    """Return the news that the other side of a deal has marked the reader's part."""
    return Card("open", (sentence(entry), deal_text(view, deal), f"-# {escape(view.name)}"))


def _about(view: TableView, offer: OfferView) -> str:
    """Return the offer's goods as small text."""
    return f"-# {goods_text(view, offer.sides.give)} for {goods_text(view, offer.sides.want)} · {escape(view.name)}"
