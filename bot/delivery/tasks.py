"""Tasks that run in the background until they are done or delivery is closed."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine


class BackgroundTasks:
    """Tasks that nobody awaits but `close`. The event loop itself holds only weak references to its tasks."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self, work: Coroutine[None, None, None]) -> asyncio.Task[None]:
        """Run this in the background, and return its task."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    @property
    def running(self) -> list[asyncio.Task[None]]:
        """The tasks that are not done."""
        return list(self._tasks)

    async def close(self) -> None:
        """Cancel what still runs, and wait until it has ended: after this nothing touches the ledger or Discord."""
        running = tuple(self._tasks)
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
