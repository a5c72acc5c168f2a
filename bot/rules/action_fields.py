"""What an action may consist of, so that it can be written into a button: whole numbers, texts, yes or no, choices."""

from __future__ import annotations

from dataclasses import fields
from typing import Literal, get_args, get_origin, get_type_hints

from bot.rules.model.actions import Action

SEPARATOR = ":"
"""What stands between the name and the fields of an action where it is written."""


def action_fault(kind: object) -> str:
    """Return why actions of this kind can't be written into a button, as one sentence; empty when they can."""
    if not isinstance(kind, type) or not issubclass(kind, Action):
        return f"{getattr(kind, '__name__', kind)} is no subclass of Action."
    if "__dataclass_fields__" not in vars(kind):  # else its own fields would be missing without a word
        return f"{kind.__name__} is not decorated as a frozen dataclass."
    if not kind.name or SEPARATOR in kind.name:
        return f"{kind.__name__} needs a name without a colon, not “{kind.name}”."
    try:
        hints = get_type_hints(kind)
    except NameError as error:
        return f"{kind.__name__} has a field of an unknown type ({error})."
    wrong = [field.name for field in fields(kind) if not _writable(hints[field.name])]
    return f"{kind.__name__}.{wrong[0]} is neither int, str, bool nor Literal." if wrong else ""


def _writable(hint: object) -> bool:
    """Return whether a field of this type can be written, each value as a text of its own."""
    if get_origin(hint) is not Literal:
        return hint in (int, str, bool)
    texts = [str(value) for value in get_args(hint)]
    return len(set(texts)) == len(texts) and not any(SEPARATOR in text for text in texts)
