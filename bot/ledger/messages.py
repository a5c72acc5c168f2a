"""Delivery's memory: which message shows what, and up to which entry each table's messages are
planned.

The outcome of a request to Discord need not be durable at once. The intent to send was stored
before; if a crash loses the outcome, delivery looks it up again. So outcomes are *buffered*, and
written with the next commit, or alone after a moment. A click therefore costs two commits, rather
than one more for each message shown.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields

from sqlalchemy import Connection, bindparam, delete, func, or_, select

from bot.ledger.access import Access, upsert
from bot.ledger.errors import LedgerError
from bot.ledger.keys import Key
from bot.ledger.schema import NOT_REMOVED, OWED, cursors, entries, messages, tables
from bot.ledger.values import Message
from bot.rules.model.values import frozen
from bot.tasks import Tasks, loop_time

log = logging.getLogger(__name__)

About = tuple[int, str]
"""Identifies a message: its table and its subject."""

Changes = Mapping[About, Message | None]
"""Messages to store; None deletes the message."""

COLUMNS = tuple(field.name for field in fields(Message))
"""The columns of a message, apart from its table and its seal."""

FLUSH_INTERVAL = 0.5
"""Flush interval in seconds: the most that a crash can lose."""

ON_ITS_WAY = 24 * 3600.0
"""Seconds for which a message to somebody who was erased may still be on its way: delivery tries
for hours.
"""

MANY = 16
"""Number of buffered outcomes that triggers a write at once. After a start there may be many, and
the program may be restarted soon.
"""


@frozen
class SaveMessages:
    """The request to store messages and cursors, by table. A cursor never moves back."""

    messages: Changes
    cursors: Mapping[int, int]


class Messages:
    """The messages of all tables, and their cursors. Every method that reads or writes may raise
    `LedgerError`.

    A crash may lose what is only buffered. All methods take it into account. ``flush_interval``:
    see `FLUSH_INTERVAL`.
    """

    def __init__(self, access: Access, flush_interval: float) -> None:
        self._access = access
        self._flush_interval = flush_interval
        self._buffer = MessageBuffer()
        self._timer: asyncio.TimerHandle | None = None
        self._due = 0.0
        self._tasks = Tasks()
        self._closed = False
        self._writing = 0
        self._erased: dict[tuple[int, str], float] = {}  # when, by table and user

    # ---------------------------------------------------------------- reading

    async def of_table(self, table_id: int) -> list[Message]:
        """Return the messages of a table, by subject. Raises `Tampered`."""
        await self.flush()
        of_table = messages.c.table_id == table_id
        query = select(messages).where(of_table).order_by(messages.c.subject)
        rows = await self._access.sealed(messages, query)
        found = []
        for row in rows:
            columns = {name: row._mapping[name] for name in COLUMNS}
            found.append(Message(**columns))
        return found

    async def cursor(self, table_id: int) -> int:
        """Return the last entry whose messages are planned; 0 if none are. Raises `Tampered`."""
        rows = await self._access.sealed(
            cursors, select(cursors).where(cursors.c.table_id == table_id)
        )
        return rows[0].seq if rows else 0

    async def undelivered(self) -> list[int]:
        """Return the tables, open or closed, with entries after their cursor or with owed messages.

        The most recently active tables come first.
        """
        await self.flush()
        last = (
            select(func.max(entries.c.seq))
            .where(entries.c.table_id == tables.c.id)
            .scalar_subquery()
        )
        newest = (
            select(entries.c.at)
            .where(entries.c.table_id == tables.c.id)
            .order_by(entries.c.seq.desc())
            .limit(1)
            .scalar_subquery()
        )
        owed = select(messages.c.table_id).where(OWED)
        cursor = func.coalesce(cursors.c.seq, 0)
        query = (
            select(tables.c.id)
            .outerjoin(cursors, cursors.c.table_id == tables.c.id)
            .where(NOT_REMOVED, or_(cursor < last, tables.c.id.in_(owed)))
            .order_by(newest.desc(), tables.c.id.desc())
        )
        return [row.id for row in await self._access.all(query)]

    # ---------------------------------------------------------------- writing

    async def save(
        self,
        table_id: int,
        saved: Sequence[Message],
        *,
        forgotten: Sequence[str] = (),
        cursor: int | None = None,
    ) -> None:
        """Store messages, replacing those about the same subjects; delete ``forgotten``; advance
        the cursor.

        The cursor never moves back. All of this, and what is buffered, is one transaction.
        """
        changes = self._changes(table_id, saved, forgotten)
        self._buffer.supersede(changes)
        await self._save(changes, {} if cursor is None else {table_id: cursor})

    def buffer(
        self, table_id: int, saved: Sequence[Message], *, forgotten: Sequence[str] = ()
    ) -> None:
        """Buffer messages to store and to delete, for the next `save` or a write of their own
        soon.
        """
        self._buffer.add(self._changes(table_id, saved, forgotten))
        self._soon(0.0 if len(self._buffer) == MANY else self._flush_interval)

    async def flush(self) -> None:
        """Write the buffer now, and wait for writes in progress."""
        # requests are written in order, so this write also waits for earlier ones
        if self._buffer or self._writing:
            await self._save({}, {})

    def forget(self, user_id: int, tables: Sequence[int]) -> None:
        """Store no message of these tables that names this user, for a day: one may still be on its
        way.
        """
        now = loop_time()
        self._erased = self._lately_erased() | {
            (table_id, str(user_id)): now for table_id in tables
        }

    def _lately_erased(self) -> dict[tuple[int, str], float]:
        now = loop_time()
        return {each: at for each, at in self._erased.items() if now - at < ON_ITS_WAY}

    def drop(self) -> None:
        """Discard the buffer, because another process owns the tables now."""
        self._buffer = MessageBuffer()

    def close(self) -> asyncio.Task[None]:
        """Write the buffer a last time. Errors are logged."""
        self._closed = True
        self._stop_timer()
        return self._tasks.start("what was shown", self._flush_quietly())

    def _changes(self, table_id: int, saved: Sequence[Message], deleted: Sequence[str]) -> Changes:
        """Return changes that store ``saved``, except messages that name somebody erased, and
        delete ``deleted``.
        """
        if self._erased:
            erased = self._erased = self._lately_erased()

            def names_erased(message: Message) -> bool:
                return any((table_id, word) in erased for word in message.subject.split(":"))

            saved = [message for message in saved if not names_erased(message)]
        changes = dict[About, Message | None]()
        for message in saved:
            changes[table_id, message.subject] = message
        for subject in deleted:
            changes[table_id, subject] = None
        return changes

    async def _save(self, changes: Changes, cursors: Mapping[int, int]) -> None:
        self._stop_timer()
        self._writing += 1
        try:
            with self._buffer.drained() as buffered:
                await self._access.write(SaveMessages({**buffered, **changes}, cursors))
        except BaseException:
            if self._buffer:
                self._soon(FLUSH_INTERVAL)
            raise
        finally:
            self._writing -= 1

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

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    async def _flush_quietly(self) -> None:
        """Write the buffer. On failure, log the error; the buffer is retried later."""
        try:
            await self.flush()
        except LedgerError as error:
            log.error("the state of messages could not be recorded", exc_info=error)


class MessageBuffer:
    """The buffer: messages still to be stored, or deleted (None). A newer change replaces an older
    one.
    """

    def __init__(self) -> None:
        self._buffer: dict[About, Message | None] = {}
        self._taken: list[dict[About, Message | None]] = []

    def __len__(self) -> int:
        return len(self._buffer)

    def add(self, changes: Changes) -> None:
        """Buffer these, replacing earlier changes of the same messages."""
        self.supersede(changes)
        self._buffer.update(changes)

    def supersede(self, changes: Changes) -> None:
        """Drop buffered changes of the same messages, which are being written now."""
        for buffered in (self._buffer, *self._taken):
            for about in changes:
                buffered.pop(about, None)

    @contextmanager
    def drained(self) -> Iterator[Changes]:
        """Take the buffer to write it in this block. If the block fails, put back all that nothing
        newer replaced.
        """
        taken, self._buffer = self._buffer, {}
        left = dict(taken)
        self._taken.append(left)
        try:
            yield taken
        except BaseException:
            self._buffer = {**left, **self._buffer}
            raise
        finally:
            self._taken = [each for each in self._taken if each is not left]


def save_messages(key: Key, connection: Connection, requests: Sequence[SaveMessages]) -> None:
    """Write the messages and cursors of these requests, with one statement for each kind. Later
    requests win.
    """
    changed: dict[About, Message | None] = {}
    moved: dict[int, int] = {}
    for request in requests:
        changed.update(request.messages)
        for table_id, seq in request.cursors.items():
            moved[table_id] = max(seq, moved.get(table_id, 0))
    # Sorted: transactions that lock rows in the same order can't deadlock.
    gone, rows = [], []
    for table_id, subject in sorted(changed):
        message = changed[table_id, subject]
        if message is None:
            gone.append({"at_table": table_id, "about": subject})
        else:
            rows.append(
                key.sealed(
                    messages.name,
                    {"table_id": table_id} | {name: getattr(message, name) for name in COLUMNS},
                )
            )
    seqs = [
        key.sealed(cursors.name, {"table_id": table_id, "seq": seq})
        for table_id, seq in sorted(moved.items())
    ]
    dialect = connection.dialect.name
    for statement, values in (
        (_FORGET, gone),
        (upsert(dialect, messages), rows),
        (upsert(dialect, cursors), seqs),
    ):
        if values:
            connection.execute(statement, values)


_FORGET = delete(messages).where(
    messages.c.table_id == bindparam("at_table"), messages.c.subject == bindparam("about")
)
