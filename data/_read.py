"""Reads the TOML files, and finds names however people type them."""

import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def read(game: str, name: str) -> Mapping[str, Any]:
    """Return the file ``data/<game>/<name>.toml``, parsed once and shared: do not change it.

    Raises FileNotFoundError when there is no such file.
    """
    return tomllib.loads((files("data") / game / f"{name}.toml").read_text(encoding="utf-8"))


def plain(text: str) -> str:
    """Normalise a name: without case, spaces and punctuation, and with "and" for ``&``.

    ``Sardakk N'orr`` and ``sardakk norr`` become the same.
    """
    return "".join(letter for letter in text.casefold().replace("&", "and") if letter.isalnum())


def index(names: Mapping[str, Iterable[str]], hints: Mapping[str, Iterable[str]]) -> dict[str, str]:
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
    return {hint: ids.pop() for hint, ids in claims.items() if len(ids) == 1} | found
