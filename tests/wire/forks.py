"""Bots from one warm process: it has imported everything once, and forks for each bot that is started.

`python -m bot` takes a second of processor time to import its modules, and the tests start hundreds. A forked bot is a
process like any other, with an environment, a folder, signals and an exit code of its own, and in memory only modules.
It can't show that these can be imported or taken apart, nor what happens meanwhile: for that, tests start
`python -m bot`.

All processes that run tests share one warm process, which ends with the last of them, and one more for rehearsals,
since bots at a Discord have no SimCord in memory.
"""

from __future__ import annotations

import asyncio
import atexit
import fcntl
import gc
import importlib
import json
import os
import selectors
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path

from tests.shared import shared_folder

ROOT = Path(__file__).resolve().parents[2]
ENOUGH = 100_000  # bytes; a request is one packet
STAY = b"stay"
"""Asks the warm process to live at least as long as the line on which this was sent."""

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
    line = _warm("bot.rehearsal.page" if rehearses else "bot.app").line()
    wanted = (list(arguments), str(folder), dict(environment), str(out), str(err), dict(constants or {}))
    line.send(json.dumps(wanted).encode())
    return Forked(line, int(line.recv(ENOUGH)))


class Warm:
    """The process that has imported a module; started if no other process that runs tests has done so."""

    def __init__(self, module: str) -> None:
        self._address = shared_folder() / module
        with self._address.with_suffix(".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not self._stays():
                self._start(module)

    def line(self) -> socket.socket:
        """A line to it. Raises ``OSError`` where nobody listens."""
        line = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        try:
            line.connect(str(self._address))
        except OSError:
            line.close()
            raise
        return line

    def _stays(self) -> bool:
        """Whether there is one, and it has promised to live as long as this process holds the line."""
        try:
            self._held = self.line()
            self._held.send(STAY)
            return self._held.recv(ENOUGH) == STAY
        except OSError:
            return False

    def _start(self, module: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.wire.forks", str(self._address), module],
            cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"},
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        )  # fmt: skip
        assert self._process.stdout is not None
        with self._process.stdout as said:
            assert said.readline() == b"ready\n"
        assert self._stays()


_warm = cache(Warm)


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

LATER = {"bot.app": ["asyncpg"], "bot.rehearsal.page": ["linkify_it", "markdown_it", "simcord.preview"]}
"""What a bot that has imported the module imports only when it needs it, and nearly always does."""


def serve(address: Path) -> list[str] | None:
    """Fork for each request, and tell how each child ended. Returns in a child: the arguments of its bot."""
    woken, wake = socket.socketpair()
    for each in (woken, wake):
        each.setblocking(False)
    signal.set_wakeup_fd(wake.fileno(), warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the tests
    address.unlink(missing_ok=True)
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    listening.bind(str(address))
    listening.listen()
    print("ready", flush=True)
    lines: dict[int, socket.socket] = {}
    held: dict[int, socket.socket] = {}  # by the number of its descriptor
    with selectors.DefaultSelector() as selector:
        for readable in (woken, listening):
            selector.register(readable, selectors.EVENT_READ)
        while True:
            for key, _ in selector.select():
                if key.fileobj is listening:
                    line, _ = listening.accept()
                    asked = line.recv(ENOUGH)
                    if asked == STAY:
                        held[line.fileno()] = line
                        selector.register(line, selectors.EVENT_READ)
                        line.send(STAY)
                        continue
                    arguments, where, environment, out, err, constants = json.loads(asked)
                    if not (pid := os.fork()):
                        for each in (line, listening, woken, wake, *lines.values(), *held.values()):
                            each.close()
                        _become(Path(where), environment, out, err)
                        _set(constants)
                        return list(arguments)
                    lines[pid] = line
                    line.send(str(pid).encode())
                elif key.fileobj is woken:
                    woken.recv(ENOUGH)
                else:  # a process that ran tests has ended
                    selector.unregister(key.fileobj)
                    held.pop(key.fd).close()
                    if not held:
                        return None
            _tell(lines)


def _tell(lines: dict[int, socket.socket]) -> None:
    """Tell of each child that has ended."""
    while lines:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if not pid:
            return
        with lines.pop(pid) as line, suppress(OSError):  # who started it may have ended
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
    for each in (module, *LATER[module]):
        importlib.import_module(each)
    games()
    for point in entry_points(group="bourse.cogs"):
        point.load()
    gc.freeze()
    gc.enable()


def _leave(codes: Sequence[int]) -> None:
    """End with an exit code, if there is one, without taking apart all that was imported.

    That would copy each page of memory which a bot shares with the warm process: most of the time it takes to end.
    """
    if codes:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(codes[0])


if __name__ == "__main__":
    codes: list[int] = []
    atexit.register(_leave, codes)  # registered first, so it is called last: after threads and other such functions
    _load(sys.argv[2])
    forked = serve(Path(sys.argv[1]))
    if forked is not None:
        from bot.__main__ import main

        codes.append(main(forked))
