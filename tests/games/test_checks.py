"""Tests of our own games with the checks that ship for other authors."""

from __future__ import annotations

from random import Random

import pytest

from bot.games.ti4.departures import Eliminated
from bot.games.ti4.note_gifts import NoteGiven
from bot.games.ti4.notes import NotePlayed
from bot.testing import Checks
from bot.testing.world import World
from tests.games.advciv import machine as advciv
from tests.games.any import machine as any_game
from tests.games.ti4 import machine as ti4
from tests.scale import at_scale


class TestAdvciv(Checks):
    game = "advciv"
    makers = advciv.MACHINE
    tables, acts = at_scale(1, 2), 60
    test_every_command_is_done = None  # type: ignore[assignment]  # in so few acts; make long sees to it


@pytest.mark.slow
class TestAny(Checks):
    game = "any"
    makers = any_game.MACHINE
    tables, acts = at_scale(2, 4), at_scale(40, 60)
    test_every_command_is_done = None  # type: ignore[assignment]

    def opened(self, dice: Random, host: int = 1) -> World:
        """Each table plays a definition of its own."""
        return any_game.opened(dice, dice.randint(2, 5), host=host, begun=dice.random() < 0.9)

    def seated(self, dice: Random, host: int) -> World:
        return any_game.opened(dice, 4, host=host)


@pytest.mark.slow
class TestTi4(Checks):
    game = "ti4"
    makers = ti4.MACHINE
    reveals = (
        NoteGiven,
        NotePlayed,
        Eliminated,
    )  # Support for the Throne goes face up; notes go home, which their numbers show
    tables, acts = at_scale(1, 2), at_scale(30, 40)
    test_every_command_is_done = None  # type: ignore[assignment]
