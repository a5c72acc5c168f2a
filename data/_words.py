"""The words by which people write goods and trades: those of every game, and each game's own."""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import product

from data._read import read

_EITHER = re.compile(r"\(([^()]*)\)")


@cache
def words(game: str, table: str) -> Mapping[str, str]:
    """Return a table of ``words.toml``: each word in lower case, with what it stands for.

    ``game`` is empty for the words of every game.
    """
    rows: Mapping[str, Iterable[str]] = read(game, "words")[table]
    found: dict[str, str] = {}
    for meaning, texts in rows.items():
        for text in texts:
            for word in _spelled(text):
                found[word] = meaning
    return found


def _spelled(text: str) -> Iterator[str]:
    """Yield a text for each choice of its ``(one|other)``, with single spaces."""
    pieces = _EITHER.split(text)
    for chosen in product(*(piece.split("|") for piece in pieces[1::2])):
        spelled = list(pieces)
        spelled[1::2] = chosen
        yield " ".join("".join(spelled).split())
