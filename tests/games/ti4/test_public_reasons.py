"""Tests that no reason which everybody may read depends on which notes lie in a hand."""

from __future__ import annotations

from random import Random

import pytest

from bot.games.ti4.components import open_goods, secret
from bot.games.ti4.pillage import open_chances
from bot.games.ti4.turns import StartTurn
from bot.rules.features.offers.state import violations
from bot.rules.game import Trade
from bot.rules.model.goods import NOTHING, Goods
from bot.rules.model.table import Table
from bot.rules.model.violation import Violation
from tests.games.ti4.machine import MACHINE, opened
from tests.games.ti4.tables import with_goods, without_goods
from tests.scale import at_scale, seeds

TABLES, COMMANDS = at_scale(20, 80), 80


def swapped(table: Table, first: str, one: str, second: str, two: str) -> Table:
    """Return the table as it would be if these two seats held each other's note."""
    one_note, other_note = Goods({one: 1}), Goods({two: 1})
    table = with_goods(without_goods(table, first, one_note), first, other_note)
    return with_goods(without_goods(table, second, other_note), second, one_note)


def public(table: Table, trade: Trade) -> list[Violation]:
    return [violation for violation in violations(table, trade) if not violation.known_to]


@pytest.mark.slow
def test_whoever_asks_for_a_note_learns_nothing_of_the_hand() -> None:
    rules = set()
    for seed in seeds(TABLES):
        dice = Random(seed)
        world = opened(5, dice)
        world.do(1, StartTurn())
        for _ in range(COMMANDS):
            world.tries(MACHINE.of(dice.choice(MACHINE.weighted), world.table, dice))
            rules |= {reason.rule for reason in tells_nothing(world.table, dice)}
    assert "1.14" in rules, "Mentak's Pillage stood against none of them"


def tells_nothing(table: Table, dice: Random) -> list[Violation]:
    """Return what stands against a trade. Fail if it tells whether its giver holds a note."""
    if table.settings.rulings == "warn" or len(table.seated()) < 3:
        return []
    asker, holder, other = dice.sample(table.seated(), 3)
    pillaged = [chance.of for chance in open_chances(table)]
    if pillaged and pillaged[0] not in (asker, other):
        holder = pillaged[0]  # by chance alone, hardly any trade is held back
    mine = sorted(secret(table.seats[holder].holdings))
    theirs = sorted(secret(table.seats[other].holdings))
    if not mine or not theirs:
        return []
    one, two = dice.choice(mine), dice.choice(theirs)
    gives = Goods({one: 1})
    for token, count in open_goods(table.seats[holder].holdings).items():
        if dice.random() < 0.7:
            gives += Goods({token: dice.randint(1, count)})
    trade = Trade(asker, holder, NOTHING, gives)
    reasons = public(table, trade)
    assert public(swapped(table, holder, one, other, two), trade) == reasons
    return reasons
