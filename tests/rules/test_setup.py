"""Setting up a table: which steps each game has, when they are done, and that their buttons do what they say."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.games.advciv.cities import SayCities
from bot.games.ti4.neighbors import JoinNeighbors, NobodyYet, SeatAround, SeatNeighbors, between_seated, ring_pairs
from bot.games.ti4.turns import SetOrder, StartTurn
from bot.rules.commands import Command, Press
from bot.rules.features.holdings import SetHoldings
from bot.rules.features.offers.posting import PostOffer
from bot.rules.features.seats import Leave, Sit
from bot.rules.features.tables import ChangeSettings, CloseTable, OpenTable, SetPhase
from bot.rules.model.goods import Goods
from bot.rules.registry import game_named
from bot.rules.setup import setup_view
from bot.rules.views import SetupView
from tests.show.playing import World

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
    assert ticks(world) == {"Seats": False, "Neighbours": False, "Starting goods": False, "First turn": False}
    world.do(Sit("sol"), by=2)
    assert (next_step(world), ticks(world)["Starting goods"]) == ("Neighbours", True)
    world.do(SeatNeighbors())
    assert next_step(world) == "First turn"
    world.do(Sit("xxcha"), by=3)
    assert next_step(world) == "Neighbours"  # somebody more is there, who has none
    world.do(SeatNeighbors())
    world.do(Leave(), by=2)
    assert next_step(world) == "First turn"  # the two that are left sat beside each other


@pytest.mark.parametrize("said", [NobodyYet(), JoinNeighbors("hacan", "sol")])
def test_who_is_not_named_has_no_neighbours(said: Command) -> None:
    world = opened("ti4", 3)
    assert next_step(world) == "Neighbours"
    world.do(said)
    assert next_step(world) == "First turn"
    world.do(Sit("letnev"), by=4)
    assert next_step(world) == "First turn"  # nobody on a standard map has met anybody


def test_how_they_sit_makes_the_ring_and_the_order_of_play_does_not() -> None:
    world = opened("ti4", 4)
    order = tuple(reversed(world.table.seated()))
    world.do(SetOrder((order[1], order[0], *order[2:])))
    proposed = setup(world).steps[1].lines
    world.do(SeatNeighbors())
    assert setup(world).steps[1].lines[0] in proposed[0]
    world.do(SeatAround((order[1], order[0], *order[2:])))
    assert between_seated(world.table) == ring_pairs((order[1], order[0], *order[2:]))


def test_goods_are_shown_as_they_are() -> None:
    world = opened("ti4")
    world.do(SetHoldings("sol", Goods({"trade_good": 3})))
    assert setup(world).steps[2].lines == ("<seat:sol>: 3 trade goods", "the others as the rulebook says")


def test_the_first_turn_ends_it_and_nothing_brings_it_back() -> None:
    world = opened("ti4")
    assert [each.action for each in setup(world).steps[-1].buttons] == [
        Press(1, StartTurn(seat)) for seat in ("hacan", "sol")
    ]
    world.do(StartTurn("sol"))
    assert setup_view(world.table) is None
    world.do(SetPhase("strategy"))
    world.do(Leave(), by=2)
    assert setup_view(world.table) is None


def test_an_offer_before_the_first_turn_leaves_it_as_it_is() -> None:
    world = opened("ti4")
    world.do(PostOffer(to="sol", give=Goods(), want=Goods({"trade_good": 1})))
    assert next_step(world) == "Neighbours"


def test_the_cities_end_the_set_up_of_advanced_civilization() -> None:
    world = opened("advciv")
    assert ticks(world) == {"Seats": True, "Cards": False, "Cities": False}
    world.do(ChangeSettings({"cards": "real"}))
    assert ticks(world) == {"Seats": True, "Cards": True, "Cities": False}
    world.do(SayCities(3), by=2)
    assert setup_view(world.table) is None


def test_where_nothing_is_counted_the_host_opens_trading() -> None:
    world = opened("advciv")
    world.do(ChangeSettings({"inventory": "untracked"}))
    assert ticks(world) == {"Seats": True, "Trading": False}


def test_a_game_without_steps_asks_for_seats_and_goods_until_the_first_offer(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = replace(game_named("ti4"), setup=None)
    monkeypatch.setattr("bot.rules.setup.game_of", lambda table: plain)
    world = opened("ti4", 1)
    assert ticks(world) == {"Seats": False, "Starting goods": False}
    world.do(Sit("sol"), by=2)
    assert next_step(world) == ""
    world.do(PostOffer(to="sol", give=Goods(), want=Goods({"trade_good": 1})))
    assert setup_view(world.table) is None


def test_a_closed_table_has_none() -> None:
    world = opened("ti4")
    world.do(CloseTable())
    assert setup_view(world.table) is None


def test_nobody_yet_comes_first_and_neighbours_by_seats_second() -> None:
    world = opened("ti4", 3)
    step = setup(world).next
    assert step is not None
    assert [each.action for each in step.buttons[:2]] == [Press(1, NobodyYet()), Press(1, SeatNeighbors())]
