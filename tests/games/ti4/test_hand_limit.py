"""Tests of who is reminded to discard [2.4]."""

from __future__ import annotations

import pytest

from bot.games.ti4.hand_limit import DiscardCards, excess, limit, prompts
from bot.rules.features.tables import ChangeSettings
from bot.rules.model.table import Table
from data.ti4 import factions
from tests.games.ti4.tables import after, having, refused, table_of


def holding(seat: str, cards: int, most: str = "7") -> Table:
    table = table_of((seat, "letnev"))
    if most != "7":
        table = after(table, ChangeSettings({"hand_limit": most}))
    return having(table, seat, {"action_card": cards})


@pytest.mark.parametrize("most", ["7", "3"])
def test_a_full_hand_is_not_too_many(most: str) -> None:
    table = holding("hacan", int(most), most)
    assert excess(table, table.seats["hacan"]) == 0
    assert not [*prompts(table)]
    assert refused(table, DiscardCards()).rule == "2.4"


def test_the_yssaril_alone_hold_any_number() -> None:
    table = table_of()
    assert [faction for faction in factions() if limit(table, faction) is None] == ["yssaril"]


def test_nobody_is_reminded_where_nothing_is_counted() -> None:
    table = after(holding("hacan", 20), ChangeSettings({"inventory": "untracked"}))
    assert not [*prompts(table)]
