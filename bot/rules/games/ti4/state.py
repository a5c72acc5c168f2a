"""What Twilight Imperium 4 remembers of a table beyond what all games share."""

from __future__ import annotations

from bot.rules.table import GameState, Pair, Table, pair


class Ti4State(GameState):
    """``neighbors`` are the pairs of seats that are neighbours now, as the players have declared them."""

    neighbors: frozenset[Pair] = frozenset()


def state_of(table: Table) -> Ti4State:
    """The state of a TI4 table."""
    assert isinstance(table.state, Ti4State)
    return table.state


def are_neighbors(table: Table, first: str, second: str) -> bool:
    """Whether these two seats are neighbours now."""
    return pair(first, second) in state_of(table).neighbors
