"""Discord's time: computes the age of an interaction without relying on this machine's clock.

An interaction's id contains its time of creation, and each HTTP response contains Discord's time in whole seconds. Both
are compared with a monotonic clock: nobody can set it, and it keeps running while the process is stopped or the machine
sleeps.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import datetime
from email.utils import parsedate_to_datetime
from typing import Any

import aiohttp


def steady() -> float:
    """Return the seconds since the machine started, including sleep if the system supports that."""
    return time.clock_gettime(time.CLOCK_BOOTTIME) if hasattr(time, "CLOCK_BOOTTIME") else time.monotonic()


class DiscordTime:
    """Estimates Discord's time as an offset from the steady clock: a lower bound that is usually close."""

    def __init__(self, clock: Callable[[], float] = steady) -> None:
        self._clock = clock
        self._ahead: float | None = None

    def age(self, made: datetime) -> float:
        """Return how many seconds ago Discord created something; 0 until a response has given Discord's time."""
        if self._ahead is None:
            return 0.0
        now = self._clock()
        self._ahead = max(self._ahead, made.timestamp() - now)
        return now + self._ahead - made.timestamp()

    def responded(self, sent: float, date: datetime) -> None:
        """Record Discord's time ``date``, in whole seconds, from a request sent at ``sent`` on the steady clock."""
        least, most = date.timestamp() - self._clock(), date.timestamp() + 1 - sent
        self._ahead = least if self._ahead is None else min(max(self._ahead, least), most)

    def trace(self) -> aiohttp.TraceConfig:
        """Return a trace configuration that makes aiohttp report each response."""

        async def begun(_session: Any, context: Any, _request: Any) -> None:
            context.sent = self._clock()

        async def ended(_session: Any, context: Any, request: aiohttp.TraceRequestEndParams) -> None:
            try:
                date = parsedate_to_datetime(request.response.headers.get("Date", ""))
            except ValueError:
                return  # not Discord's server, and it sends no date
            self.responded(context.sent, date)

        config = aiohttp.TraceConfig()
        config.on_request_start.append(begun)
        config.on_request_end.append(ended)
        return config
