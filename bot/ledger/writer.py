"""Group commit: one task writes, and requests that arrive during a commit go into the next one.

A commit waits for the disk, whatever is in it. Sixty-four tables that trade at once share that wait.

What becomes of a request is known when its caller gets an answer. A locked database is tried again. A commit that fails
so that it may have taken place leaves its requests *uncertain*: each is looked for, and written again if it is not
there. The constraints of the database make that safe, since what was written once can't be written again.
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
from bot.ledger.errors import FateUnknown, LedgerError, NotWritten
from bot.tasks import Tasks

R = TypeVar("R")
W = TypeVar("W")

Perform = Callable[[Connection, Sequence[R]], list[W | LedgerError]]
"""Writes a batch in its connection's transaction. Returns for each request what was written, or its error."""

Explain = Callable[[Connection, R], LedgerError | None]
"""Returns why a request broke a constraint, as an error; None when it can be tried again."""

Find = Callable[[Connection, R], W | None]
"""Returns what was written of a request, if it was; None also when writing it twice does no harm."""

LARGEST_BATCH = 512
"""Requests in one transaction. With more, the first of them would wait too long for the last."""

TRIES = 3
"""How often a request that broke a constraint for no reason that can be found is tried."""

LOCKED_FOR = 60.0
"""How long a request waits for a database that another program has locked, in seconds, its time in the queue included.

A person is told after a moment that it takes a while, and Discord takes an answer for 15 minutes. A backup is done in
this time; whoever has waited longer has forgotten what they pressed.
"""

UNKNOWN_FOR = 10.0
"""How long the writer tries to find out what became of an uncertain request, in seconds."""

SHORTEST_PAUSE, LONGEST_PAUSE = 0.02, 1.0
"""Seconds between two tries; while a request's fate is unknown, each pause is twice as long as the one before."""

CLOSE_WAIT, STOP_WAIT = 1.0, 0.25
"""How long `Writer.close` waits for what is being written, and then for that to be stopped, in seconds."""


@dataclass(slots=True, eq=False)
class _Item(Generic[R, W]):
    """A request on its way. Times are in seconds of the event loop's clock.

    ``future`` is what its caller waits for; it is cancelled with the caller. ``then`` is called all the same, in the
    caller's ``context``, as if the caller itself went on.
    ``uncertain``: the request may have been written. ``doubted``: when that came up first.
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
        """Whether something is still to be done: nothing is for a request whose caller has left before it began."""
        return not self.answered and (self.uncertain or not self.future.done())

    def is_overdue(self, now: float) -> bool:
        """Return whether its time to be written or found is over."""
        return now > self.since + LOCKED_FOR or (self.doubted is not None and now > self.doubted + UNKNOWN_FOR)

    def answer(self, answer: W | LedgerError) -> None:
        """Tell the caller, if there still is one. The first answer counts."""
        if self.answered:
            return
        self.answered = True
        if not isinstance(answer, LedgerError) and self.then is not None:
            self.future.get_loop().call_soon(self.then, answer, context=self.context)  # before the caller goes on
        if self.future.done():
            return
        if isinstance(answer, LedgerError):
            self.future.set_exception(answer)
        else:
            self.future.set_result(answer)

    def fail(self, why: str, cause: BaseException | None = None) -> None:
        """Answer with an error of its own, since raising one in several tasks would mix their tracebacks."""
        failure = (
            FateUnknown(f"It can't be told whether this was written: {why}.")
            if self.uncertain
            else NotWritten(f"Nothing was written: {why}.")
        )
        failure.__cause__ = cause
        self.answer(failure)


class Writer(Generic[R, W]):
    """Writes requests to the database in batches. `start` it in a running loop; `close` ends it within moments.

    ``single`` returns whether a batch needs one statement only.
    """

    def __init__(
        self,
        database: Database,
        perform: Perform[R, W],
        explain: Explain[R],
        find: Find[R, W] = lambda _connection, _request: None,
        single: Callable[[Sequence[R]], bool] = lambda _requests: False,
    ) -> None:
        self._database = database
        self._perform = perform
        self._explain = explain
        self._find = find
        self._single = single
        # None is the last item: the writer stops there.
        self._queue: asyncio.Queue[_Item[R, W] | None] = asyncio.Queue()
        self._closing = asyncio.Event()
        self._tasks = Tasks()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to take requests."""
        self._task = self._tasks.keep("the ledger's writer", self._run)
        self._task.add_done_callback(self._ended)

    async def write(self, request: R, then: Callable[[W], object] | None = None) -> W:
        """Write one request and return its result once it is committed.

        If the caller is cancelled before its batch begins, nothing is written; after that, the request is written all
        the same, and ``then`` is called with the result whether or not anybody waits for it. Raises the request's own
        error, `NotWritten` when the database failed or stayed locked, and `FateUnknown` when it failed so that the
        request may have been written, and did not come back to say so.
        """
        if self._closing.is_set():
            raise NotWritten("The ledger is closed.")
        loop = asyncio.get_running_loop()
        item: _Item[R, W] = _Item(request, loop.create_future(), then, copy_context(), loop.time())
        self._queue.put_nowait(item)
        return await item.future

    async def close(self) -> None:
        """Write what is queued, unless the database is locked or gone, then stop. Harmless when repeated.

        What is not written after `CLOSE_WAIT` is given up, and its fate is unknown.
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
        """Wait for a request and take all that are queued with it. Return an empty list when there will be no more."""
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
        """Write a batch, as often as it takes, and answer each of its requests."""
        pause, clashes = SHORTEST_PAUSE, 0
        try:
            while batch := [item for item in batch if item.waiting]:
                error = await self._attempt(batch)
                if error is None:
                    return
                if _may_pass(error, batch):
                    await self._wait(SHORTEST_PAUSE if is_locked(error) else pause)  # the lock was waited for already
                    await self._give_up(batch, error)
                    pause = min(2 * pause, LONGEST_PAUSE)
                elif _is_for_all(error):
                    _fail(batch, error)
                elif len(batch) > 1:  # another process came first, or one request cannot be stored
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
        """Write the requests of a batch one by one: alone, each gets its own result."""
        try:
            for item in batch:
                await self._write([item])
        except BaseException:
            for item in batch:
                item.fail("the ledger was stopped before that was done")
            raise

    async def _attempt(self, batch: Sequence[_Item[R, W]]) -> Exception | None:
        """Write a batch in one transaction and answer its requests; or return the error and answer none."""
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
                # The server was restarted since the last batch. Trying again is safe: were it possible that this batch
                # was committed, the error would be a FateUnknown.
                answers = await self._database.write(work, single=single)
        except FateUnknown as error:
            self._doubt(batch)
            return error
        except Exception as error:  # noqa: BLE001  (the writer outlives every request)
            return error
        except BaseException:  # stopped while the database is at it
            self._doubt(batch)
            raise
        for item, answer in zip(batch, answers, strict=True):
            item.answer(await self._reconsidered(item, answer) if isinstance(answer, LedgerError) else answer)
        return None

    def _doubt(self, batch: Sequence[_Item[R, W]]) -> None:
        now = asyncio.get_running_loop().time()
        for item in batch:
            item.uncertain, item.doubted = True, item.doubted or now

    async def _settle(self, item: _Item[R, W], error: Exception, clashes: int) -> None:
        """Answer a request that failed alone, unless its reason is gone meanwhile: it is then tried again."""
        if not isinstance(error, IntegrityError):
            item.fail(reason(error), error)
        elif (answer := await self._explained(item)) is not None:
            item.answer(answer)
        elif clashes >= TRIES:
            item.fail(reason(error), error)

    async def _give_up(self, batch: Sequence[_Item[R, W]], error: Exception) -> None:
        """Answer those that are found to be written, and those whose time is over."""
        now = asyncio.get_running_loop().time()
        for item in batch:
            if item.uncertain:
                await self._look_for(item)
            if self._closing.is_set() or item.is_overdue(now):
                item.fail(reason(error), error)

    async def _wait(self, seconds: float) -> None:
        """Pause, but not while the ledger is being closed."""
        try:
            await asyncio.wait_for(self._closing.wait(), seconds)
        except TimeoutError:
            return

    # ---------------------------------------------------------------- what became of a request

    async def _look_for(self, item: _Item[R, W]) -> None:
        """Answer an uncertain request if it is found to be written."""
        try:
            found = await self._database.read(lambda connection: self._find(connection, item.request))
        except (SQLAlchemyError, OSError, LedgerError):
            return  # the database is away; its fate stays unknown
        if found is not None:
            item.answer(found)
        else:
            item.uncertain = self._database.commits_late

    async def _reconsidered(self, item: _Item[R, W], refused: LedgerError) -> W | LedgerError:
        """Return the refusal of a request, or what was written of it by an earlier try, which is what refuses it."""
        if item.uncertain:
            await self._look_for(item)
        return refused

    async def _explained(self, item: _Item[R, W]) -> LedgerError | None:
        """Return why a request broke a constraint. An uncertain one that is found is answered."""
        if item.uncertain:
            await self._look_for(item)
        if item.answered:
            return None
        try:
            return await self._database.read(lambda connection: self._explain(connection, item.request))
        except Exception as error:  # noqa: BLE001  (the writer outlives every request)
            kind = FateUnknown if item.uncertain else NotWritten
            return kind(f"The ledger could not be read: {reason(error)}.")


def _is_for_all(error: Exception) -> bool:
    """Return whether an error is of the database rather than of a request: locked, full, gone."""
    gone = isinstance(error, DBAPIError) and error.connection_invalidated
    return gone or isinstance(error, LedgerError | OperationalError | OSError)


def _may_pass(error: Exception, batch: Sequence[_Item[R, W]]) -> bool:
    """Return whether a batch is to be tried again: it did not get its turn, or something of it may be written."""
    return is_locked(error) or (not isinstance(error, IntegrityError) and any(item.doubted for item in batch))


def _fail(batch: Sequence[_Item[R, W]], error: Exception) -> None:
    for item in batch:
        item.fail(reason(error), error)
