"""Handing over: the cards from which a player chooses what to give for an offer, in games with hidden hands."""

from __future__ import annotations

from bot.rules.model.actions import ChooseCards
from bot.rules.model.goods import Goods
from bot.rules.views import HandOverView, OfferView, TableView
from bot.show.cards import SELECT_MAX, Rows, Select
from bot.show.names import Named, format_text, game_of, plain_text

HAND_OVER = "Hand over"
"""The label of the select and of the button."""

CardOption = tuple[str, str, bool]
"""A card to pick: label, value, and whether it is picked already. Values are ``token#copy``, since Discord wants them
to differ within a list.
"""


def hands_over(view: TableView) -> bool:
    """Return whether goods are handed over in a step of their own at this table, which means that hands are secret."""
    return view.tracked and game_of(view).exchange is not None


def hand_rows(view: TableView, offer: OfferView) -> Rows:
    """Return the select with what the viewer may hand over; empty when there are more cards than a select takes."""
    options = hand_options(view, offer)
    if not 1 <= len(options) <= SELECT_MAX:
        return ()
    chosen = tuple(value for _, value, picked in options if picked)
    action = ChooseCards(offer.table, offer.number, offer.revision)
    return (Select(HAND_OVER, action, tuple((label, value) for label, value, _ in options), len(options), chosen),)


def hand_options(view: TableView, offer: OfferView) -> list[CardOption]:
    """Return what the viewer may hand over for an offer, those picked already first."""
    if offer.choices is None:
        return []
    options = card_options(view, offer.choices.hand, offer.choices.chosen)
    return sorted(options, key=lambda option: (not option[2], option[0]))


def card_options(named: Named, cards: Goods, chosen: Goods) -> list[CardOption]:
    """Return an option for each of these cards, and one for each copy of a card."""
    describe = game_of(named).goods.describe_card
    return [
        (plain_text(named, describe(token)), f"{token}#{copy}", copy <= chosen.count(token))
        for token, held in cards.items()
        for copy in range(1, held + 1)
    ]


def what_to_choose(view: TableView, asked: HandOverView) -> str:
    """Return which cards are required, and how many more are free to choose."""
    named = format_text(view, game_of(view).goods.describe(asked.named))
    free = asked.total - asked.named.total()
    rest = f", {'one more is' if free == 1 else f'{free} more are'} up to you" if free else ""
    return f"👉 **Choose {asked.total} cards**: {named}, as named{rest}."
