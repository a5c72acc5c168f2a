"""What a whole process takes: start, tables (memory), play."""

from __future__ import annotations

import asyncio
import importlib
import importlib.util
import logging
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

from bot.bench.filling import fill, mark_delivered
from bot.bench.folder import folder
from bot.bench.measure import Effort, Line, Sides, Unavailable, line
from bot.bench.program import READY
from bot.bench.workload import bench, file_of

MEGABYTE = 2**20

FEW = 100
"""Tables that a process serves for comparison in the line `tables`."""


@line(
    "start",
    over="ms",
    under="ms",
    about="From a new process until it is ready, without Discord, with 10,000 tables and 1,000,000 entries "
    "(--quick: 1,000 and 100,000) / with one.",
    at_most=1.2,
    warm_up=False,
    enough=3,
)
async def start(effort: Effort) -> AsyncIterator[Sides]:
    """Measure how soon the bot has begun all that it does of itself."""
    with folder() as large, folder() as small:
        await _filled(small, 0, effort.entries // effort.tables)
        await _filled(large, effort.tables, effort.entries // effort.tables)
        yield Sides(partial(_started, large), partial(_started, small))


@line(
    "tables",
    over="MB",
    under="MB",
    about=f"Memory of the bot after a command at each of 10,000 tables (--quick: 200), delivered / at each of {FEW}.",
    at_most=1.5,
    warm_up=False,
)
async def tables(effort: Effort) -> AsyncIterator[Sides]:
    """Measure memory: one process serves many tables, the other few, and each tells its size during the last tenth."""
    with folder() as large, folder() as small:
        many = await _filled(large, effort.served, entries=60)
        few = await _filled(small, FEW, entries=60)
        async with _serving(large, many, effort.rounds) as big, _serving(small, few, effort.rounds) as little:
            yield Sides(partial(_size, big), partial(_size, little))


@line(
    "play",
    over="ms",
    under="ms",
    about="The ten actions of a play, with what each of the others sees / the start of its bot and of its Discord.",
    enough=3,
)
async def play(effort: Effort) -> AsyncIterator[Sides]:
    """Measure how much of a play's time is its own. Only reported."""
    if importlib.util.find_spec("simcord") is None:
        raise Unavailable("it needs the extra “rehearsal”: pip install 'bourse[rehearsal]'.")
    # SimCord creates a client without intents to probe discord.py, which logs a warning about that.
    logging.getLogger("discord").setLevel(logging.ERROR)
    played = importlib.import_module("bot.bench.playing").Played()
    yield Sides(played.actions, played.start)


LINES: tuple[Line, ...] = (start, tables, play)


# ---------------------------------------------------------------- sides


async def _filled(path: Path, copies: int, entries: int) -> range:
    """Make a ledger with a table of about so many entries, and so many copies of it. Return their numbers."""
    async with bench(path, 1) as opened:
        (template,) = opened.trades
        while (await opened.ledger.head(template)).seq < entries:
            await opened.trade(template)
    if copies:
        return await asyncio.to_thread(fill, file_of(path), template, copies)
    mark_delivered(file_of(path))
    return range(template, template + 1)


async def _started(path: Path) -> float:
    """Start the bot. Return how long it took until it was ready, in milliseconds."""
    begun = time.perf_counter()
    process = await _program("start", _url(path))
    assert (await _line(process)) == READY
    spent = time.perf_counter() - begun
    await _ended(process)
    return spent * 1000


@asynccontextmanager
async def _serving(path: Path, tables: range, rounds: int) -> AsyncIterator[asyncio.subprocess.Process]:
    """Serve these tables in a process that tells its size once for each round."""
    step = max(1, len(tables) // 10 // rounds)
    after = sorted(len(tables) - step * each for each in range(rounds))
    process = await _program("serve", _url(path), str(tables[0]), str(tables[-1]), *map(str, after))
    try:
        yield process
    finally:
        await _ended(process)


async def _size(process: asyncio.subprocess.Process) -> float:
    """Return the next size that a process tells, in megabytes."""
    return int(await _line(process)) / MEGABYTE


async def _program(*arguments: str) -> asyncio.subprocess.Process:
    """Start `bot.bench.program`."""
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot.bench.program", *arguments, stdout=asyncio.subprocess.PIPE
    )


async def _line(process: asyncio.subprocess.Process) -> str:
    """Return the next line that the program prints. Raises `RuntimeError` when it ends instead."""
    assert process.stdout is not None
    said = (await process.stdout.readline()).decode().strip()
    if not said:
        raise RuntimeError("the program of the benchmark ended early")
    return said


async def _ended(process: asyncio.subprocess.Process) -> None:
    """Wait until a program has ended, which is over with its work; one that is not is killed."""
    try:
        async with asyncio.timeout(20):
            await process.wait()
    except TimeoutError:
        process.kill()
        await process.wait()


def _url(path: Path) -> str:
    return f"sqlite:///{file_of(path)}"
