"""Handing over: what a seat chooses from when it hands over its part of an offer, card by card."""

from __future__ import annotations

from bot.rules.model.actions import ChooseCards
from bot.rules.model.goods import Goods
from bot.rules.views import HandOverView, OfferView, TableView
from bot.show.cards import SELECT_MOST, Rows, Select
from bot.show.names import Named, format_text, game_of, plain_text

HAND_OVER = "Hand over"
"""The name of the choice, and of the button for it."""

CardOption = tuple[str, str, bool]
"""A card to pick: its label, its value, and whether it is picked already. The value tells copies of a card apart."""


def hand_rows(view: TableView, offer: OfferView) -> Rows:
    """Return the select with what the viewer may hand over; none if it is more than one select takes."""
    options = hand_options(view, offer)
    if not 1 <= len(options) <= SELECT_MOST:
        return ()
    chosen = tuple(value for _, value, picked in options if picked)
    action = ChooseCards(offer.table, offer.number, offer.revision)
    return (Select(HAND_OVER, action, tuple((label, value) for label, value, _ in options), len(options), chosen),)


def hand_options(view: TableView, offer: OfferView) -> list[CardOption]:
    """Return what the viewer may hand over for an offer, the cards that are picked already first."""
    if offer.choices is None:
        return []
    options = card_options(view, offer.choices.hand, offer.choices.chosen)
    return sorted(options, key=lambda option: (not option[2], option[0]))


def card_options(named: Named, cards: Goods, chosen: Goods) -> list[CardOption]:
    """Return each of these cards to pick, every copy of its own."""
    describe = game_of(named).goods.describe_card
    return [
        (plain_text(named, describe(token)), f"{token}#{copy}", copy <= chosen.count(token))
        for token, held in cards.items()
        for copy in range(1, held + 1)
    ]


def what_to_choose(view: TableView, asked: HandOverView) -> str:
    """Return what must be among the cards, and how many more are free to choose."""
    named = format_text(view, game_of(view).goods.describe(asked.named))
    free = asked.total - asked.named.total()
    rest = f", {'one more is' if free == 1 else f'{free} more are'} up to you" if free else ""
    return f"👉 **Choose {asked.total} cards**: {named}, as named{rest}."
