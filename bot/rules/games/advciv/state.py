"""What Advanced Civilization remembers of a table beyond what all games share."""

from __future__ import annotations

from pydantic import Field

from bot.rules.goods import NOTHING, Goods
from bot.rules.table import GameState, Table, Value

Stack = tuple[str, ...]
"""Cards that lie on each other, the top one first, as tokens."""

NINTH = 9
"""The last of the stacks, from which cards can be bought [27.5]."""

TRADE = "trade"
"""The phase in which cards are traded, and the window of that time."""


class Shown(Value):
    """A calamity as it was shown after trading: whose victim they are of it, and who traded it to them, if anybody."""

    calamity: str
    seat: str
    trader: str | None = None


class AdvCivState(GameState):
    """``stacks`` are the nine stacks, none where the cards lie on a real table; ``seed`` is what they were shuffled
    with, ``shuffles`` how often. ``aside`` are the cards turned in and the calamities resolved this turn.

    ``sat`` are the people who have ever had a seat. ``drawn`` says how many cities each seat drew for this turn,
    ``mined`` who has used Mining. ``traders`` says who traded each calamity last. ``shown`` are the calamities that
    take effect, in order, None before they are shown; ``spared`` those that go back without effect.

    ``bell`` is when trading ends, in milliseconds since 1970, None for no limit; ``warned`` that a minute is left;
    ``done`` who has said to be done.
    """

    stacks: tuple[Stack, ...] = ()
    seed: str = ""
    shuffles: int = 0
    aside: Goods = NOTHING
    turn: int = 1
    sat: frozenset[int] = frozenset()
    drawn: dict[str, int] = Field(default_factory=dict)
    mined: frozenset[str] = frozenset()
    traders: dict[str, str] = Field(default_factory=dict)
    shown: tuple[Shown, ...] | None = None
    spared: tuple[Shown, ...] = ()
    bell: int | None = None
    warned: bool = False
    done: frozenset[str] = frozenset()


def state_of(table: Table) -> AdvCivState:
    """The state of a table of Advanced Civilization. Raises TypeError for a table of another game."""
    if not isinstance(table.state, AdvCivState):
        raise TypeError(f"this is a table of {table.game}")
    return table.state


def dealt(table: Table) -> bool:
    """Whether the bot deals: the stacks are its own, and cards come from nowhere else."""
    return bool(state_of(table).stacks)


def trading(table: Table) -> bool:
    """Whether trading is open."""
    return table.window.kind == TRADE


def seated(table: Table) -> list[str]:
    """The seats somebody sits in."""
    return [seat.id for seat in table.seats.values() if seat.person is not None]
