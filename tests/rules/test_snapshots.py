"""Tests of snapshots: the same table again, small after a long game, never another program's."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from bot.rules import snapshots
from bot.rules.features.offers.posting import PostOffer
from bot.rules.features.offers.signing import EndOffer
from bot.rules.model.goods import Goods
from bot.testing import laws
from bot.testing.world import World
from tests.games.advciv import machine as advciv
from tests.games.any import machine as any_game
from tests.games.ti4 import machine as ti4
from tests.scale import at_scale, variants

COUNTERS = 2
"""How many numbers of a table grow with its offers: offers posted and entries."""


def many_offers(count: int) -> World:
    """Return a table that has seen so many offers, all of them over."""
    world = ti4.opened(3, Random(3))
    offer = PostOffer(world.seat(2), Goods({"trade_good": 1}), terms="nobody needs these words")
    for number in range(1, count + 1):
        world.do(1, offer)
        world.do(1, EndOffer(number, "withdraw"))
    return world


def test_a_snapshot_is_as_small_after_300_offers_as_after_30() -> None:
    few = snapshots.dump(many_offers(30).table)
    many = snapshots.dump(many_offers(at_scale(300, 1000)).table)
    assert abs(len(many) - len(few)) <= 10 * COUNTERS


@pytest.mark.parametrize("seed", variants(*range(3)))
@pytest.mark.parametrize("game", ["ti4", "advciv", "any"])
def test_a_table_with_a_past_is_the_same_after_its_snapshot(game: str, seed: int) -> None:
    """Its sets may be written in another order each time, and that is no other table."""
    dice = Random(seed)
    if game == "ti4":
        world, made = ti4.opened(6, dice), ti4.MACHINE.any
    elif game == "any":
        world, made = any_game.opened(dice, 6), any_game.made
    else:
        world, made = advciv.opened(6, dice, dealt=False), advciv.made
    for number in range(200):
        world.tries(made(world.table, dice))
        if number % 4 == 0:
            laws.survives_a_snapshot(world.table)
            loaded = snapshots.load(world.table.seq, snapshots.dump(world.table))
            assert loaded is not None
            assert snapshots.load(loaded.seq, snapshots.dump(loaded)) == world.table
            assert type(loaded.state) is type(world.table.state)


OTHERS: dict[str, Callable[[Any], object]] = {
    "another shape": lambda saved: saved.update(shape="0" * 16),
    "no table": lambda saved: saved.pop("table"),
    "a table that is a list": lambda saved: saved.update(table=[]),
    "a game that is gone": lambda saved: saved["table"].update(game="chess"),
    "no state": lambda saved: saved["table"].pop("state"),
    "a name too many": lambda saved: saved["table"].update(more=1),
    "another number": lambda saved: saved["table"].update(seq=1),
}


@pytest.mark.parametrize("change", OTHERS.values(), ids=OTHERS)
def test_what_this_program_did_not_write_is_not_read(change: Callable[[Any], object]) -> None:
    table = ti4.opened(3, Random(1)).table
    saved = json.loads(snapshots.dump(table))
    assert snapshots.load(table.seq, json.dumps(saved)) is not None
    change(saved)
    assert snapshots.load(table.seq, json.dumps(saved)) is None


def test_damaged_text_is_not_read() -> None:
    table = ti4.opened(3, Random(1)).table
    text = snapshots.dump(table)
    below_nothing = text.replace('"trade_good": 4', '"trade_good": -4')
    assert below_nothing != text
    for damaged in (below_nothing, "", text[:-5], "[]", "7"):
        assert snapshots.load(table.seq, damaged) is None
