"""Tests of limits on how much of one thing a table may have at once."""

from __future__ import annotations

from itertools import combinations, islice

import pytest

from bot.rules import limits
from bot.rules.model.deals import Negotiation
from bot.rules.model.people import Parties
from bot.rules.model.table import Table
from bot.rules.model.violation import Refused


def test_a_table_has_so_many_negotiations_open() -> None:
    pairs = combinations([f"seat{number}" for number in range(20)], 2)
    talks = {}
    for number, (seat, other) in enumerate(islice(pairs, limits.NEGOTIATIONS), 1):
        talks[number] = Negotiation(number=number, seat=seat, other=other, parties=Parties())
    full = Table(negotiations=talks)
    fault = rf"{limits.NEGOTIATIONS} open negotiations at this table\. \*\*Close\*\*"
    with pytest.raises(Refused, match=fault):
        limits.require_room_for_negotiation(full, "seat18", "seat19")
    talks.popitem()
    limits.require_room_for_negotiation(Table(negotiations=talks), "seat18", "seat19")
