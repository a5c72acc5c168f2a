"""Python's garbage collector, kept from stopping the program for long.

Nearly everything here is freed without it, as soon as nobody refers to it. It looks for what refers to itself, and a
full search goes through every object in memory: after an export or with thousands of tables in memory that takes a
fifth of a second, in which nobody is answered. What the program begins with is left out for good, what was made lately
is looked through often, which takes a millisecond or two, and everything else only now and then.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager

NEW, LATELY, NEVER = 3_000, 5, 1_000_000
"""Objects that are made before the newest are searched, and how many such searches come before one of those that were
made lately. A full search does not begin by itself.
"""

FULL_EVERY = 1_800.0
"""Seconds between two full searches."""

MOMENT, PATIENCE = 1.0, 300
"""Seconds between two looks for a quiet moment, and how many looks are taken at most."""


@contextmanager
def seldom_collected() -> Iterator[None]:
    """Search what is new only, as long as the block lasts, and nothing of what is there already."""
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
    """Search everything at times for ever, at a moment that is ``quiet`` if one comes soon."""
    while True:
        await asyncio.sleep(FULL_EVERY)
        for _ in range(PATIENCE):
            if quiet():
                break
            await asyncio.sleep(MOMENT)
        gc.collect()
