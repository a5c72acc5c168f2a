"""Benchmarks of long tables and ledgers: growth, wake, history, lists, and stops of the event
loop.
"""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from pathlib import Path
from statistics import median

from tests.tools.bench.filling import fill
from tests.tools.bench.folder import folder
from tests.tools.bench.lines.settle import WHOLE
from tests.tools.bench.measure import Effort, Line, Sides, line
from tests.tools.bench.reading import Reader, long_work
from tests.tools.bench.stops import Stops
from tests.tools.bench.workload import COMMANDS, Bench, bench, file_of

SHORT = 15
"""Trades of the short table in the line `wake`: with its set-up, about 100 entries."""

SHORT_HISTORY = 15
"""Further trades of the short table in the lines `history` and `lists`: then it has about 200
entries.
"""

CHARTED = 620
"""Trades of the table of which a chart is drawn: nearly 4,000 entries, the most of which there is
one.
"""

PAGES = 8
"""Pages in a round."""

ROUNDS_OF_WORK = 3
"""Rounds in which that is done; where time is spared, one."""


@line(
    "growth",
    over="ms",
    under="ms",
    about="A command with 1,000,000 entries in the ledger and 20,000 at its table (--quick: "
    "100,000 and 2,000) / "
    "with 1,000 and some dozens.",
)
async def growth(effort: Effort) -> AsyncIterator[Sides]:
    """Measure the same trades at a long table of a large ledger, and at a new table of a small
    one.
    """
    with folder() as large, folder() as small:
        async with bench(large, 1) as much, bench(small, 1) as little:
            (long,) = much.trades
            await _fill(much, large, effort.entries)
            await much.write_trades(long, effort.trades)
            much.restart()
            await _fill(little, small, 1_000)
            worked: dict[str, list[float]] = {"over": [], "under": []}

            async def at_long_table() -> float:
                return await _trades(much, long, worked["over"])

            async def at_new_table() -> float:
                return await _trades(little, await little.add_table(), worked["under"])

            yield Sides(
                at_long_table,
                at_new_table,
                notes=lambda: {
                    "times the processor's time": median(worked["over"]) / median(worked["under"])
                },
            )


@line(
    "wake",
    over="ms",
    under="ms",
    about="First command on a table of 20,000 entries (--quick: 2,000) that is not in memory / on "
    "one of 100.",
)
async def wake(effort: Effort) -> AsyncIterator[Sides]:
    """Measure the first command on a long and on a short table.

    Both are equally many entries past their last snapshot, so that only their length differs.
    """
    with folder() as path:
        async with bench(path, 2) as opened:
            short, long = opened.trades
            await opened.write_trades(long, effort.trades)
            await _snapshots(opened)
            yield Sides(partial(_wake, opened, long), partial(_wake, opened, short))


@line(
    "history",
    over="ms",
    under="ms",
    about="First page of /history at 20,000 entries (--quick: 2,000) / at 200, without its chart; "
    "and the longest stop "
    "of the event loop during long work, of one chart at 4,000 entries.",
)
async def history(effort: Effort) -> AsyncIterator[Sides]:
    """Measure a page of a long and of a short table; beside the rounds, what takes long at the long
    one.
    """
    with folder() as path:
        async with bench(path, 3) as opened:
            short, long, charted = opened.trades
            await opened.write_trades(short, SHORT_HISTORY)
            await opened.write_trades(long, effort.trades)
            await opened.write_trades(charted, min(effort.trades, CHARTED))
            await _snapshots(opened)
            works, stops = long_work(opened, long, charted), Stops()
            done = 0

            async def page() -> float:
                nonlocal done
                if done < (1 if effort.sparing else ROUNDS_OF_WORK):
                    done += 1
                    for what, work in works.items():
                        # what earlier work has left is not to be cleared away in this one's time
                        gc.collect()
                        async with stops.during(what):
                            await work()
                return await _each(Reader(opened, long).history)

            yield Sides(page, partial(_each, Reader(opened, short).history), stops.figures)


@line(
    "lists",
    over="ms",
    under="ms",
    about="First pages of a filtered ledger (by kinds, by person, by offer) and lists of deals and "
    "transactions "
    "at 20,000 entries (--quick: 2,000) / at 200.",
)
async def lists(effort: Effort) -> AsyncIterator[Sides]:
    """Measure what is looked for in a life: a kind that is frequent, one that is rare, one that
    there is not.
    """
    with folder() as path:
        async with bench(path, 2) as opened:
            short, long = opened.trades
            await opened.write_trades(short, SHORT_HISTORY)
            await opened.write_trades(long, effort.trades)
            await _snapshots(opened)
            yield Sides(
                partial(_each, Reader(opened, long).lists, 2),
                partial(_each, Reader(opened, short).lists, 2),
            )


LINES: tuple[Line, ...] = (growth, wake, history, lists)


# ---------------------------------------------------------------- sides


async def _fill(opened: Bench, path: Path, entries: int) -> None:
    """Add about so many entries to a ledger: copies of a table of about 100 entries."""
    template = await opened.add_table()
    for _ in range(SHORT):
        await opened.trade(template)
    each = (await opened.ledger.entries.head(template)).seq
    await asyncio.to_thread(fill, file_of(path), template, entries // each)


async def _snapshots(opened: Bench) -> None:
    """Have each table saved as it is now and then, by trades through the service."""
    opened.restart()
    for _ in range(SHORT):
        for table in opened.trades:
            await opened.trade(table)


async def _trades(opened: Bench, table: int, worked: list[float]) -> float:
    """Make some trades. Return how long a command took, in milliseconds; note how long the
    processor worked for it.
    """
    begun, before = time.perf_counter(), time.process_time()
    for _ in range(WHOLE):
        await opened.trade(table)
    worked.append(time.process_time() - before)
    return (time.perf_counter() - begun) / WHOLE / COMMANDS * 1000


async def _wake(opened: Bench, table: int) -> float:
    """Make a trade, with a fresh service for each command. Return how long a command took, in
    milliseconds.
    """
    spent = 0.0
    for step in opened.next_trade(table):
        opened.restart()
        begun = time.perf_counter()
        await opened.execute(table, step)
        spent += time.perf_counter() - begun
    return spent / COMMANDS * 1000


async def _each(read: Callable[[], Awaitable[object]], times: int = PAGES) -> float:
    """Read something some times. Return how long it took once, in milliseconds."""
    begun = time.perf_counter()
    for _ in range(times):
        await read()
    return (time.perf_counter() - begun) / times * 1000
