"""The lines of ``bourse bench``. A further line is one more function here, and its name in `LINES`."""

from __future__ import annotations

import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

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
    """Sixty-four tables share commits."""
    return _settle(64, effort)


@line(
    "settle-1",
    over="commands/s",
    under="commits/s",
    about="Commands through the service, one table, one after another, SQLite synchronous=FULL / "
    "single-row commits of plain sqlite3, synchronous=FULL.",
)
def settle_1(effort: Effort) -> AsyncIterator[Sides]:
    """One table has a commit for each command."""
    return _settle(1, effort)


@line(
    "hop",
    over="round trips",
    under="commands",
    about="Round trips to the database's threads / commands, one table in memory, snapshots included.",
)
async def hop(effort: Effort) -> AsyncIterator[Sides]:
    """A count, the same on every machine."""
    with _folder() as folder, counting() as counts:
        async with bench(folder, 1) as opened:
            total, commands = Counts(), 0

            async def trips() -> float:
                nonlocal commands
                ...
                return 0.0

            yield Sides(trips, trips)
