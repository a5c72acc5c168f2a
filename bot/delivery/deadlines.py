"""Deadlines: one timer for the earliest deadline of all tables. Those that passed while the bot was down are due at
its start.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable
from datetime import datetime

from bot.delivery.tasks import BackgroundTasks

log = logging.getLogger(__name__)

TRY_AGAIN = 30_000
"""Milliseconds after which a deadline is tried again when its table could not be handled."""


class Deadlines:
    """Keeps the next deadline of each table and calls ``due`` with each table whose deadline has come.

    A deadline is forgotten when it has come; ``due`` must note the table's next one.
    """

    def __init__(self, clock: Callable[[], datetime], due: Callable[[int], Awaitable[object]]) -> None:
        self._clock = clock
        self._due = due
        self._at: dict[int, int] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._closed = False
        self._running = BackgroundTasks()

    def seed(self, deadlines: Iterable[tuple[int, int]]) -> None:
        """Add the stored deadlines, as (table, milliseconds since 1970). Those already noted are newer and stay."""
        for table_id, at in deadlines:
            self._at.setdefault(table_id, at)
        self._arm()

    def note(self, table_id: int, at: int | None) -> None:
        """Set a table's next deadline, in milliseconds since 1970; None for no deadline."""
        if at is None:
            self._at.pop(table_id, None)
        else:
            self._at[table_id] = at
        self._arm()

    async def close(self) -> None:
        """Stop the timer for good, also for deadlines noted later."""
        self._closed = True
        self._disarm()
        await self._running.close()

    def _now(self) -> int:
        return int(self._clock().timestamp() * 1000)

    def _disarm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _arm(self) -> None:
        self._disarm()
        if self._at and not self._closed:
            wait = max(0.0, (min(self._at.values()) - self._now()) / 1000)
            self._timer = asyncio.get_running_loop().call_later(wait, self._wake)

    def _wake(self) -> None:
        now = self._now()
        due = [table_id for table_id, at in self._at.items() if at <= now]
        for table_id in due:
            del self._at[table_id]
        if due:
            self._running.start(self._run(due))
        self._arm()

    async def _run(self, due: list[int]) -> None:
        for table_id in due:
            try:
                await self._due(table_id)
            except Exception:  # an error at one table must not stop the clocks of the others
                log.exception("table %d: its deadline could not be handled", table_id)
                self._at.setdefault(table_id, self._now() + TRY_AGAIN)
                self._arm()
