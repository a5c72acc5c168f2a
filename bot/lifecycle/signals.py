"""Handles SIGINT, SIGTERM and SIGHUP: the first signal asks the program to stop, the second ends it
at once.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

log = logging.getLogger(__name__)

SIGNALS = tuple(
    signal.Signals[name]
    for name in ("SIGINT", "SIGTERM", "SIGHUP")
    if name in signal.Signals.__members__
)
"""SIGHUP comes when the terminal is closed in which the program was started. Windows has none."""

GIVE_UP_AFTER = 9.0
"""Seconds after the first signal at which the process ends in any case. Docker kills it after
10.
"""

EXIT_GAVE_UP = 1


@contextmanager
def stop_signals() -> Iterator[asyncio.Event]:
    """Yield an event that SIGINT (Ctrl-C), SIGTERM or SIGHUP sets. Call it in the main thread, in a
    running event loop.

    A second signal has its default effect: the system ends the process, even if the event loop is
    stuck. Nothing is lost, since everything that was answered is in the ledger. A SIGHUP that nohup
    has ignored stays ignored.
    """
    loop, stopped = asyncio.get_running_loop(), asyncio.Event()
    heard = [
        each
        for each in SIGNALS
        if each.name != "SIGHUP" or signal.getsignal(each) is not signal.SIG_IGN
    ]

    def stop(number: int, _frame: object) -> None:
        for each in heard:
            signal.signal(each, signal.SIG_DFL)
        timer = threading.Timer(GIVE_UP_AFTER, give_up)  # a disk, a thread or a connection may hang
        timer.daemon = True
        timer.start()
        # Only call_soon_threadsafe wakes a loop that waits for input.
        loop.call_soon_threadsafe(finish, signal.Signals(number).name)

    def finish(name: str) -> None:
        log.info(
            "%s: I finish the interactions in progress, then I stop. A second signal stops me at "
            "once.",
            name,
        )
        stopped.set()

    before = {each: signal.signal(each, stop) for each in heard}
    try:
        yield stopped
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


def give_up() -> None:
    """End the process, though it could not stop."""
    log.error(
        "I could not stop within %d s, so I end now. Everything that was answered is in the "
        "ledger.",
        GIVE_UP_AFTER,
    )
    os._exit(EXIT_GAVE_UP)
