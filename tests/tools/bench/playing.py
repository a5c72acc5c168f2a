"""One play of ten actions, run as `bourse play` runs it: its start and its actions are timed
apart.
"""

from __future__ import annotations

import asyncio
import time

from bot.rehearsal.database import database
from bot.rehearsal.grammar import read_play
from bot.rehearsal.plays import performed
from bot.rehearsal.script import Play

PLAY = """\
alice: /table open game:ti4
alice: /table sit seat:hacan
bob: /table sit seat:sol
alice: /neighbors join first:@alice second:@bob
alice: /holdings set player:@alice goods:"9 tg"
alice: /turn start
alice: /offer post to:@bob give:"2 tg"
bob: press "Accept"
  records transaction
alice: /history
alice: /turn end
"""
"""The play. What people do at a table, and what comes of it."""


class Played:
    """Runs the play for each round, and keeps the times of the half that was not asked for."""

    def __init__(self) -> None:
        self._actions: list[float] = []
        self._starts: list[float] = []

    async def actions(self) -> float:
        """Return the milliseconds that the actions took."""
        if not self._actions:
            await asyncio.to_thread(self._run)
        return self._actions.pop(0)

    async def start(self) -> float:
        """Return the milliseconds that the start took."""
        if not self._starts:
            await asyncio.to_thread(self._run)
        return self._starts.pop(0)

    def _run(self) -> None:
        """Run the play once. Raises `RuntimeError` when something else happens than it expects.

        It has an event loop of its own, since SimCord reads the timers of asyncio's, which uvloop's
        has not.
        """
        play = read_play(PLAY, "bench.play")
        with (
            database(play, None) as (url, later),
            asyncio.Runner(loop_factory=asyncio.SelectorEventLoop) as runner,
        ):
            runner.run(self._perform(play, url, later))

    async def _perform(self, play: Play, url: str, later: float) -> None:
        begun = time.perf_counter()
        async with performed(play, url, later=later) as performance:
            started = time.perf_counter()
            lines = [*performance.broken()]
            for step in play.steps:
                lines += await performance.take(step)
            done = time.perf_counter()
        if wrong := next((line for line in lines if not line.ok), None):
            raise RuntimeError(f"the play of the benchmark: {wrong}")
        self._starts.append((started - begun) * 1000)
        self._actions.append((done - started) * 1000)
