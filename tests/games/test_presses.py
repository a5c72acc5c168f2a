"""Tests that what a press shows is what it does, and that the law of it finds mistakes."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest

from bot.api import LabelledAction, Press
from bot.games.advciv import board, trading
from bot.games.advciv.trading import DoneTrading
from bot.games.ti4 import board as board_of_ti4
from bot.games.ti4 import neighbors, turns
from bot.games.ti4.agendas import ResolveAgenda, RevealAgenda
from bot.games.ti4.departures import ChangeFaction
from bot.games.ti4.requests import Replenish
from bot.games.ti4.slips import UndoPhase
from bot.games.ti4.trade_card import PlayTrade
from bot.games.ti4.turns import StartTurn
from bot.rules.commands import Command
from bot.rules.features import tables
from bot.rules.features.offers import signing
from bot.rules.features.seats import Sit
from bot.rules.features.tables import SetPhase
from bot.rules.registry import installed_game
from bot.testing.generated import makers_of, opened
from bot.testing.kept import Drawer, ShownButton, breaches
from bot.testing.world import World
from tests.games.advciv import machine as advciv
from tests.games.ti4 import machine as ti4
from tests.scale import SCALE, seeds, variants

ACTS = {"ti4": 80, "advciv": 120}
MACHINES = {"ti4": ti4.MACHINE, "advciv": advciv.MACHINE}


def pressed(game: str, seed: int) -> list[str]:
    """Return how presses at a random table break their word."""
    dice = Random(f"{game} pressed {seed}")
    makers = makers_of(installed_game(game), MACHINES[game])
    return [*breaches(opened(game, 4, dice), makers, dice, ACTS[game])]


@pytest.mark.long
@pytest.mark.parametrize("seed", seeds(6 * SCALE))
@pytest.mark.parametrize("game", MACHINES)
def test_what_a_press_shows_is_what_it_does(game: str, seed: int) -> None:
    assert pressed(game, seed) == []


def anything(*what: object, **more: object) -> None:
    """Stand in for a check that something still goes on."""


def toggles(table: int, since: int) -> LabelledAction:
    """Return **Done trading** as 1.0.0 had it."""
    return LabelledAction("Done trading", Press(table, DoneTrading(since=since)))


def of_any_agenda(since: int) -> ResolveAgenda:
    """Return **Resolve** without which agenda it is about."""
    return ResolveAgenda()


MISTAKES: dict[str, tuple[str, int, Any, str, Any, str]] = {
    "a turn": ("ti4", 9, turns, "_require_told", anything, "NextTurn|PassTurn"),
    "a phase": ("ti4", 6, tables, "require_since", anything, "SetPhase|PauseTable"),
    "done trading": ("advciv", 0, board, "done_trading", toggles, "DoneTrading"),
    "trading": ("advciv", 2, trading, "require_now", anything, "AskClose|CloseTrading"),
    "neighbours": ("ti4", 3, neighbors, "require_since", anything, "PickNeighbors|Neighbors"),
    "an agenda": ("ti4", 25, board_of_ti4, "ResolveAgenda", of_any_agenda, "ResolveAgenda"),
    "an offer": ("ti4", 20, signing, "require_revision", anything, "Agree|EndOffer"),
}
"""What no longer says what it is about: game and seed, what is replaced by what, what is found."""


@pytest.mark.slow
@pytest.mark.parametrize("mistake", variants(*MISTAKES))
def test_a_press_that_does_not_say_what_it_is_about_is_found(
    monkeypatch: pytest.MonkeyPatch, mistake: str
) -> None:
    game, seed, module, name, instead, found = MISTAKES[mistake]
    monkeypatch.setattr(module, name, instead)
    assert any(re.search(rf"\b({found})\(", why) for why in pressed(game, seed))


def test_a_second_agenda_within_a_turn_is_another() -> None:
    world = opened("ti4", 3, Random(1))
    world.do(1, StartTurn())
    drawer = Drawer(installed_game("ti4"))
    world.do(1, RevealAgenda("Archived Secret", during="turn"))
    shown = ShownButton(1, "Resolve", Press(world.table.id, ResolveAgenda()))
    drawer.kept[shown] = world.table.seq
    assert [*drawer.press(world, shown)] == []
    world.do(1, ResolveAgenda())
    world.do(1, RevealAgenda("Economic Equality", during="turn"))
    [why] = drawer.press(world, shown)
    assert "agenda of then began" in why


def later(world: World, person: int, command: Command, *meanwhile: Command) -> list[str]:
    """Return how a button breaks its word that a person is shown before the host does these."""
    drawer = Drawer(installed_game("ti4"))
    shown = ShownButton(person, "Button", Press(world.table.id, command))
    drawer.kept[shown] = world.table.seq
    for each in meanwhile:
        world.do(1, each)
    assert drawer.hands.done(world, person, shown.action, shown.data).entries
    return [*drawer.press(world, shown)]


def trade_played(*seats: str) -> tuple[World, Replenish]:
    """Return a table at which the first of these seats has played Trade, and its button."""
    world = opened("ti4", 0, Random(1))
    for person, seat in enumerate(seats, 1):
        world.do(1, Sit(seat, person))
    world.do(1, StartTurn())
    world.do(1, PlayTrade(()))
    return world, Replenish(since=world.table.seq)


def test_who_is_chosen_for_trade_follows_from_the_table() -> None:
    world, replenish = trade_played("hacan", "sol", "letnev")
    assert later(world, 2, replenish, Replenish("sol")) == []


def test_a_faction_that_became_another_is_the_same_seat() -> None:
    world, replenish = trade_played("firmament", "sol", "letnev")
    assert later(world, 2, replenish, ChangeFaction("firmament")) == []


def test_a_phase_that_is_taken_back_is_the_same_whoever_has_begun_a_turn_in_it() -> None:
    world = opened("ti4", 3, Random(1))
    world.do(1, StartTurn())
    world.do(1, SetPhase("action"))
    assert later(world, 1, UndoPhase(world.table.phase_since), StartTurn()) == []


def test_the_same_phase_anew_is_another() -> None:
    world = opened("ti4", 3, Random(1))
    world.do(1, StartTurn())
    world.do(1, SetPhase("action"))
    [why] = later(world, 1, UndoPhase(), SetPhase("action", world.table.phase_since))
    assert "phase of then began" in why
