"""Windows: the times in which trade may happen, and the pairs that have had their trade."""

from __future__ import annotations

from typing import Annotated

from bot.rules.model.values import frozen

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


Since = Annotated[int | None, "since"]
"""The number of the entry that began what a button is about: a turn, a phase, a vote, a pause.

A command or an action with a field of this type means that one and no later one; None means
whatever is under way, as a typed command does. `bot.rules.model.codec` reads 0 from a button of
a version that had no such field, which is never the number of an entry.

>>> since: Since = 12
>>> since
12
"""


def pair(first: str, second: str) -> Pair:
    """Return the pair of two seats, in whichever order they are given.

    >>> pair("red", "green")
    ('green', 'red')
    """
    return (first, second) if first <= second else (second, first)


@frozen
class Window:
    """A time in which trade may happen, such as a turn or a trading phase, or the time between
    (``none``).

    ``number`` grows with each change, so that signatures from an earlier window are recognised.
    ``holder`` is the seat whose turn it is. ``used`` are the pairs that have had their transaction
    in this window. ``since`` is the number of the entry that began it; a turn that goes on after it
    was ended by mistake keeps that of its beginning.

    >>> Window(number=3, kind="turn", holder="red").used
    frozenset()
    """

    number: int = 0
    kind: str = "none"
    holder: str | None = None
    used: frozenset[Pair] = frozenset()
    since: int = 0
