"""Matching: which of a few hundred names a person means who has begun to type one.

The order is: the name itself, another name for it, its beginning, the beginnings of its words, what it holds anywhere.
Only where nothing has any of that, names that are spelt alike come, so that a slip of the finger still finds them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import IntEnum
from functools import lru_cache
from typing import NamedTuple, TypeVar

from rapidfuzz import fuzz

T = TypeVar("T")

ALIKE = 75.0
"""The least similarity, of 100, of what is typed and a name that may be meant by it."""

INSIDE_MIN = 2
"""The fewest characters that are looked for in the middle of words: nearly every name holds a single one."""

TYPED_MIN = 3
"""The fewest characters in which a slip of the finger is recognised: two are like too many names."""


class Fit(IntEnum):
    """How well a name fits what was typed, the best first."""

    EXACT = 0
    ALIAS = 1
    PREFIX = 2
    WORDS = 3
    INSIDE = 4
    ALIKE = 5


class Rank(NamedTuple):
    """How well something fits; of two that fit alike, the more similar one is less ``unlike``."""

    fit: Fit
    unlike: float = 0.0


def ranked(typed: str, found: Iterable[T], names: Callable[[T], Sequence[str]]) -> list[T]:
    """Return what fits, the best first; else it keeps its order. ``names`` has the name itself, then other names."""
    ranks = [(rank(typed, names(each)), each) for each in found]
    fitting = [(how, each) for how, each in ranks if how is not None]
    surely = [(how, each) for how, each in fitting if how.fit is not Fit.ALIKE]
    return [each for _, each in sorted(surely or fitting, key=lambda pair: pair[0])]


def rank(typed: str, names: Sequence[str]) -> Rank | None:
    """Return how well these names of one thing fit; None when they don't. Everything fits where nothing is typed."""
    wanted = folded(typed)
    if not wanted:
        return Rank(Fit.PREFIX)
    every = [folded(name) for name in names]
    return next(_fits(wanted, every), None) or _alike(wanted, every)


@lru_cache(maxsize=8192)
def folded(text: str) -> str:
    """Return text as it is compared: without case, accents, apostrophes and whose it is, with spaces for hyphens."""
    letters = unicodedata.normalize("NFKD", text.casefold())
    plain = "".join(letter for letter in letters if not unicodedata.combining(letter))
    without = re.sub(r"['’#]", "", re.sub(r"['’]s\b", "", plain))
    return " ".join(re.sub(r"[-–—_]", " ", without).split())


def _fits(wanted: str, names: Sequence[str]) -> Iterator[Rank]:
    """Yield in which ways it fits without a slip, the best first."""
    squeezed, words = wanted.replace(" ", ""), re.findall(r"[\w.]+", wanted)
    if wanted == names[0]:
        yield Rank(Fit.EXACT)
    if wanted in names:
        yield Rank(Fit.ALIAS)
    if any(name.replace(" ", "").startswith(squeezed) for name in names):
        yield Rank(Fit.PREFIX)
    if words and any(all(_begins_one(word, name) for word in words) for name in names):
        yield Rank(Fit.WORDS)
    if len(wanted) >= INSIDE_MIN and any(wanted in name for name in names):
        yield Rank(Fit.INSIDE)


def _begins_one(word: str, name: str) -> bool:
    return any(each.startswith(word) for each in re.split(r"[^\w.]+", name))


def _alike(wanted: str, names: Sequence[str]) -> Rank | None:
    """Return how similar it is to the most similar beginning of a word in these names."""
    if len(wanted) < TYPED_MIN:
        return None
    best = max((fuzz.ratio(wanted, part, score_cutoff=ALIKE) for part in _parts(wanted, names)), default=0.0)
    return Rank(Fit.ALIKE, 100 - best) if best else None


def _parts(wanted: str, names: Sequence[str]) -> Iterator[str]:
    """Yield the parts of these names that begin with a word and are about as long as what was typed."""
    for name in names:
        for start in re.finditer(r"\b\w", name):
            yield from {name[start.start() : start.start() + len(wanted) + more] for more in (-1, 0, 1)}
