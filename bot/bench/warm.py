"""Loads the bot's modules and forks for each process that is asked for; see `bot.bench.starting`.

    python -m bot.bench.warm

Its standard input is a socket. A request is a JSON array (module, arguments, folder, environment, a file for errors or
null), and with it comes the socket that the new process reads and writes. The answer is the number of that process.
"""

from __future__ import annotations

import gc
import importlib
import importlib.util
import json
import os
import runpy
import signal
import socket
import sys
import traceback
from typing import NoReturn

READY = b"ready\n"
"""What it says first."""

ENOUGH = 100_000
"""Bytes of a request, which comes in one piece, and of an answer."""

LOADED = ("bot.app", "sqlalchemy.dialects.sqlite.aiosqlite")
"""What is loaded. Not the benchmarks' own modules: `bot.bench.workload` draws its first interaction id when loaded,
which two processes on one database must not share.
"""

LOADED_IF_THERE = ("asyncpg", "uvloop")


def main() -> None:
    """Fork for each request, until no more can come and all these processes have ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for who asks
    for name in (*LOADED, *filter(importlib.util.find_spec, LOADED_IF_THERE)):
        importlib.import_module(name)
    gc.collect()
    gc.freeze()  # so that no search writes to memory that is shared with what is forked
    line = socket.socket(fileno=sys.stdin.fileno())
    line.send(READY)
    while True:
        asked, given, _, _ = socket.recv_fds(line, ENOUGH, 1)
        if not asked:
            break
        if not (pid := os.fork()):
            line.close()
            module, arguments, folder, environment, errors = json.loads(asked)
            _become(module, arguments, folder, environment, errors, given[0])
        os.close(given[0])
        line.send(str(pid).encode())
    while True:  # their processor time counts as ours, and ours as that of who asks
        try:
            os.wait()
        except ChildProcessError:
            return


def _become(
    module: str, arguments: list[str], folder: str, environment: dict[str, str], errors: str | None, line: int
) -> NoReturn:
    """Run a module as if this process had been started for it."""
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    if errors is not None:
        os.dup2(os.open(errors, os.O_WRONLY | os.O_CREAT | os.O_APPEND), sys.stderr.fileno())
    os.dup2(line, sys.stdin.fileno())
    os.dup2(line, sys.stdout.fileno())
    os.close(line)
    sys.argv = [module, *arguments]
    try:
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    finally:
        if sys.exc_info()[0] is not None:
            traceback.print_exc()
        sys.stdout.flush()
        os._exit(0)  # what an ending process tidies up takes a tenth of a second, and nobody needs it


if __name__ == "__main__":
    main()
