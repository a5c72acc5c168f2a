"""Group commit: one task writes, and requests that arrive during a commit go into the next one.

A commit waits for the disk, whatever is in it. Sixty-four tables that trade at once share that wait.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError

from bot.ledger.engine import Database, reason
from bot.ledger.errors import LedgerError

R = TypeVar("R")
W = TypeVar("W")

Perform = Callable[[Connection, Sequence[R]], list[W | LedgerError]]
"""Writes a batch in its connection's transaction. Returns for each request what was written, or its error."""

Explain = Callable[[Connection, R], LedgerError | None]
"""Returns why a request broke a constraint, as an error; None when it can be tried again."""

LARGEST_BATCH = 512
"""Requests in one transaction. With more, the first of them would wait too long for the last."""

TRIES = 3
"""How often a request that broke a constraint for no reason that can be found is tried."""


class Writer(Generic[R, W]):
    """Writes requests to the database in batches. `start` it in a running loop; `close` waits until all are written.

    ``single`` returns whether a batch needs one statement only.
    """

    def __init__(
        self,
        database: Database,
        perform: Perform[R, W],
        explain: Explain[R],
        single: Callable[[Sequence[R]], bool] = lambda _requests: False,
    ) -> None:
        self._database = database
        self._perform = perform
        self._explain = explain
        self._single = single
        # None is the last item: the writer stops there.
        self._queue: asyncio.Queue[tuple[R, asyncio.Future[W]] | None] = asyncio.Queue()
        self._closed = False
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to take requests."""
        self._task = asyncio.get_running_loop().create_task(self._run(), name="ledger writer")

    async def write(self, request: R) -> W:
        """Write one request and return its result once it is committed.

        If the caller is cancelled before its batch begins, nothing is written; after that, the request is written all
        the same. Raises the request's own error, or `LedgerError` when the database failed.
        """
        if self._closed:
            raise LedgerError("The ledger is closed.")
        future: asyncio.Future[W] = asyncio.get_running_loop().create_future()
        self._queue.put_nowait((request, future))
        return await future

    async def close(self) -> None:
        """Write what is queued, then stop. Harmless when repeated."""
        if not self._closed:
            self._closed = True
            self._queue.put_nowait(None)
        if self._task is not None:
            await asyncio.wait([self._task])

    async def _run(self) -> None:
        try:
            while batch := await self._next_batch():
                await self._write(batch)
        finally:
            self._closed = True
            while not self._queue.empty():
                if item := self._queue.get_nowait():
                    _answer([item], [LedgerError("The ledger is closed.")])

    async def _next_batch(self) -> list[tuple[R, asyncio.Future[W]]]:
        """Wait for a request and take all that are queued with it. Return an empty list when there will be no more."""
        batch: list[tuple[R, asyncio.Future[W]]] = []
        while not batch or (len(batch) < LARGEST_BATCH and not self._queue.empty()):
            item = await self._queue.get()
            if item is None:
                if batch:
                    self._queue.put_nowait(None)
                break
            if not item[1].done():  # its caller was cancelled
                batch.append(item)
        return batch

    async def _write(self, batch: list[tuple[R, asyncio.Future[W]]]) -> None:
        """Write a batch and resolve the future of each request in it."""
        try:
            error = await self._attempt(batch)
            if error is None:
                return
            if isinstance(
                error, (LedgerError, OperationalError)
            ):  # locked, full, gone: each request alone would fail too
                _answer(batch, [_failure(error) for _ in batch])
            elif len(batch) == 1:
                await self._settle(batch[0], error)
            else:
                # Another process came first, or one request cannot be stored. Alone, each gets its own result.
                for item in batch:
                    if alone := await self._attempt([item]):
                        await self._settle(item, alone)
        except BaseException:
            stopped = "The ledger was stopped while this was being written."
            _answer(batch, [LedgerError(stopped) for _ in batch])
            raise

    async def _settle(self, item: tuple[R, asyncio.Future[W]], error: Exception) -> None:
        """Resolve a request that failed alone; try again when the reason is gone meanwhile."""
        for _ in range(TRIES - 1):
            if not isinstance(error, IntegrityError):
                break
            if refusal := await self._reason(item[0]):
                _answer([item], [refusal])
                return
            again = await self._attempt([item])
            if again is None:
                return
            error = again
        _answer([item], [_failure(error)])

    async def _reason(self, request: R) -> LedgerError | None:
        try:
            return await self._database.read(lambda connection: self._explain(connection, request))
        except Exception as error:  # noqa: BLE001  (the writer outlives every request)
            return _failure(error)

    async def _attempt(self, batch: list[tuple[R, asyncio.Future[W]]]) -> Exception | None:
        """Write a batch in one transaction and resolve its futures; or return the error and resolve none."""
        requests = [request for request, _ in batch]
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
                # was committed, the error would be a LedgerError.
                answers = await self._database.write(work, single=single)
        except Exception as error:  # noqa: BLE001  (the writer outlives every request)
            return error
        _answer(batch, answers)
        return None


def _failure(error: Exception) -> LedgerError:
    """Return an error of its own for each caller, since raising one in several tasks would mix their tracebacks."""
    failure = LedgerError(str(error) if isinstance(error, LedgerError) else f"Nothing was written: {reason(error)}.")
    failure.__cause__ = error
    return failure


def _answer(batch: Sequence[tuple[R, asyncio.Future[W]]], answers: Sequence[W | LedgerError]) -> None:
    for (_, future), answer in zip(batch, answers, strict=True):
        if future.done():  # cancelled by its caller, or answered already
            continue
        if isinstance(answer, LedgerError):
            future.set_exception(answer)
        else:
            future.set_result(answer)
