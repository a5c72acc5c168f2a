"""Look-alikes: names that a reader could take for one another.

Unicode's list of confusables (UTS #39) says which characters look alike. Case, accents, spaces and punctuation don't
make a difference either.
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
    prototypes = unicodedata.normalize("NFD", visible(text)).translate(_PROTOTYPES)
    # What has only another shape, as in a circle, becomes the plain character, which may look like yet another one.
    letters = unicodedata.normalize("NFKD", prototypes)
    return "".join(filterfalse(unicodedata.combining, letters)).translate(_PROTOTYPES)


def _bare(text: str) -> str:
    """Return the letters and digits of a text; where it has none, as in a name of emojis, all but its spaces."""
    return "".join(filter(str.isalnum, text)) or "".join(text.split())


def _prototypes() -> Mapping[int, str]:
    """Return for each character what stands for all that look like it. That may be longer, as for m: rn.

    The list has each prototype with all that look like it, and each of these with its prototype alone.
    """
    listed = utils.load("confusables.json").items()
    like = {text: [each["c"].strip("\u200e") for each in found] for text, found in listed}
    return {
        ord(letter): other if len(like.get(other, ())) > 1 else min(letter, other, key=lambda text: (-len(text), text))
        for letter, (other, *more) in like.items()
        if len(letter) == 1 and not more
    }


_PROTOTYPES: Final = _prototypes()
