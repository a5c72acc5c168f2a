"""Forms that people fill in instead of typing a command, as plain values. `bot.delivery.render`
draws them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot.rules.model.actions import Action
from bot.rules.model.deals import ends
from bot.rules.model.goods import NOTHING, Goods
from bot.rules.model.offer import Sides
from bot.rules.model.text import TYPED_MAX, longest, quoted
from bot.rules.model.values import frozen
from bot.rules.model.violation import Refused
from bot.rules.views import SeatView, TableView
from bot.show.actions import DealForm, TermsKind
from bot.show.cards import SELECT_MAX, clipped
from bot.show.names import game_of, name, plain_text, seat_name
from bot.show.picker import CardOption, card_options, in_parts, picked_goods

HINT_MAX = 100
"""Discord's limit on a field's description, in characters."""

TITLE_MAX = 45
"""Discord's limit on a form's title, in characters."""

FIELDS_MAX = 5
"""Discord's limit on a form's fields."""

TERMS_MAX = 300
"""The rules' limit on terms, in characters."""

TERMS = "Terms, in your own words"
PICKED = "Pick as many as you like, or none"


@frozen
class Text:
    """A text to type, ``long``: in several lines. ``hint`` is the placeholder; ``description``
    stands above.

    ``max_length`` is in characters.

    >>> Text("goods", "What you sell", hint="2 silk").max_length
    400
    """

    id: str
    label: str
    value: str = ""
    hint: str = ""
    max_length: int = TYPED_MAX
    description: str = ""
    long: bool = False


@frozen
class MultiSelect:
    """A list to pick any number of options from.

    >>> MultiSelect("cards", "Which cards", (("Silk", "silk#1", False),)).id
    'cards'
    """

    id: str
    label: str
    options: tuple[CardOption, ...]
    description: str = ""


Option = tuple[str, str, str]
"""A label, a value, and an emoji beside the label or, in a radio button, a small line below it;
empty for none.
"""


@frozen
class Menu:
    """A list to pick one option from, or none.

    >>> Menu("stall", "Your stall", (("Red stall", "red", "🟥"),)).id
    'stall'
    """

    id: str
    label: str
    options: tuple[Option, ...]
    description: str = ""


@frozen
class Radio:
    """Two to ten radio buttons, one of which is chosen. A phone's old app does not show them:
    ``chosen`` is sent then.

    >>> Radio("when", "When?", (("Now", "now", ""), ("Later", "later", "")), "now").chosen
    'now'
    """

    id: str
    label: str
    options: tuple[Option, ...]
    chosen: str
    description: str = ""


@frozen
class Form:
    """Up to five fields under a title, with the action that submits them.

    Raises `Refused` for a list with nothing to pick from, since Discord refuses the whole form
    then. Leave out a list that may be empty.

    >>> Form("Your stall", Press(table.id, SetPhase("market")), (Text("name", "Its name"),)).title
    'Your stall'
    """

    title: str
    action: Action
    fields: tuple[Text | MultiSelect | Menu | Radio, ...]

    def __post_init__(self) -> None:
        for field in self.fields:
            if not isinstance(field, Text) and not field.options:
                nothing = f"There is nothing to pick yet for “{quoted(field.label)}”."
                raise Refused(nothing, "Try again once there is.")


def offer_form(
    view: TableView, title: str, action: Action, other: str | None, sides: Sides
) -> Form:
    """Return the form of an offer by the viewer: amounts to type, terms, and cards to pick from
    each side.

    What is most often needed comes first, since a phone shows about three fields. Holdings stand
    above each field, never in it. If not everything fits, the other side's cards are typed with the
    rest of their goods.
    """
    mine, theirs = view.seats[view.seat or ""], view.seats[other] if other else None
    line = Text("give", "You give", description=_held(view, mine, "You have"))
    gives = _side(view, line, "You also give", mine, sides.give)
    game = game_of(view)
    has = f"For example: {game.info.example}"
    if game.exchange:
        has += ". Just asking? Leave “You give” empty"
    if theirs is not None:
        # an example if hands are hidden
        has = _held(view, None if game.exchange else theirs, "They have")
    line = Text("want", "You get", description=has)
    wants = _side(view, line, "You also get", theirs, sides.want)
    room = FIELDS_MAX - len(gives) - len(wants)
    words = _words(view, sides)
    if len(words) > room:
        wants = [replace(line, value=_written(view, sides.want))]
    fields = (*gives, *wants, *words)
    cards_last = sorted(fields, key=lambda field: isinstance(field, MultiSelect))
    return Form(title, action, tuple(cards_last))


def _words(view: TableView, sides: Sides) -> list[Text | Radio]:
    """Return the field for the terms and, if words can bind, the radio buttons for their kind."""
    info, terms, terms_now = game_of(view).info, sides.terms, sides.terms_now
    if not info.agreements.deals_bind:
        return [
            Text(
                "terms",
                TERMS,
                terms,
                max_length=TERMS_MAX,
                description=info.agreements.terms_hint[:HINT_MAX],
            )
        ]
    binds, later, card = (info.cite(topic) for topic in ("binding", "later", "card"))
    kinds: dict[TermsKind, tuple[str, str]] = {
        "none": ("No words", ""),
        "later": ("A promise", f"For later. It binds nobody{later}"),
        "now": ("Done now, with the trade", f"It binds{binds}"),
        "both": ("Both", "The first line is done now, the rest is a promise"),
        "card": ("An action card's result", f"It never binds{card}"),
    }
    chosen: TermsKind = "later"
    if sides.terms_card:
        chosen = "card"
    elif terms_now:
        chosen = "both" if terms else "now"
    text = "\n".join(filter(None, (terms_now, terms)))
    options = []
    for kind, (label, hint) in kinds.items():
        options.append((label, kind, hint[:HINT_MAX]))
    return [
        Text("terms", TERMS, text, max_length=longest("terms"), long=True),
        Radio("kind", "What are these words?", tuple(options), chosen),
    ]


def deal_form(view: TableView, seat: str) -> Form:
    """Return the form of a deal with a seat. ``until``: what ends, by which it is kept."""
    binds, later, card = (game_of(view).info.cite(topic) for topic in ("binding", "later", "card"))
    kinds: tuple[Option, ...] = (
        ("A promise", "later", f"For later. It binds nobody{later}"[:HINT_MAX]),
        ("All of it is done now", "now", f"It binds{binds}"[:HINT_MAX]),
        ("An action card's result", "card", f"It never binds{card}"[:HINT_MAX]),
    )
    by = tuple((f"This {each}", each, "") for each in ends(view.window))
    fields = (
        Text("terms", "What you two agree on", max_length=TERMS_MAX, long=True),
        Radio("kind", "What are these words?", kinds, "later"),
        Menu("by", "Kept by the end of", by, "Then I ask you both whether it was kept."),
    )
    title = f"A deal with {plain_text(view, f'<=name:{seat}>')}"[:TITLE_MAX]
    return Form(title, DealForm(view.id, seat), fields)


def terms_of(text: str, kind: str) -> tuple[str, str]:
    """Return the terms for later and for now of a submitted form. ``kind`` is empty where no radio
    button was shown.

    Raises `Refused` for words of no kind, and for both where there is one line.
    """
    match kind:
        case "none" if text:
            raise Refused(
                "You wrote words, and chose **No words**.",
                "Choose what they are, or leave them out.",
            )
        case "now":
            return "", text
        case "both":
            now, _, later = (part.strip() for part in text.partition("\n"))
            if not later and text:
                raise Refused(
                    "Both means two lines.",
                    "Write what is done now in the first, the promise below it.",
                )
            return later, now
    return text, ""


def offer_title(view: TableView, other: str | None) -> str:
    """Return the title of the form of a new offer, with the recipient; with their seat if the name
    is too long.
    """
    if other is None:
        return "An offer to everybody"
    title = f"An offer to {name(view, other)}"
    return title if len(title) <= TITLE_MAX else f"An offer to {seat_name(view, other)}"


def _side(
    view: TableView, line: Text, also: str, seat: SeatView | None, goods: Goods
) -> list[Text | MultiSelect]:
    """Return the fields of one side: the line for counted goods, and a list of its cards."""
    cards = game_of(view).goods.cards(seat) if seat else NOTHING
    options = card_options(view, cards, cards.common(goods))
    # What is picked comes first, and what has no line in the menu stays in the text.
    options.sort(key=lambda option: not option[2])
    listed = tuple(options[:SELECT_MAX])
    picked = picked_goods([value for _, value, on in listed if on])
    held = (options and game_of(view).goods.unlisted) or line.description
    fields: list[Text | MultiSelect] = [
        replace(line, value=_written(view, goods - picked), description=held)
    ]
    if listed:
        left = len(options) - len(listed)
        what = f"{PICKED}. {left} more: type them in “{line.label}”" if left else PICKED
        fields.append(MultiSelect(f"{line.id}_also", also, listed, what[:HINT_MAX]))
    return fields


def _written(view: TableView, goods: Goods) -> str:
    """Return goods as people may type them; empty for none."""
    return plain_text(view, game_of(view).goods.describe(goods)) if goods else ""


def _held(view: TableView, seat: SeatView | None, whose: str) -> str:
    """Return what a seat has except its cards, as far as the viewer may know; without a seat, how
    to write goods.
    """
    example = f"For example: {game_of(view).info.example}"
    if seat is None or not view.tracked:
        return example[:HINT_MAX]
    has = seat.open if seat.exchangeable is None else seat.exchangeable
    typed = game_of(view).goods.cards(seat).missing(has)
    held = plain_text(view, f"{whose}: {game_of(view).goods.describe(typed)}.")
    mine = f"{held} {example}"
    if seat.id == view.seat and len(mine) <= HINT_MAX:
        return mine
    return clipped(held, HINT_MAX)


def picks(
    ids: tuple[str, ...], label: str, options: Sequence[CardOption]
) -> tuple[MultiSelect, ...]:
    """Return these options as fields, each within Discord's limit on options; the last says how
    many have no place.

    >>> [field] = picks(("cards",), "Which cards", [("Silk", "silk#1", False)])
    >>> field.label
    'Which cards'
    """
    parts = in_parts(options)
    left = sum(len(part) for part in parts[len(ids) :])
    fields = []
    for number, (id, part) in enumerate(zip(ids, parts, strict=False), start=1):
        heading = label if number == 1 else f"{label} ({number})"
        is_last = left and number == len(ids)
        hint = f"{left} more: send these, then open the form again" if is_last else ""
        fields.append(MultiSelect(id, heading, tuple(part), hint))
    return tuple(fields)
