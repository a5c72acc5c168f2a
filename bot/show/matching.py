"""Matching: which of a few hundred names a person means after typing its beginning.

Matches rank in this order: the name itself, another name, its beginning, the beginning of a word, any part. Only if
nothing matches, names with similar spelling are suggested, to allow for typing errors.
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
"""The least similarity, out of 100, of typed text and a name."""

INSIDE_MIN = 2
"""The fewest characters to look for inside words: nearly every name contains any single character."""

TYPED_MIN = 3
"""The fewest characters to match by similarity: two are similar to too many names."""


class Fit(IntEnum):
    """How well a name matches typed text, the best first."""

    EXACT = 0
    ALIAS = 1
    PREFIX = 2
    WORDS = 3
    INSIDE = 4
    ALIKE = 5


class Rank(NamedTuple):
    """The rank of a match. Among equal fits, a smaller ``unlike`` is more similar."""

    fit: Fit
    unlike: float = 0.0


def ranked(typed: str, found: Iterable[T], names: Callable[[T], Sequence[str]]) -> list[T]:
    """Return the matches, the best first, else in their order. ``names`` gives the name itself, then other names."""
    ranks = [(rank(typed, names(each)), each) for each in found]
    fitting = [(how, each) for how, each in ranks if how is not None]
    surely = [(how, each) for how, each in fitting if how.fit is not Fit.ALIKE]
    return [each for _, each in sorted(surely or fitting, key=lambda pair: pair[0])]


def rank(typed: str, names: Sequence[str]) -> Rank | None:
    """Return how well the names of one thing match; None for no match. Everything matches an empty text."""
    wanted = folded(typed)
    if not wanted:
        return Rank(Fit.PREFIX)
    every = [folded(name) for name in names]
    return next(_fits(wanted, every), None) or _alike(wanted, every)


@lru_cache(maxsize=8192)
def folded(text: str) -> str:
    """Return text for comparison: without case, accents, apostrophes and possessives, and with spaces for hyphens."""
    letters = unicodedata.normalize("NFKD", text.casefold())
    plain = "".join(letter for letter in letters if not unicodedata.combining(letter))
    without = re.sub(r"['’#]", "", re.sub(r"['’]s\b", "", plain))
    return " ".join(re.sub(r"[-–—_]", " ", without).split())


def _fits(wanted: str, names: Sequence[str]) -> Iterator[Rank]:
    """Yield the exact ways in which the names match, the best first."""
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
    """Return the similarity to the most similar beginning of a word in these names."""
    if len(wanted) < TYPED_MIN:
        return None
    best = max((fuzz.ratio(wanted, part, score_cutoff=ALIKE) for part in _parts(wanted, names)), default=0.0)
    return Rank(Fit.ALIKE, 100 - best) if best else None


def _parts(wanted: str, names: Sequence[str]) -> Iterator[str]:
    """Yield the parts of these names that begin with a word and are about as long as the typed text."""
    for name in names:
        for start in re.finditer(r"\b\w", name):
            yield from {name[start.start() : start.start() + len(wanted) + more] for more in (-1, 0, 1)}
