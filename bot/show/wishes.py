"""Wishes: offers to everybody whose poster says what they want and leaves open what they give.

The card that everybody reads has likely prices, each answered with one tap. An answer is an offer
to the poster, of which nobody else learns. The poster reads all of them on one card, the best
first, each with what it does to their goods.
"""

from __future__ import annotations

from collections.abc import Iterator

from bot.rules.model.actions import OfferAction
from bot.rules.model.goods import NOTHING, Goods
from bot.rules.views import OfferView, TableView
from bot.show.actions import press
from bot.show.cards import LABEL_MAX, Button, Rows, clipped, plural, rows_of
from bot.show.drafts import OfferDraft, label_goods, press_of
from bot.show.goods import balances_text, short_goods_text
from bot.show.names import escaped, format_text, game_of, name
from bot.show.offer_sides import gives_text, reads_alone, wants_text

PRICES = 3
"""The most prices on a wish's card."""

ANSWERS = 5
"""The most answers on the poster's card; a button shows the others."""

ANOTHER_PRICE = "Another price…"

WISH = "🔎 A wish: tap what you want for it. Only {poster} reads your answer."


def is_wish(offer: OfferView) -> bool:
    """Return whether an offer is a wish that still stands."""
    return offer.asks_only and offer.to is None and offer.status == "open"


def lists_answers(view: TableView, offer: OfferView) -> bool:
    """Return whether the card of a wish is its poster's own, which lists the answers."""
    return is_wish(offer) and offer.role == "poster" and reads_alone(view, offer)


# ---------------------------------------------------------------- the card for everybody


def price_buttons(view: TableView, wish: OfferView) -> list[Button]:
    """Return a button for each likely price of a wish, which answers it with that."""
    buttons = []
    for price in _prices(view, wish):
        draft = OfferDraft(
            wish.poster,
            give=wish.sides.want,
            want=price,
            answers=wish.number,
            revision=wish.revision,
        )
        if draft.fits:
            label = clipped(f"For {label_goods(view, price)}", LABEL_MAX)
            buttons.append(Button(label, press_of(view, draft, "post"), "primary"))
    return buttons[:PRICES]


def _prices(view: TableView, wish: OfferView) -> list[Goods]:
    """Return the likely prices of a wish, by what lies open before its poster: what the game says,
    then as many of another kind as they want, one fewer, and one more.
    """
    poster = view.seats.get(wish.poster)
    if poster is None or not view.tracked:
        return []
    want, held = wish.sides.want, poster.open
    counted = [token for token in held if ":" not in token and token not in want]
    counted.sort(key=lambda token: -held.count(token))
    prices = list(game_of(view).prices(want))
    for more in (0, -1, 1):
        for token in counted:
            prices.append(Goods({token: max(1, want.total() + more)}))
    payable = [price for price in prices if not held.missing(price)]
    return list(dict.fromkeys(payable))


# ---------------------------------------------------------------- the poster's own card


def answers(view: TableView, wish: OfferView) -> list[OfferView]:
    """Return the answers to the viewer's wish, the best for them first."""
    offers = [view.offers[number] for number in wish.links.counters if number in view.offers]
    return sorted(offers, key=lambda answer: -_gain(view, answer))


def listed_in(view: TableView, answer: OfferView) -> OfferView | None:
    """Return the viewer's wish whose card lists this answer; None if there is none."""
    if not answer.links.of_many:
        return None
    for wish in view.offers.values():
        if is_wish(wish) and wish.role == "poster" and answer.number in wish.links.counters:
            return wish
    return None


def _gain(view: TableView, answer: OfferView) -> int:
    """Return how much more the viewer's goods would be worth, as far as the answer names them."""
    game, gives, gets = game_of(view), answer.sides.want, answer.sides.give
    if answer.role == "poster":
        gives, gets = gets, gives
    if game.exchange is not None:
        gives, gets = game.exchange.named(gives), game.exchange.named(gets)
    known = view.seats[view.seat].known if view.seat else NOTHING
    now = known + known.missing(gives)
    return game.worth(now - gives + gets) - game.worth(now)


def answer_lines(view: TableView, wish: OfferView) -> list[str]:
    """Return the answers to the viewer's wish: what each gives for what, and what it changes."""
    offers = answers(view, wish)
    lines = []
    for answer in offers[:ANSWERS]:
        who = escaped(answer, answer.poster)
        gives = gives_text(answer, short_goods_text(view, answer.sides.give))
        wants = wants_text(answer, short_goods_text(view, answer.sides.want))
        said = f"↪️ {who} gives {gives} for {wants}"
        if answer.progress.agreed_by_both:
            said += " · 🤝 agreed"
        lines.append(said)
        lines.append(balances_text(view, answer.own.balances))
        lines += [format_text(view, line) for line in answer.own.advice]
    if len(offers) > ANSWERS:
        lines.append(f"-# and {plural(len(offers) - ANSWERS, 'more answer')}")
    return [line for line in lines if line]


def answer_rows(view: TableView, wish: OfferView, *, now: bool) -> Rows:
    """Return **Take it** for each answer, and the way to counter or decline one, which a reply,
    ``now``, has a menu for.
    """
    offers = answers(view, wish)
    takes = list(_takes(view, offers[:ANSWERS]))
    if offers and not now:
        look = OfferAction(view.id, wish.number, wish.revision, "show")
        takes.append(Button("Counter or decline…", look))
    return rows_of(takes)


def _takes(view: TableView, offers: list[OfferView]) -> Iterator[Button]:
    for answer in offers:
        if answer.role != "addressed" or answer.progress.agreed_by_both or answer.opens:
            continue
        label = "Take it"
        if len(offers) > 1:
            price = label_goods(view, answer.sides.want)
            label = clipped(f"Take it: {price} to {name(view, answer.poster)}", LABEL_MAX)
        yield Button(label, press(answer, "accept"), "primary")
