"""Tests of the shipped games and their names. `test_game_checks` has the checks of any game."""

from __future__ import annotations

from importlib.metadata import EntryPoint, entry_points

from bot.games.advciv import GAME as ADVCIV
from bot.games.any import GAME as ANY
from bot.games.ti4 import GAME as TI4
from bot.rules import registry
from bot.rules.registry import check


def test_the_games_that_come_along_are_right() -> None:
    check(TI4, [ADVCIV, ANY])
    check(ADVCIV, [TI4, ANY])
    check(ANY, [ADVCIV, TI4])
    assert {*registry.games()} == {"advciv", "any", "ti4"}
    for id, game in registry.games().items():
        assert game.info.id == id


def test_names_are_unique_among_all_games_and_the_core() -> None:
    names = [action.name for action in registry.actions()]
    assert len(names) == len(set(names))
    assert all(names)


def test_each_game_is_found_through_an_entry_point() -> None:
    points = entry_points(group="bourse.games")
    assert {point.name for point in points} >= {"advciv", "any", "ti4"}
    assert all(isinstance(point, EntryPoint) for point in points)


def test_the_options_of_its_features_are_those_of_a_game() -> None:
    for game in (TI4, ADVCIV):
        assert game.info.options == game.features.options
        assert {option.name for option in game.info.options} <= game.info.settings
