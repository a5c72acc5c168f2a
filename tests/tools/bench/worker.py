"""A process that trades on request, for the benchmark of several processes.

It reads a number of seconds a line and answers with how many commands a second were durable.
"""

from __future__ import annotations

import asyncio
import importlib.util
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from tests.tools.bench.starting import Process, process
from tests.tools.bench.workload import bench

READY = "ready"


@dataclass
class Worker:
    """Such a process, from outside."""

    process: Process

    async def commands_per_second(self, seconds: float) -> float:
        """Have it trade at all its tables for about this many seconds; return how many commands a
        second it made.
        """
        self.process.tell(str(seconds))
        return float(await self.process.line())


@asynccontextmanager
async def working(url: str, tables: int) -> AsyncIterator[Worker]:
    """Start a process with this many tables of its own in a database, and wait until it is
    ready.
    """
    async with process(__spec__.name, url, str(tables)) as started:
        assert await started.line() == READY
        yield Worker(started)


async def main(url: str, tables: int) -> None:
    """Trade as often as a line asks for it."""
    async with bench(url, tables) as opened:
        answer = READY
        while True:
            sys.stdout.write(f"{answer}\n")
            sys.stdout.flush()
            # Reading blocks the loop: nothing else is to be done meanwhile.
            line = sys.stdin.readline()
            if not line:
                return
            answer = str(await opened.commands_per_second(float(line)))


if __name__ == "__main__":
    if importlib.util.find_spec("uvloop") is not None:
        import uvloop

        uvloop.run(main(sys.argv[1], int(sys.argv[2])))
    else:
        asyncio.run(main(sys.argv[1], int(sys.argv[2])))
