"""Markup: placeholders for people's names in sentences. The rules don't know names; `bot.show.names` fills them in.

| in a sentence | becomes |
|---|---|
| ``<seat:sol>`` ``<person:3>`` | a mention of the person in that seat, or of that person |
| ``<player:sol>`` | a mention of that person, and what they play |
| ``<name:sol>`` | the plain name of the person in that seat |
| ``<faction:sol>`` | the seat's own name |
| ``<beside:sol>`` | the plain name of the person in that seat in brackets, after the seat's name; nothing if empty |
| the result of `quoted` | the text as a person typed it: no markup, no markdown |
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from bot.rules.model.text import visible

QUOTE_MAX = 60
"""The most characters of a player's own text that are quoted back to them. No card's name is longer."""

_BEGIN, _END = "\ue000", "\ue001"
# From Unicode's private use area: no keyboard types these, and `visible` removes them from what was pasted.


def mentions(seats: Iterable[str]) -> str:
    """Return a mention of the person in each of these seats, joined by commas; ``nobody`` for none."""
    return ", ".join(f"<seat:{seat}>" for seat in seats) or "nobody"


def quoted(text: str) -> str:
    """Mark text that a person typed, for use in a sentence with markup."""
    return f"{_BEGIN}{unquoted(text)}{_END}"


def excerpt(text: str) -> str:
    """Cut text that a person typed to `QUOTE_MAX` characters, and mark it as `quoted`."""
    return quoted(text if len(text) <= QUOTE_MAX else f"{text[:QUOTE_MAX]}…")


def unquoted(text: str) -> str:
    """Remove invisible characters and the marks of `quoted`, to read what a person typed."""
    return visible(text)


def convert(text: str, ours: Callable[[str], str], theirs: Callable[[str], str]) -> str:
    """Convert a sentence: `quoted` text by ``theirs``, the rest by ``ours``."""
    pieces = re.split(f"{_BEGIN}(.*?){_END}", text, flags=re.DOTALL)
    return "".join(theirs(piece) if number % 2 else ours(piece) for number, piece in enumerate(pieces))
