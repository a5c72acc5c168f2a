"""Keeps Python's garbage collector from pausing the program for long.

Reference counting frees nearly everything at once; the collector only finds reference cycles. A full collection scans
every object in memory. After an export, or with thousands of tables in memory, that takes a fifth of a second, during
which nobody gets an answer. So objects that exist at the start are frozen, recent objects are collected often, which
takes a millisecond or two, and everything else is collected rarely.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager

NEW, LATELY, NEVER = 3_000, 5, 1_000_000
"""The collector's three thresholds, see `gc.set_threshold`. The last is so high that full collections never start by
themselves.
"""

FULL_EVERY = 1_800.0
"""Seconds between two full collections."""

MOMENT, PATIENCE = 1.0, 300
"""Seconds between two checks for a quiet moment, and the most checks before collecting anyway."""


@contextmanager
def seldom_collected() -> Iterator[None]:
    """Collect only recent objects while the block lasts, and none that exist already."""
    before = gc.get_threshold()
    gc.collect()
    gc.freeze()
    gc.set_threshold(NEW, LATELY, NEVER)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


async def collect_now_and_then(quiet: Callable[[], bool]) -> None:
    """Run a full collection every `FULL_EVERY` seconds, waiting a while for a ``quiet`` moment. Never returns."""
    while True:
        await asyncio.sleep(FULL_EVERY)
        for _ in range(PATIENCE):
            if quiet():
                break
            await asyncio.sleep(MOMENT)
        gc.collect()
