"""Tests that each line of `make bench` measures what it says and shows a deliberate slow-down."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.errors import OperatorError
from bot.service import history
from bot.service.reading import NEWEST
from bot.service.records import TableRecord, TableRecords
from tests.tools.bench.counting import counting
from tests.tools.bench.filling import APART, fill, mark_delivered
from tests.tools.bench.lines import LINES, length, processes, views
from tests.tools.bench.measure import Effort, Line, Result, measure
from tests.tools.bench.plot import drawn
from tests.tools.bench.reading import Reader
from tests.tools.bench.report import as_text
from tests.tools.bench.run import run
from tests.tools.bench.workload import Bench, bench, file_of, host

pytestmark = pytest.mark.long

SMALL = Effort(rounds=1, seconds=0, trades=32, tables=3, entries=120, served=12, sparing=True)


@pytest.mark.parametrize(
    "line", [*length.LINES, *processes.LINES, *views.LINES], ids=lambda line: line.name
)
async def test_each_line_can_be_measured(line: Line) -> None:
    """Both sides do something, which is told in the line's own units."""
    assert line in LINES
    result = await measure(line, SMALL)
    assert len(result.rounds) == SMALL.rounds
    assert min(result.over, result.under) > 0
    assert all(value >= 0 for value in result.notes.values())
    report = as_text(result)
    assert line.name in report
    assert line.over in report
    assert line.under in report


# ---------------------------------------------------------------- large ledgers


async def test_copies_of_a_table_are_tables_to_play_at(tmp_path: Path) -> None:
    async with bench(tmp_path, 1) as opened:
        (first,) = opened.trades
        await opened.trade(first)
        entries = await opened.ledger.entries.read(first)
        copies = await asyncio.to_thread(fill, file_of(tmp_path), first, 3)
        assert copies == range(first + 1, first + 4)
        for table in copies:
            assert [one.entry for one in await opened.ledger.entries.read(table)] == [
                one.entry for one in entries
            ]
            assert {one.user_id for one in await opened.ledger.tables.people(table)} == {
                one.user_id + APART * table
                for one in await opened.ledger.tables.people(first)
                if one.user_id
            }
            host_of_copy = replace(host(), user_id=1 + APART * table)
            view = await opened.service.view(table, host_of_copy)
            assert view.transactions == 1
        assert await opened.service.undelivered() == []
        assert len(await opened.service.deadlines()) == 3


async def test_the_triggers_are_there_again_after_copying(tmp_path: Path) -> None:
    async with bench(tmp_path, 1) as opened:
        (first,) = opened.trades
        fill(file_of(tmp_path), first, 1)
    with (
        closing(sqlite3.connect(file_of(tmp_path))) as database,
        pytest.raises(sqlite3.IntegrityError, match="never"),
    ):
        database.execute("DELETE FROM entries")


async def test_nothing_is_owed_where_that_was_noted(tmp_path: Path) -> None:
    async with bench(tmp_path, 1) as opened:
        assert len(await opened.service.undelivered()) == 1
        mark_delivered(file_of(tmp_path))
        assert await opened.service.undelivered() == []


# ---------------------------------------------------------------- deliberate slow-downs

Read = Callable[[Reader], Awaitable[None]]


async def rows_read(opened: Bench, work: Awaitable[object]) -> int:
    """Return how many instructions SQLite carries out for some work, in thousands: that depends on
    no clock.
    """
    counts = [0]

    def count() -> None:
        counts[0] += 1

    workers = opened.ledger._access.database._readers  # type: ignore[attr-defined]
    for worker in workers:
        await worker.run(lambda c: c.connection.driver_connection.set_progress_handler(count, 100))
    await work
    for worker in workers:
        await worker.run(lambda c: c.connection.driver_connection.set_progress_handler(None, 0))
    return counts[0]


Played = tuple[Path, dict[int, int]]
"""A folder with a ledger, and its tables with how many trades each has seen."""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """A short table and one five times as long. Both fill every list."""
    folder = tmp_path_factory.mktemp("played")

    async def play() -> dict[int, int]:
        async with bench(folder, 2) as opened:
            short, long = opened.trades
            await opened.write_trades(short, NEWEST)
            await opened.write_trades(long, 5 * NEWEST)
            await length._snapshots(opened)
            return opened.trades

    return folder, asyncio.run(play())


async def work_at(played: Played, tmp_path: Path, read: Read, spoil: str = "") -> tuple[int, int]:
    """Return the work that reading is at the short table and at the long one."""
    folder, trades = played
    copy = shutil.copytree(folder, tmp_path / "copy")
    if spoil:
        with closing(sqlite3.connect(file_of(copy))) as database:
            database.execute(spoil)
    async with bench(copy, 0) as opened:
        opened.trades.update(trades)
        for table in trades:
            # so that it is in memory, and the statements are prepared
            await read(Reader(opened, table))
        at_short, at_long = [
            await rows_read(opened, read(Reader(opened, table))) for table in trades
        ]
    return at_short, at_long


@pytest.mark.parametrize("read", [Reader.history, Reader.lists])
async def test_a_page_of_a_long_life_is_no_more_work_than_one_of_a_short_life(
    played: Played, tmp_path: Path, read: Read
) -> None:
    short, long = await work_at(played, tmp_path, read)
    assert long < 1.5 * short


async def test_a_lost_index_shows_in_lists(played: Played, tmp_path: Path) -> None:
    short, long = await work_at(played, tmp_path, Reader.lists, spoil="DROP INDEX entries_by_kind")
    assert long > 2 * short


async def test_a_life_that_is_counted_shows_in_history(
    played: Played, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = history.Past.page

    async def counted(past: history.Past, *args: Any) -> object:
        await past.ledger.entries.read(past.record.id)
        return await page(past, *args)

    monkeypatch.setattr(history.Past, "page", counted)
    short, long = await work_at(played, tmp_path, Reader.history)
    assert long > 2 * short


async def test_replay_without_a_snapshot_shows_in_wake(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replayed: list[int] = []

    async def noted(self: TableRecords, table_id: int) -> TableRecord:
        stored = await self._ledger.entries.stored(table_id)
        assert stored is not None
        replayed.append(len(stored.entries))
        return await load(self, table_id)

    load = TableRecords.load
    monkeypatch.setattr(TableRecords, "load", noted)
    async with bench(tmp_path, 2) as opened:
        short, long = opened.trades
        await opened.write_trades(long, 64)
        await length._snapshots(opened)
        for spoil in (None, "DELETE FROM snapshots"):
            if spoil:
                with closing(sqlite3.connect(file_of(tmp_path))) as database:
                    database.execute(spoil)
                    database.commit()
            replayed.clear()
            await length._wake(opened, short)
            at_short = max(replayed)
            replayed.clear()
            await length._wake(opened, long)
            assert (max(replayed) > 2 * at_short) is bool(spoil)


async def test_a_second_commit_shows_in_hop(tmp_path: Path) -> None:
    async with bench(tmp_path, 1) as opened:
        (table,) = opened.trades
        with counting() as counts:
            await opened.trade(table)
            once = counts.commits
            for step in opened.next_trade(table):
                await opened.execute(table, step)
                await opened.ledger.set_key_value("also", "this")
        assert counts.commits - once >= 2 * once


# ---------------------------------------------------------------- the picture


def test_a_picture_has_each_line_with_its_ratio() -> None:
    results = [
        Result(replace(LINES[0], name="much"), ((2, 1), (3, 1))),
        Result(LINES[1], ((1, 800),)),
    ]
    picture = drawn(results, "2 processors & <more>")
    for said in (
        ">much<",
        "2.5 (2–3)",
        "0.00125 (0.00125–0.00125)",
        "2 processors &amp; &lt;more&gt;",
        ">0.001<",
    ):
        assert said in picture


async def test_a_picture_that_cannot_be_written_is_told_before_anything_is_measured(
    tmp_path: Path,
) -> None:
    for file in (tmp_path / "bench.png", tmp_path / "none" / "bench.svg"):
        with pytest.raises(OperatorError):
            await run(["settle-1"], str, json=False, quick=True, plot=file)
