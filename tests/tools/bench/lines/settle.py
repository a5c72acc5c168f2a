"""Benchmarks of commands: settle-64 and settle-1, beside plain sqlite3; hop, in round trips to the
database.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from functools import partial

from tests.tools.bench.baseline import commits_per_second, plain
from tests.tools.bench.counting import Counts, counting
from tests.tools.bench.folder import folder
from tests.tools.bench.measure import Effort, Line, Sides, line
from tests.tools.bench.workload import COMMANDS, Bench, bench

WHOLE = 32
"""Trades that fill a whole number of the stretches between two snapshots: 192 entries are three
times 64.
"""


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
    about="Round trips to the database's threads / commands, one table in memory, snapshots "
    "included.",
    warm_up=False,
)
async def hop(effort: Effort) -> AsyncIterator[Sides]:
    """Count round trips. The result hardly depends on the machine."""
    with folder() as path:
        async with bench(path, 1) as opened:
            (table,) = opened.trades
            with counting() as counts:
                yield Sides(
                    over=partial(_trips, opened, table, counts),
                    under=_commands,
                    notes=lambda: _each(counts, opened.trades[table] * COMMANDS),
                )


LINES: tuple[Line, ...] = (settle_64, settle_1, hop)


async def _settle(tables: int, effort: Effort) -> AsyncIterator[Sides]:
    """Commands a second at so many tables, beside commits a second of plain sqlite3 on the same
    disk.
    """
    with folder() as path, plain(path) as connection:
        async with bench(path, tables) as opened:

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
    return {
        "statements a command": counts.statements / commands,
        "commits a command": counts.commits / commands,
    }
