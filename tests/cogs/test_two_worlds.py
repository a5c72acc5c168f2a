"""Tests that two worlds that differ in two hands look the same to everybody else: the whole bot,
both games.

Every viewer looks at once: the host who plays, a player, a former player, a successor, a moderator,
and who only reads.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from tests.cogs.advciv_eyes import AdvCivNight
from tests.cogs.all_eyes import KNOWERS, MODERATOR, SETTER, VIEWERS, Night
from tests.cogs.ti4_eyes import Ti4Night
from tests.cogs.two_worlds import Worlds
from tests.scale import SCALE, seeds

EVENINGS = 1 if SCALE == 1 else 2 * SCALE + 1
"""How many there are of each game."""

ACTS = 250
"""What is done in each evening."""

GAMES: dict[str, type[Night]] = {"ti4": Ti4Night, "advciv": AdvCivNight}


@pytest.mark.slow
@pytest.mark.usefixtures("patient")
@pytest.mark.parametrize("seed", seeds(EVENINGS))
@pytest.mark.parametrize("game", GAMES)
def test_nobody_else_can_tell_what_two_hands_hold(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, game: str, seed: int
) -> None:
    random = Random(f"{game} {seed}")
    caplog.set_level("INFO", "bot")
    caplog.set_level("INFO", "cogs")
    worlds = Worlds(tmp_path, VIEWERS, caplog, (*KNOWERS, *VIEWERS), (MODERATOR, SETTER))
    try:
        night = GAMES[game](worlds, random)
        for world in worlds.both:
            world.chance = f"{seed:02}" * 32
        half, restart = ACTS // 2, 2 * ACTS // 3
        while night.acts < half:
            night.act()
        night.succeeds()
        while night.acts < restart:
            night.act()
        night.restarts()
        while night.acts < ACTS - 40:
            night.act()
        night.look_about()
        assert night.acts >= ACTS - 10
        assert night.differing > ACTS // 2
        assert worlds.tables()[0].offers_posted > 5
    finally:
        worlds.close()
