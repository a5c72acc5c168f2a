"""Work that ends early when the program is to stop."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class Stopped(Exception):
    """The program is to stop, so the work was cancelled."""


async def unless(stopped: asyncio.Event, work: Coroutine[Any, Any, T]) -> T:
    """Return the result of some work. Raises `Stopped` if the event is set before, when the work has been cancelled."""
    task, stop = asyncio.ensure_future(work), asyncio.ensure_future(stopped.wait())
    try:
        await asyncio.wait([task, stop], return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            raise Stopped
        return task.result()
    finally:
        for each in (task, stop):
            each.cancel()
        await asyncio.gather(task, stop, return_exceptions=True)
