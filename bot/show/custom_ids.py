"""Custom ids: encode actions for Discord's buttons, selects and forms, and decode them.

An action is written as its name and its fields in order, separated by colons: ``offer:1:12:3:accept``. Buttons work
after a restart, since nothing about them is kept in memory. This is the only encoder and the only decoder.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from functools import cache
from typing import Any, Literal, NamedTuple, get_args, get_origin, get_type_hints

from bot.rules.model.actions import Action
from bot.rules.registry import actions
from bot.show.actions import PRESENTATION_ACTIONS

LENGTH_MAX = 100
"""Discord's limit for a custom_id, in characters."""

SEPARATOR = ":"


class Field(NamedTuple):
    """How one field of an action is written and read. Both functions raise ``ValueError``."""

    name: str
    write: Callable[[Any], str]
    read: Callable[[str], Any]


class Kind(NamedTuple):
    """A kind of action with its fields in order."""

    type: type[Action]
    fields: tuple[Field, ...]


def encode(action: Action) -> str:
    """Return the action as a custom_id.

    Raises ``ValueError`` for an action that `decode` would not know, a string that holds a colon, or a result of more
    than 100 characters.
    """
    kind = kinds().get(action.name)
    if kind is None or kind.type is not type(action):
        raise ValueError(f"{type(action).__name__} is not a registered action")
    texts = (field.write(getattr(action, field.name)) for field in kind.fields)
    custom_id = SEPARATOR.join((action.name, *texts))
    if len(custom_id) > LENGTH_MAX:
        raise ValueError(f"{custom_id} has more than {LENGTH_MAX} characters")
    return custom_id


def decode(custom_id: str) -> Action | None:
    """Return the action of a custom_id; None for one that an older version wrote and this one does not know."""
    name, *texts = custom_id.split(SEPARATOR)
    kind = kinds().get(name)
    if kind is None or len(texts) != len(kind.fields):
        return None
    try:
        return kind.type(**{field.name: field.read(text) for field, text in zip(kind.fields, texts, strict=True)})
    except ValueError:
        return None


@cache
def kinds() -> Mapping[str, Kind]:
    """Return every kind of action by name: those of the core, the installed games and presentation."""
    return index((*actions(), *PRESENTATION_ACTIONS))


def index(types: Iterable[type[Action]]) -> Mapping[str, Kind]:
    """Return these kinds of action by name.

    Raises ``ValueError`` when one has no name or a colon in it, two have the same, or a field can't be written.
    """
    found: dict[str, Kind] = {}
    for each in types:
        if not each.name or SEPARATOR in each.name:
            raise ValueError(f"{each.__name__} needs a name without a colon, not {each.name!r}")
        if each.name in found:
            raise ValueError(f"{each.__name__} and {found[each.name].type.__name__} are both named {each.name}")
        hints = get_type_hints(each)
        found[each.name] = Kind(each, tuple(_field(field.name, hints[field.name]) for field in fields(each)))
    return found


def _field(name: str, hint: object) -> Field:
    if get_origin(hint) is Literal:
        return _literal(name, get_args(hint))
    if hint is bool:
        return _literal(name, (False, True), ("0", "1"))
    if hint is int:
        return Field(name, str, _read_int)
    if hint is str:
        return Field(name, _write_str, str)
    raise ValueError(f"{name} is neither int, str, bool nor Literal")


def _literal(name: str, values: tuple[Any, ...], texts: tuple[str, ...] = ()) -> Field:
    """Return the field for a choice of values, written as these texts, or as the values themselves."""
    texts = texts or tuple(_write_str(str(value)) for value in values)
    written, read = dict(zip(values, texts, strict=True)), dict(zip(texts, values, strict=True))
    return Field(name, lambda value: _chosen(written, value), lambda text: _chosen(read, text))


def _chosen(choices: Mapping[Any, Any], key: Any) -> Any:
    if key not in choices:
        raise ValueError(f"{key!r} is none of {', '.join(map(repr, choices))}")
    return choices[key]


def _read_int(text: str) -> int:
    # `int` alone would also take "1_000", " 7" and digits of other scripts, which `encode` never writes.
    if not re.fullmatch(r"0|-?[1-9][0-9]*", text):
        raise ValueError(f"{text!r} is not a number")
    return int(text)


def _write_str(text: str) -> str:
    if SEPARATOR in text:
        raise ValueError(f"{text!r} holds a colon")
    return text
