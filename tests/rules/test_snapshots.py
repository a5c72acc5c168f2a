"""Tests of snapshots: the same table again, small after a long game, and never another
program's.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random

import pytest

from bot.rules import snapshots
from bot.rules.features.offers.posting import PostOffer
from bot.rules.features.offers.signing import EndOffer
from bot.rules.model.goods import Goods
from bot.testing import laws
from bot.testing.world import World
from tests.games.advciv import machine as advciv
from tests.games.ti4 import machine as ti4
from tests.scale import at_scale, variants

COUNTERS = 2
"""How many numbers of a table grow with its offers: offers posted and entries."""


def many_offers(count: int) -> World:
    """Return a table that has seen so many offers, all of them over."""
    world = ti4.opened(3, Random(3))
    seat = world.seat(2)
    for number in range(1, count + 1):
        world.do(
            1, PostOffer(seat, Goods({"trade_good": 1}), terms="words that nobody needs any more")
        )
        world.do(1, EndOffer(number, "withdraw"))
    return world


def test_a_snapshot_is_as_small_after_300_offers_as_after_30() -> None:
    few, many = (
        len(snapshots.dump(many_offers(count).table)) for count in (30, at_scale(300, 1000))
    )
    assert abs(many - few) <= 10 * COUNTERS


@pytest.mark.parametrize("seed", variants(*range(3)))
@pytest.mark.parametrize("game", ["ti4", "advciv"])
def test_a_table_with_a_past_is_the_same_after_its_snapshot(game: str, seed: int) -> None:
    """Its sets may be written in another order each time, and that is no other table."""
    dice = Random(seed)
    world = ti4.opened(6, dice) if game == "ti4" else advciv.opened(6, dice, dealt=False)
    for number in range(200):
        world.tries(
            ti4.MACHINE.any(world.table, dice) if game == "ti4" else advciv.made(world.table, dice)
        )
        if number % 4 == 0:
            laws.survives_a_snapshot(world.table)
            loaded = snapshots.load(world.table.seq, snapshots.dump(world.table))
            assert loaded is not None
            assert snapshots.load(loaded.seq, snapshots.dump(loaded)) == world.table
            assert type(loaded.state) is type(world.table.state)


def changed(text: str, change: Callable[[dict[str, object]], object]) -> str:
    saved = json.loads(text)
    change(saved)
    return json.dumps(saved)


OTHERS: dict[str, Callable[[str], str]] = {
    "nothing": lambda text: "",
    "no JSON": lambda text: text[:-5],
    "a list": lambda text: "[]",
    "a number": lambda text: "7",
    "another shape": lambda text: changed(text, lambda saved: saved.update(shape="0" * 16)),
    "no table": lambda text: changed(text, lambda saved: saved.pop("table")),
    "a table that is a list": lambda text: changed(text, lambda saved: saved.update(table=[])),
    "a game that is gone": lambda text: changed(
        text, lambda saved: saved["table"].update(game="chess")
    ),  # type: ignore[attr-defined]
    "no state": lambda text: changed(text, lambda saved: saved["table"].pop("state")),  # type: ignore[attr-defined]
    "a name too many": lambda text: changed(text, lambda saved: saved["table"].update(more=1)),  # type: ignore[attr-defined]
    "goods below nothing": lambda text: text.replace('"trade_good": 4', '"trade_good": -4'),
    "another number": lambda text: changed(text, lambda saved: saved["table"].update(seq=1)),  # type: ignore[attr-defined]
}


@pytest.mark.parametrize("make", OTHERS.values(), ids=OTHERS)
def test_what_this_program_did_not_write_is_not_read(make: Callable[[str], str]) -> None:
    table = ti4.opened(3, Random(1)).table
    text = snapshots.dump(table)
    assert make(text) != text
    assert snapshots.load(table.seq, make(text)) is None
