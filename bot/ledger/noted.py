"""What is written later: the outcomes of requests to Discord, with the next commit or by itself after a moment.

An outcome need not be durable at once. What is about to be sent was stored before; if an outcome is lost in a crash, it
is only found out once more. So a click costs two commits, and not one more for each message that was shown.
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
"""A message, by its table and its subject."""

NOTED_FOR = 0.5
"""Seconds after which an outcome is written by itself. After a crash, so much has to be found out once more."""

MANY = 16
"""Outcomes that are written at once: after a start there may be many, and the program may be restarted soon."""


Changes = Mapping[About, Message | None]
"""Messages to store, and None for those to forget, by what they are about."""

Write = Callable[[Changes, Mapping[int, int]], Awaitable[object]]
"""Writes changes and cursors, by table, in one transaction. Raises `LedgerError`."""


class LateWriter:
    """Writes messages by ``write``: at once, or with what is written next, but after ``noted_for`` seconds at last."""

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
        """Write these, with all that was noted. Raises `LedgerError`."""
        self._noted.supersede(changes)
        await self._save(changes, cursors)

    def note(self, changes: Changes) -> None:
        """Have these written with the next `save`, or in a moment."""
        self._noted.add(changes)
        self._soon(0.0 if len(self._noted) == MANY else self._noted_for)

    async def flush(self) -> None:
        """Write at once what was noted, and wait for what is being written. Raises `LedgerError`."""
        if self._noted or self._writing:  # requests are written in order, so nothing noted is left after this one
            await self._save({}, {})

    def drop(self) -> None:
        """Write nothing more of what was noted."""
        self._noted = Noted()

    def close(self) -> asyncio.Task[None]:
        """Write what was noted a last time; an error is logged."""
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
        """Write what is noted after so many seconds, or when that is to be done already, if it is sooner."""
        loop = asyncio.get_running_loop()
        due = loop.time() + seconds
        if not self._closed and (self._timer is None or due < self._due):
            self._stop_timer()
            self._due = due  # uvloop's timers can't be asked when a wait of nothing is over
            self._timer = loop.call_later(seconds, self._begin)

    def _begin(self) -> None:
        self._timer = None
        self._tasks.start("what was shown", self._flush_quietly())

    async def _flush_quietly(self) -> None:
        """Write what is noted; if that fails, it is tried again in a while."""
        try:
            await self.flush()
        except LedgerError as error:
            log.error("what was shown could not be recorded", exc_info=error)


class Noted:
    """Messages that are still to be stored, or forgotten (None), by what they are about. The newest counts."""

    def __init__(self) -> None:
        self._noted: dict[About, Message | None] = {}
        self._taken: list[dict[About, Message | None]] = []

    def __len__(self) -> int:
        return len(self._noted)

    def add(self, changes: Changes) -> None:
        """Note these in place of what was noted about the same."""
        self.supersede(changes)
        self._noted.update(changes)

    def supersede(self, changes: Changes) -> None:
        """Drop what was noted about the same as these, which are written now."""
        for noted in (self._noted, *self._taken):
            for about in changes:
                noted.pop(about, None)

    @contextmanager
    def taken(self) -> Iterator[Changes]:
        """Take what is noted to write it inside. If that fails, it is noted again, unless something newer is."""
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
