"""Background tasks. Each has an owner, which logs its errors and cancels it at the end.

All tasks are started here, so none fails silently.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

log = logging.getLogger(__name__)

T = TypeVar("T")

FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0
"""The first and the longest pause before a failed task is restarted, in seconds. Each pause
doubles.
"""


def loop_time() -> float:
    """Return the time of the event loop, in seconds."""
    return asyncio.get_running_loop().time()


class Tasks:
    """The tasks of one owner. It keeps references to them, since the event loop has only weak
    ones.
    """

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()

    def start(self, what: str, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Run ``work`` in the background. ``what`` is its name in the log if it fails."""
        task = asyncio.get_running_loop().create_task(work, name=what)
        self._tasks.add(task)
        task.add_done_callback(self._over)
        return task

    def keep(self, what: str, work: Callable[[], Coroutine[Any, Any, None]]) -> asyncio.Task[None]:
        """Run ``work`` in the background until it returns. Whenever it fails, log the error and
        restart it.
        """

        async def again_and_again() -> None:
            pause, loop = FIRST_PAUSE, asyncio.get_running_loop()
            while True:
                begun = loop.time()
                try:
                    return await work()
                except Exception:
                    if loop.time() - begun > LONGEST_PAUSE:
                        pause = FIRST_PAUSE
                    log.exception("%s failed and begins again in %.0f s", what, pause)
                await asyncio.sleep(pause)
                pause = min(2 * pause, LONGEST_PAUSE)

        return self.start(what, again_and_again())

    @property
    def running(self) -> list[asyncio.Task[Any]]:
        """The unfinished tasks."""
        return list(self._tasks)

    async def close(self) -> None:
        """Cancel the unfinished tasks, and wait until they have ended."""
        running = self.running
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)

    def _over(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("%s failed", task.get_name(), exc_info=error)


class Stopped(Exception):
    """The event was set, so the work was cancelled."""


async def unless_stopped(stopped: asyncio.Event, work: Coroutine[Any, Any, T]) -> T:
    """Return the result of ``work``. If ``stopped`` is set first, cancel the work and raise
    `Stopped`.
    """
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
