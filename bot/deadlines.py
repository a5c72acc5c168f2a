"""Deadlines: one timer for the earliest of all tables. What fell due while the bot was down is seen to at its start."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import datetime

from bot.rules.table import Table
from bot.rules.time import next_deadline

log = logging.getLogger(__name__)


TRY_AGAIN = 30_000
"""After how many milliseconds a deadline that could not be seen to is tried again."""


class Deadlines:
    """Knows when each table needs the clock next, and wakes for the earliest.

    ``due`` is called with each table whose time has come; the table is noted again once that has been done.
    """

    def __init__(self, clock: Callable[[], datetime], due: Callable[[int], Awaitable[object]]) -> None:
        self._clock = clock
        self._due = due
        self._at: dict[int, int] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._stopped = False
        self._tasks: set[asyncio.Task[None]] = set()

    def note(self, table_id: int, table: Table) -> None:
        """Remember when this table needs the clock next."""
        at = next_deadline(table)
        if at is None:
            self._at.pop(table_id, None)
        else:
            self._at[table_id] = at
        self._arm()

    def stop(self) -> None:
        """Wake no more, whatever is noted after."""
        self._stopped = True
        self._disarm()

    def _disarm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _arm(self) -> None:
        self._disarm()
        if self._at and not self._stopped:
            wait = max(0.0, min(self._at.values()) / 1000 - self._clock().timestamp())
            self._timer = asyncio.get_running_loop().call_later(wait, self._wake)

    def _wake(self) -> None:
        now = int(self._clock().timestamp() * 1000)
        due = [table_id for table_id, at in self._at.items() if at <= now]
        for table_id in due:
            del self._at[table_id]
        if due:
            task = asyncio.get_running_loop().create_task(self._run(due))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        self._arm()

    async def _run(self, due: list[int]) -> None:
        for table_id in due:
            try:
                await self._due(table_id)
            except Exception:
                log.exception("table %d: its deadline could not be seen to", table_id)
                self._at.setdefault(table_id, int(self._clock().timestamp() * 1000) + TRY_AGAIN)
                self._arm()
