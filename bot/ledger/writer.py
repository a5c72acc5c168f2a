"""Group commit: one task writes, and requests that arrive during a commit go into the next one.

Each commit waits for the disk, whatever its size. Sixty-four tables that trade at once share one
wait.

A caller gets its answer when the fate of its request is known. A locked database is retried. If a
commit fails but may have taken effect, its requests are *uncertain*: each is looked up, and written
again if it is missing. This is safe because the database's constraints reject a request that was
already written.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextvars import Context, copy_context
from dataclasses import dataclass
from typing import Generic, TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError, SQLAlchemyError

from bot.ledger.engine import Database, is_locked, reason
from bot.ledger.errors import LedgerError, NotWritten, OutcomeUnknown
from bot.tasks import Tasks, loop_time

R = TypeVar("R")
W = TypeVar("W")

Perform = Callable[[Connection, Sequence[R]], list[W | LedgerError]]
"""Writes a batch in its connection's transaction. Returns the result or the error of each request.
For the ledger this is `bot.ledger.batch.perform`.
"""

Explain = Callable[[Connection, R], LedgerError | None]
"""Returns the error for a request that broke a constraint; None when the request can be retried."""

Find = Callable[[Connection, R], W | None]
"""Returns the result of a request that was written; None if it was not, or if writing it twice does
no harm.
"""

LARGEST_BATCH = 512
"""The most requests in one transaction. With more, the first would wait too long for the last."""

TRIES = 3
"""Attempts for a request that broke a constraint without a reason that `Explain` can find."""

LOCKED_FOR = 60.0
"""How long a request waits for a database that another program has locked, in seconds, including
its time in the queue.

The person is soon told that it takes a while, and Discord accepts an answer for 15 minutes. A
backup finishes within this time; after a longer wait, people have forgotten what they pressed.
"""

UNKNOWN_FOR = 10.0
"""How long the writer tries to find out the fate of an uncertain request, in seconds."""

SHORTEST_PAUSE, LONGEST_PAUSE = 0.02, 1.0
"""The pause between two attempts, in seconds. It doubles each time while a request's fate is
unknown.
"""

CLOSE_WAIT, STOP_WAIT = 1.0, 0.25
"""How long `Writer.close` waits for the queue to be written, and then for the cancelled task, in
seconds.
"""


@dataclass(slots=True, eq=False)
class _Item(Generic[R, W]):
    """A request in the queue. Times are in seconds of the event loop's clock.

    The caller waits for ``future``, which is cancelled with the caller. ``then`` is called even so,
    in the caller's ``context``, as if the caller itself continued. ``uncertain``: the request may
    have been written. ``doubted``: when it first became uncertain.
    """

    request: R
    future: asyncio.Future[W]
    then: Callable[[W], object] | None
    context: Context
    since: float
    answered: bool = False
    uncertain: bool = False
    doubted: float | None = None

    @property
    def waiting(self) -> bool:
        """False once answered, or cancelled before it started."""
        return not self.answered and (self.uncertain or not self.future.done())

    def is_overdue(self, now: float) -> bool:
        return now > self.since + LOCKED_FOR or (
            self.doubted is not None and now > self.doubted + UNKNOWN_FOR
        )

    def answer(self, answer: W | LedgerError) -> None:
        """Answer the caller, unless it was cancelled. Only the first answer counts."""
        if self.answered:
            return
        self.answered = True
        if not isinstance(answer, LedgerError) and self.then is not None:
            # before the caller resumes
            self.future.get_loop().call_soon(self.then, answer, context=self.context)
        if self.future.done():
            return
        if isinstance(answer, LedgerError):
            self.future.set_exception(answer)
        else:
            self.future.set_result(answer)

    def fail(self, why: str, cause: BaseException | None = None) -> None:
        """Answer with a new error: raising the same one in several tasks would mix their
        tracebacks.
        """
        failure = (
            OutcomeUnknown(f"It can't be told whether this was written: {why}.")
            if self.uncertain
            else NotWritten(f"Nothing was written: {why}.")
        )
        failure.__cause__ = cause
        self.answer(failure)


class Writer(Generic[R, W]):
    """Writes requests to the database in batches. Call `start` in a running loop, and `close` at
    the end.

    ``single`` returns whether a batch needs only one statement, ``refusal`` why no write can
    succeed now.
    """

    def __init__(
        self,
        database: Database,
        perform: Perform[R, W],
        explain: Explain[R],
        find: Find[R, W] = lambda _connection, _request: None,
        single: Callable[[Sequence[R]], bool] = lambda _requests: False,
        refusal: Callable[[], str] = lambda: "",
    ) -> None:
        self._database = database
        self._perform = perform
        self._explain = explain
        self._find = find
        self._single = single
        self._refusal = refusal
        # None tells the writer to stop.
        self._queue: asyncio.Queue[_Item[R, W] | None] = asyncio.Queue()
        self._closing = asyncio.Event()
        self._tasks = Tasks()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._task = self._tasks.keep("the ledger's writer", self._run)
        self._task.add_done_callback(self._ended)

    async def write(self, request: R, then: Callable[[W], object] | None = None) -> W:
        """Write one request and return its result once it is committed.

        If the caller is cancelled before its batch begins, nothing is written. If later, the
        request is written even so. ``then`` is called with the result in any case. Raises the
        request's own error, `NotWritten` when the database failed or stayed locked, and
        `OutcomeUnknown` when the request may have been written and the database did not return in
        time to tell.
        """
        if self._closing.is_set():
            raise NotWritten("The ledger is closed.")
        loop = asyncio.get_running_loop()
        done: asyncio.Future[W] = loop.create_future()
        item: _Item[R, W] = _Item(request, done, then, copy_context(), loop.time())
        self._queue.put_nowait(item)
        return await item.future

    async def close(self) -> None:
        """Write the queue, unless the database is locked or gone, then stop. Harmless when
        repeated.

        Gives up after `CLOSE_WAIT`; the fate of a request being written then is unknown.
        """
        if not self._closing.is_set():
            self._closing.set()
            self._queue.put_nowait(None)
        if self._task is not None:
            await asyncio.wait([self._task], timeout=CLOSE_WAIT)
            self._task.cancel()
            await asyncio.wait([self._task], timeout=STOP_WAIT)

    async def _run(self) -> None:
        while batch := await self._next_batch():
            await self._write(batch)

    def _ended(self, _task: object) -> None:
        self._closing.set()
        while not self._queue.empty():
            if item := self._queue.get_nowait():
                item.answer(NotWritten("The ledger is closed."))

    async def _next_batch(self) -> list[_Item[R, W]]:
        """Wait for a request and take all that are queued. Return an empty list when the writer is
        closing.
        """
        batch: list[_Item[R, W]] = []
        while not batch or (len(batch) < LARGEST_BATCH and not self._queue.empty()):
            item = await self._queue.get()
            if item is None:
                if batch:
                    self._queue.put_nowait(None)
                break
            if item.waiting:
                batch.append(item)
        return batch

    # ---------------------------------------------------------------- one batch

    async def _write(self, batch: Sequence[_Item[R, W]]) -> None:
        """Write a batch, with as many attempts as necessary, and answer each request."""
        pause, clashes = SHORTEST_PAUSE, 0
        try:
            while batch := [item for item in batch if item.waiting]:
                if (why := self._refusal()) and not any(item.uncertain for item in batch):
                    _fail(batch, NotWritten(why))
                    return
                error = await self._attempt(batch)
                if error is None:
                    return
                if _may_pass(error, batch):
                    # the database waited already
                    await self._wait(SHORTEST_PAUSE if is_locked(error) else pause)
                    await self._give_up(batch, error)
                    pause = min(2 * pause, LONGEST_PAUSE)
                elif _is_for_all(error):
                    _fail(batch, error)
                elif len(batch) > 1:  # another process came first, or one request can't be stored
                    await self._write_each(batch)
                    return
                else:
                    clashes += 1
                    await self._settle(batch[0], error, clashes)
        except BaseException:
            for item in batch:
                item.fail("the ledger was stopped before that was done")
            raise

    async def _write_each(self, batch: Sequence[_Item[R, W]]) -> None:
        """Write the requests of a batch one by one, so that each gets its own result."""
        try:
            for item in batch:
                await self._write([item])
        except BaseException:
            for item in batch:
                item.fail("the ledger was stopped before that was done")
            raise

    async def _attempt(self, batch: Sequence[_Item[R, W]]) -> Exception | None:
        """Write a batch in one transaction and answer its requests. On an error, return it and
        answer none.
        """
        requests = [item.request for item in batch]
        single = self._single(requests)

        def work(connection: Connection) -> list[W | LedgerError]:
            return self._perform(connection, requests)

        try:
            try:
                answers = await self._database.write(work, single=single)
            except DBAPIError as error:
                if not error.connection_invalidated:
                    raise
                # The server was restarted since the last batch. A retry is safe: if this batch
                # could have been committed, the error would be an OutcomeUnknown.
                answers = await self._database.write(work, single=single)
        except OutcomeUnknown as error:
            self._doubt(batch)
            return error
        except Exception as error:  # noqa: BLE001  (the writer outlives every request)
            return error
        except BaseException:  # cancelled during the write
            self._doubt(batch)
            raise
        for item, answer in zip(batch, answers, strict=True):
            item.answer(
                await self._reconsidered(item, answer)
                if isinstance(answer, LedgerError)
                else answer
            )
        return None

    def _doubt(self, batch: Sequence[_Item[R, W]]) -> None:
        now = loop_time()
        for item in batch:
            item.uncertain, item.doubted = True, item.doubted or now

    async def _settle(self, item: _Item[R, W], error: Exception, clashes: int) -> None:
        """Answer a request that failed alone, unless the reason is gone and it can be retried."""
        if not isinstance(error, IntegrityError):
            item.fail(reason(error), error)
        elif (answer := await self._explained(item)) is not None:
            item.answer(answer)
        elif clashes >= TRIES:
            item.fail(reason(error), error)

    async def _give_up(self, batch: Sequence[_Item[R, W]], error: Exception) -> None:
        """Answer the requests that turn out to be written, and those that are overdue."""
        now = loop_time()
        for item in batch:
            if item.uncertain:
                await self._look_for(item)
            if self._closing.is_set() or item.is_overdue(now):
                item.fail(reason(error), error)

    async def _wait(self, seconds: float) -> None:
        """Pause, but stop as soon as the writer is closing."""
        try:
            await asyncio.wait_for(self._closing.wait(), seconds)
        except TimeoutError:
            return

    # ---------------------------------------------------------------- the fate of a request

    async def _look_for(self, item: _Item[R, W]) -> None:
        """Answer an uncertain request if the database contains it."""
        try:
            found = await self._database.read(
                lambda connection: self._find(connection, item.request)
            )
        except (SQLAlchemyError, OSError, LedgerError):
            return  # the database does not answer, so the request's fate stays unknown
        if found is not None:
            item.answer(found)
        else:
            item.uncertain = self._database.commits_late

    async def _reconsidered(self, item: _Item[R, W], refused: LedgerError) -> W | LedgerError:
        """Return a request's refusal, after answering it if an earlier attempt wrote it and so
        caused the refusal.
        """
        if item.uncertain:
            await self._look_for(item)
        return refused

    async def _explained(self, item: _Item[R, W]) -> LedgerError | None:
        """Return why a request broke a constraint; None if it can be retried or was found and
        answered.
        """
        if item.uncertain:
            await self._look_for(item)
        if item.answered:
            return None
        try:
            return await self._database.read(
                lambda connection: self._explain(connection, item.request)
            )
        except Exception as error:  # noqa: BLE001  (the writer outlives every request)
            kind = OutcomeUnknown if item.uncertain else NotWritten
            return kind(f"The ledger could not be read: {reason(error)}.")


def _is_for_all(error: Exception) -> bool:
    """Return whether an error affects the whole database rather than one request: locked, full,
    gone.
    """
    gone = isinstance(error, DBAPIError) and error.connection_invalidated
    return gone or isinstance(error, LedgerError | OperationalError | OSError)


def _may_pass(error: Exception, batch: Sequence[_Item[R, W]]) -> bool:
    """Return whether to retry a batch: the database was locked, or some of the batch may be
    written.
    """
    return is_locked(error) or (
        not isinstance(error, IntegrityError) and any(item.doubted for item in batch)
    )


def _fail(batch: Sequence[_Item[R, W]], error: Exception) -> None:
    for item in batch:
        item.fail(reason(error), error)
