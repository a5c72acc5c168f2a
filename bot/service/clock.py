"""The clock: ticks each table when its deadline comes.

Deadlines are stored with the tables, so nothing is lost while the bot is down: overdue tables are
ticked at the start. The clock itself reports nothing; subscribe to the service's changes to learn
of its effects.
"""

from __future__ import annotations

import asyncio
import heapq
import logging
from collections import deque
from collections.abc import Callable
from datetime import datetime

from bot.ledger import Tampered
from bot.rules.model.violation import Refused
from bot.service.requests import TableChange
from bot.service.service import Service
from bot.tasks import Tasks

log = logging.getLogger(__name__)

TICKS_AT_ONCE, LATE_TICKS_AT_ONCE = 64, 16
"""The most tables ticked concurrently, which share a commit; and the limit for overdue tables, such
as after a start. The backlog gets the smaller limit so that new deadlines are not delayed.
"""

LATE = 1_000
"""Milliseconds after which a deadline counts as overdue."""

REPLACED = 64
"""Outdated deadlines that the heap may contain, in addition to one for each table with a deadline.
With more, the heap is rebuilt.
"""

SHORTEST_WAIT, LONGEST_WAIT = 1_000, 15_000
"""Milliseconds before a failed tick is retried. The wait doubles with each failure."""


class DeadlineClock:
    """Keeps the next deadline of each table, and ticks each table whose deadline has come.

    Deadlines that come now go before overdue ones; among those, the most overdue goes first.

    ``now`` must be the service's clock. ``owns`` returns whether this process ticks the tables of a
    server. ``looked_every``: the longest time between two looks at the clock, in seconds. The clock
    may be set, and timers pause while the machine sleeps.
    """

    def __init__(
        self,
        service: Service,
        now: Callable[[], datetime],
        owns: Callable[[int | None], bool] = lambda _guild_id: True,
        *,
        looked_every: float = 5.0,
    ) -> None:
        self._service = service
        self._looked_every = looked_every
        self._clock = now
        self._owns = owns
        self._at: dict[int, int] = {}
        # The deadlines as a heap, including outdated ones. Those in `_at` are current.
        self._heap: list[tuple[int, int]] = []
        # Deadlines taken from the heap because they have come.
        self._due: deque[tuple[int, int]] = deque()
        self._overdue: deque[tuple[int, int]] = deque()
        self._failures: dict[int, int] = {}
        self._running: set[int] = set()
        self._tasks = Tasks()
        self._timer: asyncio.TimerHandle | None = None
        self._closed = False
        service.subscribe(self._changed)

    async def start(self) -> None:
        """Read the stored deadlines and start. Raises `bot.ledger.LedgerError`.

        Call it again when this process gained servers or other processes changed tables.
        """
        for each in await self._service.deadlines():
            if self._owns(each.guild_id) and each.table_id not in self._running:
                known = self._at.get(each.table_id, each.at)
                self._note(each.table_id, min(each.at, known))
        self._pump()

    def note(self, table_id: int, deadline: int | None) -> None:
        """Set a table's next deadline, in milliseconds since 1970, or None."""
        if deadline is None:
            self._at.pop(table_id, None)
            self._failures.pop(table_id, None)
        else:
            self._note(table_id, deadline)
        self._pump()

    async def close(self) -> None:
        """Stop for good. Writes in progress still finish; due deadlines wait for the next start."""
        self._closed = True
        self._disarm()
        await self._tasks.close()

    def _changed(self, change: TableChange) -> None:
        if self._owns(change.guild_id):
            self.note(change.table_id, change.deadline)

    def _note(self, table_id: int, at: int) -> None:
        if self._at.get(table_id) != at:
            self._at[table_id] = at
            heapq.heappush(self._heap, (at, table_id))
            if len(self._heap) > REPLACED + 2 * len(self._at):
                self._heap = [(at, table_id) for table_id, at in self._at.items()]
                heapq.heapify(self._heap)

    def _pump(self) -> None:
        """Start ticks for due deadlines, up to the limits, and set the timer for the next one."""
        self._disarm()
        if self._closed:
            return
        now = self._now()
        while self._heap and self._heap[0][0] <= now:
            at, table_id = heapq.heappop(self._heap)
            (self._overdue if at < now - LATE else self._due).append((at, table_id))
        if self._heap:
            seconds = min(self._looked_every, (self._heap[0][0] - now) / 1000)
            self._timer = asyncio.get_running_loop().call_later(seconds, self._pump)
        self._start(self._due, TICKS_AT_ONCE)
        self._start(self._overdue, LATE_TICKS_AT_ONCE)

    def _start(self, due: deque[tuple[int, int]], most: int) -> None:
        """Start ticks for these deadlines while fewer than ``most`` ticks are running."""
        while due and len(self._running) < most:
            at, table_id = due.popleft()
            # Skip outdated deadlines. The deadline of a table that is being ticked is noted again
            # afterwards.
            if self._at.get(table_id) == at and table_id not in self._running:
                del self._at[table_id]
                self._running.add(table_id)
                self._tasks.start("the clock", self._tick(table_id, at))

    async def _tick(self, table_id: int, at: int) -> None:
        try:
            deadline = await self._service.tick(table_id)
            if deadline == at:  # a defect of the rules: the tick did not end what was due
                log.error("a deadline had no effect", extra={"table": table_id})
                self._finish_tick(table_id, self._retry_at(table_id))
                return
            self._failures.pop(table_id, None)
            self._finish_tick(table_id, deadline)
        except (Refused, Tampered):  # the table was removed, or it accepts no more entries
            self._failures.pop(table_id, None)
            self._finish_tick(table_id, None)
        except Exception as error:  # one table must not stop the clock of the others
            log.warning(
                "a deadline could not be handled: %s",
                error,
                exc_info=True,
                extra={"table": table_id},
            )
            self._finish_tick(table_id, self._retry_at(table_id))
        except asyncio.CancelledError:
            self._running.discard(table_id)
            raise

    def _finish_tick(self, table_id: int, deadline: int | None) -> None:
        """Finish a tick: note the table's next deadline, unless a change has set a newer one
        meanwhile.
        """
        self._running.discard(table_id)
        at = self._at.pop(table_id, deadline)
        if at is not None:
            self._note(table_id, at)
        self._pump()

    def _retry_at(self, table_id: int) -> int:
        """Return the time at which to retry a failed tick."""
        failures = self._failures[table_id] = self._failures.get(table_id, 0) + 1
        return self._now() + min(LONGEST_WAIT, SHORTEST_WAIT << min(failures - 1, 10))

    def _disarm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _now(self) -> int:
        return int(self._clock().timestamp() * 1000)
