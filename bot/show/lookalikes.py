"""Look-alikes: names that a reader could take for one another.

Unicode's list of confusables (UTS #39) says which characters look alike. Case, accents, spaces and punctuation don't
make a difference either.
"""

from __future__ import annotations

import unicodedata
from functools import cache, lru_cache

from confusable_homoglyphs import confusables

from bot.rules.model.text import visible


def alike(first: str, second: str) -> bool:
    """Return whether a reader could take one of these names for the other."""
    return not looks(first).isdisjoint(looks(second))


@lru_cache(maxsize=4096)
def looks(name: str) -> frozenset[str]:
    """Return what a name looks like, in a few spellings. Two names that share one look alike.

    They come from the name as it is written, since a capital I looks like an l, and from its lower and upper case.
    """
    return frozenset(_bare(_skeleton(text).casefold()) for text in (name, name.casefold(), name.upper()))


def _skeleton(text: str) -> str:
    """Return text with each character replaced by the one that stands for all that look like it."""
    prototypes = "".join(map(_prototype, unicodedata.normalize("NFD", visible(text))))
    # What has only another shape, as in a circle, becomes the plain character, which may look like yet another one.
    letters = unicodedata.normalize("NFKD", prototypes)
    return "".join(_prototype(letter) for letter in letters if not unicodedata.combining(letter))


def _bare(text: str) -> str:
    """Return the letters and digits of a text; where it has none, as in a name of emojis, all but its spaces."""
    return "".join(filter(str.isalnum, text)) or "".join(text.split())


@cache
def _prototype(letter: str) -> str:
    """Return what stands for all that look like this character. It may be longer, as for m: rn.

    The list has each prototype with all that look like it, and each of these with its prototype alone.
    """
    like = _like(letter)
    if len(like) != 1:
        return letter
    other = like[0]
    return other if len(_like(other)) > 1 else min(letter, other, key=lambda text: (-len(text), text))


def _like(text: str) -> list[str]:
    return [each["c"].strip("\u200e") for each in confusables.confusables_data.get(text, ())]
