"""Looks at tables without a ledger: what the desk would hand to `bot.show`."""

from __future__ import annotations

from collections.abc import Mapping

from bot.desk import Look
from bot.ledger import Person
from bot.rules.table import Table

USER = 10**18
"""Discord's numbers are that long; person 3 is user USER + 3."""


def look_at(table: Table, names: Mapping[int, str] | None = None) -> Look:
    """The table with people 1 to 10 known at it, by these names or as ``p1`` to ``p10``."""
    called = names or {}
    people = {n: Person(number=n, user_id=USER + n, name=called.get(n, f"p{n}")) for n in range(1, 11)}
    return Look(1, table, people)
