"""Text from people: invisible characters are removed.

Control characters, zero-width characters and those that change the direction of writing can make one text look like
another, hide its content, or break a line. `visible` removes them: `bot.rules.engine` from every command,
`bot.rules.model.markup` from text that is read or quoted, `bot.rules.model.people` from names.

A text longer than `TYPED_MAX` is refused when it arrives, before anything reads it.
"""

from __future__ import annotations

import re
import unicodedata

TYPED_MAX = 400
"""The longest text that is accepted, in `characters`. Some texts have a lower limit, such as terms and topics."""

_UNSEEN = re.compile(
    "["
    "\x00-\x09\x0b-\x1f\x7f-\x9f"  # controls, without the line feed
    "\xad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff"
    "\ufff0-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"  # formats
    "\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\uffa0\U0001d159"  # letters and signs that are blank
    "\ufe00-\ufe0f\U000e0000-\U000e0fff"  # variation selectors and tags
    "\ud800-\udfff\ue000-\uf8ff\U000f0000-\U0010ffff"  # surrogates, private use
    "\ufdd0-\ufdef\ufffe\uffff"  # no characters at all
    "]"
)
_SPACE = re.compile(r"[^\S\n]")


def visible(text: str) -> str:
    """Remove invisible characters. White space other than line feeds becomes spaces."""
    if text.isascii() and text.isprintable():  # the common case, and a fast check
        return text
    return _UNSEEN.sub("", _SPACE.sub(" ", text))


def characters(text: str) -> int:
    """Return the length of a text, as typed or normalized (NFKC), whichever is longer: `ﷺ` counts as 18.

    A text that is too long as typed is not normalized.
    """
    if len(text) > TYPED_MAX or text.isascii():
        return len(text)
    return max(len(text), len(unicodedata.normalize("NFKC", text.casefold())))


def one_line(text: str) -> str:
    """Return `visible` text on one line, with single spaces."""
    return " ".join(visible(text).split())
