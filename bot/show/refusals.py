"""Refusals: why a command was refused, with buttons for the alternatives."""

from __future__ import annotations

from bot.rules.model.actions import LabelledAction, OfferAction
from bot.rules.model.markup import convert
from bot.rules.model.people import Names
from bot.rules.model.violation import Refused
from bot.show.cards import Button, Card
from bot.show.names import escape, format_text


def refusal_text(refused: Refused, names: Names | None) -> str:
    """Return a refusal in one line. Without names, as outside a table, its markup stays."""
    sentence = refused.violation.sentence()
    return f"🚫 {format_text(names, sentence) if names else convert(sentence, str, escape)}"


def refusal_card(refused: Refused, names: Names | None, shown: Card | None = None) -> Card:
    """Return a refusal with its options as buttons; with ``shown``, above that card."""
    text = refusal_text(refused, names)
    if shown is not None:
        return Card(shown.mood, (text, *shown.blocks), shown.rows, shown.picture)
    row = tuple(_button(option) for option in refused.options)
    return Card("waiting", (text,), (row,) if row else ())


def _button(option: LabelledAction) -> Button:
    """Return the button of an option. Agreeing for later is less prominent than a remedy."""
    later = isinstance(option.action, OfferAction) and option.action.what == "agree"
    return Button(option.label, option.action, "secondary" if later else "primary")
