"""Which games there are: a package that is broken is left out with one sentence, and the others run on."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from importlib.metadata import EntryPoint, entry_points
from typing import Literal

import pytest

from bot.games.advciv import GAME as ADVCIV
from bot.games.ti4 import GAME as TI4
from bot.rules import registry
from bot.rules.entries import Entry
from bot.rules.feature import Feature, Features
from bot.rules.game import Game
from bot.rules.game_checks import RESERVED_GROUPS
from bot.rules.model.actions import Action
from bot.rules.model.violation import Refused
from bot.rules.registry import BrokenGame, check


class _Outside(Entry):
    """An entry with a name that could be anyone's."""

    kind: Literal["offer.posted"] = "offer.posted"


class _Inside(Entry):
    kind: Literal["ti4.turn.started"] = "ti4.turn.started"


@dataclass(frozen=True, slots=True)
class _OutsideAction(Action):
    name = "again"


@dataclass(frozen=True, slots=True)
class _Same(Action):
    name = "ti4.turn.started"


def with_info(**changes: object) -> Game:
    """Return a game that differs from Twilight Imperium in these facts."""
    return replace(TI4, info=replace(TI4.info, **changes))  # type: ignore[arg-type]


def with_feature(feature: Feature) -> Game:
    """Return Twilight Imperium with one more feature."""
    return replace(TI4, features=Features((*TI4.features.every, feature)))


BROKEN = {
    "not a game": (lambda: "a string", "its entry point is not a bot.api.Game."),
    "a class": (lambda: Game, "its entry point is not a bot.api.Game."),
    "the same id": (lambda: replace(ADVCIV), "another game is called advciv already."),
    "an entry outside": (
        lambda: with_feature(Feature(entries=(_Outside,))), "offer.posted should begin with “ti4.”.",
    ),
    "an action outside": (lambda: with_feature(Feature(opens=(_OutsideAction,))), "again should begin with “ti4.”."),
    "an entry twice": (
        lambda: with_feature(Feature(entries=(_Inside,))), "two of its entries or actions have one name.",
    ),
    "an entry and an action of one name": (
        lambda: with_feature(Feature(opens=(_Same,))), "two of its entries or actions have one name.",
    ),
    "a group of the core": (
        lambda: with_info(command_groups=frozenset({"offer"})), "the command group /offer is taken.",
    ),
    "a group of another game": (
        lambda: with_info(command_groups=frozenset({"cards", "turn"})), "the command group /cards is taken.",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("broken", "told"), BROKEN.values(), ids=BROKEN)
def test_what_is_wrong_with_a_game_is_one_sentence(broken: Callable[[], object], told: str) -> None:
    with pytest.raises(BrokenGame) as refused:
        check(broken(), [ADVCIV])
    assert str(refused.value) == told
    assert told.count(". ") == 0


def test_the_games_that_come_along_are_right() -> None:
    check(TI4, [ADVCIV])
    check(ADVCIV, [TI4])
    assert {id: game.info.id for id, game in registry.games().items()} == {"advciv": "advciv", "ti4": "ti4"}


def test_names_are_unique_among_all_games_and_the_core() -> None:
    names = [action.name for action in registry.actions()]
    assert len(names) == len(set(names))
    assert all(names)


# ---------------------------------------------------------------- loaded


def _names_nothing() -> object:
    raise ImportError("no such module")


class _Point:
    """An entry point that loads what it is told to."""

    def __init__(self, name: str, load: Callable[[], object]) -> None:
        self.name, self.load = name, load


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., list[str]]]:
    """Return a function that installs these packages and gives the ids of the games that are there then."""

    def install(**packages: Callable[[], object]) -> list[str]:
        points = [_Point(name, load) for name, load in packages.items()]
        monkeypatch.setattr(registry, "entry_points", lambda group: points)
        registry.games.cache_clear()
        return list(registry.games())

    yield install
    monkeypatch.undo()
    registry.games.cache_clear()


def test_a_broken_package_leaves_the_others_running(
    installed: Callable[..., list[str]], caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR, "bot.rules.registry"):
        there = installed(
            absent=_names_nothing, advciv=lambda: ADVCIV, cards=lambda: 3, ti4=lambda: TI4, twin=lambda: replace(ADVCIV)
        )
    assert there == ["advciv", "ti4"]
    assert [record.getMessage() for record in caplog.records] == [
        "the game absent is left out: it can't be loaded (ImportError: no such module).",
        "the game cards is left out: its entry point is not a bot.api.Game.",
        "the game twin is left out: its entry point should be called advciv, as the game is.",
    ]


def test_a_game_that_is_gone_is_a_sentence(installed: Callable[..., list[str]]) -> None:
    assert installed(advciv=lambda: ADVCIV) == ["advciv"]
    with pytest.raises(Refused, match=r"There is no game “ti4” here\. Try advciv\."):
        registry.installed_game("ti4")


def test_each_game_is_found_through_an_entry_point() -> None:
    points = entry_points(group="bourse.games")
    assert {point.name for point in points} >= {"ti4", "advciv"}
    assert all(isinstance(point, EntryPoint) for point in points)


def test_the_options_of_its_features_are_those_of_a_game() -> None:
    for game in (TI4, ADVCIV):
        assert game.info.options == game.features.options
        assert {option.name for option in game.info.options} <= game.info.settings


def test_games_leave_the_groups_of_the_core_alone() -> None:
    assert not (TI4.info.command_groups | ADVCIV.info.command_groups) & RESERVED_GROUPS
