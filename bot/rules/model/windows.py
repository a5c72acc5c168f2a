"""Windows: the times in which trade may happen, and the pairs that have had their trade."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

SeatId = Annotated[str, "seat"]
"""The id of a seat, where a part of the state remembers it: `bot.rules.model.parts` renames and
removes it.

>>> holder: SeatId = "red"
>>> holder
'red'
"""

Pair = Annotated[tuple[SeatId, SeatId], "pair"]
"""Two seats in alphabetical order; see `pair`.

>>> both: Pair = pair("red", "green")
>>> both
('green', 'red')
"""


def pair(first: str, second: str) -> Pair:
    """Return the pair of two seats, in whichever order they are given.

    >>> pair("red", "green")
    ('green', 'red')
    """
    return (first, second) if first <= second else (second, first)


@dataclass(frozen=True, slots=True)
class Window:
    """A time in which trade may happen, such as a turn or a trading phase, or the time between
    (``none``).

    ``number`` grows with each change, so that signatures from an earlier window are recognised.
    ``holder`` is the seat whose turn it is. ``used`` are the pairs that have had their transaction
    in this window.

    >>> Window(number=3, kind="turn", holder="red").used
    frozenset()
    """

    number: int = 0
    kind: str = "none"
    holder: str | None = None
    used: frozenset[Pair] = frozenset()
