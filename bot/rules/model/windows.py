"""Windows: the times in which trade may happen, and the pairs that have used theirs."""

from __future__ import annotations

from dataclasses import dataclass

Pair = tuple[str, str]
"""Two seats, in alphabetical order; see `pair`."""


def pair(first: str, second: str) -> Pair:
    """Return the pair of two seats, the same whichever is named first."""
    return (first, second) if first <= second else (second, first)


@dataclass(frozen=True, slots=True)
class Window:
    """The time in which trade may happen: a turn or a trading phase, as its game has them. Or ``none``.

    ``number`` grows whenever one window ends and another state begins, so a signature from before is recognised.
    ``holder`` is the seat whose turn it is. ``used`` are the pairs that have had their transaction in it.
    """

    number: int = 0
    kind: str = "none"
    holder: str | None = None
    used: frozenset[Pair] = frozenset()
