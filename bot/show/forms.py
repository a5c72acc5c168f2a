"""Forms: what somebody fills in instead of typing a command. Plain values; `bot.paint` draws them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.desk import Look
from bot.rules.deals import TERMS_MOST
from bot.rules.goods import Goods
from bot.rules.offer_state import exchange_of, trade_of
from bot.rules.table import Offer
from bot.show import names
from bot.show.cards import HAND_OVER, hand_options

CHOICES_MOST, LABEL_MOST = 25, 45
"""Discord's limits: options of one choice, characters of a label."""


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
    """Any number out of a list of (label, value, picked already)."""

    id: str
    label: str
    options: tuple[tuple[str, str, bool], ...]


@dataclass(frozen=True)
class Form:
    """Up to five fields under a title. ``action`` is what the router reads when it is sent."""

    title: str
    action: str
    fields: tuple[Text | Pick, ...]


def offer_form(
    look: Look, title: str, action: str, *, seat: str, other: str | None, give: Goods, want: Goods, terms: str
) -> Form:
    """An offer to fill in: amounts to type, cards to pick from what each side has, as far as one knows."""
    fields = [
        *_side(look, "give", "You give", "Also from you", seat, give, own=True),
        *_side(look, "want", "You want", "Also from them", other, want, own=False),
        Text("terms", "Terms, in your own words", terms, "Not binding, unless it is done at once", TERMS_MOST),
    ]
    return Form(title, action, tuple(fields))


def _side(
    look: Look, id: str, label: str, also: str, seat: str | None, goods: Goods, *, own: bool
) -> list[Text | Pick]:
    """One side: what is counted is typed, what is a card of its own is picked."""
    game = names.game_of(look)
    cards = game.cards(look.table, seat, own) if seat else Goods()
    picked = Goods({token: min(count, cards.count(token)) for token, count in goods.items() if token in cards})
    typed = picked.missing(goods)
    has = game.tell_goods(cards.missing(_known(look, seat, own=own))) if seat else ""
    whose = "You have" if own else "They have"
    hidden = game.exchange is not None and not own
    hint = names.plain(look, f"{whose}: {has}" if seat and not hidden else f"For example: {game.example}")[:100]
    fields: list[Text | Pick] = [Text(id, label, names.plain(look, game.tell_goods(typed)) if typed else "", hint)]
    options = tuple(
        (
            names.plain(look, game.tell_goods(Goods({token: 1})))[:100],
            f"{token}#{number}",
            number <= picked.count(token),
        )
        for token in cards
        for number in range(1, cards[token] + 1)
    )
    if options:
        fields.append(Pick(f"{id}_also", also, options[:CHOICES_MOST]))
    return fields


def _known(look: Look, seat: str, *, own: bool) -> Goods:
    """What this seat has, as far as who fills in the form may know: one's own hand, of others what lies open."""
    exchange = exchange_of(look.table)
    if own and exchange is not None:
        return exchange.hand(look.table, seat)
    return names.game_of(look).open_goods(look.table.seats[seat].holdings)


def picks(ids: tuple[str, ...], label: str, options: Sequence[tuple[str, str, bool]]) -> tuple[Pick, ...]:
    """A list to pick from, in as many fields as it takes; Discord allows so many in each."""
    chunks = [options[first : first + CHOICES_MOST] for first in range(0, len(options), CHOICES_MOST)]
    labels = (label, *(f"{label} ({number})" for number in range(2, len(chunks) + 1)))
    return tuple(Pick(id, told, tuple(chunk)) for id, told, chunk in zip(ids, labels, chunks, strict=False))


def hand_form(look: Look, offer: Offer, seat: str) -> Form:
    """What somebody hands over for an offer, to pick out of their hand; what is named is picked already."""
    wanted = trade_of(offer, seat).gives(seat).total()
    label = f"{HAND_OVER}: {wanted} card{'' if wanted == 1 else 's'}"
    fields = picks(HAND_FIELDS, label, hand_options(look, offer, seat))
    action = f"form:{look.table_id}:hand:{offer.number}:{offer.revision}"
    return Form(f"{HAND_OVER} for offer #{offer.number}", action, fields)


HAND_FIELDS = ("cards", "more", "rest")
"""The fields of `hand_form`; no hand fills more."""


def picked_goods(values: list[str]) -> Goods:
    """The goods that were picked in a form, from the options' values."""
    goods = Goods()
    for value in values:
        goods += Goods({value.rpartition("#")[0]: 1})
    return goods
