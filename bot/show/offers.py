"""Offers as people see them: as cards, in one line, and in lists.

A card is for the viewer of its view. The poster and the seat that the offer is addressed to get cards with their own
buttons; everybody else gets the card of the channel. Redaction is done in the view: a card from a view that others
read too shows no more than they may know.
"""

from __future__ import annotations

from bot.rules.model.actions import OfferAction
from bot.rules.model.goods import Goods
from bot.rules.model.markup import quoted
from bot.rules.views import OfferView, TableView
from bot.show.actions import BrowseOffers
from bot.show.cards import SELECT_MAX, Button, Card, Mood, Rows, Select
from bot.show.hand_over import hands_over, sealed_with_poster
from bot.show.hand_over_card import accepted_card, hand_over_card
from bot.show.names import escape, format_text, game_of, mention, name, plain_text, player
from bot.show.offer_buttons import offer_rows, own_rows
from bot.show.offer_status import status_text
from bot.show.terms import terms_line, terms_text
from bot.show.truncation import TEXT_MAX, truncate_lines

# ---------------------------------------------------------------- cards


def offer_card(view: TableView, offer: OfferView, *, now: bool = False) -> Card:
    """Return an offer as a card: who gives what for what, its status, and the viewer's buttons.

    ``now``: also whether it is possible now. That is for the reply to a person who asks; a message that stays must not
    say what another turn makes untrue.
    """
    if offer.role is None and not view.pairwise:
        return _market_card(view, offer, now=now)
    if offer.hand_over is not None:
        return hand_over_card(view, offer)
    blocks = [_title(view, offer), *_sides(view, offer)]
    if terms := terms_text(view, offer):
        blocks.append(terms)
    blocks += _for_viewer_only(view, offer)
    blocks.append(_status(view, offer, now=now))
    return Card(_mood(offer, now=now), tuple(blocks), offer_rows(view, offer, now=now))


def private_part(view: TableView, offer: OfferView) -> Card | None:
    """Return what the viewer alone is told beside everybody's card of their offer; None when there is nothing.

    It is what they could hand over with it, what it would mean for them, and why it is not possible now.
    """
    if offer.hand_over is not None:
        return hand_over_card(view, offer)
    lines = _for_viewer_only(view, offer)
    if offer.why_not is not None or offer.overruled:
        lines.append(status_text(view, offer, now=True))
    # In a crowded market, everybody's card has no room for the poster's buttons.
    rows = own_rows(offer) if view.pairwise else offer_rows(view, offer, now=True)
    if not lines and not rows:
        return None
    return Card(_mood(offer, now=True), (*lines, f"-# Offer #{offer.number} · only you see this"), rows)


def private_offer_card(view: TableView, offer: OfferView) -> Card:
    """Return the card in place of a private offer's DM that could not be delivered."""
    button = Button("Show me", OfferAction(offer.table, offer.number, offer.revision, "show"), "primary")
    return Card("waiting", ("There is something private for you.", f"-# {escape(view.name)}"), ((button,),))


def missed_card(view: TableView, offer: OfferView) -> Card:
    """Return the news for a person who accepted an offer to all when its poster picks another."""
    free = " Anything you handed over for it is free again." if hands_over(view) else ""
    text = f"Offer #{offer.number} went to somebody else: {mention(offer, offer.to or '')}.{free}"
    return Card("over", (f"{text} Thank you for your answer.", f"-# {escape(view.name)}"))


def confirmed_card(view: TableView, offer: OfferView) -> Card:
    """Return what replaces the question to confirm an offer: it was confirmed, is over, or can't be confirmed now."""
    card = offer_card(view, offer)
    if not offer.live:
        return card
    waiting = offer.role is not None and view.seat in offer.confirmed
    text = (
        "You have confirmed it."
        if waiting
        else "⏳ **Not now:** the time for it has passed. I ask again when it comes."
    )
    return Card("waiting", (*card.blocks[:-1], text, f"-# {escape(view.name)}"))


def taken_card(view: TableView, offer: OfferView, accepted: str) -> Card:
    """Return the reply to accepting an offer to all, with which the seat can hand over before the others do."""
    return accepted_card(view, offer, accepted)


def _market_card(view: TableView, offer: OfferView, *, now: bool) -> Card:
    """Return a small card for a market where all trade with all: several have to fit on a phone's screen."""
    give, want = (format_text(view, game_of(view).goods.describe_short(goods)) for goods in (offer.gives, offer.wants))
    asks = offer.asks_only and offer.to is None
    sides = f"asks for **{want}**" if asks else f"gives **{give}** for **{want}**"
    terms = "" if offer.private else terms_line(offer.terms, offer.terms_now)
    blocks = (f"{_title(view, offer)}\n{sides}{terms}", _status(view, offer, now=now))
    return Card(_mood(offer, now=now), blocks, offer_rows(view, offer, now=now))


def _title(view: TableView, offer: OfferView) -> str:
    to = mention(offer, offer.to) if offer.to else "everybody"
    answers = f" · answers #{offer.parent}" if offer.parent else ""
    return f"### Offer #{offer.number} · {mention(offer, offer.poster)} to {to}{answers}"


def _sides(view: TableView, offer: OfferView) -> list[str]:
    if offer.asks_only:
        return [f"{player(offer, offer.poster)} asks for **{_goods(view, offer.wants)}**"]
    taker = player(offer, offer.to) if offer.to else "Whoever takes it up"
    return [
        f"{player(offer, offer.poster)} gives **{_goods(view, offer.gives)}**",
        f"{taker} gives **{_goods(view, offer.wants)}**",
    ]


def _goods(view: TableView, goods: Goods) -> str:
    return format_text(view, game_of(view).goods.describe(goods))


def _for_viewer_only(view: TableView, offer: OfferView) -> list[str]:
    """Return what the viewer has handed over, what the trade would mean for them, and what they must choose."""
    lines = []
    if offer.handed is not None:
        handed = _goods(view, offer.handed)
        lines.append(f"🔒 You have handed over **{handed}**. It moves when the other's part is there too.")
    if offer.role == "poster" and offer.live and offer.sealed_takers:
        lines.append(sealed_with_poster(offer))
    lines += [format_text(view, line) for line in offer.advice]
    return ["\n".join(lines)] if lines else []


def _status(view: TableView, offer: OfferView, *, now: bool) -> str:
    """Return the status, with the revision, so that an older card is not mistaken for the newest."""
    small = f"-# Offer #{offer.number}, revision {offer.revision} · {escape(view.name)}"
    return f"{status_text(view, offer, now=now)}\n{small}"


def _mood(offer: OfferView, *, now: bool) -> Mood:
    if offer.status == "resolved":
        return "done"
    if offer.status == "suspended" or (now and offer.status == "open" and offer.why_not):
        return "waiting"
    return "open" if offer.status == "open" else "over"


# ---------------------------------------------------------------- lines


def offer_line(view: TableView, offer: OfferView) -> str:
    """Return an offer in one line of plain text: ``#3 alice: 3 tg for 2 commodities (to bob)``."""
    to_all = " (to all)" if view.pairwise else ""
    to = f" (to {quoted(name(offer, offer.to))})" if offer.to else to_all
    give, want = (game_of(view).goods.describe_short(goods) for goods in (offer.gives, offer.wants))
    sides = f"asks for {want}" if offer.asks_only else f"{give} for {want}"
    held = " (suspended)" if offer.status == "suspended" else ""
    return plain_text(view, f"#{offer.number} {quoted(name(offer, offer.poster))}: {sides}{to}{held}")


def offers_card(view: TableView) -> Card | None:
    """Return a list of the offers that are not over, the most interesting first; None when there are none."""
    offers = [view.offers[number] for number in view.by_interest if view.offers[number].live]
    if not offers:
        return None
    lines = truncate_lines([escape(offer_line(view, offer)) for offer in offers], TEXT_MAX)
    theirs = [offer for offer in offers if view.seat and (offer.to is None or offer.role is not None)]
    rows: Rows = (browse_select(view, theirs),) if theirs else ()
    return Card("open", (f"**{len(offers)} standing**", "\n".join(lines)), rows)


def browse_select(view: TableView, offers: list[OfferView]) -> Select:
    """Return a select of the first of these offers, to open one."""
    options = tuple((offer_line(view, offer), str(offer.number)) for offer in offers[:SELECT_MAX])
    return Select("Look at an offer", BrowseOffers(view.id), options)
