"""Tests of setting up a table: each game's steps, when they are done, and their buttons."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.games.ti4.neighbors import SeatNeighbors
from bot.rules.features.offers.posting import PostOffer
from bot.rules.features.seats import Leave, Sit
from bot.rules.features.tables import ChangeSettings, CloseTable, OpenTable
from bot.rules.model.goods import Goods
from bot.rules.registry import game_named
from bot.rules.setup import setup_view
from bot.rules.views import SetupView
from tests.show.playing import World

ASKS = PostOffer(to="sol", want=Goods({"trade_good": 1}))
SEATS = {"ti4": ("hacan", "sol", "xxcha", "yin"), "advciv": ("egypt", "crete", "italy")}


def opened(game: str, players: int = 2) -> World:
    world = World()
    world.do(OpenTable(game))
    for person, seat in enumerate(SEATS[game][:players], 1):
        world.do(Sit(seat), by=person)
    return world


def setup(world: World) -> SetupView:
    found = setup_view(world.table)
    assert found is not None
    return found


def ticks(world: World) -> dict[str, bool]:
    return {step.title: step.done for step in setup(world).steps}


def next_step(world: World) -> str:
    step = setup(world).next
    return step.title if step else ""


def test_the_steps_of_twilight_imperium_tick_themselves() -> None:
    world = opened("ti4", 1)
    assert ticks(world) == {
        "Seats": False,
        "Neighbours": False,
        "Starting goods": False,
        "First turn": False,
    }
    world.do(Sit("sol"), by=2)
    assert (next_step(world), ticks(world)["Starting goods"]) == ("Neighbours", True)
    world.do(SeatNeighbors())
    assert next_step(world) == "First turn"
    world.do(Sit("xxcha"), by=3)
    assert next_step(world) == "Neighbours"  # somebody more is there, who has none
    world.do(SeatNeighbors())
    world.do(Leave(), by=2)
    assert next_step(world) == "First turn"  # the two that are left sat beside each other


def test_an_offer_before_the_first_turn_leaves_it_as_it_is() -> None:
    world = opened("ti4")
    world.do(ASKS)
    assert next_step(world) == "Neighbours"


def test_where_nothing_is_counted_the_host_opens_trading() -> None:
    world = opened("advciv")
    world.do(ChangeSettings({"inventory": "untracked"}))
    assert ticks(world) == {"Seats": True, "Trading": False}


def test_a_game_without_steps_asks_for_seats_and_goods_until_the_first_offer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plain = replace(game_named("ti4"), setup=None)
    monkeypatch.setattr("bot.rules.setup.game_of", lambda table: plain)
    world = opened("ti4", 1)
    assert ticks(world) == {"Seats": False, "Starting goods": False}
    world.do(Sit("sol"), by=2)
    assert next_step(world) == ""
    world.do(ASKS)
    assert setup_view(world.table) is None


def test_a_closed_table_has_none() -> None:
    world = opened("ti4")
    world.do(CloseTable())
    assert setup_view(world.table) is None
