"""How many commodities a seat can have: its commodity value (21.2)."""

from __future__ import annotations

from functools import cache

from bot.api import Goods, Seat, Table
from bot.games.ti4.components import COMMODITY
from bot.games.ti4.hidden import in_front_of
from bot.games.ti4.state import state_of
from data.ti4 import abilities, factions


def commodity_value(seat: Seat) -> int:
    """Return the most commodities that a seat can have now."""
    return value_with(seat.id, in_front_of(seat))


def unlimited(table: Table, seat: str) -> bool:
    """Return whether a permit has taken the upper limit from a seat's commodities: Age of Commerce."""
    return any(
        "commodities" in permit.lifts and (not permit.seats or seat in permit.seats)
        for permit in state_of(table).permits
    )


def replenishment(table: Table, seat: Seat) -> int:
    """Return how many commodities replenishing would bring now: those missing, or the value if there is no limit."""
    value = commodity_value(seat)
    return value if unlimited(table, seat.id) else max(0, value - seat.holdings.count(COMMODITY))


def value_with(seat: str, in_front: Goods) -> int:
    """Return the value on the faction sheet, and what cards add that lie in front of the seat."""
    added = sum(amount * len(tokens_of(held, in_front)) for held, amount in _adding())
    return factions()[seat].commodity_value + added


@cache
def _adding() -> tuple[tuple[str, int], ...]:
    """Return the cards and tokens that add to the value of whom they lie in front of, and how much each adds."""
    return tuple(
        (ability.held, ability.amount)
        for ability in abilities()
        if ability.lifts == "commodity_value" and ability.held is not None
    )


def tokens_of(held: str, in_front: Goods) -> list[str]:
    """Return the cards or tokens of this kind that lie in front of a seat: a note in play, a relic, a station."""
    return [token for token in in_front if token == held or token.startswith(f"{held}:")]
