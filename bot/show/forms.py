"""Forms: what a person fills in instead of typing a command, as plain values. `bot.delivery.render` draws them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bot.rules.model.actions import Action
from bot.rules.model.goods import NOTHING, Goods
from bot.rules.views import SeatView, TableView
from bot.show.cards import SELECT_MAX
from bot.show.hand_over import CardOption
from bot.show.names import game_of, name, plain_text, seat_name

OPTION_MAX, HINT_MAX = 100, 100
"""Discord's limits for the label of an option and for a placeholder, in characters."""

TITLE_MAX = 45
"""Discord's limit for the title of a form, in characters."""

FIELDS_MAX = 5
"""Discord's limit for the fields of a form."""

TERMS_MAX = 300
"""The rules' limit for terms, in characters."""


@dataclass(frozen=True)
class Text:
    """A line to type. ``hint`` is its placeholder, ``max_length`` is in characters."""

    id: str
    label: str
    value: str = ""
    hint: str = ""
    max_length: int = 400


@dataclass(frozen=True)
class Pick:
    """A list from which any number may be picked."""

    id: str
    label: str
    options: tuple[CardOption, ...]


@dataclass(frozen=True)
class Form:
    """Up to five fields under a title, and the action of submitting them."""

    title: str
    action: Action
    fields: tuple[Text | Pick, ...]


def offer_form(
    view: TableView,
    title: str,
    action: Action,
    *,
    other: str | None,
    give: Goods,
    want: Goods,
    terms: str,
    terms_now: str = "",
) -> Form:
    """Return the form of an offer by the viewer: amounts to type, cards to pick from what each side has, and terms.

    Where there is no room for all of it, the other side's cards are typed with what else is wanted.
    """
    mine, theirs = view.seats[view.seat or ""], view.seats[other] if other else None
    gives = _side(view, Side("give", "You give", "Also from you", _hint(view, mine, "You have")), mine, give)
    asked = Side("want", "You want", "Also from them", _their_hint(view, theirs))
    wants, words = _side(view, asked, theirs, want), _terms(view, terms, terms_now)
    if len(gives) + len(wants) + len(words) > FIELDS_MAX:
        wants = [Text("want", asked.label, _written(view, want), asked.hint)]
    return Form(title, action, (*gives, *wants, *words))


def _terms(view: TableView, terms: str, terms_now: str) -> list[Text]:
    """Return the fields for the terms: where words can bind, one more for those that are done at once."""
    info = game_of(view).info
    if not info.agreements.deals_bind:
        return [Text("terms", "Terms, in your own words", terms, info.agreements.terms_hint, TERMS_MAX)]
    cite = info.cite
    now = f"Binds{cite('binding')}; an action card's result never does{cite('card')}"
    return [
        Text("terms_now", "Done now, with the trade", terms_now, now, TERMS_MAX),
        Text("terms", "Terms, in your own words", terms, f"For later: a promise{cite('later')}", TERMS_MAX),
    ]


def offer_title(view: TableView, other: str | None) -> str:
    """Return the title of the form of a new offer: to whom it goes, by the seat if the name takes too much room."""
    if other is None:
        return "An offer to everybody"
    title = f"An offer to {name(view, other)}"
    return title if len(title) <= TITLE_MAX else f"An offer to {seat_name(view, other)}"


@dataclass(frozen=True)
class Side:
    """The fields of one side of an offer: their id, the labels for amounts and for cards, and a hint."""

    id: str
    label: str
    also: str
    hint: str


def _side(view: TableView, side: Side, seat: SeatView | None, goods: Goods) -> list[Text | Pick]:
    """Return the fields of one side: a line for what is counted, and a list of its cards."""
    cards = game_of(view).goods.cards(seat) if seat else NOTHING
    picked = cards.common(goods)
    fields: list[Text | Pick] = [Text(side.id, side.label, _written(view, goods - picked), side.hint)]
    if options := _options(view, cards, picked):
        fields.append(Pick(f"{side.id}_also", side.also, options[:SELECT_MAX]))
    return fields


def _written(view: TableView, goods: Goods) -> str:
    """Return goods as people may type them; empty for none."""
    return plain_text(view, game_of(view).goods.describe(goods)) if goods else ""


def _options(view: TableView, cards: Goods, picked: Goods) -> tuple[CardOption, ...]:
    describe = game_of(view).goods.describe
    return tuple(
        (plain_text(view, describe(Goods({token: 1})))[:OPTION_MAX], f"{token}#{copy}", copy <= picked.count(token))
        for token in cards
        for copy in range(1, cards[token] + 1)
    )


def _their_hint(view: TableView, seat: SeatView | None) -> str:
    """Return what the other side has, or an example where hands are hidden."""
    return _hint(view, None if game_of(view).exchange else seat, "They have")


def _hint(view: TableView, seat: SeatView | None, whose: str) -> str:
    """Return what a seat has except its cards, as far as the viewer may know; without a seat, an example."""
    if seat is None:
        return f"For example: {game_of(view).info.example}"[:HINT_MAX]
    has = seat.open if seat.exchangeable is None else seat.exchangeable
    typed = game_of(view).goods.cards(seat).missing(has)
    return plain_text(view, f"{whose}: {game_of(view).goods.describe(typed)}")[:HINT_MAX]


def picks(ids: tuple[str, ...], label: str, options: Sequence[CardOption]) -> tuple[Pick, ...]:
    """Return these options in as many fields as Discord's limit of options requires."""
    chunks = [options[first : first + SELECT_MAX] for first in range(0, len(options), SELECT_MAX)]
    labels = (label, *(f"{label} ({number})" for number in range(2, len(chunks) + 1)))
    return tuple(Pick(id, label, tuple(chunk)) for id, label, chunk in zip(ids, labels, chunks, strict=False))


def picked_goods(values: Iterable[str]) -> Goods:
    """Return the goods that were picked, from the values of their options: ``token#copy``."""
    return Goods.of(value.rpartition("#")[0] for value in values)
