"""What autocomplete suggests of cards: what a seat could give, or every card there is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.api import COUNT_MAX, Goods, SeatView, Suggestion, TableSettings, TableView, kind_of
from bot.games.advciv.cards import TRADE_CARDS, UNNAMED, box, card_of, in_order, token_of, tradable
from bot.games.advciv.trade import NAME_CALAMITIES
from data.advciv import commodities


def suggest(seat: SeatView, beside: Goods) -> Sequence[Suggestion]:
    """Suggest what a seat could give beside what is written already: its cards by name, or not named.

    Of a hand that is not in the view, any commodity.
    """
    if seat.hidden is None:
        named = [_card(token, count, 1, seat.settings) for token, count in _left(_commodities(), beside).items()]
        return [*named, *_unnamed(COUNT_MAX)]
    hand = tradable(seat.known)
    left = _left(hand, beside)
    named = [_card(token, left[token], left[token], seat.settings) for token in in_order(left)]
    return [*named, *_unnamed(hand.total() - beside.total())]


def every(view: TableView) -> Sequence[Suggestion]:
    """Suggest every card that a hand could hold."""
    return [_card(token, box()[token], 1, view.settings) for token in in_order(box())]


def spends(token: str) -> bool:
    """Return whether this can be turned in [31.1]; calamities stay until they are shown [29.3]."""
    return kind_of(token) == "commodity"


def _commodities() -> Goods:
    return Goods({token_of(card): card.count for card in commodities().values()})


def _left(cards: Goods, beside: Goods) -> Goods:
    written = beside.of_kind(*TRADE_CARDS)
    return written.common(cards).missing(cards)


def _card(token: str, most: int, usual: int, settings: TableSettings) -> Suggestion:
    """Suggest a card by its name; that of a calamity may stand in an offer only where the host allows it [28.3]."""
    card = card_of(token)
    if kind_of(token) == "calamity":
        named = settings.options.get(NAME_CALAMITIES.name) == "yes"
        return Suggestion(token, card.name.lower(), also=card.aliases, offered=named)
    return Suggestion(token, card.name.lower(), card.name.lower(), most, usual, card.aliases)


def _unnamed(most: int) -> Iterator[Suggestion]:
    """Suggest cards that are not named, and to whoever types so far, what they are said to be."""
    if most > 0:
        yield Suggestion(UNNAMED, "?", "?", most, 1, ("unnamed", "any card", "hidden"))
        for card in commodities().values():
            said = f"? ({card.name.lower()})"
            yield Suggestion(f"claim:{card.id}", said, said, most, 1, uncommon=True)
