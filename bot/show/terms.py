"""The terms of an offer as people read them: which words bind with the exchange, and which are a promise.

In a game in which words never bind there is only the promise, and nothing is said of binding.
"""

from __future__ import annotations

from bot.rules.model.markup import quoted
from bot.rules.offers.entries import Sides
from bot.rules.views import OfferView, TableView
from bot.show.names import escape, game_of


def terms_text(view: TableView, offer: OfferView) -> str:
    """Return the terms for a card, each half with whether it binds and by which rule; empty for none."""
    halves = []
    if offer.terms_now:
        halves.append(f"> {escape(offer.terms_now)}\n-# {_of_now(view, offer)}")
    if offer.terms:
        halves.append(f"> {escape(offer.terms)}\n-# {_of_later(view, offer)}")
    return "\n".join(halves)


def _of_now(view: TableView, offer: OfferView) -> str:
    cite = game_of(view).info.cite
    if offer.terms_card:
        return f"Now, but not binding: an action card's result can't be promised{cite('card')}."
    return f"Now, with the trade: this binds, and must be kept{cite('binding')}."


def _of_later(view: TableView, offer: OfferView) -> str:
    info = game_of(view).info
    if not info.agreements.deals_bind:
        return info.agreements.terms
    if offer.terms_card:
        return f"Later, and resting on an action card's result: it binds nobody{info.cite('card')}."
    if offer.terms_now:
        return f"Later: a promise, which binds nobody{info.cite('later')}."
    return f"The trade binds; these words are a promise [{info.rule_number('later')}]."


def terms_line(terms: str | None, terms_now: str | None) -> str:
    """Return the terms for a small card, where there is no room to say which of them bind; empty for none."""
    return "".join(f"\n> {escape(words)}" for words in (terms_now, terms) if words)


def terms_sentence(sides: Sides) -> str:
    """Return the terms for a sentence, as markup; empty for none."""
    if not sides.terms_now:
        return f" Terms: “{quoted(sides.terms)}”" if sides.terms else ""
    rests = ", resting on an action card" if sides.terms_card else ""
    later = f" Later: “{quoted(sides.terms)}”" if sides.terms else ""
    return f" Terms for now{rests}: “{quoted(sides.terms_now)}”{later}"
