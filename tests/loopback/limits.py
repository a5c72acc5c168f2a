"""Discord's rate limits: a bucket for each route and channel, and fifty requests a second over all.

A bucket is filled anew a fixed time after the first request that took from it. The figures are
those bots observe.
"""

from __future__ import annotations

import hashlib
import re
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from tests.loopback.exchange import snowflake

_MESSAGES, _TOKEN = r"/channels/(\d+)/messages", r"/webhooks/\d+/([^/]+)"
ROUTES: tuple[tuple[str, str, int, float], ...] = (
    ("POST", rf"{_MESSAGES}", 5, 5.0),
    ("PATCH", rf"{_MESSAGES}/\d+", 5, 5.0),
    ("DELETE", rf"{_MESSAGES}/\d+", 5, 1.0),
    ("GET", rf"{_MESSAGES}", 5, 5.0),
    ("GET", rf"{_MESSAGES}/\d+", 5, 5.0),
    ("POST", r"/channels/(\d+)/threads", 10, 10.0),
    ("PATCH", r"/channels/(\d+)", 5, 5.0),
    ("POST", r"/users/(@me)/channels", 10, 10.0),
    ("", rf"{_TOKEN}(/messages/[^/]+)?", 5, 5.0),
    ("POST", r"/interactions/(\d+)/[^/]+/callback", 5, 5.0),
)
"""Method, path, requests and the seconds they are for; the first group of the path is what the
bucket is for.
"""

_ROUTES = [(verb, re.compile(path), size, seconds) for verb, path, size, seconds in ROUTES]

OTHERS = (50, 1.0)  # any other route
FOLLOW_UPS = (30, 60.0)  # in a channel; no header tells of it before it is met
# in a channel, of messages so many seconds old; no header tells of it either
OLD_EDITS, OLD = (3, 6.0), 3600.0
OVERALL = 50  # requests a second; answers to interactions do not count
_FREE = ("/interactions/", "/webhooks/")


@dataclass
class Bucket:
    """What may still be asked of one route, for one channel."""

    name: str
    size: int
    seconds: float
    left: int = 0
    filled_at: float = float("-inf")

    def take(self, now: float) -> bool:
        """Takes one request out, if there is one left."""
        if now - self.filled_at >= self.seconds:
            self.left, self.filled_at = self.size, now
        if not self.left:
            return False
        self.left -= 1
        return True

    def resets_in(self, now: float) -> float:
        """Seconds until it is filled again."""
        return max(0.0, self.filled_at + self.seconds - now)


@dataclass
class Verdict:
    """What the limits say to a request: the headers of its answer, and whether it has to wait."""

    headers: dict[str, str]
    wait: float = 0.0  # seconds; 0 lets it pass
    overall: bool = False


@dataclass
class Limits:
    """The buckets. `enforced` off, everything passes and the headers say that there is plenty."""

    enforced: bool = False
    clock: Callable[[], float] = time.monotonic
    # by route, and "overall": every 429 that had to be said
    refused: Counter[str] = field(default_factory=Counter)
    _buckets: dict[tuple[str, str], Bucket] = field(default_factory=dict)
    _overall: Bucket = field(default_factory=lambda: Bucket("overall", OVERALL, 1.0))

    def ask(self, method: str, path: str) -> Verdict:
        """Whether a request may pass now; `path` is below /api/v10."""
        if not self.enforced:
            return Verdict(_headers(Bucket("plenty", 50, 1.0, 49), 1.0))
        now, bucket = self.clock(), self._bucket(method, path)
        if not path.startswith(_FREE) and not self._overall.take(now):
            self.refused["overall"] += 1
            return Verdict(_headers(bucket, 0.0), self._overall.resets_in(now), overall=True)
        if not bucket.take(now):
            self.refused[bucket.name] += 1
            return Verdict(_headers(bucket, bucket.resets_in(now)), bucket.resets_in(now))
        return Verdict(_headers(bucket, bucket.resets_in(now)))

    def follow_up(self, channel: str) -> float:
        """Seconds that a follow-up in this channel has to wait; 0 lets it pass."""
        bucket = self._buckets.setdefault(
            ("follow-ups", channel), Bucket("follow-ups", *FOLLOW_UPS)
        )
        if not self.enforced or bucket.take(self.clock()):
            return 0.0
        self.refused[bucket.name] += 1
        return bucket.resets_in(self.clock())

    def old_edit(self, channel: str, message: str) -> float:
        """Seconds that the edit of a message in this channel has to wait because it is old; 0 lets
        it pass.
        """
        age = (int(snowflake()) - int(message) >> 22) / 1000
        bucket = self._buckets.setdefault(("old edits", channel), Bucket("old edits", *OLD_EDITS))
        if not self.enforced or age < OLD or bucket.take(self.clock()):
            return 0.0
        self.refused[bucket.name] += 1
        return bucket.resets_in(self.clock())

    def _bucket(self, method: str, path: str) -> Bucket:
        for wanted, route, size, seconds in _ROUTES:
            if wanted in ("", method) and (found := route.fullmatch(path)):
                name = f"{wanted or 'any'} {route.pattern}"
                bucket = Bucket(name, size, seconds)
                return self._buckets.setdefault((name, found[1]), bucket)
        name = f"{method} {re.sub(r'[0-9]+', 'N', path)}"
        return self._buckets.setdefault((name, path), Bucket(name, *OTHERS))


def _headers(bucket: Bucket, resets_in: float) -> dict[str, str]:
    """discord.py queues the requests of a route for which it is shown no limits."""
    return {
        "X-RateLimit-Limit": str(bucket.size),
        "X-RateLimit-Remaining": str(bucket.left),
        "X-RateLimit-Reset": f"{time.time() + resets_in:.3f}",
        "X-RateLimit-Reset-After": f"{resets_in:.3f}",
        "X-RateLimit-Bucket": hashlib.md5(bucket.name.encode(), usedforsecurity=False).hexdigest(),
    }
