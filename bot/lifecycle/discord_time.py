"""Discord's time: how old an interaction is, whatever this machine's clock says.

An interaction's id tells when Discord made it, and each response over HTTP tells Discord's time in whole seconds. Both
are compared with a clock that only goes forward: nobody can set it, and it runs on while the process is stopped or the
machine sleeps.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import datetime
from email.utils import parsedate_to_datetime
from typing import Any

import aiohttp


def steady() -> float:
    """Return the seconds since the machine was started, its sleep included where the system can tell that."""
    return time.clock_gettime(time.CLOCK_BOOTTIME) if hasattr(time, "CLOCK_BOOTTIME") else time.monotonic()


class DiscordTime:
    """What is known of Discord's time: it is ahead of the steady clock by so much at least, and rarely by more."""

    def __init__(self, clock: Callable[[], float] = steady) -> None:
        self._clock = clock
        self._ahead: float | None = None

    def age(self, made: datetime) -> float:
        """Return how many seconds ago Discord made something; 0 while no response has told its time."""
        if self._ahead is None:
            return 0.0
        now = self._clock()
        self._ahead = max(self._ahead, made.timestamp() - now)
        return now + self._ahead - made.timestamp()

    def responded(self, sent: float, date: datetime) -> None:
        """Note that Discord gave this as its time, in whole seconds, between ``sent`` on the steady clock and now."""
        least, most = date.timestamp() - self._clock(), date.timestamp() + 1 - sent
        self._ahead = least if self._ahead is None else min(max(self._ahead, least), most)

    def trace(self) -> aiohttp.TraceConfig:
        """Return what has aiohttp note each response."""

        async def begun(_session: Any, context: Any, _request: Any) -> None:
            context.sent = self._clock()

        async def ended(_session: Any, context: Any, request: aiohttp.TraceRequestEndParams) -> None:
            try:
                date = parsedate_to_datetime(request.response.headers.get("Date", ""))
            except ValueError:
                return  # what answers in Discord's place does not say
            self.responded(context.sent, date)

        config = aiohttp.TraceConfig()
        config.on_request_start.append(begun)
        config.on_request_end.append(ended)
        return config
