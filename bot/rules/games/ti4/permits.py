"""Abilities that lift a rule for whoever has them: read from ``data/ti4/permits.toml``."""

from __future__ import annotations

from bot.rules.table import Table
from data import permits


def lifts_neighbors(first: str, second: str) -> bool:
    """Whether these two may trade without being neighbours, as by Hacan's Guild Ships."""
    return any(permit.lifts == "neighbors" and permit.faction in (first, second) for permit in permits())


def lifts_goods(table: Table, kind: str, first: str, second: str) -> bool:
    """Whether this kind of component may change hands between these two, as action cards by Hacan's Arbiters.

    With no second seat yet, it is enough that somebody at the table could make it so.
    """
    seats = (first, second) if second else tuple(table.seats)
    return any(
        permit.lifts == "goods" and kind in permit.components and permit.faction in seats for permit in permits()
    )
