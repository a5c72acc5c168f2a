"""Tests of what expires, and when."""

from __future__ import annotations

from random import Random

from bot.rules.features.offers.posting import PauseOffer, PostOffer
from bot.rules.features.offers.signing import EndOffer
from bot.rules.features.tables import (
    BeginClosing,
    OpenTable,
    PauseTable,
    ResumeTable,
    TableClosed,
    Tick,
    next_deadline,
)
from bot.rules.model.goods import Goods
from bot.testing.world import World
from tests.games.ti4 import machine as ti4

ONE = Goods({"trade_good": 1})


def test_a_table_without_deadlines_needs_no_clock() -> None:
    world = ti4.opened(2, Random(1))
    world.do(1, PostOffer(None, ONE))
    assert next_deadline(world.table) is None
    assert world.do(0, Tick(), at=10**15) == ()


def test_the_next_one_is_the_earliest_of_the_offers_that_stand() -> None:
    world = ti4.opened(2, Random(1))
    for number, lasts in enumerate((30_000, 10_000, 20_000), 1):
        offer = PostOffer(None, Goods({"trade_good": number}), lasts=lasts)
        world.do(1, offer, at=1_000)
    assert next_deadline(world.table) == 11_000
    world.do(1, PauseOffer(2, paused=True))
    assert next_deadline(world.table) == 11_000, "a suspended offer runs out too"
    world.do(1, EndOffer(2, "withdraw"))
    assert next_deadline(world.table) == 21_000


def test_all_whose_time_is_up_end_at_once_and_no_other() -> None:
    world = ti4.opened(2, Random(1))
    for number, lasts in enumerate((30_000, 10_000, 20_000), 1):
        world.do(1, PostOffer(None, Goods({"trade_good": number}), lasts=lasts))
    assert world.do(0, Tick(), at=9_999) == ()
    entries = world.do(0, Tick(), at=20_000)
    assert [entry.kind for entry in entries] == ["offer.expired", "offer.expired"]
    assert set(world.table.offers) == {1}


def test_a_table_at_which_nobody_sat_closes_at_once() -> None:
    world = World()
    world.do(1, OpenTable("ti4", "Friday"))
    assert world.do(1, BeginClosing()) == (TableClosed(),)


# ---------------------------------------------------------------- a pause


def test_a_paused_table_has_no_deadline_and_then_as_long_as_was_left() -> None:
    world = ti4.opened(2, Random(1))
    world.do(1, PostOffer(None, ONE, lasts=10_000), at=1_000)
    host = world.table.host
    world.do(host, PauseTable(), at=5_000)
    assert next_deadline(world.table) is None
    assert world.do(0, Tick(), at=10**12) == ()
    world.do(host, ResumeTable(), at=1_000_000)
    assert next_deadline(world.table) == 1_006_000
    (entry,) = world.do(0, Tick(), at=1_006_000)
    assert entry.kind == "offer.expired"


def test_a_clock_that_was_set_back_takes_nothing_from_what_was_left() -> None:
    world = ti4.opened(2, Random(1))
    world.do(1, PostOffer(None, ONE, lasts=10_000), at=1_000)
    world.do(world.table.host, PauseTable(), at=5_000)
    world.do(world.table.host, ResumeTable(), at=2_000)
    assert next_deadline(world.table) == 11_000
