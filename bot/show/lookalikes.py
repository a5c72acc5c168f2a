"""Look-alikes: names that a reader could mistake for each other.

Characters are compared by Unicode's list of confusables (UTS #39). Case, accents, spaces and punctuation make no
difference.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from itertools import filterfalse
from typing import Final

from confusable_homoglyphs import utils

from bot.rules.model.text import visible


def alike(first: str, second: str) -> bool:
    """Return whether a reader could mistake one of these names for the other."""
    return not looks(first).isdisjoint(looks(second))


@lru_cache(maxsize=4096)
def looks(name: str) -> frozenset[str]:
    """Return what a name looks like, in several spellings. Names that share a spelling look alike.

    The spellings come from the name as written, since a capital I looks like an l, and from its lower and upper case.
    """
    return frozenset(_bare(_skeleton(text).casefold()) for text in (name, name.casefold(), name.upper()))


def _skeleton(text: str) -> str:
    """Return the text with each character replaced by its prototype among look-alikes."""
    prototypes = unicodedata.normalize("NFD", visible(text)).translate(_PROTOTYPES)
    # Characters in another shape, such as in a circle, become the plain character, which may look like yet another one.
    letters = unicodedata.normalize("NFKD", prototypes)
    return "".join(filterfalse(unicodedata.combining, letters)).translate(_PROTOTYPES)


def _bare(text: str) -> str:
    """Return a text's letters and digits; if it has none, such as a name of emojis, everything but spaces."""
    return "".join(filter(str.isalnum, text)) or "".join(text.split())


def _prototypes() -> Mapping[int, str]:
    """Return the prototype of each character that looks like another. It may be longer: ``rn`` for ``m``.

    The list gives a prototype with all its look-alikes, and each look-alike with its prototype only.
    """
    listed = utils.load("confusables.json").items()
    like = {text: [each["c"].strip("\u200e") for each in found] for text, found in listed}
    return {
        ord(letter): other if len(like.get(other, ())) > 1 else min(letter, other, key=lambda text: (-len(text), text))
        for letter, (other, *more) in like.items()
        if len(letter) == 1 and not more
    }


_PROTOTYPES: Final = _prototypes()
