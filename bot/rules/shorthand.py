"""The part of the shorthand for goods that all games share: splitting, counts, and refusals that
quote the mistake.

`parse` splits a text into parts such as ``2 salt`` or ``an iron``. The game knows the names and
what each part means.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from itertools import pairwise

from bot.rules.model.goods import COUNT_MAX
from bot.rules.model.text import excerpt, unquoted
from bot.rules.model.violation import Refused
from data import NotTraded

NUMBER = r"[-+]?\d[\d.,]*(?:e\d+)?"
"""A regular expression for anything like a number. `read_count` refuses those that are not a valid
count.

>>> re.fullmatch(NUMBER, "12")[0]
'12'
"""

NUMBER_WORDS = {
    "a": 1,
    "an": 1,
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
}
"""What number words mean, in lower case.

>>> NUMBER_WORDS["two"]
2
"""

JOINED_MAX = 6
"""The most pieces between connectives that are tried together as one name."""

WORDS_MAX = 24
"""The most words in which goods without separators are searched for."""

_SEPARATOR = re.compile(r"[,;+\n]")
_CONNECTIVE = re.compile(r"&|(?:^|(?<=\s))and(?=\s|$)", re.IGNORECASE)
"""Separates two goods, unless it is part of a name."""

_COUNTED = re.compile(
    rf"(?:({NUMBER})(?:\s*[x×]\s+|\s*)|({'|'.join(NUMBER_WORDS)})(?:\s+|$))(.*)",
    re.IGNORECASE | re.DOTALL,
)
_TIMES = re.compile(r"(.*?\S)(?:\s+x|\s*×)\s*(\d{1,3})", re.IGNORECASE)
_SIGN = re.compile(r"[^\w ]")
_WORD = re.compile(r"(?:[^\s()]|\([^()]*\))+(?:\s+\([^()]*\))?")


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a text: its number as typed (None: none), the name, and the whole part as
    written.

    >>> [part] = parse("two silk", knows=lambda name: name == "silk")
    >>> part == Part("2", "silk", "two silk"), part.count
    (True, 2)
    """

    number: str | None
    what: str
    written: str

    @property
    def count(self) -> int:
        """The count, 1 if no number is written. Raises `Refused` for an invalid count."""
        return read_count(self.number, excerpt(self.written))


Knows = Callable[[str], bool]
Trails = Callable[[Part], bool]


def parse(text: str, knows: Knows, trails: Trails = lambda part: False) -> Iterator[Part]:
    """Yield the parts of goods as people type them: ``2 salt, an iron and wine``, ``Salt x2 &
    iron``, ``salt salt ?``.

    Commas, semicolons, ``+``, ``&``, "and" and line breaks separate parts, except inside brackets.
    ``knows`` tells whether a text is the complete name of something, without a number; a name is
    not split at an "and" in it, nor is its beginning read as a number. Several names in a row
    without separators become separate parts. Parts that ``trails`` accepts may follow them,
    although they are not names. Any other part stays whole, for the game to read or refuse.

    >>> parts = parse("2 silk and a spice", knows={"silk", "spice"}.__contains__)
    >>> [(part.count, part.what) for part in parts]
    [(2, 'silk'), (1, 'spice')]
    """
    knows = cache(knows)  # the same words are tried in many combinations
    text = unquoted(text)
    for first, end in _between(_SEPARATOR, text):
        for piece in _joined(text[first:end], knows, trails):
            if piece.casefold() in ("", "nothing"):
                continue
            if (part := _known(piece, knows)) is not None:
                yield part
            else:
                whole = _counted(piece) or _times(piece) or Part(None, piece, piece)
                yield from _unseparated(piece, knows, trails) or [whole]


def _joined(text: str, knows: Knows, trails: Trails) -> Iterator[str]:
    """Yield the pieces between connectives. A name that contains a connective stays whole."""
    spans, first = _between(_CONNECTIVE, text), 0
    while first < len(spans):
        begin, most = spans[first][0], min(first + JOINED_MAX, len(spans))
        ends = range(most - 1, first, -1)
        joined = ((end, _one_line(text[begin : spans[end][1]])) for end in ends)
        read = (
            end
            for end, piece in joined
            if _known(piece, knows) or _unseparated(piece, knows, trails)
        )
        last = next(read, first)
        yield _one_line(text[begin : spans[last][1]])
        first = last + 1


def _between(separator: re.Pattern[str], text: str) -> list[tuple[int, int]]:
    """Return the start and end of each piece of a text. Separators inside brackets don't count."""
    cuts = [
        found.span() for found in separator.finditer(text) if not _in_brackets(text, found.start())
    ]
    return [
        (before[1], after[0]) for before, after in pairwise([(0, 0), *cuts, (len(text), len(text))])
    ]


def _in_brackets(text: str, place: int) -> bool:
    """Return whether this position is inside brackets."""
    opened = text.rfind("(", 0, place)
    return opened > text.rfind(")", 0, place) and ")" in text[place:]


def _known(piece: str, knows: Knows) -> Part | None:
    """Return the piece as a part if it is one known name, with or without a number before or after
    it; else None.
    """
    if knows(piece):
        return Part(None, piece, piece)
    for part in (_counted(piece), _times(piece)):
        if part is not None and knows(part.what):
            return part
    return None


def _counted(piece: str) -> Part | None:
    """Return the piece as a part if it begins with a number or a number word; else None."""
    found = _COUNTED.fullmatch(piece)
    if found is None:
        return None
    number = found[1] or str(NUMBER_WORDS[found[2].casefold()])
    return Part(number, found[3].strip(), piece)


def _times(piece: str) -> Part | None:
    """Return the piece as a part if it ends in a number, as in ``Salt x3``; else None."""
    found = _TIMES.fullmatch(piece)
    return Part(found[2], found[1], piece) if found is not None else None


def _unseparated(piece: str, knows: Knows, trails: Trails) -> list[Part]:
    """Split a piece without separators into names and trailing parts. Empty if any word is left
    over.
    """
    words = [found[0] for found in _WORD.finditer(piece)]
    if not 1 < len(words) <= WORDS_MAX or "".join(words).replace(" ", "") != piece.replace(" ", ""):
        return []

    def named(text: str) -> Part | None:
        return _known(text, knows)

    def trailing(text: str) -> Part | None:
        part = _counted(text) or Part(None, text, text)
        return part if trails(part) else None

    names, rest = _longest(words, named)
    trail, rest = _longest(rest, trailing)
    return [*names, *trail] if names and not rest else []


def _longest(
    words: Sequence[str], read: Callable[[str], Part | None]
) -> tuple[list[Part], Sequence[str]]:
    """Read parts from the beginning of these words, each as long as possible. Return them and the
    words left over.
    """
    parts: list[Part] = []
    while words:
        every = ((end, read(" ".join(words[:end]))) for end in range(len(words), 0, -1))
        found = next(((end, part) for end, part in every if part is not None), None)
        if found is None:
            break
        parts.append(found[1])
        words = words[found[0] :]
    return parts, words


def _one_line(text: str) -> str:
    return " ".join(text.split())


# ---------------------------------------------------------------- counts and refusals


def read_count(number: str | None, part: str) -> int:
    """Return the count before goods, 1 for None. Raises `Refused` for an invalid count, with the
    quoted ``part``.

    >>> read_count("12", "12 silk"), read_count(None, "silk")
    (12, 1)
    """
    if number is None:
        return 1
    # Check the length first: Python refuses to convert thousands of digits.
    if (
        len(number) > len(str(COUNT_MAX))
        or not re.fullmatch(r"\d+", number)
        or not 1 <= int(number) <= COUNT_MAX
    ):
        raise Refused("", f"I can't move “{part}”.", f"Write a whole number from 1 to {COUNT_MAX}.")
    return int(number)


def not_known(
    part: Part, known: Iterable[str], groups: Iterable[NotTraded], remedy: str
) -> Refused:
    """Return the refusal of a part that is not among the game's goods.

    For an evident typo it suggests the word from ``known``. For something that can't be traded
    (``groups``) it cites the rule. For anything else it suggests the most similar word, or gives
    ``remedy`` if there is none.

    >>> [part] = parse("2 oil", knows=lambda name: False)
    >>> isinstance(not_known(part, ("silk", "spice"), (), "For example: 2 silk."), Refused)
    True
    """
    shown, words = excerpt(part.written), list(known)
    if slip := _nearest(part, words, cutoff=0.8):
        return Refused("", f"I don't know “{shown}”.", slip)
    plain = f" {_SIGN.sub(' ', part.what.casefold())} "
    longest, kept_out = "", None
    for group in groups:
        for word in group.words:
            # longest word first: "fleet token" is a token, no fleet
            if len(word) > len(longest) and (f" {word} " in plain or f" {word}s " in plain):
                longest, kept_out = word, group
    if kept_out:
        return Refused(kept_out.rule, kept_out.reason.format(what=f"“{shown}”"), kept_out.remedy)
    return Refused("", f"I don't know “{shown}”.", _nearest(part, words, cutoff=0.6) or remedy)


def _nearest(part: Part, words: Sequence[str], *, cutoff: float) -> str:
    """Return a question that suggests the word most similar to this part; empty for none."""
    for what in dict.fromkeys((part.what, *part.what.split()[:WORDS_MAX])):
        if what.casefold() in words:
            continue  # this word is known, so another word is the mistake
        if close := get_close_matches(what.casefold(), words, n=1, cutoff=cutoff):
            number = f"{part.number} " if part.number and what == part.what else ""
            return f"Did you mean “{number}{close[0]}”?"
    return ""
