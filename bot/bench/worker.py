"""A process of its own that trades when it is told to, for the line about several processes.

It reads a number of seconds a line and answers with how many commands a second were durable.
"""

from __future__ import annotations

import asyncio
import importlib.util
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from bot.bench.workload import bench

READY = b"ready\n"


@dataclass
class Worker:
    """Such a process, from outside."""

    process: Process

    async def commands_per_second(self, seconds: float) -> float:
        """Have it trade at all its tables for about this many seconds; return how many commands a second it made."""
        assert self.process.stdin is not None
        self.process.stdin.write(f"{seconds}\n".encode())
        return float(await self.answer())

    async def answer(self) -> bytes:
        """Return the next line that it writes. Raises ``RuntimeError`` when it has ended."""
        assert self.process.stdout is not None
        if line := await self.process.stdout.readline():
            return line
        raise RuntimeError(f"A process of the benchmark has ended with the code {await self.process.wait()}.")


@asynccontextmanager
async def working(url: str, tables: int) -> AsyncIterator[Worker]:
    """Start a process with this many tables of its own in a database; wait until it is ready."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", __spec__.name, url, str(tables), stdin=PIPE, stdout=PIPE
    )
    try:
        worker = Worker(process)
        assert await worker.answer() == READY
        yield worker
    finally:
        assert process.stdin is not None
        process.stdin.close()  # it ends by itself
        await process.wait()


async def main(url: str, tables: int) -> None:
    """Trade as often as a line asks for it."""
    async with bench(url, tables) as opened:
        answer = READY
        while True:
            sys.stdout.buffer.write(answer)
            sys.stdout.buffer.flush()
            # Reading blocks the loop: nothing else is to be done meanwhile.
            line = sys.stdin.readline()
            if not line:
                return
            answer = f"{await opened.commands_per_second(float(line))}\n".encode()


if __name__ == "__main__":
    if importlib.util.find_spec("uvloop") is not None:
        import uvloop

        uvloop.run(main(sys.argv[1], int(sys.argv[2])))
    else:
        asyncio.run(main(sys.argv[1], int(sys.argv[2])))
