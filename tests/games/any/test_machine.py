"""Tests of random tables that play random texts: each trade is one that the text allows."""

from __future__ import annotations

import tomllib
from collections import Counter
from random import Random
from typing import Any

import pytest

from bot.games.any.book import Defined, PhaseBegun
from bot.games.any.deeds import Begin, Happen, Play, happen_button
from bot.rules.apply import apply
from bot.rules.commands import Press
from bot.rules.entries import Entry
from bot.rules.features.offers.entries import Transaction
from bot.rules.features.seats import Sit
from bot.rules.features.tables import OpenTable
from bot.rules.model.goods import NOTHING, Change, Goods, kind_of
from bot.rules.model.table import Table
from bot.rules.model.violation import Refused
from bot.testing import laws
from bot.testing.world import TABLE, World
from tests.games.any.machine import made, opened
from tests.scale import at_scale, seeds

ACTS = at_scale(250, 1500)


class Witness:
    """Reads the text that is played, and watches each trade by it alone."""

    def __init__(self) -> None:
        self.text: dict[str, Any] = {}
        self.trades = Counter[frozenset[str]]()
        self.kinds = Counter[str]()

    def saw(self, before: Table, entry: Entry) -> None:
        self.kinds[entry.kind] += 1
        if isinstance(entry, Defined):
            self.text = tomllib.loads(entry.text)
            self.trades.clear()
        elif isinstance(entry, PhaseBegun):
            self.trades.clear()
        elif isinstance(entry, Transaction) and before.settings.rulings == "refuse":
            self.allowed(before, entry)

    def allowed(self, before: Table, entry: Transaction) -> None:
        rules = self.text.get("trade", {})
        both = frozenset({entry.first, entry.second})
        self.trades[both] += 1
        assert before.phase in (rules.get("when") or [before.phase])
        if rules.get("per_partner"):
            assert self.trades[both] <= rules["per_partner"]
        if rules.get("who") == "turn":
            assert before.window.holder in both
        sides = [gives(entry, seat) for seat in (entry.first, entry.second)]
        for goods in sides:
            assert not any(self.good(token).get("kept") for token in goods)
            assert not goods or goods.total() >= rules.get("least", 0)
            if rules.get("one_kind"):
                assert len({*map(kind_of, goods)}) <= 1
        if not rules.get("gifts", True):
            assert all(sides)
        if not rules.get("same", True):
            assert {*map(kind_of, sides[0])}.isdisjoint(map(kind_of, sides[1]))
        if rules.get("equal") and all(sides):
            assert sides[0].total() == sides[1].total()

    def good(self, token: str) -> dict[str, Any]:
        found: dict[str, Any] = list(self.text["goods"].values())[int(kind_of(token)[1:]) - 1]
        return found


def gives(entry: Transaction, seat: str) -> Goods:
    """Return all that a seat gave in a trade, hidden goods included."""
    lost = NOTHING
    for changes in (entry.changes, entry.hidden or {}):
        lost += changes.get(seat, Change()).lost
    return lost


@pytest.mark.parametrize("seed", seeds(6))
def test_each_trade_is_one_that_the_text_allows(seed: int) -> None:
    dice, kinds = Random(seed), Counter[str]()
    for _ in range(3):
        world = opened(dice, dice.randint(2, 6))
        for _ in range(ACTS):
            answer = world.tries(made(world.table, dice))
            if isinstance(answer, Refused):
                laws.told_well(world.table, answer)
        table, witness = Table(id=TABLE), Witness()
        for entry in map(laws.stored, world.entries):
            after = apply(table, entry)
            witness.saw(table, entry)
            table = after
        laws.sound(table)
        assert table == world.table
        kinds += witness.kinds
    assert kinds["offer.transaction"] > 1
    assert kinds["any.phase"]


def test_an_event_s_button_lets_it_happen_once() -> None:
    world = World()
    world.do(1, OpenTable("any"))
    world.do(1, Play("shops"))
    for person, seat in enumerate(("s1", "s2"), start=1):
        world.do(1, Sit(seat, person))
    world.do(1, Begin())
    shown = Happen("income", world.table.window.since)
    world.do(1, shown)
    with pytest.raises(Refused, match="It has happened"):
        world.do(1, shown)
    again = happen_button(world.table, "income").action
    assert isinstance(again, Press)
    world.do(1, again.command)
    assert world.table.seats["s2"].holdings.count("g1") == 90
