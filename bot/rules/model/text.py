"""Text: what people type, without invisible characters, and the markup of our own sentences.

Control characters, zero-width characters and those that change the direction of writing can make
one text look like another, hide its content, or break a line. `visible` removes them, but for the
joiner inside an emoji: `bot.rules.engine` from every command, `unquoted` and `quoted` from text
that is read or quoted, `bot.rules.model.people` from names. `bot.show.names.isolated` sees to names
that are written from right to left.

A text longer than `TYPED_MAX` is refused when it arrives, before anything reads it.

Markup stands for names in sentences: people's, which the rules don't know, and those that a table
has for things of the game. `bot.show.names` fills them in.

| in a sentence | becomes |
|---|---|
| ``<seat:sol>`` ``<person:3>`` | a mention of the person in that seat, or of that person |
| ``<player:sol>`` | a mention of that person, and what they play |
| ``<name:sol>`` ``<name:3>`` | the plain name of the person in that seat, or of that person |
| ``<=seat:sol>``, and so for the others | the same in a list: readers see their own name |
| ``<they:sol>`` ``<them:sol>`` ``<their:sol>`` | the pronoun; ``<They:sol>`` begins a sentence |
| ``<and:sol>`` | *and*, before another verb of that person |
| ``<faction:sol>`` | the seat's own name |
| ``<beside:sol>`` | the person's plain name in brackets, after the seat's name; may be empty |
| ``<word:lot-7>`` | the table's own word for it, from `Game.words`; without one, ``lot-7`` |
| the result of `quoted` | the text as a person typed it: no markup, no markdown |

Who alone reads of themselves reads *you*: ``<seat:sol> has 2 of <their:sol> 3 cards`` is then "You
have 2 of your 3 cards". The verb after the name or after ``<and:sol>`` is put right; ``<they:sol>``
has the verb's plural, which stays. In a command that is quoted, as in ``player:<player:sol>``, the
name stays.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping

TYPED_MAX = 400
"""The longest text that is accepted, in `characters`. Some texts have a lower limit, such as terms
and topics.
"""

LENGTHS_OF_FIELDS = {"terms": 601, "text": 4000}
"""The longest text of the fields of forms that take more than that, by their ids: terms for now and
for later, a line each, and a whole text.
"""


def longest(field: str) -> int:
    """Return the longest text of a form's field, in `characters`.

    >>> longest("goods"), longest("text")
    (400, 4000)
    """
    return LENGTHS_OF_FIELDS.get(field, TYPED_MAX)


_EMOJI = "[\u2190-\u21ff\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff]"

_UNSEEN = re.compile(
    "["
    "\x00-\x09\x0b-\x1f\x7f-\x9f"  # controls, without the line feed
    "\xad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b\u200c\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff"
    # formats
    "\ufff0-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    # letters and signs that are blank
    "\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\uffa0\U0001d159"
    "\ufe00-\ufe0f\U000e0000-\U000e0fff"  # variation selectors and tags
    "\ud800-\udfff\ue000-\uf8ff\U000f0000-\U0010ffff"  # surrogates, private use
    "\ufdd0-\ufdef\ufffe\uffff"  # no characters at all
    "]"
    f"|\u200d(?!{_EMOJI})|(?<!{_EMOJI})(?<!{_EMOJI}\ufe0f)\u200d"  # a joiner that joins no emojis
)
_SPACE = re.compile(r"[^\S\n]")


def visible(text: str) -> str:
    """Remove invisible characters. White space other than line feeds becomes spaces."""
    if text.isascii() and text.isprintable():  # the common case, and a fast check
        return text
    return _UNSEEN.sub("", _SPACE.sub(" ", text))


def characters(text: str, most: int = TYPED_MAX) -> int:
    """Return the length of a text, as typed or normalized (NFKC), whichever is longer: `ﷺ` counts
    as 18.

    A text that has more than ``most`` as typed is not normalized.
    """
    if len(text) > most or text.isascii():
        return len(text)
    return max(len(text), len(unicodedata.normalize("NFKC", text.casefold())))


def one_line(text: str) -> str:
    r"""Return `visible` text on one line, with single spaces.

    >>> one_line("silk\n  and spice")
    'silk and spice'
    """
    return " ".join(visible(text).split())


# ---------------------------------------------------------------- markup

QUOTE_MAX = 60
"""The most characters of a player's own text that are quoted back to them. No card's name is
longer.

>>> len("x" * QUOTE_MAX)
60
"""

_BEGIN, _END = "\ue000", "\ue001"
# From Unicode's private use area: no keyboard types these, and `visible` removes them from what was
# pasted.

MARKED = re.compile(f"[<{_BEGIN}]")
"""What a sentence contains that has markup or `quoted` text."""

_QUOTED = re.compile(f"{_BEGIN}(.*?){_END}", re.DOTALL)


def mentions(seats: Iterable[str]) -> str:
    """Return a list of the people in these seats, for after a colon; ``nobody`` for none.

    >>> mentions(["red", "green"])
    '<=seat:red>, <=seat:green>'
    """
    return ", ".join(f"<=seat:{seat}>" for seat in seats) or "nobody"


def together(seats: Iterable[str]) -> str:
    """Return a mention of the people in these seats, as a part of a sentence; ``nobody`` for none.

    >>> together(["red", "green", "blue"])
    '<seat:red>, <seat:green> and <seat:blue>'
    """
    *most, last = [f"<seat:{seat}>" for seat in seats] or ["nobody"]
    return f"{', '.join(most)} and {last}" if most else last


def quoted(text: str) -> str:
    """Mark text that a person typed, for use in a sentence with markup.

    >>> quoted("silk") in f"There is no {quoted('silk')} here."
    True
    """
    return f"{_BEGIN}{unquoted(text)}{_END}"


def rules_then(rules: Mapping[str, str]) -> str:
    """Return sentences with the house rules that a promise named, as they were then."""
    return "".join(f" {number} then: “{quoted(text)}”" for number, text in rules.items())


def excerpt(text: str) -> str:
    """Cut text that a person typed to `QUOTE_MAX` characters, and mark it as `quoted`.

    >>> len(excerpt("silk " * 50)) < 70
    True
    """
    return quoted(text if len(text) <= QUOTE_MAX else f"{text[:QUOTE_MAX]}…")


def unquoted(text: str) -> str:
    """Remove invisible characters and the marks of `quoted`, to read what a person typed.

    >>> unquoted(quoted("silk"))
    'silk'
    """
    return visible(text)


Conversion = Callable[[str], str]


def convert(text: str, ours: Conversion, theirs: Conversion) -> str:
    """Convert a sentence: `quoted` text by ``theirs``, the rest by ``ours``."""
    if _BEGIN not in text:
        return ours(text)
    pieces = _QUOTED.split(text)
    pieces[::2] = map(ours, pieces[::2])
    pieces[1::2] = map(theirs, pieces[1::2])
    return "".join(pieces)
