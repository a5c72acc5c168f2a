from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from sqlalchemy import event, text
from sqlalchemy.exc import IntegrityError, OperationalError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.ledger import Ledger, LedgerError, LostRace, Repeated
from bot.ledger import writer as writer_module
from bot.ledger.writer import Writer
from tests.ledger.samples import AT, new_table, signed


class Commits:
    count = 0


@pytest.fixture
def commits(ledger: Ledger) -> Iterator[Commits]:
    counted = Commits()

    def count(_connection: object) -> None:
        counted.count += 1

    engine = ledger._engines.writing.sync_engine
    event.listen(engine, "commit", count)
    yield counted
    event.remove(engine, "commit", count)


async def test_what_arrives_together_is_committed_together(ledger: Ledger, commits: Commits) -> None:
    tables = [(await new_table(ledger, channel=channel))[0] for channel in range(50)]
    commits.count = 0
    await asyncio.gather(*(ledger.append(table, 1, [signed()], at=AT, by=1) for table in tables))
    assert commits.count == 1
    assert [await ledger.verify(table) for table in tables] == [None] * 50


async def test_what_arrives_during_a_commit_goes_into_the_next(ledger: Ledger, commits: Commits) -> None:
    tables = [(await new_table(ledger, channel=channel))[0] for channel in range(50)]
    commits.count = 0
    first = asyncio.ensure_future(ledger.append(tables[0], 1, [signed()], at=AT, by=1))
    for _ in range(3):  # until its batch has begun
        await asyncio.sleep(0)
    assert ledger._writer._queue.empty()
    await asyncio.gather(*(ledger.append(table, 1, [signed()], at=AT, by=1) for table in tables[1:]))
    assert first.done()
    assert commits.count == 2


async def test_one_refusal_in_a_batch_does_not_touch_the_others(ledger: Ledger, commits: Commits) -> None:
    one, _ = await new_table(ledger, channel=1)
    two, _ = await new_table(ledger, channel=2, interaction=7)
    commits.count = 0
    outcomes = await asyncio.gather(
        ledger.append(one, 1, [signed(1)], at=AT, by=1, interaction=8),
        ledger.append(one, 1, [signed(2)], at=AT, by=1),  # the one before it was first
        ledger.append(one, 2, [signed(3)], at=AT, by=1),  # counts on the first
        ledger.append(two, 1, [signed(4)], at=AT, by=1, interaction=7),  # recorded long ago
        ledger.append(two, 1, [signed(5)], at=AT, by=1, interaction=8),  # recorded a moment ago
        ledger.append(two, 1, [signed(6)], at=AT, by=1),
        return_exceptions=True,
    )
    kinds = [type(outcome) for outcome in outcomes]
    assert kinds == [list, LostRace, list, Repeated, Repeated, list]
    assert commits.count == 1
    assert await ledger.verify(one) is None
    assert (await ledger.head(one))[0] == 3
    assert (await ledger.head(two))[0] == 2


async def test_a_request_that_cannot_be_stored_fails_alone(ledger: Ledger) -> None:
    one, _ = await new_table(ledger, channel=1)
    two, _ = await new_table(ledger, channel=2)
    good, bad = await asyncio.gather(
        ledger.append(one, 1, [signed()], at=AT, by=1),
        ledger.append(two, 1, [signed()], at=AT, by=1, interaction=2**70),
        return_exceptions=True,
    )
    assert isinstance(good, list)
    assert type(bad) is LedgerError
    assert (await ledger.head(two))[0] == 1


async def test_a_cancelled_caller_does_not_stop_the_writer(ledger: Ledger) -> None:
    one, _ = await new_table(ledger, channel=1)
    two, _ = await new_table(ledger, channel=2)
    cancelled = asyncio.ensure_future(ledger.append(one, 1, [signed()], at=AT, by=1))
    kept = asyncio.ensure_future(ledger.append(two, 1, [signed()], at=AT, by=1))
    await asyncio.sleep(0)
    cancelled.cancel()
    assert len(await kept) == 1
    with pytest.raises(asyncio.CancelledError):
        await cancelled
    assert (await ledger.head(one))[0] == 1, "its batch had not begun"
    await ledger.append(one, 1, [signed()], at=AT, by=1)


async def test_a_failed_commit_is_told_to_all_who_wait(ledger: Ledger) -> None:
    tables = [(await new_table(ledger, channel=channel))[0] for channel in range(3)]

    def fail(_connection: object) -> None:
        raise OperationalError("COMMIT", {}, Exception("disk is full"))

    engine = ledger._engines.writing.sync_engine
    event.listen(engine, "commit", fail)
    outcomes = await asyncio.gather(
        *(ledger.append(table, 1, [signed()], at=AT, by=1) for table in tables), return_exceptions=True
    )
    event.remove(engine, "commit", fail)
    assert [str(outcome) for outcome in outcomes] == ["The ledger could not be written: disk is full."] * 3
    assert [(await ledger.head(table))[0] for table in tables] == [1, 1, 1]

    await ledger.append(tables[0], 1, [signed()], at=AT, by=1)
    assert await ledger.verify(tables[0]) is None


async def test_a_database_that_stays_locked_is_told_too(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.ledger.engine._PRAGMAS", ("PRAGMA busy_timeout = 20", "PRAGMA journal_mode = WAL"))
    ledger = await Ledger.open(str(file))
    table, _ = await new_table(ledger)
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(LedgerError, match="database is locked"):
        await ledger.append(table, 1, [signed()], at=AT, by=1)
    other.execute("ROLLBACK")
    other.close()
    assert len(await ledger.append(table, 1, [signed()], at=AT, by=1)) == 1
    await ledger.close()


# the writer alone, with a batch that does what the test says


@pytest.fixture
async def engine(ledger: Ledger) -> AsyncEngine:
    return ledger._engines.writing


async def test_a_clash_with_another_process_is_sorted_out_one_by_one(engine: AsyncEngine, ledger: Ledger) -> None:
    batches: list[list[str]] = []

    async def perform(connection: AsyncConnection, requests: Sequence[str]) -> list[str | LedgerError]:
        batches.append(list(requests))
        if "clash" in requests:
            if len(requests) > 1:
                raise IntegrityError("INSERT", {}, Exception("entries.seq"))
            return [LostRace(1, 1, 2)]
        return [request.upper() for request in requests]

    writer = Writer(engine, perform)
    await writer.start()
    outcomes = await asyncio.gather(*map(writer.write, ["a", "clash", "b"]), return_exceptions=True)
    await writer.close()
    assert batches == [["a", "clash", "b"], ["a"], ["clash"], ["b"]]
    assert outcomes[0::2] == ["A", "B"]
    assert isinstance(outcomes[1], LostRace)


async def test_a_server_that_went_away_in_the_meantime_is_tried_again_once(engine: AsyncEngine) -> None:
    tries = 0

    async def perform(connection: AsyncConnection, requests: Sequence[str]) -> list[str | LedgerError]:
        nonlocal tries
        tries += 1
        if tries == 1:
            await connection.invalidate()
            raise OperationalError("SELECT", {}, Exception("gone"), connection_invalidated=True)
        await connection.execute(text("SELECT 1"))
        return list(requests)

    writer = Writer(engine, perform)
    await writer.start()
    assert await writer.write("a") == "a"
    await writer.close()
    assert tries == 2


async def test_a_large_crowd_is_served_in_several_batches(engine: AsyncEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer_module, "LARGEST_BATCH", 4)
    sizes: list[int] = []

    async def perform(connection: AsyncConnection, requests: Sequence[int]) -> list[int | LedgerError]:
        sizes.append(len(requests))
        return list(requests)

    writer = Writer(engine, perform)
    await writer.start()
    assert await asyncio.gather(*map(writer.write, range(10))) == list(range(10))
    await writer.close()
    assert sizes == [4, 4, 2]


async def test_a_writer_that_is_stopped_by_force_leaves_nobody_waiting(engine: AsyncEngine) -> None:
    begun = asyncio.Event()

    async def perform(connection: AsyncConnection, requests: Sequence[str]) -> list[str | LedgerError]:
        begun.set()
        await asyncio.Event().wait()
        return []

    writer = Writer(engine, perform)
    await writer.start()
    first = asyncio.ensure_future(writer.write("a"))
    await begun.wait()
    second = asyncio.ensure_future(writer.write("b"))
    await asyncio.sleep(0)
    assert writer._task is not None
    writer._task.cancel()
    for waiting in (first, second):
        with pytest.raises(LedgerError):
            await waiting
    await writer.close()
