"""Tests of effects: who may press what under a hint, once, and until when."""

from __future__ import annotations

import pytest

from bot.games.ti4.losses import LoseCommodities
from bot.games.ti4.neighbors import JoinNeighbors
from bot.games.ti4.pillage import (
    AppealPillage,
    Pillage,
    Pillages,
    SettlePillage,
    Take,
    prompts,
)
from bot.games.ti4.turns import EndTurn, StartTurn
from bot.rules.entries import Recorded
from bot.rules.features.holdings import Gain
from bot.rules.features.seats import Leave
from bot.rules.features.tables import SetPhase
from bot.rules.model.goods import NOTHING, Goods
from bot.rules.model.parts import part
from bot.rules.model.table import Table
from bot.rules.visibility import see_entry
from tests.games.ti4.machine import command_of
from tests.games.ti4.tables import after, done, having, person_at, refused, table_of, with_goods

HOST, BOB, MIA = 1, 2, 3
ONE = Goods({"trade_good": 1})


def near(goods: dict[str, int]) -> Table:
    """Bob plays Sol, with these goods, and is the neighbour of Mia, who plays Mentak; Hacan
    hosts.
    """
    return after(
        having(table_of(("hacan", "sol", "mentak")), "sol", goods), JoinNeighbors("sol", "mentak")
    )


def gained(goods: dict[str, int]) -> Table:
    """The same, and Bob has just gained a trade good."""
    return after(near(goods), Gain(ONE), by=BOB)


def chances(table: Table) -> list[str]:
    return [chance.of for chance in part(table, Pillages).chances]


@pytest.mark.parametrize(
    ("goods", "can"), [({"trade_good": 2}, True), ({"trade_good": 1}, False), ({}, False)]
)
def test_three_trade_goods_after_the_gain(goods: dict[str, int], can: bool) -> None:
    assert chances(gained(goods)) == ["sol"] * can


def appealed(goods: dict[str, int], take: Take = "trade_good") -> Table:
    """Mentak has pillaged Bob, who says that it isn't so."""
    return after(after(gained(goods), Pillage("sol", take), by=MIA), AppealPillage(), by=BOB)


def money(table: Table) -> list[tuple[int, int]]:
    """Return the trade goods and commodities of Sol and of Mentak."""
    hands = [table.seats[seat].holdings for seat in ("sol", "mentak")]
    return [(hand.count("trade_good"), hand.count("commodity")) for hand in hands]


def test_an_appeal_outlasts_its_turn_and_the_next_pillage() -> None:
    table = after(appealed({"trade_good": 5}), StartTurn("hacan"))
    table = after(
        after(after(table, Gain(ONE), by=BOB), Pillage("sol", "trade_good"), by=MIA),
        AppealPillage(),
        by=BOB,
    )
    assert len([*prompts(table)]) == 2
    for left in (1, 0):
        table = after(table, SettlePillage("sol", stands=False))
        assert len([*prompts(table)]) == left
    assert money(table) == [(7, 0), (0, 0)]


def test_what_is_no_longer_there_is_not_taken() -> None:
    none = after(gained({"trade_good": 2, "commodity": 1}), LoseCommodities(1), by=BOB)
    assert "has no commodity" in refused(none, Pillage("sol", "commodity"), by=MIA).reason
    assert "Nobody plays that seat" in refused(none, Pillage("nobody", "commodity"), by=MIA).reason


def test_a_chance_ends_with_its_turn_and_not_with_who_sits_there() -> None:
    table = gained({"trade_good": 2})
    for by in (BOB, MIA):
        assert chances(after(table, Leave(), by=by)) == ["sol"]
    assert not chances(after(table, StartTurn("sol")))
    turn = after(after(table, StartTurn("sol")), Gain(ONE), by=BOB)
    assert chances(turn)
    for ends in (EndTurn(), StartTurn("hacan"), SetPhase("status")):
        assert not chances(after(turn, ends))


def test_commodities_lost_by_pillage_are_not_pillaged_twice() -> None:
    table = gained({"trade_good": 2, "commodity": 1})
    lost = after(table, LoseCommodities(1, effect="Pillage"), by=BOB)
    assert lost.seats["mentak"].holdings.count("trade_good") == 1
    assert refused(lost, Pillage("sol", "trade_good"), by=MIA).rule == "Pillage"


@pytest.mark.parametrize(
    ("amount", "to", "effect", "reason"),
    [
        (0, None, "", "can't move"),
        (3, None, "", "You have 2 commodities"),
        (1, "hacan", "Law's Order", "doesn't give them to anybody"),
        (2, None, "Law's Order", "takes 1 commodity"),
        (1, "hacan", "Salvage", "takes all of them"),
        (2, None, "Salvage", "gives them to another player"),
        (1, "hacan", "Pillage", "is Mentak's ability"),
        (1, "sol", "", "can't give commodities to yourself"),
        (1, "xxcha", "", "Nobody plays that seat"),
    ],
)
def test_what_an_effect_does_not_do_is_refused(
    amount: int, to: str | None, effect: str, reason: str
) -> None:
    table = near({"commodity": 2})
    assert reason in refused(table, LoseCommodities(amount, to, effect), by=BOB).reason


def test_each_hint_names_the_chance_of_its_entry() -> None:
    """Several entries of one command bring chances: the view of each has the table after all of
    them.
    """
    table = table_of(("empyrean", "letnev", "mentak"))
    for other, goods in (
        ("empyrean", {"trade_good": 2}),
        ("letnev", {"trade_good": 2, "commodity": 2}),
    ):
        table = after(having(table, other, goods), JoinNeighbors("mentak", other))
    table = with_goods(table, "letnev", NOTHING, Goods({"note:dark_pact:empyrean": 1}))
    command = LoseCommodities(2, "empyrean")
    over = after(table, command, by=BOB)
    for seq, entry in enumerate(done(table, command, by=BOB), table.seq + 1):
        views = see_entry(
            Recorded(1, seq, 0, BOB, entry, ""), person_at(over, MIA), "ti4", over
        ).follow_ups
        commands = [command_of(button.action) for view in views for button in view.buttons]
        assert [each.since for each in commands if isinstance(each, Pillage)] == [
            each.seq for each in part(over, Pillages).chances if each.seq == seq
        ]
    assert chances(over) == ["empyrean", "letnev"]
