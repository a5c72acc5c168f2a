"""An offer's terms as people read them: which words bind with the exchange, and which are a promise.

If words never bind in a game, all terms are a promise, and nothing is said about binding.
"""

from __future__ import annotations

from bot.rules.model.markup import quoted
from bot.rules.model.offers import Sides
from bot.rules.views import OfferView, TableView
from bot.show.names import escape, game_of
from bot.show.truncation import truncate

WAS_MAX = 80
"""The most characters of terms from before an alteration, before escaping."""


def terms_text(view: TableView, offer: OfferView) -> str:
    """Return the terms for a card, each half with whether it binds and by which rule; empty for none.

    For an altered offer, also the terms before.
    """
    before = offer.was
    now = _half(offer.sides.terms_now, before.terms_now if before else None, _of_now(view, offer))
    later = _half(offer.sides.terms, before.terms if before else None, _of_later(view, offer))
    return "\n".join((*now, *later))


def terms_quote(offer: OfferView) -> str:
    """Return the terms of a completed offer, as written; empty for none."""
    return "\n".join(f"> {escape(words)}" for words in (offer.sides.terms_now, offer.sides.terms) if words)


def _half(words: str | None, before: str | None, worth: str) -> list[str]:
    """Return one half of the terms, with its version before if that differs."""
    was = [f"> ~~{escape(truncate(before, WAS_MAX))}~~"] if before and before != words else []
    return [*was, *((f"> {escape(words)}", f"-# {worth}") if words else ())]


def _of_now(view: TableView, offer: OfferView) -> str:
    cite = game_of(view).info.cite
    if offer.sides.terms_card:
        return f"Now, but not binding: an action card's result can't be promised{cite('card')}."
    return f"Now, with the trade: this binds, and must be kept{cite('binding')}."


def _of_later(view: TableView, offer: OfferView) -> str:
    info = game_of(view).info
    if not info.agreements.deals_bind:
        return info.agreements.terms
    if offer.sides.terms_card:
        return f"Later, and resting on an action card's result: it binds nobody{info.cite('card')}."
    if offer.sides.terms_now:
        return f"Later: a promise, which binds nobody{info.cite('later')}."
    return f"The trade binds; these words are a promise [{info.rule_number('later')}]."


def terms_sentence(sides: Sides) -> str:
    """Return the terms for a sentence, as markup; empty for none."""
    if not sides.terms_now:
        return f" Terms: “{quoted(sides.terms)}”" if sides.terms else ""
    rests = ", resting on an action card" if sides.terms_card else ""
    later = f" Later: “{quoted(sides.terms)}”" if sides.terms else ""
    return f" Terms for now{rests}: “{quoted(sides.terms_now)}”{later}"


def irrevocable_text(view: TableView) -> str:
    """Return that a trade can't be undone; empty if the table lets two players take one back."""
    game = game_of(view)
    return "" if game.commands.can_take_back(view.settings) else f"It can't be undone{game.info.cite('irrevocable')}."
