"""The budget: how many requests may go to Discord, and which ones first.

Discord limits a bot as a whole and each route in each channel, and answers 429 to what exceeds that. The budget keeps
below, so that what somebody must act on does not wait behind what can wait.
"""

from __future__ import annotations

import asyncio
from bisect import bisect_left, insort
from collections import deque
from collections.abc import Hashable
from heapq import heappop, heappush
from itertools import chain, count
from typing import NamedTuple

from bot.delivery.desired import Priority


class Limit(NamedTuple):
    """At most so many requests in any so many seconds."""

    requests: int
    seconds: float


OVERALL = Limit(50, 1.03)
"""Discord allows a bot 50 requests a second; a little more time for those that overtake each other on the way."""

IN_CHANNEL = Limit(5, 5.1)
"""Discord allows five messages in five seconds in a channel, and as many edits."""

OPENING_DMS = Limit(10, 10.2)
"""Discord allows ten DMs to be opened in ten seconds."""

UNCOUNTED = Limit(50, 1.0)
"""Of what Discord does not count: hundreds of new connections at once would hold each other up."""

DMS, FREE = "dms", "free"
"""Routes: opening DMs, and what Discord does not count, such as a look at the response to an interaction."""

LAST_ANSWERS = 500
"""Requests from which the quickest answer is taken."""

LONGEST_WAY = 1.0
"""Seconds that a request takes at most until Discord counts it, as far as the budget is concerned."""

FAILURES_OF_AN_OUTAGE = 3
"""Server errors in a row after which Discord counts as down."""

RESERVED = 16
"""One in so many requests is kept for what cannot wait at all, priority 0: a crowd goes at once and then waits for a
second, in which a bell may ring.
"""

CATCHING_UP = 10.0
"""Seconds after an outage in which nothing is kept back: all that is owed should be there by then."""

PROBE = 0.25
"""Seconds between two requests while Discord is down: one of them finds out when it is back."""

MANY_ROUTES = 10_000
"""Windows kept in memory before idle ones are dropped."""


NO_LIMIT, NEVER = Limit(10**9, 0.0), float("inf")


class Window:
    """Counts requests in a sliding window of time."""

    def __init__(self, limit: Limit) -> None:
        self._limit = limit
        self._granted: list[float] = []  # in order
        self._blocked_until = 0.0
        self.parked: list[_Waiting] = []  # a heap of the requests that this window stops
        self.looked_at = NEVER  # when the first of them is looked at again

    def opens(self, now: float, *, keeping: int = 0) -> float:
        """Return when the next request may go, in seconds of the loop's clock; ``now`` or earlier for at once.

        ``keeping``: it leaves room for so many others.
        """
        most = self._limit.requests - keeping
        if len(self._granted) < most:
            return self._blocked_until
        return max(self._blocked_until, self._granted[-most] + self._limit.seconds)

    @property
    def reserved(self) -> int:
        """How many requests are kept for what cannot wait at all."""
        return self._limit.requests // RESERVED

    @property
    def half(self) -> int:
        """How many requests are kept from those that change nothing as far as is known, so that news need not wait."""
        return (self._limit.requests + 1) // 2 if self._limit.requests > 1 else 0

    def take(self, now: float) -> None:
        """Count a request, and forget those that matter no more."""
        while self._granted and self._granted[0] + self._limit.seconds <= now:
            self._granted.pop(0)
        insort(self._granted, now)

    def move(self, granted: float, counted: float) -> None:
        """Count a request that was granted at one time as of another, if it still matters."""
        at = bisect_left(self._granted, granted)
        if at < len(self._granted) and self._granted[at] == granted:
            del self._granted[at]
            insort(self._granted, counted)

    def busy(self, now: float) -> bool:
        """Return whether requests wait for it, or its past still matters."""
        last = self._granted[-1] + self._limit.seconds if self._granted else 0.0
        return bool(self.parked) or max(last, self._blocked_until) > now

    def block(self, until: float) -> None:
        """Let no request go before this time: Discord said so."""
        self._blocked_until = max(self._blocked_until, until)


class Slot(NamedTuple):
    """A request that may go: on which route, and since when."""

    route: Hashable
    granted: float


class _Waiting(NamedTuple):
    priority: float
    number: int  # no two are equal, so the rest is never compared
    route: Hashable
    turn: asyncio.Future[Slot]


class Recalled(Exception):
    """A request that waited for its turn is not made: something more urgent is to be asked for in its place."""


class Recall:
    """By which a request that waits for its turn can be taken back."""

    def __init__(self) -> None:
        self._waiting: _Waiting | None = None

    def waits(self, waiting: _Waiting | None) -> None:
        """Note that a request waits now, or None: none does any more."""
        self._waiting = waiting

    def for_more_urgent(self, priority: float) -> None:
        """Have the request that waits, if any, raise `Recalled`, unless it is as urgent as this priority."""
        waiting = self._waiting
        if waiting is not None and not waiting.turn.done() and priority < waiting.priority:
            waiting.turn.set_exception(Recalled())


class Budget:
    """Lets requests go within Discord's limits, in order of priority. None for a limit: there is none.

    Discord counts a request when it arrives, and only the answer tells how long it was on its way, so the budget counts
    it as of then. Otherwise requests that were held up and others that were not would arrive together.

    Thousands may wait after a restart, so each request is looked at only a few times. The overall limit stops everybody
    behind the first one that it stops. Requests that their route stops are parked at its window, which lets the most
    urgent of them look again when it opens.
    """

    def __init__(self, overall: Limit | None = OVERALL, in_channel: Limit | None = IN_CHANNEL) -> None:
        self._overall = Window(overall or NO_LIMIT)
        self._in_channel = in_channel or NO_LIMIT
        self._limits: dict[Hashable, Limit] = {None: NO_LIMIT}
        self._limits |= {DMS: OPENING_DMS, FREE: UNCOUNTED} if in_channel else {}
        self._routes: dict[Hashable, Window] = {}
        self._ready: list[_Waiting] = []  # a heap of those that their route lets go, as far as is known
        self._free: list[_Waiting] = []  # likewise of those that Discord does not count
        self._opening: list[tuple[float, int, Hashable]] = []  # a heap of the routes where some are parked
        self._numbers = count()
        self._timer: asyncio.TimerHandle | None = None
        self._answers: deque[float] = deque(maxlen=LAST_ANSWERS)
        self._failures = 0
        self._probed = 0.0
        self._works_since = float("-inf")

    @property
    def down(self) -> bool:
        """Whether Discord counts as down."""
        return self._failures >= FAILURES_OF_AN_OUTAGE

    async def take(self, route: Hashable, priority: float, recall: Recall | None = None) -> Slot:
        """Return when a request on this route may go. ``route`` is None where only the overall limit applies.

        Raises `Recalled` when it is taken back by ``recall``.
        """
        waiting = _Waiting(priority, next(self._numbers), route, asyncio.get_running_loop().create_future())
        recall = recall or Recall()
        recall.waits(waiting)
        self._line_up(waiting)
        self._grant()
        try:
            return await waiting.turn
        finally:
            recall.waits(None)

    def answered(self, slot: Slot) -> None:
        """Note that a request was answered now: Discord has counted it a moment ago."""
        now = asyncio.get_running_loop().time()
        self._answers.append(now - slot.granted)
        counted = slot.granted + min(self._answers[-1] - min(self._answers), LONGEST_WAY)
        for window in self._windows(slot.route):
            window.move(slot.granted, counted)

    def spend(self, requests: int) -> None:
        """Count requests that were made a moment ago without asking."""
        for _ in range(requests):
            self._overall.take(asyncio.get_running_loop().time())

    def succeeded(self) -> bool:
        """Note that Discord works. Return whether it was down until now."""
        was_down, self._failures = self.down, 0
        if was_down:
            self._works_since = asyncio.get_running_loop().time()
            self._grant()
        return was_down

    def failed(self) -> None:
        """Note that Discord answered with a server error, or not at all."""
        self._failures += 1

    def limited(self, route: Hashable, seconds: float, *, overall: bool = False) -> None:
        """Note that Discord wants no request on this route, or none at all, for so many seconds."""
        if overall or route is not None:  # None stands for many routes
            window = self._overall if overall else self._window(route)
            window.block(asyncio.get_running_loop().time() + seconds)

    def close(self) -> None:
        """Let nothing go any more."""
        if self._timer is not None:
            self._timer.cancel()
        parked = (window.parked for window in self._routes.values())
        for waiting in chain(self._ready, self._free, *parked):
            waiting.turn.cancel()

    def _window(self, route: Hashable) -> Window:
        if (known := self._routes.get(route)) is not None:
            return known
        return self._routes.setdefault(route, Window(self._limits.get(route, self._in_channel)))

    def _windows(self, route: Hashable) -> list[Window]:
        """Return the windows in which a request on this route counts."""
        window = self._window(route)
        return [window] if route == FREE else [self._overall, window]

    def _line_up(self, waiting: _Waiting) -> None:
        heappush(self._free if waiting.route == FREE else self._ready, waiting)

    def _grant(self) -> None:
        """Let everything go that may go now, and wake up for the next."""
        now = asyncio.get_running_loop().time()
        while self._opening and self._opening[0][0] <= now:
            at, _, route = heappop(self._opening)
            window = self._window(route)
            if at == window.looked_at:  # else a more urgent request was parked, which looked again sooner
                window.looked_at = NEVER
                self._unpark(window)
        opens = min(self._let_go(self._ready, now), self._let_go(self._free, now))
        opens = min(opens, self._opening[0][0]) if self._opening else opens
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_at(opens, self._grant) if opens < NEVER else None
        if len(self._routes) > MANY_ROUTES:
            self._routes = {route: window for route, window in self._routes.items() if window.busy(now)}

    def _let_go(self, ready: list[_Waiting], now: float) -> float:
        """Let these go as far as all routes together allow it. Return when they allow the next."""
        while ready:
            waiting = ready[0]
            if not waiting.turn.done() and (opens := self._opens(waiting, now)) > now:
                return opens
            heappop(ready)
            window = self._window(waiting.route)
            opens = window.opens(now, keeping=window.half if waiting.priority >= Priority.AGAIN else 0)
            if self.down or opens <= now:
                if not waiting.turn.done():  # else its caller has left
                    self._probed = now
                    for counting in self._windows(waiting.route):
                        counting.take(now)
                    waiting.turn.set_result(Slot(waiting.route, now))
                self._unpark(window)
            else:
                heappush(window.parked, waiting)
                if opens < window.looked_at:
                    window.looked_at = opens
                    heappush(self._opening, (opens, waiting.number, waiting.route))
        return NEVER

    def _unpark(self, window: Window) -> None:
        if window.parked:
            self._line_up(heappop(window.parked))

    def _opens(self, waiting: _Waiting, now: float) -> float:
        """Return when all routes together allow a request."""
        if self.down:
            return self._probed + PROBE
        if waiting.route == FREE:
            return now
        if waiting.priority >= Priority.AGAIN:
            return self._overall.opens(now, keeping=self._overall.half)
        reserved = waiting.priority > Priority.BELL and now > self._works_since + CATCHING_UP
        return self._overall.opens(now, keeping=self._overall.reserved * reserved)
