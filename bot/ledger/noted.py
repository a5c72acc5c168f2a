"""Buffers the outcomes of requests to Discord. They are written with the next commit, or alone after a moment.

An outcome need not be durable at once. The intent to send was stored before; if a crash loses the outcome, delivery
looks it up again. A click therefore costs two commits, rather than one more for each message shown.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager

from bot.ledger.errors import LedgerError
from bot.ledger.values import Message
from bot.tasks import Tasks

log = logging.getLogger(__name__)

About = tuple[int, str]
"""Identifies a message: its table and its subject."""

NOTED_FOR = 0.5
"""Flush interval in seconds: the most that a crash can lose."""

MANY = 16
"""Number of buffered outcomes that triggers a write at once. After a start there may be many, and the program may be
restarted soon.
"""


Changes = Mapping[About, Message | None]
"""Messages to store; None deletes the message."""

Write = Callable[[Changes, Mapping[int, int]], Awaitable[object]]
"""Writes changes and cursors (by table) in one transaction. Raises `LedgerError`."""


class LateWriter:
    """Writes messages with ``write``: at once, or with the next write, after ``noted_for`` seconds at the latest."""

    def __init__(self, write: Write, noted_for: float) -> None:
        self._write = write
        self._noted_for = noted_for
        self._noted = Noted()
        self._timer: asyncio.TimerHandle | None = None
        self._due = 0.0
        self._tasks = Tasks()
        self._closed = False
        self._writing = 0

    async def save(self, changes: Changes, cursors: Mapping[int, int]) -> None:
        """Write these together with the buffer. Raises `LedgerError`."""
        self._noted.supersede(changes)
        await self._save(changes, cursors)

    def note(self, changes: Changes) -> None:
        """Buffer these for the next `save`, or for a write of their own soon."""
        self._noted.add(changes)
        self._soon(0.0 if len(self._noted) == MANY else self._noted_for)

    async def flush(self) -> None:
        """Write the buffer now, and wait for writes in progress. Raises `LedgerError`."""
        if self._noted or self._writing:  # requests are written in order, so this write also waits for earlier ones
            await self._save({}, {})

    def drop(self) -> None:
        self._noted = Noted()

    def close(self) -> asyncio.Task[None]:
        """Write the buffer a last time. Errors are logged."""
        self._closed = True
        self._stop_timer()
        return self._tasks.start("what was shown", self._flush_quietly())

    async def _save(self, changes: Changes, cursors: Mapping[int, int]) -> None:
        self._stop_timer()
        self._writing += 1
        try:
            with self._noted.taken() as noted:
                await self._write({**noted, **changes}, cursors)
        except BaseException:
            if self._noted:
                self._soon(NOTED_FOR)
            raise
        finally:
            self._writing -= 1

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _soon(self, seconds: float) -> None:
        """Write the buffer after ``seconds``, unless an earlier write is scheduled."""
        loop = asyncio.get_running_loop()
        due = loop.time() + seconds
        if not self._closed and (self._timer is None or due < self._due):
            self._stop_timer()
            self._due = due  # uvloop's timers don't report when a zero delay is due
            self._timer = loop.call_later(seconds, self._begin)

    def _begin(self) -> None:
        self._timer = None
        self._tasks.start("what was shown", self._flush_quietly())

    async def _flush_quietly(self) -> None:
        """Write the buffer. On failure, log the error; the buffer is retried later."""
        try:
            await self.flush()
        except LedgerError as error:
            log.error("the state of messages could not be recorded", exc_info=error)


class Noted:
    """The buffer: messages still to be stored, or deleted (None). A newer change replaces an older one."""

    def __init__(self) -> None:
        self._noted: dict[About, Message | None] = {}
        self._taken: list[dict[About, Message | None]] = []

    def __len__(self) -> int:
        return len(self._noted)

    def add(self, changes: Changes) -> None:
        """Buffer these, replacing earlier changes of the same messages."""
        self.supersede(changes)
        self._noted.update(changes)

    def supersede(self, changes: Changes) -> None:
        """Drop buffered changes of the same messages, which are being written now."""
        for noted in (self._noted, *self._taken):
            for about in changes:
                noted.pop(about, None)

    @contextmanager
    def taken(self) -> Iterator[Changes]:
        """Take the buffer to write it in this block. If the block fails, put back all that nothing newer replaced."""
        taken, self._noted = self._noted, {}
        left = dict(taken)
        self._taken.append(left)
        try:
            yield taken
        except BaseException:
            self._noted = {**left, **self._noted}
            raise
        finally:
            self._taken = [each for each in self._taken if each is not left]
