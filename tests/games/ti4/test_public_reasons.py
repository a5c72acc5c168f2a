"""Tests that no reason which everybody may read depends on which notes lie in a hand."""

from __future__ import annotations

from random import Random

import pytest

from bot.games.ti4.components import open_goods, secret
from bot.games.ti4.turns import StartTurn
from bot.rules.features.offers.state import violations
from bot.rules.game import Trade
from bot.rules.model.goods import NOTHING, Goods
from bot.rules.model.replacing import replace
from bot.rules.model.table import Table
from bot.rules.model.violation import Violation
from tests.games.ti4.machine import MACHINE, opened
from tests.scale import at_scale, seeds

TABLES, COMMANDS = at_scale(20, 20), 80


def swapped(table: Table, first: str, one: str, second: str, two: str) -> Table:
    """Return the table as it would be if these two seats held each other's note."""
    for seat, lost, gained in ((first, one, two), (second, two, one)):
        held = table.seats[seat]
        goods = held.holdings - Goods({lost: 1}) + Goods({gained: 1})
        table = table.with_seat(replace(held, holdings=goods))
    return table


def public(table: Table, trade: Trade) -> list[Violation]:
    return [each for each in violations(table, trade) if not each.known_to]


@pytest.mark.slow
@pytest.mark.parametrize("seed", seeds(4))
def test_whoever_asks_for_a_note_learns_nothing_of_the_hand(seed: int) -> None:
    dice, said = Random(seed), 0
    for _ in range(TABLES):
        world = opened(5, dice)
        world.do(1, StartTurn())
        for _ in range(COMMANDS):
            world.tries(MACHINE.of(dice.choice(MACHINE.weighted), world.table, dice))
            said += sum(each.rule == "1.14" for each in tells_nothing(world.table, dice))
    assert said, "Mentak's Pillage stood against none of them"


def tells_nothing(table: Table, dice: Random) -> list[Violation]:
    """Fail if what stands against a trade tells everybody whether its giver holds a note. Return
    what does.
    """
    if table.settings.rulings == "warn" or len(table.seated()) < 3:
        return []
    asker, holder, other = dice.sample(table.seated(), 3)
    mine, theirs = (sorted(secret(table.seats[each].holdings)) for each in (holder, other))
    if not mine or not theirs:
        return []
    one, two = dice.choice(mine), dice.choice(theirs)
    has = open_goods(table.seats[holder].holdings)
    gives = Goods(
        {token: dice.randint(1, count) for token, count in has.items() if dice.random() < 0.7}
    )
    trade = Trade(asker, holder, NOTHING, gives + Goods({one: 1}))
    found = public(table, trade)
    assert public(swapped(table, holder, one, other, two), trade) == found
    return found
