"""The lines of ``bourse bench``. A further line is one more function here, and its name in `LINES`."""

from __future__ import annotations

import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from bot.bench import postgres
from bot.bench.baseline import commits_per_second, plain
from bot.bench.counting import Counts, counting
from bot.bench.measure import Effort, Line, Sides, line
from bot.bench.workload import COMMANDS, Bench, bench

SHORT = 15
"""Trades of the short table in the line `wake`: with its set-up, about 100 entries."""

WHOLE = 32
"""Trades that fill a whole number of the stretches between two snapshots: 192 entries are three times 64."""


@line(
    "settle-64",
    over="commands/s",
    under="commits/s",
    about="Commands through the service, 64 tables at once, SQLite synchronous=FULL / "
    "single-row commits of plain sqlite3, synchronous=FULL.",
)
def settle_64(effort: Effort) -> AsyncIterator[Sides]:
    """Measure sixty-four tables, which share commits."""
    return _settle(64, effort)


@line(
    "settle-1",
    over="commands/s",
    under="commits/s",
    about="Commands through the service, one table, one after another, SQLite synchronous=FULL / "
    "single-row commits of plain sqlite3, synchronous=FULL.",
)
def settle_1(effort: Effort) -> AsyncIterator[Sides]:
    """Measure one table, which has a commit for each command."""
    return _settle(1, effort)


@line(
    "hop",
    over="round trips",
    under="commands",
    about="Round trips to the database's threads / commands, one table in memory, snapshots included.",
)
async def hop(effort: Effort) -> AsyncIterator[Sides]:
    """Count round trips. The result hardly depends on the machine."""
    with _folder() as folder:
        async with bench(folder, 1) as opened:
            (table,) = opened.trades
            with counting() as counts:
                yield Sides(
                    over=partial(_trips, opened, table, counts),
                    under=_commands,
                    notes=lambda: _each(counts, opened.trades[table] * COMMANDS),
                )


@line(
    "wake",
    over="ms",
    under="ms",
    about="First command on a table of 20,000 entries (--quick: 2,000) that is not in memory / on one of 100.",
)
async def wake(effort: Effort) -> AsyncIterator[Sides]:
    """Measure the first command on a long and on a short table.

    Both are equally many entries past their last snapshot, so that only their length differs.
    """
    with _folder() as folder:
        async with bench(folder, 2) as opened:
            short, long = opened.trades
            await opened.write_trades(long, effort.trades)
            opened.restart()
            for _ in range(SHORT):  # enough for a snapshot
                await opened.trade(short)
                await opened.trade(long)
            yield Sides(partial(_wake, opened, long), partial(_wake, opened, short))


LINES: tuple[Line, ...] = (settle_64, settle_1, hop, wake, *postgres.LINES)
"""Every line, in the order in which they are measured."""


# ---------------------------------------------------------------- sides


async def _settle(tables: int, effort: Effort) -> AsyncIterator[Sides]:
    """Commands a second at so many tables, beside commits a second of plain sqlite3 on the same disk."""
    with _folder() as folder, plain(folder) as connection:
        async with bench(folder, tables) as opened:

            async def commits() -> float:
                return commits_per_second(connection, effort.seconds)

            yield Sides(partial(opened.commands_per_second, effort.seconds), commits)


async def _trips(opened: Bench, table: int, counts: Counts) -> float:
    """Count the round trips of some trades."""
    before = counts.trips
    for _ in range(WHOLE):
        await opened.trade(table)
    return counts.trips - before


async def _commands() -> float:
    """Return how many commands those trades are."""
    return WHOLE * COMMANDS


def _each(counts: Counts, commands: int) -> dict[str, float]:
    """Return what else was counted, for each command."""
    return {"statements": counts.statements / commands, "commits": counts.commits / commands}


async def _wake(opened: Bench, table: int) -> float:
    """Make a trade, with a fresh service for each command. Return how long a command took, in milliseconds."""
    spent = 0.0
    for step in opened.next_trade(table):
        opened.restart()
        begun = time.perf_counter()
        await opened.execute(table, step)
        spent += time.perf_counter() - begun
    return spent / COMMANDS * 1000


@contextmanager
def _folder() -> Iterator[Path]:
    """Give an empty folder on the disk of the system's temporary files; TMPDIR names another."""
    with tempfile.TemporaryDirectory(prefix="bourse-bench-") as folder:
        yield Path(folder)
