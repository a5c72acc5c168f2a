"""That a table's length costs nothing: wake."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from functools import partial

from bot.bench.folder import folder
from bot.bench.measure import Effort, Line, Sides, line
from bot.bench.workload import COMMANDS, Bench, bench

SHORT = 15
"""Trades of the short table in the line `wake`: with its set-up, about 100 entries."""


@line(
    "wake",
    over="ms",
    under="ms",
    about="First command on a table of 20,000 entries (--quick: 2,000) that is not in memory / on one of 100.",
    at_most=2,
)
async def wake(effort: Effort) -> AsyncIterator[Sides]:
    """Measure the first command on a long and on a short table.

    Both are equally many entries past their last snapshot, so that only their length differs.
    """
    with folder() as path:
        async with bench(path, 2) as opened:
            short, long = opened.trades
            await opened.write_trades(long, effort.trades)
            opened.restart()
            for _ in range(SHORT):  # enough for a snapshot
                await opened.trade(short)
                await opened.trade(long)
            yield Sides(partial(_wake, opened, long), partial(_wake, opened, short))


LINES: tuple[Line, ...] = (wake,)


async def _wake(opened: Bench, table: int) -> float:
    """Make a trade, with a fresh service for each command. Return how long a command took, in milliseconds."""
    spent = 0.0
    for step in opened.next_trade(table):
        opened.restart()
        begun = time.perf_counter()
        await opened.execute(table, step)
        spent += time.perf_counter() - begun
    return spent / COMMANDS * 1000
