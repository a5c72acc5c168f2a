"""What runs out by itself, and when."""

from __future__ import annotations

from random import Random
from types import ModuleType

import pytest

from bot.games.advciv.trading import OpenTrading
from bot.rules.features.offers.posting import PauseOffer, PostOffer
from bot.rules.features.offers.signing import EndOffer
from bot.rules.features.tables import (
    REOPENABLE,
    BeginClosing,
    ChangeSettings,
    CloseTable,
    OpenTable,
    PauseTable,
    ReopenTable,
    ResumeTable,
    SetPhase,
    TableClosed,
    Tick,
    next_deadline,
)
from bot.rules.model.goods import Goods
from bot.rules.model.table import MINUTE
from bot.rules.model.violation import Refused
from bot.rules.visibility import secrets_open
from bot.testing.world import World
from tests.games.advciv import machine as advciv
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
        world.do(1, PostOffer(None, Goods({"trade_good": number}), lasts=lasts), at=1_000)
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
    assert [entry.kind for entry in world.do(0, Tick(), at=20_000)] == ["offer.expired", "offer.expired"]
    assert set(world.table.offers) == {1}


def test_an_offer_stands_as_long_as_the_table_is_set_to() -> None:
    world = ti4.opened(2, Random(1), {"timer": 5})
    world.do(1, PostOffer(None, ONE), at=7)
    assert world.table.offers[1].until == 7 + 5 * MINUTE


def test_a_closed_table_has_no_deadline() -> None:
    world = ti4.opened(2, Random(1))
    world.do(1, PostOffer(None, ONE, lasts=10_000))
    world.do(1, CloseTable())
    assert next_deadline(world.table) is None


@pytest.mark.parametrize("game", [ti4, advciv])
def test_a_table_that_was_closed_opens_again_as_it_was_or_closes_when_its_time_is_over(game: ModuleType) -> None:
    world = game.opened(3, Random(1))
    host, seats = world.table.host, world.table.seats
    world.do(host, BeginClosing(), at=7)
    assert next_deadline(world.table) == world.table.closing == 7 + REOPENABLE
    assert not secrets_open(world.table)
    for refused in (SetPhase("action"), BeginClosing(), CloseTable(), ChangeSettings({"timer": 5})):
        with pytest.raises(Refused, match="This table is closed"):
            world.do(host, refused, at=8)
    with pytest.raises(Refused, match="Only the host"):
        world.do(2, ReopenTable(), at=8)
    world.do(host, ReopenTable(), at=8)
    assert world.table.seats == seats
    assert next_deadline(world.table) is None
    with pytest.raises(Refused, match="This table is open"):
        world.do(host, ReopenTable(), at=8)
    world.do(host, BeginClosing(), at=9)
    assert world.do(0, Tick(), at=8 + REOPENABLE) == ()
    assert world.do(0, Tick(), at=9 + REOPENABLE) == (TableClosed(),)
    assert secrets_open(world.table)
    assert next_deadline(world.table) is None
    with pytest.raises(Refused, match="This table is closed"):
        world.do(host, ReopenTable(), at=9 + REOPENABLE)


def test_a_table_at_which_nobody_sat_closes_at_once() -> None:
    world = World()
    world.do(1, OpenTable("ti4", "Friday"))
    assert world.do(1, BeginClosing()) == (TableClosed(),)


def test_a_games_own_clock_counts_too() -> None:
    world = advciv.opened(3, Random(1), dealt=False)
    world.do(1, ChangeSettings({"timer": 5}))
    world.do(1, OpenTrading(), at=0)
    assert next_deadline(world.table) == 4 * MINUTE, "the last minute is announced"
    assert [entry.kind for entry in world.do(0, Tick(), at=4 * MINUTE)] == ["advciv.trading.warned"]
    assert next_deadline(world.table) == 5 * MINUTE
    assert "advciv.trading.closed" in [entry.kind for entry in world.do(0, Tick(), at=5 * MINUTE)]
    assert next_deadline(world.table) is None


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
    assert [entry.kind for entry in world.do(0, Tick(), at=1_006_000)] == ["offer.expired"]


def test_the_bell_stands_still_in_a_pause() -> None:
    world = advciv.opened(2, Random(1))
    host = world.table.host
    world.do(host, OpenTrading(minutes=5, anyway=True), at=0)
    before = next_deadline(world.table)
    assert before is not None
    world.do(host, PauseTable(), at=MINUTE)
    assert next_deadline(world.table) is None
    world.do(host, ResumeTable(), at=61 * MINUTE)
    assert next_deadline(world.table) == before + 60 * MINUTE


def test_a_clock_that_was_set_back_takes_nothing_from_what_was_left() -> None:
    world = ti4.opened(2, Random(1))
    world.do(1, PostOffer(None, ONE, lasts=10_000), at=1_000)
    world.do(world.table.host, PauseTable(), at=5_000)
    world.do(world.table.host, ResumeTable(), at=2_000)
    assert next_deadline(world.table) == 11_000


def test_nothing_is_done_at_a_paused_table_but_going_on_and_closing() -> None:
    world = ti4.opened(2, Random(1))
    host = world.table.host
    world.do(host, PauseTable())
    for person, command in ((1, PostOffer(None, ONE)), (host, SetPhase("action")), (host, PauseTable())):
        with pytest.raises(Refused, match="The game is paused") as refused:
            world.do(person, command)
        assert [each.label for each in refused.value.options] == ["Go on"]
    world.do(host, BeginClosing())
    world.do(host, ReopenTable())
    assert world.table.paused is not None, "opened again, it is still paused"
    world.do(host, CloseTable())
    assert not world.table.open
