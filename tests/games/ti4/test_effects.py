"""What effects take: who may press what under a hint, once, and until when."""

from __future__ import annotations

import pytest

from bot.games.ti4 import GAME
from bot.games.ti4.commodities import Convert, GainCommodities
from bot.games.ti4.losses import LoseCommodities
from bot.games.ti4.neighbors import JoinNeighbors
from bot.games.ti4.pillage import (
    AnswerPillage,
    GainedByEffect,
    GivenByEffect,
    Pillage,
    PillageAsked,
    Pillages,
    prompts,
    waiting,
)
from bot.games.ti4.requests import Replenish
from bot.games.ti4.turns import StartTurn
from bot.rules.entries import Recorded
from bot.rules.features.holdings import Gain, SetHoldings, Spend
from bot.rules.features.seats import Leave
from bot.rules.features.tables import ChangeSettings
from bot.rules.model.goods import NOTHING, Goods
from bot.rules.model.parts import part
from bot.rules.model.table import Table
from bot.rules.visibility import see_entry
from tests.games.ti4.machine import command_of
from tests.games.ti4.tables import after, done, having, person_at, refused, table_of, with_goods

HOST, BOB, MIA = 1, 2, 3
ONE = Goods({"trade_good": 1})


def near(goods: dict[str, int]) -> Table:
    """Bob plays Sol, with these goods, and is the neighbour of Mia, who plays Mentak; Hacan hosts."""
    return after(having(table_of(("hacan", "sol", "mentak")), "sol", goods), JoinNeighbors("sol", "mentak"))


def gained(goods: dict[str, int]) -> Table:
    """The same, and Bob has just gained a trade good."""
    return after(near(goods), Gain(ONE), by=BOB)


def chances(table: Table) -> list[str]:
    return [chance.of for chance in part(table, Pillages).chances]


@pytest.mark.parametrize(("goods", "can"), [({"trade_good": 2}, True), ({"trade_good": 1}, False), ({}, False)])
def test_three_trade_goods_after_the_gain(goods: dict[str, int], can: bool) -> None:
    assert chances(gained(goods)) == ["sol"] * can


def test_turned_corrected_and_lost_goods_are_no_gain() -> None:
    rich = near({"trade_good": 5, "commodity": 2})
    for command in (Convert(2), Spend(ONE), GainCommodities(1), Replenish(), LoseCommodities(1)):
        assert not chances(after(rich, command, by=BOB)), command
    assert not chances(after(rich, SetHoldings("sol", Goods({"trade_good": 9}))))


def test_no_neighbour_no_chance_nor_for_the_protected_or_the_uncounted() -> None:
    assert not chances(after(having(table_of(("hacan", "sol", "mentak")), "sol", {"trade_good": 5}), Gain(ONE), by=2))
    protected = with_goods(near({"trade_good": 5}), "sol", NOTHING, Goods({"note:promise_of_protection:mentak": 1}))
    assert not chances(after(protected, Gain(ONE), by=BOB))
    assert "Nobody plays that seat" in refused(protected, Pillage("nobody", "commodity"), by=MIA).reason
    uncounted = after(gained({"trade_good": 5}), ChangeSettings({"inventory": "untracked"}))
    assert "does not keep count" in refused(uncounted, Pillage("sol", "trade_good"), by=MIA).reason


def test_the_buttons_are_what_there_is_to_take_and_the_rules_take_them() -> None:
    for goods, labels in (
        ({"trade_good": 2}, ["Pillage 1 trade good"]),
        ({"trade_good": 2, "commodity": 1}, ["Pillage 1 trade good", "Pillage 1 commodity"]),
    ):
        before = near(goods)
        (entry,) = done(before, Gain(ONE), by=BOB)
        table = after(before, Gain(ONE), by=BOB)
        (hint,) = GAME.features.follow_ups(table, entry)
        assert (hint.seat, [button.label for button in hint.buttons]) == ("mentak", labels)
        for button in hint.buttons:
            command = command_of(button.action)
            assert command is not None
            (asked,) = done(table, command, by=MIA)
            assert isinstance(asked, PillageAsked)
            assert refused(table, command, by=BOB).rule == "Pillage"
            once = after(table, command, by=MIA)
            assert once.seats == table.seats, "nothing moves before it is handed over"
            assert refused(once, command, by=MIA).rule == "Pillage"


def test_who_is_asked_hands_it_over_and_nobody_else() -> None:
    table = gained({"trade_good": 2})
    since = table.seq
    asked = after(table, Pillage("sol", "trade_good", since), by=MIA)
    assert [(prompt.seat, prompt.evident) for prompt in prompts(asked)] == [("sol", True)]
    for other in (HOST, MIA):
        assert "already answered" in refused(asked, AnswerPillage(since, agreed=True), by=other).reason
    over = after(asked, AnswerPillage(since, agreed=True), by=BOB)
    assert [over.seats[seat].holdings.count("trade_good") for seat in ("sol", "mentak")] == [2, 1]
    assert "already answered" in refused(over, AnswerPillage(since, agreed=True), by=BOB).reason
    assert not [*prompts(over)]


def test_what_is_no_longer_there_waits_until_it_is() -> None:
    table = gained({"trade_good": 2, "commodity": 1})
    asked = after(table, Pillage("sol", "commodity"), by=MIA)
    without = after(asked, LoseCommodities(1), by=BOB)
    assert not waiting(without)
    assert waiting(after(without, GainCommodities(1), by=BOB))
    none = after(table, LoseCommodities(1), by=BOB)
    assert "has no commodity" in refused(none, Pillage("sol", "commodity"), by=MIA).reason


def test_a_host_who_plays_mentak_says_so_at_once_and_the_entry_tells() -> None:
    table = after(table_of(("mentak", "sol")), JoinNeighbors("sol", "mentak"))
    table = after(having(table, "sol", {"trade_good": 3}), Gain(ONE), by=BOB)
    (entry,) = done(table, Pillage("sol", "trade_good"))
    assert isinstance(entry, GivenByEffect)
    assert (entry.by_host, entry.effect, entry.to) == (True, "Pillage", "mentak")


def test_a_chance_is_gone_with_either_chair_and_after_the_next_turn() -> None:
    table = gained({"trade_good": 2})
    for by in (BOB, MIA):
        assert not chances(after(table, Leave(), by=by))
    one, two = after(table, StartTurn("sol")), after(after(table, StartTurn("sol")), StartTurn("hacan"))
    assert chances(one)
    assert chances(two)
    assert not chances(after(two, StartTurn("sol")))


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
def test_what_an_effect_does_not_do_is_refused(amount: int, to: str | None, effect: str, reason: str) -> None:
    table = near({"commodity": 2})
    assert reason in refused(table, LoseCommodities(amount, to, effect), by=BOB).reason


def test_what_is_given_by_an_effect_is_trade_goods() -> None:
    table = after(near({"commodity": 2}), LoseCommodities(2, "hacan", "salvage"), by=BOB)
    assert table.seats["hacan"].holdings.of_kind("trade_good", "commodity") == Goods({"trade_good": 2})
    assert not table.seats["sol"].holdings.count("commodity")


def test_dark_pact_brings_each_of_the_two_one_trade_good_at_once() -> None:
    pact = Goods({"note:dark_pact:empyrean": 1})
    table = with_goods(table_of(("empyrean", "letnev")), "letnev", Goods({"commodity": 2}), pact)
    given, *gains = done(table, LoseCommodities(2, "empyrean"), by=BOB)
    assert isinstance(given, GivenByEffect)
    assert [(gain.seat, gain.since) for gain in gains if isinstance(gain, GainedByEffect)] == [
        ("empyrean", table.seq + 1),
        ("letnev", table.seq + 1),
    ]
    over = after(table, LoseCommodities(2, "empyrean"), by=BOB)
    assert [over.seats[seat].holdings.count("trade_good") for seat in ("empyrean", "letnev")] == [3, 1]
    assert len(done(table, LoseCommodities(1, "empyrean"), by=BOB)) == 1, "not all of them"


def test_each_hint_names_the_chance_of_its_entry() -> None:
    """Several entries of one command bring chances: the view of each has the table after all of them."""
    table = table_of(("empyrean", "letnev", "mentak"))
    for other, goods in (("empyrean", {"trade_good": 2}), ("letnev", {"trade_good": 2, "commodity": 2})):
        table = after(having(table, other, goods), JoinNeighbors("mentak", other))
    table = with_goods(table, "letnev", NOTHING, Goods({"note:dark_pact:empyrean": 1}))
    command = LoseCommodities(2, "empyrean")
    over = after(table, command, by=BOB)
    for seq, entry in enumerate(done(table, command, by=BOB), table.seq + 1):
        views = see_entry(Recorded(1, seq, 0, BOB, entry, ""), person_at(over, MIA), "ti4", over).follow_ups
        commands = [command_of(button.action) for view in views for button in view.buttons]
        assert [each.since for each in commands if isinstance(each, Pillage)] == [
            each.seq for each in part(over, Pillages).chances if each.seq == seq
        ]
    assert chances(over) == ["empyrean", "letnev"]
