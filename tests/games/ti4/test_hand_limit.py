"""Tests of who is reminded to discard [2.4]."""

from __future__ import annotations

import pytest

from bot.games.ti4.hand_limit import DiscardCards, excess, limit, prompts
from bot.rules.features.tables import ChangeSettings
from bot.rules.model.table import Table
from data.ti4 import factions
from tests.games.ti4.tables import after, having, refused, table_of


def holding(seat: str, cards: int, most: str = "7") -> Table:
    table = (
        after(table_of((seat, "letnev")), ChangeSettings({"hand_limit": "3"}))
        if most == "3"
        else None
    )
    return having(table or table_of((seat, "letnev")), seat, {"action_card": cards})


@pytest.mark.parametrize(
    ("cards", "most", "over"), [(7, "7", 0), (8, "7", 1), (3, "3", 0), (8, "3", 5)]
)
def test_what_is_too_many_is_reminded_of_and_discarded(cards: int, most: str, over: int) -> None:
    table = holding("hacan", cards, most)
    assert excess(table, table.seats["hacan"]) == over
    assert [prompt.seat for prompt in prompts(table)] == ["hacan"] * bool(over)
    if over:
        table = after(table, DiscardCards())
        assert table.seats["hacan"].holdings.count("action_card") == int(most)
        assert not [*prompts(table)]
    assert refused(table, DiscardCards()).rule == "2.4"


def test_the_yssaril_alone_hold_any_number() -> None:
    assert [faction for faction in factions() if limit(table_of(), faction) is None] == ["yssaril"]


@pytest.mark.parametrize("most", ["7", "3"])
def test_the_yssaril_are_never_reminded(most: str) -> None:
    table = holding("yssaril", 20, most)
    assert not [*prompts(table)]
    assert refused(table, DiscardCards()).rule == "2.4"


def test_nobody_is_reminded_where_nothing_is_counted() -> None:
    assert not [*prompts(after(holding("hacan", 20), ChangeSettings({"inventory": "untracked"})))]
