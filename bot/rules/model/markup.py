"""Markup: how the rules refer to people in sentences, before their names are filled in.

The rules know nobody's name; `bot.show.names` fills them in.

| in a sentence | becomes |
|---|---|
| ``<seat:sol>`` ``<person:3>`` | a mention of the person in that seat, or of that person |
| ``<player:sol>`` | a mention, and what they play |
| ``<name:sol>`` | the plain name of the person in that seat |
| ``<whose:sol>`` | that name as it can be written among goods |
| ``<faction:sol>`` | the seat's own name |
| the result of `quoted` | text as a person typed it: no markup, no markdown |
"""

from __future__ import annotations

import re
from collections.abc import Callable

_BEGIN, _END = "\ue000", "\ue001"


def quoted(text: str) -> str:
    """Mark text that a person typed, to be put into a sentence of ours."""
    return f"{_BEGIN}{text.replace(_BEGIN, '').replace(_END, '')}{_END}"


def unquoted(text: str) -> str:
    """Remove the marks of `quoted`, to get the text as it would be typed."""
    return text.replace(_BEGIN, "").replace(_END, "")


def convert(text: str, ours: Callable[[str], str], theirs: Callable[[str], str]) -> str:
    """Convert a sentence: what is ours by one function, what was `quoted` by another."""
    pieces = re.split(f"{_BEGIN}(.*?){_END}", text, flags=re.DOTALL)
    return "".join(theirs(piece) if number % 2 else ours(piece) for number, piece in enumerate(pieces))
