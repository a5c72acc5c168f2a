"""Processes of the benchmarks, which read lines and write lines."""

from __future__ import annotations

import asyncio
import os
import resource
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Mapping
from contextlib import asynccontextmanager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]

ENDED_WITHIN = 20.0
"""Seconds in which a process ends after its input has ended; then it is killed."""


@dataclass
class Process:
    """Such a process, from outside."""

    _reader: asyncio.StreamReader
    _writer: asyncio.StreamWriter

    def tell(self, line: str = "") -> None:
        """Write it a line."""
        self._writer.write(f"{line}\n".encode())

    async def line(self) -> str:
        """Return the next line that it writes. Raises `RuntimeError` when it ends instead."""
        with suppress(ConnectionError):
            if line := await self._reader.readline():
                return line.decode().strip()
        raise RuntimeError("a process of the benchmark ended early")


@asynccontextmanager
async def process(
    module: str,
    *arguments: str,
    folder: Path = ROOT,
    environment: Mapping[str, str] | None = None,
    errors: Path | None = None,
) -> AsyncIterator[Process]:
    """Run ``python -m MODULE`` in a process of its own. After the block its input ends, and so must
    the process.

    Its errors are appended to a file; without one they go where those of this process go.
    """
    ours, theirs = socket.socketpair()
    with theirs, errors.open("ab") if errors else nullcontext() as log:
        started = subprocess.Popen(  # noqa: ASYNC220  (asyncio's own can't have a socket as input and output)
            [sys.executable, "-m", module, *arguments],
            cwd=folder,
            env={**(environment or os.environ), "PYTHONPATH": str(ROOT)},
            stdin=theirs.fileno(),
            stdout=theirs.fileno(),
            stderr=log,
        )
    reader, writer = await asyncio.open_unix_connection(sock=ours)
    try:
        yield Process(reader, writer)
    finally:
        with suppress(ConnectionError):  # it may have ended before it had read everything
            writer.write_eof()
            try:
                async with asyncio.timeout(ENDED_WITHIN):
                    await reader.read()
            except TimeoutError:
                started.kill()
        writer.close()
        await asyncio.to_thread(started.wait)


async def spent(
    *arguments: str, folder: Path, settings: Mapping[str, str], until: Awaitable[object] | None
) -> float:
    """Run Python to its end, or until something has happened. Return its processor time in
    milliseconds.

    Raises `RuntimeError` when it ends in an error.
    """
    before = _of_ended()
    started = subprocess.Popen(  # noqa: ASYNC220  (as above, and it only starts)
        [sys.executable, *arguments],
        cwd=folder,
        env=environment(settings),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    )
    try:
        if until is not None:
            await until
        elif await asyncio.to_thread(started.wait):
            raise RuntimeError("a process of the benchmark failed")
    finally:
        started.kill()
        await asyncio.to_thread(started.wait)
    return (_of_ended() - before) * 1000


def environment(settings: Mapping[str, str]) -> dict[str, str]:
    """Return the environment of a process with these settings and none of this machine's."""
    kept = {
        key: os.environ[key]
        for key in ("PATH", "HOME", "LANG", "TMPDIR", "SYSTEMROOT")
        if key in os.environ
    }
    return {**kept, "PYTHONPATH": str(ROOT), **settings}


def _of_ended() -> float:
    """Return the processor time of this process's children that have ended, in seconds."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
