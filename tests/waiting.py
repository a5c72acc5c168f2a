"""Waits for what tells nobody when it has happened."""

from __future__ import annotations

import asyncio
from collections.abc import Callable


async def until(true: Callable[[], object]) -> None:
    """Wait until this is so, a minute at most."""
    async with asyncio.timeout(60):
        while not true():  # noqa: ASYNC110  (it tells nobody)
            await asyncio.sleep(0.002)
