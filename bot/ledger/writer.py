"""Group commit: one task writes; what arrives while one commit is under way goes into the next.

A commit costs a wait for the disk, whatever is in it. Sixty-four tables that trade at once share that wait.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Generic, TypeVar

from sqlalchemy.exc import DBAPIError, OperationalError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, AsyncTransaction

from bot.ledger.engine import reason
from bot.ledger.errors import LedgerError

R = TypeVar("R")
W = TypeVar("W")

Perform = Callable[[AsyncConnection, Sequence[R]], Awaitable[list[W | LedgerError]]]
"""Writes a batch in its connection's transaction. Answers each request: what was written, or its refusal."""

LARGEST_BATCH = 512
"""Requests in one transaction. More would make the first of them wait for the last."""


class Writer(Generic[R, W]):
    """Owns the one connection that writes. `start` it in a running loop; `close` it to have all written."""

    def __init__(self, engine: AsyncEngine, perform: Perform[R, W]) -> None:
        self._engine = engine
        self._perform = perform
        # None is the last thing in the queue: there the writer stops
        self._queue: asyncio.Queue[tuple[R, asyncio.Future[W]] | None] = asyncio.Queue()
        self._closed = False
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Connect, and begin to take requests."""
        connection = await self._engine.connect()
        self._task = asyncio.create_task(self._run(connection), name="ledger writer")

    async def write(self, request: R) -> W:
        """Have one request written; return once it is committed.

        Who is cancelled before its batch begins has written nothing; later, what was asked for stands.
        Raises the request's own refusal, or `LedgerError` when the database failed.
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

    async def _run(self, connection: AsyncConnection) -> None:
        try:
            while batch := await self._next_batch():
                await self._write(connection, batch)
        finally:
            self._closed = True
            while not self._queue.empty():
                if item := self._queue.get_nowait():
                    _answer([item], [LedgerError("The ledger is closed.")])
            await connection.close()

    async def _next_batch(self) -> list[tuple[R, asyncio.Future[W]]]:
        """Wait for a request, and take all that have come beside it. Empty when there will be no more."""
        batch: list[tuple[R, asyncio.Future[W]]] = []
        while not batch or (len(batch) < LARGEST_BATCH and not self._queue.empty()):
            item = await self._queue.get()
            if item is None:
                if batch:
                    self._queue.put_nowait(None)
                break
            if not item[1].done():  # its caller has gone
                batch.append(item)
        return batch

    async def _write(self, connection: AsyncConnection, batch: list[tuple[R, asyncio.Future[W]]]) -> None:
        """Write a batch and answer everybody in it."""
        error = await self._attempt(connection, batch)
        if error is None:
            return
        if isinstance(error, (LedgerError, OperationalError)):  # locked, full, gone: each alone would fail as well
            _answer(batch, [_failure(error) for _ in batch])
            return
        # Another process came first, or one request cannot be stored. Alone, each gets its own answer.
        for item in batch:
            if alone := await self._attempt(connection, [item]):
                _answer([item], [_failure(alone)])

    async def _attempt(self, connection: AsyncConnection, batch: list[tuple[R, asyncio.Future[W]]]) -> Exception | None:
        """Write a batch in one transaction and answer it, or return what stood in the way, nobody answered."""
        requests = [request for request, _ in batch]
        try:
            try:
                answers = await self._transaction(connection, requests)
            except DBAPIError as error:
                if not error.connection_invalidated:
                    raise
                # the server was restarted while nothing happened here
                answers = await self._transaction(connection, requests)
        except Exception as error:  # noqa: BLE001  (the writer outlives every request)
            return error
        except BaseException:
            stopped = "The ledger was stopped while this was being written."
            _answer(batch, [LedgerError(stopped) for _ in batch])
            raise
        _answer(batch, answers)
        return None

    async def _transaction(self, connection: AsyncConnection, requests: Sequence[R]) -> list[W | LedgerError]:
        transaction = await connection.begin()
        try:
            answers = await self._perform(connection, requests)
        except BaseException:
            await _undo(connection, transaction)
            raise
        try:
            await transaction.commit()
        except SQLAlchemyError as error:
            # SQLAlchemy takes the transaction for ended, the database may not: a new connection knows of none
            await _discard(connection, transaction)
            # not tried again: it may have been written
            raise LedgerError(f"The ledger could not be written: {reason(error)}.") from error
        return answers


async def _undo(connection: AsyncConnection, transaction: AsyncTransaction) -> None:
    try:
        await transaction.rollback()
    except SQLAlchemyError:
        await _discard(connection, transaction)


async def _discard(connection: AsyncConnection, transaction: AsyncTransaction) -> None:
    """Go on with another connection to the database, which is made when it is needed."""
    await connection.invalidate()
    with suppress(SQLAlchemyError):
        await transaction.rollback()


def _failure(error: Exception) -> LedgerError:
    failure = LedgerError(str(error) if isinstance(error, LedgerError) else f"Nothing was written: {reason(error)}.")
    failure.__cause__ = error
    return failure


def _answer(batch: Sequence[tuple[R, asyncio.Future[W]]], answers: Sequence[W | LedgerError]) -> None:
    for (_, future), answer in zip(batch, answers, strict=True):
        if future.done():  # cancelled by its caller
            continue
        if isinstance(answer, LedgerError):
            future.set_exception(answer)
        else:
            future.set_result(answer)
