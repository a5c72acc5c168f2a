"""Words: what the rules write, before the names are put in.

Sentences of the rules speak of people by marks, since the rules know nobody's name; `bot.show.names` puts them in.

| in a sentence | becomes |
|---|---|
| ``<seat:sol>`` ``<person:3>`` | a mention of who sits there, or is it |
| ``<player:sol>`` | a mention, and what they play |
| ``<name:sol>`` | the plain name of who sits there |
| ``<whose:sol>`` | that name as it can be written among goods |
| ``<faction:sol>`` | the seat's own name |
| what `typed` gives | what somebody typed, as they typed it: no mark, no markdown |
"""

from __future__ import annotations

import re
from collections.abc import Callable

_BEGIN, _END = "\ue000", "\ue001"


def typed(text: str) -> str:
    """Text that somebody typed, to stand inside a sentence of ours."""
    return f"{_BEGIN}{text.replace(_BEGIN, '').replace(_END, '')}{_END}"


def untyped(text: str) -> str:
    """The text without the marks of `typed`, as somebody would type it again."""
    return text.replace(_BEGIN, "").replace(_END, "")


def parts(text: str, ours: Callable[[str], str], theirs: Callable[[str], str]) -> str:
    """A sentence made anew: what is ours in one way, what was `typed` in another."""
    pieces = re.split(f"{_BEGIN}(.*?){_END}", text, flags=re.DOTALL)
    return "".join(theirs(piece) if number % 2 else ours(piece) for number, piece in enumerate(pieces))
