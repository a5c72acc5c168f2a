"""Forged and odd interactions, thousands of them: each is answered once, in time, and nothing breaks."""

from __future__ import annotations

import random

import pytest

from tests.cogs.evening import Evening
from tests.forged.playing import GAMES, Forging, begin

COUNT = 1000
"""Interactions at each game's table."""


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
async def test_every_forged_interaction_is_answered_once(evening: Evening, game: str) -> None:
    await begin(evening, game)
    forging = Forging(evening, random.Random(12))
    await forging.send(COUNT)
    forging.close()
    assert forging.found == []
