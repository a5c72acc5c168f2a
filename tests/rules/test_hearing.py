"""Which entries a feature hears: those that it names with their subclasses, or all.

At random tables no feature misses one: if all were called for every entry, the same would come.
"""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from bot.rules.commands import Caller
from bot.rules.entries import Entry
from bot.rules.feature import Apply, Feature, Features
from bot.rules.features.holdings import Gained, GoodsMoved
from bot.rules.features.seats import SeatTaken
from bot.rules.features.tables import PhaseSet
from bot.rules.game import Game
from bot.rules.model.table import Table
from bot.rules.model.violation import Refused
from bot.rules.registry import game_of, games, installed_game
from bot.rules.views import FollowUpView
from bot.testing import Makers, opened
from bot.testing.generated import made_by, makers_of
from tests import follows
from tests.games.advciv import machine as advciv
from tests.games.ti4 import machine as ti4
from tests.scale import at_scale, seeds

TABLE = Table(id=7, open=True)
MACHINES: dict[str, Makers] = {"ti4": ti4.MACHINE, "advciv": advciv.MACHINE}
PHASE = PhaseSet(phase="market", window=1)
SAT = SeatTaken(seat="red", person=1)


class Rung(Entry):
    kind = "bazaar.rung"


class Heard:
    """A feature that notes for which entries its functions are called."""

    def __init__(self, *hears: type[Entry]) -> None:
        self.after: list[Entry] = []
        self.brings: list[tuple[Entry, ...]] = []
        self.follow_ups: list[Entry] = []
        self.feature = Feature(
            hears=hears or (Entry,),
            after=self._after,
            brings=self._brings,
            follow_ups=self._follow_ups,
        )

    def _after(self, table: Table, entry: Entry) -> Table:
        self.after.append(entry)
        return table

    def _brings(
        self, table: Table, entries: tuple[Entry, ...], caller: Caller, apply: Apply
    ) -> tuple[Entry, ...]:
        self.brings.append(entries)
        return entries

    def _follow_ups(self, table: Table, entry: Entry) -> Iterable[FollowUpView]:
        self.follow_ups.append(entry)
        return ()


def tell(features: Features, *entries: Entry) -> None:
    """Call the features as for a command with these entries."""
    features.brings(TABLE, entries, Caller(1))
    for entry in entries:
        features.after(TABLE, entry)
        features.follow_ups(TABLE, entry)


def test_a_feature_is_called_for_what_it_hears() -> None:
    heard = Heard(PhaseSet)
    features = Features((heard.feature,))
    tell(features, SAT)
    assert heard.after == heard.brings == heard.follow_ups == []
    tell(features, SAT, PHASE)
    assert heard.after == heard.follow_ups == [PHASE]
    assert heard.brings == [(SAT, PHASE)]


def test_one_that_names_no_kind_is_called_for_all() -> None:
    heard = Heard()
    tell(Features((heard.feature,)), SAT, PHASE)
    assert heard.after == heard.follow_ups == [SAT, PHASE]
    assert heard.brings == [(SAT, PHASE)]


def test_a_base_class_covers_its_subclasses() -> None:
    heard = Heard(GoodsMoved)
    gained, rung = Gained(seat="red", changes={}), Rung()
    tell(Features((heard.feature,)), gained, rung, PHASE)
    assert heard.after == [gained]


def test_what_an_earlier_feature_brings_is_heard() -> None:
    def ring(
        table: Table, entries: tuple[Entry, ...], caller: Caller, apply: Apply
    ) -> tuple[Entry, ...]:
        return (*entries, Rung())

    heard = Heard(Rung)
    bell = Feature(hears=(PhaseSet,), brings=ring)
    tell(Features((bell, heard.feature)), PHASE)
    assert heard.brings == [(PHASE, Rung())]


def test_the_page_of_what_follows_is_up_to_date() -> None:
    """If not: `python -m tests.follows`."""
    assert follows.FILE.read_text(encoding="utf-8") == follows.page()


# ---------------------------------------------------------------- at random tables


def told_of_all(features: Features) -> Features:
    """The same features, each of which hears every entry."""
    others = copy(features)  # with the same class of the state
    others.features = tuple(replace(each, hears=(Entry,)) for each in features.features)
    others._hearers = {}
    return others


def course(game: Game, makers: Makers, seed: int) -> list[Any]:
    """What comes of random commands: entries, the table, its prompts and follow-ups."""
    dice = Random(f"hearing {seed}")
    world = opened(game.info.id, 4, dice)
    steps: list[Any] = []
    for _ in range(at_scale(800, 800)):
        ask = made_by(makers, world.table, dice)
        entries = world.tries(ask)
        if isinstance(entries, Refused):
            continue
        features = game_of(world.table).features
        tables = world.tables[-len(entries) :] if entries else []
        follow_ups = list(map(features.follow_ups, tables, entries))
        steps.append((entries, world.table, features.prompts(world.table), follow_ups))
    return steps


@pytest.mark.parametrize("seed", seeds(at_scale(1, 4)))
@pytest.mark.parametrize("id", MACHINES)
def test_no_feature_misses_an_entry(id: str, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    game = installed_game(id)
    makers = makers_of(game, MACHINES[id])
    heard = course(game, makers, seed)
    assert len(heard) > 40
    installed = games()
    assert isinstance(installed, dict)
    monkeypatch.setitem(installed, id, replace(game, features=told_of_all(game.features)))
    for step, other in zip(heard, course(game, makers, seed), strict=True):
        assert step == other
