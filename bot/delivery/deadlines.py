"""Deadlines: one timer for the earliest of all tables. What fell due while the bot was down is due at its start."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable
from datetime import datetime

log = logging.getLogger(__name__)

TRY_AGAIN = 30_000
"""Milliseconds after which a deadline that could not be met is tried again."""


class Deadlines:
    """Knows when each table needs the clock next, and wakes for the earliest.

    ``due`` is called with each table whose time has come; it notes the table's next deadline.
    """

    def __init__(self, clock: Callable[[], datetime], due: Callable[[int], Awaitable[object]]) -> None:
        self._clock = clock
        self._due = due
        self._at: dict[int, int] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._stopped = False
        self._tasks: set[asyncio.Task[None]] = set()

    def seed(self, deadlines: Iterable[tuple[int, int]]) -> None:
        """Note the deadlines that are stored, as (table, time); what was noted since the start is newer and stays."""
        for table_id, at in deadlines:
            self._at.setdefault(table_id, at)
        self._arm()

    def note(self, table_id: int, at: int | None) -> None:
        """Remember when this table needs the clock next, in milliseconds since 1970; None for not at all."""
        if at is None:
            self._at.pop(table_id, None)
        else:
            self._at[table_id] = at
        self._arm()

    def stop(self) -> None:
        """Wake no more, whatever is noted after this."""
        self._stopped = True
        self._disarm()

    def _now(self) -> int:
        return int(self._clock().timestamp() * 1000)

    def _disarm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _arm(self) -> None:
        self._disarm()
        if self._at and not self._stopped:
            wait = max(0.0, (min(self._at.values()) - self._now()) / 1000)
            self._timer = asyncio.get_running_loop().call_later(wait, self._wake)

    def _wake(self) -> None:
        now = self._now()
        due = [table_id for table_id, at in self._at.items() if at <= now]
        for table_id in due:
            del self._at[table_id]
        if due:
            task = asyncio.get_running_loop().create_task(self._run(due))
            self._tasks.add(task)  # the event loop itself holds only a weak reference to it
            task.add_done_callback(self._tasks.discard)
        self._arm()

    async def _run(self, due: list[int]) -> None:
        for table_id in due:
            try:
                await self._due(table_id)
            except Exception:  # whatever goes wrong at one table must not stop the clocks of the others
                log.exception("table %d: its deadline could not be met", table_id)
                self._at.setdefault(table_id, self._now() + TRY_AGAIN)
                self._arm()
