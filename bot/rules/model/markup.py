"""Markup: how the rules refer to people in sentences, before their names are filled in.

The rules know nobody's name; `bot.show.names` fills them in.

| in a sentence | becomes |
|---|---|
| ``<seat:sol>`` ``<person:3>`` | a mention of the person in that seat, or of that person |
| ``<player:sol>`` | a mention, and what they play |
| ``<name:sol>`` | the plain name of the person in that seat |
| ``<faction:sol>`` | the seat's own name |
| ``<beside:sol>`` | the plain name of the person in that seat, in brackets to stand beside the seat's; or nothing |
| the result of `quoted` | text as a person typed it: no markup, no markdown |
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from bot.rules.model.text import visible

QUOTE_MAX = 60
"""How much of a player's own text is quoted back to them, in characters; no card's name is longer."""

_BEGIN, _END = "\ue000", "\ue001"
# From Unicode's private use area: no keyboard types these, and `visible` removes them from what was pasted.


def mentions(seats: Iterable[str]) -> str:
    """Return a mention of the person in each of these seats, joined by commas; ``nobody`` for none."""
    return ", ".join(f"<seat:{seat}>" for seat in seats) or "nobody"


def quoted(text: str) -> str:
    """Mark text that a person typed, to be put into a sentence of ours."""
    return f"{_BEGIN}{unquoted(text)}{_END}"


def excerpt(text: str) -> str:
    """Return text that a person typed as `quoted`, cut to `QUOTE_MAX` characters."""
    return quoted(text if len(text) <= QUOTE_MAX else f"{text[:QUOTE_MAX]}…")


def unquoted(text: str) -> str:
    """Return text that a person typed without what nobody sees, the marks of `quoted` among it, to be read."""
    return visible(text)


def convert(text: str, ours: Callable[[str], str], theirs: Callable[[str], str]) -> str:
    """Convert a sentence: what is ours by one function, what was `quoted` by another."""
    pieces = re.split(f"{_BEGIN}(.*?){_END}", text, flags=re.DOTALL)
    return "".join(theirs(piece) if number % 2 else ours(piece) for number, piece in enumerate(pieces))
