"""Tests of limits on how much of one thing a table may have at once."""

from __future__ import annotations

import pytest

from bot.rules import limits
from bot.rules.model.deals import Negotiation
from bot.rules.model.people import Parties
from bot.rules.model.table import Table
from bot.rules.model.violation import Refused


def test_a_table_has_so_many_negotiations_open() -> None:
    seats = [f"seat{number}" for number in range(20)]
    pairs = [(one, other) for one in seats for other in seats if one < other][: limits.NEGOTIATIONS]
    talks = {
        number: Negotiation(number=number, seat=one, other=other, parties=Parties())
        for number, (one, other) in enumerate(pairs, 1)
    }
    full = Table(negotiations=talks)
    with pytest.raises(
        Refused, match=f"{limits.NEGOTIATIONS} open negotiations at this table.*/negotiate close"
    ):
        limits.require_room_for_negotiation(full, "seat18", "seat19")
    talks.popitem()
    limits.require_room_for_negotiation(Table(negotiations=talks), "seat18", "seat19")
