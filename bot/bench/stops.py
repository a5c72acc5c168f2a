"""How long the event loop is stopped: a task that wants to run every millisecond notes how long it had to wait."""

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
                begun = time.perf_counter()
                await asyncio.sleep(BEAT)
                longest = max(longest, time.perf_counter() - begun - BEAT)

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
        """Return the longest stop of each, in milliseconds: the median, as another program may have stopped us once."""
        return {f"ms stopped by {what}": median(longest) for what, longest in self._longest.items()}
