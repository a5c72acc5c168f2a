"""Benchmarks of whole processes: load, start, tables (memory), play."""

from __future__ import annotations

import asyncio
import importlib
import importlib.util
import logging
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from statistics import median

from tests.loopback.loopback import Loopback
from tests.tools.bench.filling import fill, mark_delivered
from tests.tools.bench.folder import folder
from tests.tools.bench.measure import Effort, Line, Sides, Unavailable, line
from tests.tools.bench.program import READY
from tests.tools.bench.starting import Process, process, spent
from tests.tools.bench.workload import FIRST_LINE, bench, file_of

PROGRAM = "tests.tools.bench.program"

MEGABYTE = 2**20

LIBRARIES = """
import gc, os
gc.disable()
import discord.ext.commands, PIL.Image, prometheus_client, pydantic, rapidfuzz, sqlalchemy, uvloop
os._exit(0)
"""
"""Loads what takes long of the bot's libraries; as in the bot, nothing collects garbage or takes
modules apart.
"""

ONLINE_WITHIN = 60.0
"""Seconds."""

FEW, FEWEST = 100, 20
"""Tables that a process serves for comparison in the line `tables`, and where time is spared."""


@line(
    "load",
    over="ms",
    under="ms",
    about="Processor time of `bourse` until Discord has let it in, on a ledger that is up to date "
    "/ of its libraries, "
    "loaded alone.",
)
async def load(effort: Effort) -> AsyncIterator[Sides]:
    """Measure what each start costs, of the bot and of a play."""
    plays: list[float] = []
    with folder() as path:
        (path / "first.play").write_text(FIRST_LINE)
        async with Loopback.running() as discord:
            settings = {
                **discord.settings,
                "DATABASE_URL": f"sqlite:///{path / 'bourse.db'}",
                "BOURSE_LOG": "warning",
            }

            async def bot() -> float:
                discord.gateway.forget()
                online = discord.until(
                    lambda: discord.gateway.online() and discord.world.commands, ONLINE_WITHIN
                )
                return await spent("-m", "bot", folder=path, settings=settings, until=online)

            async def libraries() -> float:
                if importlib.util.find_spec("simcord"):
                    plays.append(
                        await spent(
                            "-m", "bot", "play", "first.play", folder=path, settings={}, until=None
                        )
                    )
                return await spent("-c", LIBRARIES, folder=path, settings={}, until=None)

            yield Sides(
                bot,
                libraries,
                lambda: {"ms until a play's first line": median(plays)} if plays else {},
            )


@line(
    "start",
    over="ms",
    under="ms",
    about="From a new process until it is ready, without Discord, with 10,000 tables and 1,000,000 "
    "entries "
    "(--quick: 1,000 and 100,000) / with one.",
    warm_up=False,
)
async def start(effort: Effort) -> AsyncIterator[Sides]:
    """Measure how soon the bot has begun all that it does of itself."""
    with folder() as large, folder() as small:
        await _filled(small, 0, effort.entries // effort.tables)
        await _filled(large, effort.tables, effort.entries // effort.tables)

        async def milliseconds(path: Path) -> float:
            begun = time.perf_counter()
            async with process(PROGRAM, "start", _url(path)) as started:
                assert (await started.line()) == READY
                return (time.perf_counter() - begun) * 1000

        yield Sides(partial(milliseconds, large), partial(milliseconds, small))


@line(
    "tables",
    over="MB",
    under="MB",
    about="Memory of the bot after a command at each of 10,000 tables (--quick: 120), delivered / "
    f"at each of {FEW} "
    f"(--quick: {FEWEST}).",
    warm_up=False,
)
async def tables(effort: Effort) -> AsyncIterator[Sides]:
    """Measure memory: one process serves many tables, the other few, and each tells its size during
    the last tenth.
    """
    with folder() as large, folder() as small:
        many = await _filled(large, effort.served, entries=60)
        few = await _filled(small, FEWEST if effort.sparing else FEW, entries=60)
        async with _serving(large, many, effort) as big, _serving(small, few, effort) as little:
            yield Sides(partial(_size, big), partial(_size, little))


@line(
    "play",
    over="ms",
    under="ms",
    about="The ten actions of a play, with what each of the others sees / the start of its bot and "
    "of its Discord.",
)
async def play(effort: Effort) -> AsyncIterator[Sides]:
    """Measure how much of a play's time is its own. Only reported."""
    if importlib.util.find_spec("simcord") is None:
        raise Unavailable("it needs the extra “rehearsal”: pip install 'bourse-bot[rehearsal]'.")
    # SimCord creates a client without intents to probe discord.py, which logs a warning about that.
    logging.getLogger("discord").setLevel(logging.ERROR)
    played = importlib.import_module("tests.tools.bench.playing").Played()
    yield Sides(played.actions, played.start)


LINES: tuple[Line, ...] = (load, start, tables, play)


# ---------------------------------------------------------------- sides


async def _filled(path: Path, copies: int, entries: int) -> range:
    """Make a ledger with a table of about so many entries, and so many copies of it. Return their
    numbers.
    """
    async with bench(path, 1) as opened:
        (template,) = opened.trades
        while (await opened.ledger.entries.head(template)).seq < entries:
            await opened.trade(template)
    if copies:
        return await asyncio.to_thread(fill, file_of(path), template, copies)
    mark_delivered(file_of(path))
    return range(template, template + 1)


@asynccontextmanager
async def _serving(path: Path, tables: range, effort: Effort) -> AsyncIterator[Process]:
    """Serve these tables in a process that tells its size once for each round."""
    step = max(1, len(tables) // 10 // effort.rounds)
    after = sorted(len(tables) - step * each for each in range(effort.rounds))
    numbers = map(str, (tables[0], tables[-1], *after))
    async with process(PROGRAM, "serve", _url(path), *numbers) as serving:
        yield serving


async def _size(serving: Process) -> float:
    """Return the next size that a process tells, in megabytes."""
    return int(await serving.line()) / MEGABYTE


def _url(path: Path) -> str:
    return f"sqlite:///{file_of(path)}"
