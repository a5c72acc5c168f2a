"""The budget: limits the requests to Discord and orders them by priority.

Discord limits a bot as a whole and each route in each channel, and answers 429 to requests beyond
that. The budget stays below the limits, so that urgent messages do not wait behind others.
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
from bot.tasks import loop_time


class RateLimit(NamedTuple):
    """At most ``requests`` in any period of ``seconds``."""

    requests: int
    seconds: float


OVERALL = RateLimit(50, 1.03)
"""Discord allows a bot 50 requests a second. The 0.03 s more allow for requests that overtake each
other.
"""

IN_CHANNEL = RateLimit(5, 5.1)
"""Discord allows five messages and five edits in five seconds in a channel."""

OLD = "old edit"
"""The route for edits of messages over an hour old. It is a part of the route for edits."""

OLD_IN_CHANNEL = RateLimit(3, 6.1)
"""Discord allows three edits in six seconds of a channel's messages over an hour old."""

BEFORE_A_BAN = RateLimit(1000, 600.0)
"""Refused requests after which all wait. Discord bans an address for 10,000 in ten minutes."""

OPENING_DMS = RateLimit(10, 10.2)
"""Discord allows ten DMs to be opened in ten seconds."""

DMS = "dms"
"""The route that opens DMs."""

LAST_ANSWERS = 500
"""Number of recent requests among which the quickest answer is found."""

LONGEST_WAY = 1.0
"""The longest time in seconds that the budget assumes between granting a request and Discord
counting it.
"""

FAILURES_OF_AN_OUTAGE = 3
"""Server errors in a row after which Discord counts as down."""

RESERVED = 16
"""One in this many requests is reserved for `Priority.BELL`, so that it can go while a burst of
others waits.
"""

CATCHING_UP = 10.0
"""Seconds after an outage during which nothing is reserved, so that the backlog is sent sooner."""

PROBE = 0.25
"""Seconds between two requests while Discord is down. One of them finds out when it works again."""

MANY_ROUTES = 10_000
"""Number of windows in memory above which idle ones are dropped."""


NO_LIMIT, NEVER = RateLimit(10**9, 0.0), float("inf")


class RateWindow:
    """Counts requests in a sliding window of time."""

    def __init__(self, limit: RateLimit) -> None:
        self._limit = limit
        self._granted: list[float] = []  # in order
        self._blocked_until = 0.0
        self.parked: list[_Waiting] = []  # a heap of the requests that wait for this window
        self.looked_at = NEVER  # when the first of them is examined again

    def opens(self, now: float, *, keeping: int = 0) -> float:
        """Return when the next request may go, in seconds of the loop's clock; ``now`` or earlier
        means at once.

        ``keeping`` is the number of requests to leave room for.
        """
        most = self._limit.requests - keeping
        if len(self._granted) < most:
            return self._blocked_until
        return max(self._blocked_until, self._granted[-most] + self._limit.seconds)

    @property
    def reserved(self) -> int:
        """The number of requests reserved for `Priority.BELL`."""
        return self._limit.requests // RESERVED

    @property
    def half(self) -> int:
        """The number of requests that those with `Priority.AGAIN` leave to others, so that news
        need not wait.
        """
        return (self._limit.requests + 1) // 2 if self._limit.requests > 1 else 0

    def take(self, now: float) -> None:
        """Count a request, and forget those that have left the window."""
        while self._granted and self._granted[0] + self._limit.seconds <= now:
            self._granted.pop(0)
        insort(self._granted, now)

    def move(self, granted: float, counted: float) -> None:
        """Move a request from the time it was granted to the time it counted, if it is still in the
        window.
        """
        if self.give_back(granted):
            insort(self._granted, counted)

    def give_back(self, granted: float) -> bool:
        """Stop counting the request granted at this time. Return False if it has left the
        window.
        """
        at = bisect_left(self._granted, granted)
        if at == len(self._granted) or self._granted[at] != granted:
            return False
        del self._granted[at]
        return True

    def busy(self, now: float) -> bool:
        """Return whether requests are parked here, or earlier ones still limit the next."""
        last = self._granted[-1] + self._limit.seconds if self._granted else 0.0
        return bool(self.parked) or max(last, self._blocked_until) > now

    def block(self, until: float) -> None:
        """Block until this time, which follows from Discord's ``retry_after``."""
        self._blocked_until = max(self._blocked_until, until)


class Slot(NamedTuple):
    """A granted request: its route, and when it was granted."""

    route: Hashable
    granted: float


class _Waiting(NamedTuple):
    priority: float
    place: int  # among those of the same priority
    number: int  # unique, so the fields below are never compared
    route: Hashable
    turn: asyncio.Future[Slot]


class Recalled(Exception):
    """A request was withdrawn before it was made, because it is outdated or a more urgent one takes
    its place.
    """


class Recall:
    """Withdraws a request that waits for its turn. The next request with the same recall takes over
    its place.

    ``outdated``: what the request would show has changed. It keeps waiting, and is withdrawn when
    its turn comes. So is one whose turn comes after ``until``, in the loop's clock.
    """

    def __init__(self) -> None:
        self.outdated = False
        self.until = NEVER
        self.place: int | None = None
        self.waiting: _Waiting | None = None  # the request that waits now

    def withdraw(self) -> None:
        """Withdraw the waiting request: its `Budget.take` raises `Recalled`."""
        if self.waiting is not None and not self.waiting.turn.done():
            self.waiting.turn.set_exception(Recalled())

    def for_more_urgent(self, priority: float) -> None:
        """Withdraw the waiting request if it is less urgent than this priority."""
        if self.waiting is not None and priority < self.waiting.priority:
            self.withdraw()


class Budget:
    """Grants requests within Discord's limits, in order of priority. A limit of None means no
    limit.

    Discord counts a request when it arrives, and only the answer shows when that was. The budget
    then moves the request to that time; otherwise delayed requests and later ones could arrive
    together and exceed the limit.

    Thousands of requests may wait after a restart, so each is examined only a few times. When the
    overall limit stops a request, those behind it are not examined. Requests that their route stops
    are parked at its window; when the window opens, the most urgent of them is examined again.
    """

    def __init__(
        self, overall: RateLimit | None = OVERALL, in_channel: RateLimit | None = IN_CHANNEL
    ) -> None:
        self._overall = RateWindow(overall or NO_LIMIT)
        self._in_channel = in_channel or NO_LIMIT
        self._limits: dict[Hashable, RateLimit] = {None: NO_LIMIT}
        self._limits |= {DMS: OPENING_DMS} if in_channel else {}
        self._old = OLD_IN_CHANNEL if in_channel else NO_LIMIT
        self._refused = RateWindow(BEFORE_A_BAN)
        self._stopped_until = 0.0
        self._routes: dict[Hashable, RateWindow] = {}
        # a heap of requests that their route allows, as far as is known
        self._ready: list[_Waiting] = []
        # a heap of routes with parked requests
        self._opening: list[tuple[float, int, Hashable]] = []
        self._numbers = count()
        self._timer: asyncio.TimerHandle | None = None
        self._answers: deque[float] = deque(maxlen=LAST_ANSWERS)
        self._failures = 0
        self._probed = 0.0
        self._works_since = float("-inf")

    @property
    def down(self) -> bool:
        return self._failures >= FAILURES_OF_AN_OUTAGE

    @property
    def stopped(self) -> bool:
        """Whether no request should be made now but by the budget."""
        return self.down or self._stopped_until > loop_time()

    async def take(self, route: Hashable, priority: float, recall: Recall | None = None) -> Slot:
        """Wait until a request on this route may go. ``route`` is None where only the overall limit
        applies.

        Raises `Recalled` when ``recall`` withdraws the request.
        """
        recall, number = recall or Recall(), next(self._numbers)
        if recall.outdated:
            raise Recalled
        recall.place = number if recall.place is None else recall.place
        waiting = _Waiting(
            priority, recall.place, number, route, asyncio.get_running_loop().create_future()
        )
        recall.waiting, turn = waiting, waiting.turn
        heappush(self._ready, waiting)
        self._grant()
        try:
            slot = await turn
            if recall.outdated:
                raise Recalled
            if slot.granted > recall.until:
                raise Recalled
        except BaseException:
            # Give back what was granted to a request that is not made, such as one whose caller was
            # cancelled.
            if turn.done() and not turn.cancelled() and turn.exception() is None:
                for window in self._windows(route):
                    window.give_back(turn.result().granted)
                self._grant()
            raise
        finally:
            recall.waiting = None
        recall.place = None
        return slot

    def answered(self, slot: Slot) -> None:
        """Note that a request was answered now, and move it to the time when Discord counted it."""
        now = loop_time()
        self._answers.append(now - slot.granted)
        counted = slot.granted + min(self._answers[-1] - min(self._answers), LONGEST_WAY)
        for window in self._windows(slot.route):
            window.move(slot.granted, counted)

    def spend(self, requests: int) -> None:
        """Count requests that were just made outside the budget."""
        for _ in range(requests):
            self._overall.take(loop_time())

    def succeeded(self) -> bool:
        """Note that Discord works. Return whether it was down until now."""
        was_down, self._failures = self.down, 0
        if was_down:
            self._works_since = loop_time()
            self._grant()
        return was_down

    def failed(self) -> None:
        """Note that Discord answered with a server error or not at all."""
        self._failures += 1

    def limited(self, route: Hashable, seconds: float, *, overall: bool = False) -> None:
        """Block this route, or with ``overall`` all routes, for ``seconds``."""
        if overall or route is not None:  # None stands for many routes
            window = self._overall if overall else self._window(route)
            window.block(loop_time() + seconds)

    def stop(self, seconds: float) -> bool:
        """Block all routes for ``seconds``, also while Discord is down. Return False if they were
        blocked already.
        """
        now = loop_time()
        news, self._stopped_until = (
            self._stopped_until <= now,
            max(self._stopped_until, now + seconds),
        )
        self._overall.block(self._stopped_until)
        return news

    def refused(self) -> float:
        """Count a refused request. Return for how many seconds all wait now because there were too
        many, else 0.
        """
        now = loop_time()
        self._refused.take(now)
        wait = self._refused.opens(now) - now
        return wait if wait > 0 and self.stop(wait) else 0.0

    def close(self) -> None:
        """Cancel all waiting requests."""
        if self._timer is not None:
            self._timer.cancel()
        parked = (window.parked for window in self._routes.values())
        for waiting in chain(self._ready, *parked):
            waiting.turn.cancel()

    def _window(self, route: Hashable) -> RateWindow:
        if (known := self._routes.get(route)) is not None:
            return known
        old = isinstance(route, tuple) and route[0] == OLD
        limit = self._old if old else self._limits.get(route, self._in_channel)
        return self._routes.setdefault(route, RateWindow(limit))

    def _windows(self, route: Hashable) -> list[RateWindow]:
        """Return the windows in which a request on this route counts: the overall one, then its
        own.
        """
        if isinstance(route, tuple) and route[0] == OLD:
            return [self._overall, self._window(route), self._window(("edit", route[1]))]
        return [self._overall, self._window(route)]

    def _grant(self) -> None:
        """Grant every request that may go now, and set a timer for the next."""
        now = loop_time()
        while self._opening and self._opening[0][0] <= now:
            at, _, route = heappop(self._opening)
            window = self._window(route)
            # else this entry is stale: a request parked later opens sooner
            if at == window.looked_at:
                window.looked_at = NEVER
                self._unpark(window)
        opens = self._grant_within_limits(now)
        opens = min(opens, self._opening[0][0]) if self._opening else opens
        if self._timer is not None:
            self._timer.cancel()
        self._timer = (
            asyncio.get_running_loop().call_at(opens, self._grant) if opens < NEVER else None
        )
        if len(self._routes) > MANY_ROUTES:
            self._routes = {
                route: window for route, window in self._routes.items() if window.busy(now)
            }

    def _grant_within_limits(self, now: float) -> float:
        """Grant the ready requests as far as the limits allow. Return when the overall limit allows
        the next.
        """
        while self._ready:
            waiting = self._ready[0]
            if not waiting.turn.done() and (opens := self._opens(waiting, now)) > now:
                return opens
            heappop(self._ready)
            windows = self._windows(waiting.route)
            own = windows[1:]
            window, again = own[0], waiting.priority >= Priority.AGAIN
            opens = max(each.opens(now, keeping=each.half * again) for each in own)
            if self.down or opens <= now:
                if not waiting.turn.done():  # else its caller was cancelled
                    self._probed = now
                    for counting in windows:
                        counting.take(now)
                    waiting.turn.set_result(Slot(waiting.route, now))
                self._unpark(window)
            else:
                heappush(window.parked, waiting)
                if opens < window.looked_at:
                    window.looked_at = opens
                    heappush(self._opening, (opens, waiting.number, waiting.route))
        return NEVER

    def _unpark(self, window: RateWindow) -> None:
        if window.parked:
            heappush(self._ready, heappop(window.parked))

    def _opens(self, waiting: _Waiting, now: float) -> float:
        """Return when the overall limit allows a request."""
        if self.down:
            return max(self._probed + PROBE, self._stopped_until)
        if waiting.priority >= Priority.AGAIN:
            return self._overall.opens(now, keeping=self._overall.half)
        reserved = waiting.priority > Priority.BELL and now > self._works_since + CATCHING_UP
        return self._overall.opens(now, keeping=self._overall.reserved * reserved)
