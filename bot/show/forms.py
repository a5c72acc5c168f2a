"""Forms: what a person fills in instead of typing a command. Plain values; `bot.delivery` draws them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bot.rules.model.actions import Action
from bot.rules.model.goods import NOTHING, Goods
from bot.rules.views import OfferView, SeatView, TableView
from bot.show.actions import HandOverForm
from bot.show.hand_over import HAND_OVER, CardOption, hand_options
from bot.show.names import game_of, plain_text

CHOICES_MOST, OPTION_MOST, HINT_MOST = 25, 100, 100
"""Discord's limits: options of one choice, characters of an option, characters of a hint."""

TERMS_MOST = 300
"""The longest terms that the rules take, in characters."""


@dataclass(frozen=True)
class Text:
    """A line to type."""

    id: str
    label: str
    value: str = ""
    hint: str = ""
    most: int = 400


@dataclass(frozen=True)
class Pick:
    """Any number of a list of (label, value, picked already)."""

    id: str
    label: str
    options: tuple[CardOption, ...]


@dataclass(frozen=True)
class Form:
    """Up to five fields under a title, and the action that sending it stands for."""

    title: str
    action: Action
    fields: tuple[Text | Pick, ...]


def offer_form(
    view: TableView, title: str, action: Action, *, other: str | None, give: Goods, want: Goods, terms: str
) -> Form:
    """Return an offer of the viewer to fill in: amounts to type, cards to pick from what each side has."""
    mine, theirs = view.seats[view.seat or ""], view.seats[other] if other else None
    fields = [
        *_side(view, Side("give", "You give", "Also from you", _hint(view, mine, "You have")), mine, give),
        *_side(view, Side("want", "You want", "Also from them", _their_hint(view, theirs)), theirs, want),
        Text("terms", "Terms, in your own words", terms, "Not binding, unless it is done at once", TERMS_MOST),
    ]
    return Form(title, action, tuple(fields))


@dataclass(frozen=True)
class Side:
    """The words around one side of an offer: the field's id, its label, that of its cards, and a hint."""

    id: str
    label: str
    also: str
    hint: str


def _side(view: TableView, side: Side, seat: SeatView | None, goods: Goods) -> list[Text | Pick]:
    """Return the fields of one side: what is counted is typed, what is a card of its own is picked."""
    cards = game_of(view).goods.cards(seat) if seat else NOTHING
    picked = cards.common(goods)
    typed = goods - picked
    written = plain_text(view, game_of(view).goods.describe(typed)) if typed else ""
    fields: list[Text | Pick] = [Text(side.id, side.label, written, side.hint)]
    if options := _options(view, cards, picked):
        fields.append(Pick(f"{side.id}_also", side.also, options[:CHOICES_MOST]))
    return fields


def _options(view: TableView, cards: Goods, picked: Goods) -> tuple[CardOption, ...]:
    describe = game_of(view).goods.describe
    return tuple(
        (plain_text(view, describe(Goods({token: 1})))[:OPTION_MOST], f"{token}#{copy}", copy <= picked.count(token))
        for token in cards
        for copy in range(1, cards[token] + 1)
    )


def _their_hint(view: TableView, seat: SeatView | None) -> str:
    """Return what the other side has; only an example where hands are hidden."""
    return _hint(view, None if game_of(view).exchange else seat, "They have")


def _hint(view: TableView, seat: SeatView | None, whose: str) -> str:
    """Return what a seat has that is not picked card by card, as far as the viewer may know."""
    if seat is None:
        return f"For example: {game_of(view).info.example}"[:HINT_MOST]
    has = seat.open if seat.exchangeable is None else seat.exchangeable
    typed = game_of(view).goods.cards(seat).missing(has)
    return plain_text(view, f"{whose}: {game_of(view).goods.describe(typed)}")[:HINT_MOST]


def picks(ids: tuple[str, ...], label: str, options: Sequence[CardOption]) -> tuple[Pick, ...]:
    """Return a list to pick from, in as many fields as it takes; Discord allows so many options in each."""
    chunks = [options[first : first + CHOICES_MOST] for first in range(0, len(options), CHOICES_MOST)]
    labels = (label, *(f"{label} ({number})" for number in range(2, len(chunks) + 1)))
    return tuple(Pick(id, label, tuple(chunk)) for id, label, chunk in zip(ids, labels, chunks, strict=False))


def picked_goods(values: Iterable[str]) -> Goods:
    """Return the goods that were picked in a form or a select, from the values of their options."""
    return Goods.of(value.rpartition("#")[0] for value in values)


def hand_form(view: TableView, offer: OfferView) -> Form:
    """Return what the viewer may hand over for an offer, to pick from their hand; what is named is picked already."""
    total = offer.choices.total if offer.choices else 0
    label = f"{HAND_OVER}: {total} card{'' if total == 1 else 's'}"
    fields = picks(HAND_FIELDS, label, hand_options(view, offer))
    action = HandOverForm(offer.table, offer.number, offer.revision)
    return Form(f"{HAND_OVER} for offer #{offer.number}", action, fields)


HAND_FIELDS = ("cards", "more", "rest")
"""The fields of `hand_form`; no hand fills more."""
