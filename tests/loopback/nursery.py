"""A process that has loaded the bot's modules, and forks a bot from itself in milliseconds.

Loading takes more of the processor than most tests of whole processes. `python -m
tests.loopback.nursery FD` is the parent, `Nursery` its other end; each process that runs tests has
one. A forked bot has its own environment, folder, files and signals, as one that was started.
"""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
MESSAGE = 65_536
LOADED = ("bot.__main__", "bot.app", "bot.rehearsal.page", "alembic.command", "asyncpg")
"""What a bot, or a rehearsal, loads on a new database, beside games and cogs."""


class Forked:
    """A forked bot; behaves as a `subprocess.Popen`."""

    def __init__(self, status: socket.socket) -> None:
        self.pid = int(status.recv(MESSAGE))
        self.returncode: int | None = None
        self._status = status

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end. Raises TimeoutError."""
        if self.returncode is None:
            self._status.settimeout(timeout)
            self.returncode = int(self._status.recv(MESSAGE) or -signal.SIGKILL)
            self._status.close()
        return self.returncode

    def poll(self) -> int | None:
        with contextlib.suppress(BlockingIOError):
            self.wait(0)
        return self.returncode

    def send_signal(self, number: int) -> None:
        if self.returncode is None:
            os.kill(self.pid, number)


class Awaited:
    """A forked bot; behaves as an `asyncio.subprocess.Process`."""

    def __init__(self, forked: Forked) -> None:
        self.pid = forked.pid
        self.send_signal = forked.send_signal
        self._forked = forked
        self._ended = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(forked._status, self._has_ended)

    def _has_ended(self) -> None:
        self._loop.remove_reader(self._forked._status)
        self._forked.wait()
        self._ended.set()

    @property
    def returncode(self) -> int | None:
        return self._forked.returncode

    async def wait(self) -> int:
        await self._ended.wait()
        return self._forked.wait()

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


class Nursery:
    """The test's end of a nursery."""

    def __init__(self, env: Mapping[str, str]) -> None:
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        file = theirs.fileno()
        program = [sys.executable, "-m", "tests.loopback.nursery", str(file)]
        self._parent = subprocess.Popen(program, cwd=ROOT, env=env, pass_fds=[file])
        theirs.close()

    def fork(
        self,
        folder: Path,
        env: Mapping[str, str],
        constants: Mapping[str, float],
        args: Sequence[str],
        *files: int,
    ) -> Forked:
        """Start `python -m bot ARGS` in a folder; its output goes to two files."""
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        request = [str(folder), dict(env), dict(constants), list(args)]
        message = json.dumps(request).encode()
        socket.send_fds(self._socket, [message], [*files, theirs.fileno()])
        theirs.close()
        return Forked(ours)

    def close(self) -> None:
        """End the parent, and with it every bot that is left."""
        self._socket.close()
        self._parent.wait()


@cache
def nursery() -> Nursery:
    """Return the nursery of this process, which ends with it."""
    env = {"PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"}
    for key in ("PATH", "HOME", "LANG"):
        if key in os.environ:
            env[key] = os.environ[key]
    started = Nursery(env)
    atexit.register(started.close)
    return started


# ---------------------------------------------------------------- the parent


def serve(requests: socket.socket) -> Callable[[], int]:
    """Fork a bot for each request. Returns only in a forked bot, with what it has to do."""
    children: dict[int, socket.socket] = {}
    # A signal without a handler of ours would not interrupt the wait for a request.
    signal.signal(signal.SIGCHLD, lambda *_: _tell_ended(children))
    while True:
        message, files, _, _ = socket.recv_fds(requests, MESSAGE, 3)
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGCHLD])
        if not message:
            for pid in children:
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
            sys.exit()
        out, err, status = files
        pid = os.fork()
        if pid == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGCHLD])
            os.dup2(out, 1)
            os.dup2(err, 2)
            for inherited in (requests, *children.values()):
                inherited.close()
            for file in files:
                os.close(file)
            return lambda: _be(json.loads(message))
        for file in (out, err):
            os.close(file)
        children[pid] = socket.socket(fileno=status)
        children[pid].send(str(pid).encode())
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGCHLD])


def _tell_ended(children: dict[int, socket.socket]) -> None:
    """Tell the test of each bot that has ended how it ended.

    Another signal may come in the middle of this and be handled first, to the last of the bots.
    """
    with contextlib.suppress(ChildProcessError):
        while True:
            ended, status = os.waitpid(-1, os.WNOHANG)
            if not ended:
                return
            with children.pop(ended) as told:
                told.send(str(os.waitstatus_to_exitcode(status)).encode())


def _be(request: Any) -> int:
    """Be the bot."""
    from bot.__main__ import main
    from tests.loopback.bot import put

    folder, env, constants, args = request
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(env)
    put(constants)
    return main(args)


def _load() -> None:
    """Load what a bot on Discord loads."""
    for name in LOADED:
        import_module(name)
    for group in ("bourse.games", "bourse.cogs"):
        for point in entry_points(group=group):
            point.load()


if __name__ == "__main__":
    import gc

    parent = socket.socket(fileno=int(sys.argv[1]))
    _load()
    gc.freeze()
    sys.exit(serve(parent)())
