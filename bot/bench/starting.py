"""Processes of the benchmarks, which read lines and write lines: new ones, or warm ones.

A new process is ``python -m MODULE``, and takes a second of processor time to load the modules. A warm one runs the
same module, but is forked from a process that has loaded the others once for all (`bot.bench.warm`): for lines that are
about what comes after, where time is spared.
"""

from __future__ import annotations

import asyncio
import atexit
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from bot.bench.warm import ENOUGH, READY

ENDED_WITHIN = 20.0
"""Seconds in which a process ends that nobody will tell anything any more; then it is killed."""

_one_at_a_time = threading.Lock()


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


@dataclass(frozen=True, slots=True)
class _Run:
    """What is to be run and where. Its errors are appended to a file; None: they go where those of this process go."""

    module: str
    arguments: tuple[str, ...]
    folder: Path
    environment: Mapping[str, str]
    errors: Path | None


@asynccontextmanager
async def process(
    module: str,
    *arguments: str,
    warm: bool,
    folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
    errors: Path | None = None,
) -> AsyncIterator[Process]:
    """Run a module in a process of its own. After the block it has nothing more to read, and must end.

    Its errors are appended to a file; without one they go where those of this process go.
    """
    run = _Run(module, arguments, folder or Path.cwd(), environment or os.environ, errors)
    ours, theirs = socket.socketpair()
    with theirs:
        pid, wait = await asyncio.to_thread(_forked if warm else _started, run, theirs)
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
                os.kill(pid, signal.SIGKILL)
        writer.close()
        await asyncio.to_thread(wait)


async def loading() -> float:
    """Return how many seconds it took to load what a warm process has loaded."""

    def seconds() -> float:
        with _one_at_a_time:
            return _warm()[1]

    return await asyncio.to_thread(seconds)


def _started(run: _Run, line: socket.socket) -> tuple[int, Callable[[], object]]:
    """Start a new process with this line. Return its number, and what waits for its end."""
    errors = None if run.errors is None else os.open(run.errors, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    started = subprocess.Popen(
        [sys.executable, "-m", run.module, *run.arguments],
        cwd=run.folder, env=run.environment, stdin=line.fileno(), stdout=line.fileno(), stderr=errors,
    )  # fmt: skip
    if errors is not None:
        os.close(errors)
    return started.pid, started.wait


def _forked(run: _Run, line: socket.socket) -> tuple[int, Callable[[], object]]:
    """Have a warm process run it, which the one that it was forked from waits for."""
    errors = None if run.errors is None else str(run.errors)
    wanted = json.dumps([run.module, run.arguments, str(run.folder), dict(run.environment), errors])
    with _one_at_a_time:
        warm, _ = _warm()
        socket.send_fds(warm, [wanted.encode()], [line.fileno()])
        return int(warm.recv(ENOUGH)), lambda: None


@cache
def _warm() -> tuple[socket.socket, float]:
    """Start what warm processes are forked from, until this process ends. Return its line, and how long it loaded."""
    begun = time.perf_counter()
    ours, theirs = socket.socketpair()
    with theirs:
        started = subprocess.Popen([sys.executable, "-m", "bot.bench.warm"], stdin=theirs.fileno())
    assert ours.recv(ENOUGH) == READY

    def end() -> None:
        ours.close()
        started.wait()

    atexit.register(end)
    return ours, time.perf_counter() - begun
