"""An offer that was typed, as it was probably meant or as its two sides were read, with the button
that posts just that.

A button keeps all that was typed: goods, terms, time and the other side. What a custom_id can't
hold has no button, only its text.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from bot.rules.features.offers.posting import AlterOffer, CounterOffer, PostOffer
from bot.rules.model.actions import LabelledAction
from bot.rules.model.codec import read_goods, read_int, write_goods
from bot.rules.model.goods import NOTHING, Goods
from bot.rules.model.violation import Outdated, Refused
from bot.rules.views import TableView
from bot.show.actions import OfferMeant
from bot.show.cards import Button, Card, drawn
from bot.show.custom_ids import ROOM, encode
from bot.show.goods import goods_text
from bot.show.names import escape, player
from bot.show.said import Said, read_side, understand
from bot.show.stock import vocabulary

Posting = PostOffer | CounterOffer | AlterOffer

FIELD, CARD, STANDS = ".", "c", "s"
"""What ends a field of a button, and its flags: terms that rest on a card, and posted ahead."""

EMPTY = "0"
"""What stands for a side without goods."""

ARROWS = "→>⇄⇆↔"
"""Signs that show which side is given."""


class Typed(NamedTuple):
    """The two sides of an offer as they were typed; None for a side left out."""

    give: str | None
    want: str | None


def meant_button(view: TableView, command: Posting) -> LabelledAction | None:
    """Return the button that posts this; None if a custom_id can't hold it."""
    cleared = isinstance(command, AlterOffer) and (
        command.terms_card is False or "" in (command.terms, command.terms_now)
    )
    if command.handed is not None or cleared:
        return None  # a button has no field for that
    answers = 0 if isinstance(command, PostOffer) else command.offer
    offer = view.offers.get(answers)
    to = command.to if isinstance(command, PostOffer) else None
    person = view.names.holders.get(to) if to else None
    try:
        written = _write(view, command)
        press = OfferMeant(view.id, person or 0, answers, offer.revision if offer else 0, written)
        fits = len(encode(press)) <= ROOM
    except ValueError:
        return None
    if not fits:
        return None
    return LabelledAction("Alter it" if isinstance(command, AlterOffer) else "Offer it", press)


def _write(view: TableView, command: Posting) -> str:
    """Encode what an offer says. Raises ``ValueError`` for what could not be read again."""
    if "\n" in (command.terms_now or ""):
        raise ValueError("a line ends what is for now")
    fields = [_written(view, command.give), _written(view, command.want)]
    talks = command.negotiation if isinstance(command, PostOffer) else None
    lasts = None if isinstance(command, AlterOffer) else command.lasts
    stands = isinstance(command, PostOffer) and command.stands
    flags = f"{CARD if command.terms_card else ''}{STANDS if stands else ''}"
    fields += [str(talks or 0), str(lasts or 0), flags]
    fields.append(f"{command.terms_now or ''}\n{command.terms or ''}".rstrip())
    return FIELD.join(fields)


def _written(view: TableView, goods: Goods | None) -> str:
    if goods is None:
        return ""
    if not vocabulary(view).issuperset(goods):
        raise ValueError(f"{goods} is more than this table's words")
    return write_goods(goods) or EMPTY


def meant_command(view: TableView, press: OfferMeant) -> Posting:
    """Return what a button posts. Raises `Refused` if what it answers has changed since."""
    try:
        gives, wants, talks, lasting, flags, words = press.offer.split(FIELD, 5)
        negotiation, lasts = read_int(talks) or None, read_int(lasting) or None
    except ValueError:
        raise Outdated from None
    give, want = _read(view, gives), _read(view, wants)
    now, _, terms = words.partition("\n")
    card = CARD in flags
    if not press.answers:
        seat = view.names.seat_of(press.to) if press.to else None
        if press.to and seat is None:
            raise Refused("They have left their seat.", "Open **New offer** again.")
        stands = STANDS in flags
        sides = give or NOTHING, want or NOTHING
        return PostOffer(seat, *sides, terms, now, card, lasts, negotiation, stands=stands)
    offer = view.offers.get(press.answers)
    if offer is not None and offer.revision != press.revision:
        altered = f"Offer {offer.number} has been altered since then."
        raise Refused(altered, "Look at the new version.")
    if offer is not None and offer.role == "poster":
        changed = terms or None, now or None, card or None
        return AlterOffer(offer.number, press.revision, give, want, *changed)
    return CounterOffer(press.answers, give, want, terms, now, card, lasts)


def _read(view: TableView, written: str) -> Goods | None:
    if not written:
        return None
    goods = read_goods(written.removeprefix(EMPTY), vocabulary(view))
    if goods is None:
        raise Outdated
    return goods


def both_sides(view: TableView, typed: Typed, other: str | None) -> Said | None:
    """Return both sides of a trade that stand in one field, the other one being empty; None if
    there is one side.
    """
    if (typed.give is None) == (typed.want is None):
        return None
    text = typed.give or typed.want or ""
    giver = other if typed.give is None else view.seat
    try:
        read_side(view, text, giver)
    except Refused:
        pass
    else:
        return None
    wanted = typed.give is None and not any(sign in text for sign in ARROWS)
    for sentence in (f"i want {text}", text) if wanted else (text,):
        said = understand(view, sentence, other)
        if said.refused is None and said.give and said.get and said.to == other:
            return said
    return None


@drawn
def meant_card(view: TableView, command: Posting, other: str | None) -> Card:
    """Return an offer as it was read, with the button that posts it. Raises `Refused` if a button
    can't hold it.
    """
    button = meant_button(view, command)
    if button is None:
        raise Refused(
            "That names both sides of a trade, and is more than a button can hold.",
            "Write what you give in one field, and what you get in the other.",
        )
    to = player(view, other) if other else "everyone"
    give, want = (goods_text(view, side or NOTHING) for side in (command.give, command.want))
    terms = [text for text in (command.terms_now, command.terms) if text]
    blocks = [f"### Offer to {to}", f"You give {give}\nYou get {want}"]
    blocks += [f"> {escape(text)}" for text in terms]
    return Card("open", blocks, ((Button(button.label, button.action, "success"),),))


def with_sides(command: Posting, said: Said) -> Posting:
    """Return what is posted with both sides as they were read."""
    return replace(command, give=said.give, want=said.get)
