"""Bots from one warm process: it has imported everything once, and forks for each bot that is started.

`python -m bot` takes a second of processor time to import its modules, and the tests start hundreds. A forked bot is a
process like any other, with an environment, a folder, signals and an exit code of its own, and in memory only modules.
It can't show that these can be imported, nor what happens meanwhile: for that, tests start `python -m bot`.

There is one warm process for each process that runs tests, and it ends with it; and one more for rehearsals, since bots
at a Discord have no SimCord in memory.
"""

from __future__ import annotations

import asyncio
import atexit
import gc
import importlib
import json
import os
import selectors
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ENOUGH = 100_000  # bytes; a request is one packet

Constants = Mapping[str, float]
"""Other values for constants of modules, by `module:NAME`: for what would take a test too long to wait for."""


# ---------------------------------------------------------------- where the tests run


class Forked:
    """A process that was forked: as much of `asyncio.subprocess.Process` as the tests need."""

    def __init__(self, line: socket.socket, pid: int) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self._line = line

    def send_signal(self, number: int) -> None:
        if self.returncode is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    async def wait(self) -> int:
        """The exit code, or minus the number of the signal that ended it."""
        while self.returncode is None:
            if self.poll() is None:
                await _readable(self._line)
        return self.returncode

    def poll(self, within: float = 0.0) -> int | None:
        """The same if it has ended, or does so within some seconds; else None."""
        if self.returncode is None and _ready(self._line, within):
            self.returncode = int(self._line.recv(ENOUGH))
            self._line.close()
        return self.returncode


def fork(
    arguments: Sequence[str],
    folder: Path,
    environment: Mapping[str, str],
    out: Path,
    err: Path,
    constants: Constants | None = None,
    rehearses: bool = False,
) -> Forked:
    """Start `python -m bot ARGUMENTS` in a folder, with other ``constants``. What it prints is appended to files."""
    line = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    line.connect(_warm("bot.rehearsal.page" if rehearses else "bot.app"))
    wanted = (list(arguments), str(folder), dict(environment), str(out), str(err), dict(constants or {}))
    line.send(json.dumps(wanted).encode())
    return Forked(line, int(line.recv(ENOUGH)))


@cache
def _warm(module: str) -> str:
    """Start the process that has imported this module; returns the address at which it listens."""
    folder = tempfile.mkdtemp(prefix="bourse-warm-")  # short, for the socket inside
    started = subprocess.Popen(
        [sys.executable, "-m", "tests.wire.forks", folder, module],
        cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"},
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    atexit.register(started.communicate)  # it ends when its standard input is closed
    assert started.stdout is not None
    assert started.stdout.readline() == b"ready\n"
    return f"{folder}/line"


def _ready(line: socket.socket, within: float) -> bool:
    with selectors.DefaultSelector() as selector:
        selector.register(line, selectors.EVENT_READ)
        return bool(selector.select(within))


async def _readable(line: socket.socket) -> None:
    loop, readable = asyncio.get_running_loop(), asyncio.Event()
    with line.dup() as own:  # a loop has one reader for each descriptor, and several may wait
        loop.add_reader(own, readable.set)
        try:
            await readable.wait()
        finally:
            loop.remove_reader(own)


# ---------------------------------------------------------------- the warm process


def serve(folder: Path) -> list[str] | None:
    """Fork for each request, and tell how each child ended. Returns in a child: the arguments of its bot."""
    woken, wake = socket.socketpair()
    for each in (woken, wake):
        each.setblocking(False)
    signal.set_wakeup_fd(wake.fileno(), warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the tests
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    listening.bind(str(folder / "line"))
    listening.listen()
    print("ready", flush=True)
    lines: dict[int, socket.socket] = {}
    with selectors.DefaultSelector() as selector:
        for readable in (sys.stdin, woken, listening):
            selector.register(readable, selectors.EVENT_READ)
        while True:
            for key, _ in selector.select():
                if key.fileobj is sys.stdin:  # the tests are over
                    return None
                if key.fileobj is listening:
                    line, _ = listening.accept()
                    arguments, where, environment, out, err, constants = json.loads(line.recv(ENOUGH))
                    if not (pid := os.fork()):
                        for each in (line, listening, woken, wake, *lines.values()):
                            each.close()
                        _become(Path(where), environment, out, err)
                        _set(constants)
                        return list(arguments)
                    lines[pid] = line
                    line.send(str(pid).encode())
                else:
                    woken.recv(ENOUGH)
            _tell(lines)


def _tell(lines: dict[int, socket.socket]) -> None:
    """Tell of each child that has ended."""
    while lines:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if not pid:
            return
        with lines.pop(pid) as line:
            line.send(str(os.waitstatus_to_exitcode(status)).encode())


def _become(folder: Path, environment: Mapping[str, str], out: str, err: str) -> None:
    """Be as a process that was started with this folder, environment and output."""
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    for number, file in ((0, os.devnull), (1, out), (2, err)):
        opened = os.open(file, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o644)
        os.dup2(opened, number)
        os.close(opened)


def _set(constants: Constants) -> None:
    for name, value in constants.items():
        module, _, constant = name.partition(":")
        assert isinstance(getattr(sys.modules[module], constant), int | float), name
        setattr(sys.modules[module], constant, value)


def _load(module: str) -> None:
    """Import what a bot imports sooner or later. Looking for garbage meanwhile would take a fifth of the time."""
    from importlib.metadata import entry_points

    from bot.rules.registry import games

    gc.disable()
    for each in (module, "asyncpg"):
        importlib.import_module(each)
    games()
    for point in entry_points(group="bourse.cogs"):
        point.load()
    gc.freeze()
    gc.enable()


if __name__ == "__main__":
    _load(sys.argv[2])
    here = Path(sys.argv[1])
    forked = serve(here)
    if forked is not None:
        from bot.__main__ import main

        sys.exit(main(forked))
    shutil.rmtree(here, ignore_errors=True)
