"""Reads the TOML files, and finds names however people type them."""

import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any, TypeAlias, TypeVar

from pydantic import BaseModel

Model = TypeVar("Model", bound=BaseModel)

Names: TypeAlias = Mapping[str, Iterable[str]]
Rows: TypeAlias = Mapping[str, Any]


@cache
def read(game: str, name: str) -> Mapping[str, Any]:
    """Return the file ``data/<game>/<name>.toml``, parsed once and shared: do not change it.

    Raises FileNotFoundError when there is no such file.
    """
    return tomllib.loads((files("data") / game / f"{name}.toml").read_text(encoding="utf-8"))


def objects(kind: type[Model], rows: Rows, order: str = "") -> Mapping[str, Model]:
    """Make an object of each row, by its id, in the order of the file or of the field ``order``.

    Raises pydantic's ValidationError.
    """
    made = {id: kind(id=id, **row) for id, row in rows.items()}
    if order:
        ids = sorted(made, key=lambda id: getattr(made[id], order))
        made = {id: made[id] for id in ids}
    return MappingProxyType(made)


def names_of(cards: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """Return the id, the name and the aliases of each."""
    return {id: (id, card.name, *card.aliases) for id, card in cards.items()}


def plain(text: str) -> str:
    """Normalise a name: without case, spaces and punctuation, and with "and" for ``&``.

    ``Sardakk N'orr`` and ``sardakk norr`` become the same.
    """
    text = text.casefold().replace("&", "and")
    return "".join(filter(str.isalnum, text))


def index(names: Names, hints: Names = MappingProxyType({})) -> dict[str, str]:
    """Return the id for each normalised name.

    ``names`` must be unique: a name that two ids share raises ValueError. ``hints`` need not be: a
    hint that two ids share, or that equals a name, is left out.
    """
    found: dict[str, str] = {}
    for id, texts in names.items():
        for text in texts:
            if found.setdefault(plain(text), id) != id:
                raise ValueError(f"{text!r} names both {found[plain(text)]} and {id}")
    claims: dict[str, set[str]] = {}
    for id, texts in hints.items():
        for text in texts:
            claims.setdefault(plain(text), set()).add(id)
    for hint, ids in claims.items():
        if len(ids) == 1:
            found.setdefault(hint, ids.pop())
    return found
