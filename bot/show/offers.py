"""Offers as people see them: cards, single lines, and lists.

`offer_card` draws every card of an offer, for the viewer of its view. A single reader is called *you* and gets their
own buttons; a channel gets names, and the buttons for everybody. The view does the redaction: a card from a view with
several readers shows only what all of them may know.
"""

from __future__ import annotations

from dataclasses import replace

from bot.rules.model.actions import OfferAction
from bot.rules.model.markup import quoted
from bot.rules.views import OfferView, TableView
from bot.show.actions import BrowseOffers
from bot.show.balances import balances_text
from bot.show.cards import SELECT_MAX, Button, Card, Mood, Rows, Select
from bot.show.goods import goods_text
from bot.show.hand_over import hands_over, sealed_with_poster
from bot.show.hand_over_card import accepted_card, hand_over_card
from bot.show.names import escape, format_text, game_of, name, plain_text, who
from bot.show.offer_buttons import more_rows, offer_rows, own_rows
from bot.show.offer_sides import moved, reads_alone, sides, title
from bot.show.offer_status import status_text
from bot.show.terms import terms_quote, terms_text
from bot.show.truncation import TEXT_MAX, truncate_lines

# ---------------------------------------------------------------- cards


def offer_card(view: TableView, offer: OfferView, *, now: bool = False) -> Card:
    """Return an offer as a card: who gives what for what, its state, and the viewer's buttons.

    ``now``: also whether it is possible now, and what it would change in the viewer's goods. Use it only in a reply; in
    a message that stays, the next turn or trade would make it untrue.
    """
    if offer.own.hand_over is not None:
        return hand_over_card(view, offer)
    state = "" if offer.status == "resolved" else status_text(view, offer, now=now)
    blocks = tuple(filter(None, (_offered(view, offer, now=now), state)))
    return Card(_mood(offer, now=now), blocks, offer_rows(view, offer, now=now))


def more_card(view: TableView, offer: OfferView) -> Card:
    """Return the card of **More…**: the offer with everything that the presser can do about it."""
    card = offer_card(view, offer, now=True)
    return replace(card, rows=(*(card.rows if offer.role and offer.live else ()), *more_rows(offer)))


def private_part(view: TableView, offer: OfferView) -> Card | None:
    """Return what the viewer alone reads beside the public card of their offer; None if there is nothing.

    It says what they could hand over, what the trade would mean for them, and why it is not possible now.
    """
    if offer.own.hand_over is not None:
        return hand_over_card(view, offer)
    lines = _for_viewer_only(view, offer)
    if (offer.ruling.why_not is not None or offer.ruling.overruled) and not offer.asks_only:
        lines.append(status_text(view, offer, now=True))
    # If all trade with all, offers change and end often, so their poster has those buttons at hand.
    rows = own_rows(offer) if view.pairwise else offer_rows(view, offer, now=True)
    if not lines and not rows:
        return None
    return Card(_mood(offer, now=True), (*lines, f"-# Offer {offer.number} · only you see this"), rows)


def private_offer_card(view: TableView, offer: OfferView) -> Card:
    """Return the card in place of an undelivered DM about a private offer."""
    button = Button("Show me", OfferAction(offer.table, offer.number, offer.revision, "show"), "primary")
    return Card("waiting", ("There is something private for you.", f"-# {escape(view.name)}"), ((button,),))


def missed_card(view: TableView, offer: OfferView) -> Card:
    """Return the news for a taker of an offer to all that its poster picked somebody else."""
    free = " Anything you handed over for it is free again." if hands_over(view) else ""
    text = f"Offer {offer.number} went to {who(offer, offer.to or '')}.{free}"
    return Card("over", (f"{text} Thank you for your answer.", f"-# {escape(view.name)}"))


def confirm_card(view: TableView, offer: OfferView) -> Card:
    """Return the question to confirm an offer. It stays for a turn, so it does not count the reader's goods."""
    return offer_card(view, replace(offer, own=replace(offer.own, balances=())), now=True)


def confirmed_card(view: TableView, offer: OfferView) -> Card:
    """Return what replaces the question to confirm: the offer was confirmed, is over, or can't be confirmed now."""
    card = offer_card(view, offer)
    if not offer.live:
        return card
    waiting = offer.role is not None and view.seat in offer.progress.confirmed
    text = "You have confirmed it." if waiting else "⏳ Not now: the time for it has passed. I ask again when it comes."
    return Card("waiting", (_offered(view, offer, now=False), text))


def taken_card(view: TableView, offer: OfferView, accepted: str) -> Card:
    """Return the reply to accepting an offer to all, from which the seat can hand over at once."""
    return accepted_card(view, offer, accepted)


# ---------------------------------------------------------------- parts of a card


def _offered(view: TableView, offer: OfferView, *, now: bool) -> str:
    """Return everything but the offer's state."""
    head = f"-# {title(view, offer)}"
    if offer.status == "resolved":
        done = status_text(view, offer, now=now)
        return "\n".join(filter(None, (head, done, moved(view, offer), terms_quote(offer))))
    if not offer.live:
        return f"-# ~~{title(view, offer)}: {_in_words(view, offer)}~~"
    balances = balances_text(view, offer.own.balances) if now and reads_alone(view, offer) else ""
    lines = [head, *sides(view, offer), balances, terms_text(view, offer), *_for_viewer_only(view, offer)]
    return "\n".join(filter(None, lines))


def _in_words(view: TableView, offer: OfferView) -> str:
    """Return what was offered for what, in plain text: the offer is over."""
    give, want = (game_of(view).goods.describe_short(goods) for goods in (offer.sides.give, offer.sides.want))
    words = plain_text(view, want if offer.asks_only else f"{give} for {want}")
    return escape(words if len(words) <= OVER_MAX else f"{words[: OVER_MAX - 1]}…")


OVER_MAX = 160
"""The most characters of an offer that came to nothing."""


def _for_viewer_only(view: TableView, offer: OfferView) -> list[str]:
    """Return what the viewer has handed over, what the trade would mean for them, and what they must choose."""
    lines = []
    if offer.own.handed is not None:
        handed = goods_text(view, offer.own.handed)
        lines.append(f"🔒 You have handed over {handed}. It moves when the other's part is there too.")
    if offer.role == "poster" and offer.live and offer.progress.sealed_takers:
        lines.append(sealed_with_poster(offer))
    lines += [format_text(view, line) for line in offer.own.advice]
    return ["\n".join(lines)] if lines else []


def _mood(offer: OfferView, *, now: bool) -> Mood:
    if offer.status == "resolved":
        return "done"
    if offer.status == "suspended" or (now and offer.status == "open" and offer.ruling.why_not):
        return "waiting"
    return "open" if offer.status == "open" else "over"


# ---------------------------------------------------------------- lines


def offer_line(view: TableView, offer: OfferView) -> str:
    """Return an offer in one line of plain text: ``#3 alice: 3 tg for 2 commodities (to bob)``."""
    to_all = " (to all)" if view.pairwise else ""
    to = f" (to {quoted(name(offer, offer.to))})" if offer.to else to_all
    give, want = (game_of(view).goods.describe_short(goods) for goods in (offer.sides.give, offer.sides.want))
    words = f"asks for {want}" if offer.asks_only else f"{give} for {want}"
    held = " (suspended)" if offer.status == "suspended" else ""
    return plain_text(view, f"#{offer.number} {quoted(name(offer, offer.poster))}: {words}{to}{held}")


def offers_card(view: TableView) -> Card | None:
    """Return a list of the offers that are not over, the most interesting first; None if there are none."""
    offers = [view.offers[number] for number in view.by_interest if view.offers[number].live]
    if not offers:
        return None
    lines = truncate_lines([escape(offer_line(view, offer)) for offer in offers], TEXT_MAX)
    theirs = [offer for offer in offers if view.seat and (offer.to is None or offer.role is not None)]
    rows: Rows = (browse_select(view, theirs),) if theirs else ()
    return Card("open", (f"**{len(offers)} standing**", "\n".join(lines)), rows)


def browse_select(view: TableView, offers: list[OfferView]) -> Select:
    """Return a select of the first of these offers."""
    options = tuple((offer_line(view, offer), str(offer.number)) for offer in offers[:SELECT_MAX])
    return Select("Look at an offer", BrowseOffers(view.id), options)
