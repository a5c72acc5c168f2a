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
    prompts,
)
from bot.games.ti4.strategy_cards import PutCardBack, SetCardGoods, TakeCard
from bot.games.ti4.turns import EndTurn, StartTurn
from bot.rules.apply import replay
from bot.rules.entries import Recorded
from bot.rules.features.holdings import Gain
from bot.rules.features.seats import Leave
from bot.rules.features.tables import SetPhase
from bot.rules.model.goods import Goods
from bot.rules.model.parts import part
from bot.rules.model.table import Table
from bot.rules.views import EntryView
from bot.rules.visible_entry import see_entry
from tests.games.ti4.machine import command_of
from tests.games.ti4.tables import after, done, having, person_at, refused, table_of, with_in_play

HOST, BOB, MIA = 1, 2, 3
ONE = Goods({"trade_good": 1})


def near(goods: dict[str, int]) -> Table:
    """Bob plays Sol, with these goods, beside Mia, who plays Mentak; Hacan hosts."""
    table = having(table_of(("hacan", "sol", "mentak")), "sol", goods)
    return after(table, JoinNeighbors("sol", "mentak"))


def gained(goods: dict[str, int]) -> Table:
    """The same, and Bob has just gained a trade good."""
    return after(near(goods), Gain(ONE), by=BOB)


def chances(table: Table) -> list[str]:
    return [chance.of for chance in part(table, Pillages).chances]


def test_three_trade_goods_after_the_gain() -> None:
    assert chances(gained({"trade_good": 2})) == ["sol"]
    assert not chances(gained({"trade_good": 1}))
    assert not chances(gained({}))


def appealed(table: Table) -> Table:
    """Mentak pillages Bob, who says that it isn't so."""
    pillaged = after(table, Pillage("sol", "trade_good"), by=MIA)
    return after(pillaged, AppealPillage(), by=BOB)


def money(table: Table) -> list[tuple[int, int]]:
    """Return the trade goods and commodities of Sol and of Mentak."""
    hands = [table.seats[seat].holdings for seat in ("sol", "mentak")]
    return [(hand.count("trade_good"), hand.count("commodity")) for hand in hands]


def test_an_appeal_outlasts_its_turn_and_the_next_pillage() -> None:
    table = after(appealed(gained({"trade_good": 5})), StartTurn("hacan"))
    table = appealed(after(table, Gain(ONE), by=BOB))
    assert len([*prompts(table)]) == 2
    table = after(table, SettlePillage("sol", stands=False))
    assert len([*prompts(table)]) == 1
    table = after(table, SettlePillage("sol", stands=False))
    assert not [*prompts(table)]
    assert money(table) == [(7, 0), (0, 0)]


def test_what_was_pillaged_can_be_appealed_after_its_cause_was_taken_back() -> None:
    laid = after(near({"trade_good": 3}), SetCardGoods("trade", 1))
    taken = after(laid, TakeCard("trade"), by=BOB)
    pillaged = after(taken, Pillage("sol", "trade_good"), by=MIA)
    put_back = after(pillaged, PutCardBack("trade"), by=BOB)
    assert money(put_back) == [(2, 0), (1, 0)]
    appeal = after(put_back, AppealPillage(), by=BOB)
    assert money(after(appeal, SettlePillage("sol", stands=False))) == [(3, 0), (0, 0)]


def test_what_is_no_longer_there_is_not_taken() -> None:
    none = after(gained({"trade_good": 2, "commodity": 1}), LoseCommodities(1), by=BOB)
    of_sol, of_nobody = Pillage("sol", "commodity"), Pillage("nobody", "commodity")
    assert "has no commodity" in refused(none, of_sol, by=MIA).reason
    assert "Nobody plays that seat" in refused(none, of_nobody, by=MIA).reason


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
    """Several entries of one command bring chances, and each is seen with the table after all."""
    table = table_of(("empyrean", "letnev", "mentak"))
    table = having(table, "empyrean", {"trade_good": 2})
    table = having(table, "letnev", {"trade_good": 2, "commodity": 2})
    table = after(table, JoinNeighbors("mentak", "empyrean"))
    table = after(table, JoinNeighbors("mentak", "letnev"))
    table = with_in_play(table, "letnev", Goods({"note:dark_pact:empyrean": 1}))
    entries = done(table, LoseCommodities(2, "empyrean"), by=BOB)
    over = replay(entries, table)
    assert chances(over) == ["empyrean", "letnev"]
    brought_by = [chance.seq for chance in part(over, Pillages).chances]
    for seq, entry in enumerate(entries, table.seq + 1):
        recorded = Recorded(1, seq, 0, BOB, entry, "")
        view = see_entry(recorded, person_at(over, MIA), "ti4", over)
        hinted = hinted_chances(view)
        assert hinted == [seq] * brought_by.count(seq)


def hinted_chances(view: EntryView) -> list[int | None]:
    """Return the entries whose chances to pillage have a button under this one."""
    chances = []
    for hint in view.follow_ups:
        for button in hint.buttons:
            command = command_of(button.action)
            if isinstance(command, Pillage):
                chances.append(command.since)
    return chances
