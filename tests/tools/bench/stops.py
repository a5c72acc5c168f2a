"""Measures how long the event loop is stopped: a task that wants to run every millisecond notes its
waits.

What counts is the time in which this process worked meanwhile, in whatever thread. When another
process has the processor, the task waits as well, and that says nothing about the program.
"""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from statistics import median

BEAT = 0.001
"""Seconds between two beats."""


class Stops:
    """The longest stops, by what was being done meanwhile."""

    def __init__(self) -> None:
        self._longest: defaultdict[str, list[float]] = defaultdict(list)

    @asynccontextmanager
    async def during(self, what: str) -> AsyncIterator[None]:
        """Note the longest stop until the block ends."""
        longest = 0.0

        async def beats() -> None:
            nonlocal longest
            while True:
                begun, worked = time.perf_counter(), time.process_time()
                await asyncio.sleep(BEAT)
                waited = time.perf_counter() - begun - BEAT
                longest = max(longest, min(waited, time.process_time() - worked))

        beating = asyncio.create_task(beats())
        await asyncio.sleep(2 * BEAT)
        try:
            yield
        finally:
            await asyncio.sleep(2 * BEAT)
            beating.cancel()
            await asyncio.gather(beating, return_exceptions=True)
            self._longest[what].append(longest * 1000)

    def figures(self) -> dict[str, float]:
        """Return the longest stop of each, in milliseconds: the median, as another program may have
        stopped us once.
        """
        return {f"ms stopped by {what}": median(longest) for what, longest in self._longest.items()}
