"""What effects take: who may press what under a hint, once, and until when."""

from __future__ import annotations

import pytest

from bot.games.ti4 import GAME
from bot.games.ti4.commodities import Convert, GainCommodities
from bot.games.ti4.losses import LoseCommodities
from bot.games.ti4.neighbors import JoinNeighbors
from bot.games.ti4.pillage import (
    NOUNS,
    AppealPillage,
    GainedByEffect,
    GivenByEffect,
    Pillage,
    PillageAsked,
    Pillages,
    SettlePillage,
    Take,
    prompts,
)
from bot.games.ti4.requests import Replenish
from bot.games.ti4.turns import EndTurn, StartTurn
from bot.rules.apply import replay
from bot.rules.commands import Caller
from bot.rules.engine import decide
from bot.rules.entries import Recorded
from bot.rules.features.holdings import Gain, SetHoldings, Spend
from bot.rules.features.seats import Leave
from bot.rules.features.tables import ChangeSettings, SetPhase
from bot.rules.model.goods import NOTHING, Goods
from bot.rules.model.parts import part
from bot.rules.model.table import Table
from bot.rules.model.violation import Refused
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
            (taken,) = done(table, command, by=MIA)
            assert isinstance(taken, GivenByEffect)
            assert refused(table, command, by=HOST).rule == "Pillage"
            once = after(table, command, by=MIA)
            assert once.seats["mentak"].holdings.count("trade_good") == 1, "nobody is asked"
            assert refused(once, command, by=MIA).rule == "Pillage"
            (told,) = GAME.features.follow_ups(once, taken)
            assert (told.seat, [each.label for each in told.buttons]) == ("sol", ["Not so"])


def appealed(goods: dict[str, int], take: Take = "trade_good") -> Table:
    """Mentak has pillaged Bob, who says that it isn't so."""
    return after(after(gained(goods), Pillage("sol", take), by=MIA), AppealPillage(), by=BOB)


def money(table: Table) -> list[tuple[int, int]]:
    """Return the trade goods and commodities of Sol and of Mentak."""
    hands = [table.seats[seat].holdings for seat in ("sol", "mentak")]
    return [(hand.count("trade_good"), hand.count("commodity")) for hand in hands]


def test_the_host_settles_an_appeal_once() -> None:
    for take in NOUNS:
        table = appealed({"trade_good": 2, "commodity": 1}, take)
        (prompt,) = prompts(table)
        assert (prompt.seat, [each.label for each in prompt.buttons]) == ("hacan", ["It stands", "Give it back"])
        for by in (BOB, MIA):
            refused(table, SettlePillage("sol", stands=True), by=by)
        back, kept = (after(table, SettlePillage("sol", stands)) for stands in (False, True))
        assert (money(back), money(kept)) == ([(3, 1), (0, 0)], money(table))
        for settled in (back, kept):
            assert not [*prompts(settled)]
            assert refused(settled, SettlePillage("sol", stands=False)).rule == "Pillage"
            assert refused(settled, AppealPillage(), by=BOB).rule == "Pillage"


def test_what_comes_back_when_mentak_has_nothing_or_there_is_no_room() -> None:
    spent = after(appealed({"trade_good": 2}), Spend(ONE), by=MIA)
    assert money(after(spent, SettlePillage("sol", stands=False))) == [(3, 0), (0, 0)]
    full = after(appealed({"trade_good": 2, "commodity": 1}, "commodity"), Replenish(), by=BOB)
    assert money(after(full, SettlePillage("sol", stands=False))) == [(4, 4), (0, 0)]


def test_an_appeal_outlasts_its_turn_and_the_next_pillage() -> None:
    table = after(appealed({"trade_good": 5}), StartTurn("hacan"))
    table = after(after(after(table, Gain(ONE), by=BOB), Pillage("sol", "trade_good"), by=MIA), AppealPillage(), by=BOB)
    assert len([*prompts(table)]) == 2
    for left in (1, 0):
        table = after(table, SettlePillage("sol", stands=False))
        assert len([*prompts(table)]) == left
    assert money(table) == [(7, 0), (0, 0)]


def test_who_is_one_of_the_two_does_not_settle_it() -> None:
    table = after(table_of(("mentak", "sol")), JoinNeighbors("sol", "mentak"))
    table = after(after(having(table, "sol", {"trade_good": 3}), Gain(ONE), by=BOB), Pillage("sol", "trade_good"))
    table = after(table, AppealPillage(), by=BOB)
    assert not [*prompts(table)]
    assert "one of the two" in refused(table, SettlePillage("sol", stands=True)).reason
    decide(table, SettlePillage("sol", stands=True), Caller(MIA, moderator=True))
    with pytest.raises(Refused):
        decide(table, SettlePillage("sol", stands=False), Caller(BOB, moderator=True))


def test_what_is_no_longer_there_is_not_taken() -> None:
    none = after(gained({"trade_good": 2, "commodity": 1}), LoseCommodities(1), by=BOB)
    assert "has no commodity" in refused(none, Pillage("sol", "commodity"), by=MIA).reason


def test_what_an_earlier_version_asked_for_can_still_be_had() -> None:
    """Mentak takes it, or the player who was asked hands it over, also on a later turn."""
    table = gained({"trade_good": 2})
    asked = replay([PillageAsked(seat="mentak", other="sol", take="trade_good", since=table.seq)], table)
    later = after(asked, StartTurn("hacan"))
    (prompt,) = prompts(later)
    assert (prompt.seat, [each.label for each in prompt.buttons]) == ("sol", ["Hand it over"])
    handed = command_of(prompt.buttons[0].action)
    assert handed is not None
    for by in (BOB, MIA):
        over = after(later, handed, by=by)
        assert money(over) == [(2, 0), (1, 0)]
        assert not [*prompts(over)]


def test_a_chance_is_gone_with_either_chair_and_with_its_turn() -> None:
    table = gained({"trade_good": 2})
    for by in (BOB, MIA):
        assert not chances(after(table, Leave(), by=by))
    assert not chances(after(table, StartTurn("sol")))
    turn = after(after(table, StartTurn("sol")), Gain(ONE), by=BOB)
    assert chances(turn)
    for ends in (EndTurn(), StartTurn("hacan"), SetPhase("status")):
        assert not chances(after(turn, ends))


def test_two_chances_are_never_saved_up() -> None:
    twice = after(gained({"trade_good": 2}), Gain(ONE), by=BOB)
    assert chances(twice) == ["sol"]
    once = after(twice, Pillage("sol", "trade_good"), by=MIA)
    assert refused(once, Pillage("sol", "trade_good"), by=MIA).rule == "Pillage"


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
