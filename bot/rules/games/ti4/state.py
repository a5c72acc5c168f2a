"""What Twilight Imperium 4 remembers of a table beyond what all games share."""

from __future__ import annotations

from typing import Literal

from bot.rules.table import GameState, Pair, Table, Value, pair

Lift = Literal["neighbors", "limit", "window", "goods"]


class Permit(Value):
    """A host lifted one rule for one pair, for a card that is not modelled. ``once``: until it is used."""

    number: int
    pair: Pair
    lifts: Lift
    once: bool
    reason: str


class Ti4State(GameState):
    """The board and the order of play, as the players have declared them.

    ``neighbors``, ``combat``: pairs of seats. ``parted``: pairs that stopped being neighbours since this window opened.
    ``claims``: who says to be whose neighbour and waits for the other to confirm it. ``order``: seats in turn order;
    those not in it follow in the order in which they sat down. ``passed``: who is out for the round. ``last``: whose
    turn it was last, in this action phase. ``agenda``: the title of the agenda that is being resolved, None for none.
    """

    neighbors: frozenset[Pair] = frozenset()
    combat: frozenset[Pair] = frozenset()
    parted: frozenset[Pair] = frozenset()
    claims: frozenset[Pair] = frozenset()
    order: tuple[str, ...] = ()
    passed: frozenset[str] = frozenset()
    last: str | None = None
    agenda: str | None = None
    permits: tuple[Permit, ...] = ()
    permits_granted: int = 0


def state_of(table: Table) -> Ti4State:
    """The state of a TI4 table. Raises TypeError for a table of another game."""
    if not isinstance(table.state, Ti4State):
        raise TypeError(f"this is a table of {table.game}")
    return table.state


def are_neighbors(table: Table, first: str, second: str) -> bool:
    """Whether these two seats are neighbours on the board now."""
    return pair(first, second) in state_of(table).neighbors


def in_combat(table: Table, first: str, second: str) -> bool:
    """Whether these two fight each other in the active system."""
    return pair(first, second) in state_of(table).combat


def active_seat(table: Table) -> str | None:
    """The seat whose turn it is, in the action phase."""
    return table.window.holder if table.window.kind == "turn" else None


def turn_order(table: Table) -> list[str]:
    """The seats somebody sits in, in the order in which they take turns."""
    sitting = [seat.id for seat in table.seats.values() if seat.person is not None]
    order = [seat for seat in state_of(table).order if seat in sitting]
    return order + [seat for seat in sitting if seat not in order]


def next_seat(table: Table, after: str | None) -> str | None:
    """The next seat in order that has not passed; ``after`` itself when only it is left, None when all have passed."""
    order = turn_order(table)
    start = order.index(after) + 1 if after in order else 0
    around = order[start:] + order[:start]
    return next((seat for seat in around if seat not in state_of(table).passed), None)
