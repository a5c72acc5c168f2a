"""A cache of the ledger for answers that can't wait for it: forms and completions.

Cached values may be outdated. That does no harm, because what the user then submits is checked against the ledger.
Since another process may have changed them, they are refreshed now and then, with a short timeout.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from bot.ledger import LedgerError

K = TypeVar("K")
V = TypeVar("V")

FRESH_FOR = 5.0
"""How long a cached value is used without asking the ledger, in seconds."""

ASK_FOR = 0.5
"""How long to wait for the ledger before using an older cached value, in seconds. Discord waits three for the answer.
"""

SIZE = 4096
"""The most values in one `Memory`."""


def now() -> float:
    """Return the time of the event loop, in seconds."""
    return asyncio.get_running_loop().time()


async def or_else(ask: Callable[[], Awaitable[V]], remembered: V) -> V:
    """Return the result of ``ask``, or ``remembered`` if it takes longer than `ASK_FOR` or fails."""
    try:
        async with asyncio.timeout(ASK_FOR):
            return await ask()
    except (TimeoutError, LedgerError):
        return remembered


@dataclass(slots=True)
class _Remembered(Generic[V]):
    value: V
    asked: float


class Memory(Generic[K, V]):
    """The values of the most recently read keys.

    A value is refreshed after ``fresh_for`` seconds, by default `FRESH_FOR`.
    """

    def __init__(self, read: Callable[[K], Awaitable[V]], *, fresh_for: float | None = None) -> None:
        self._read = read
        self._fresh_for = fresh_for
        self._kept: OrderedDict[K, _Remembered[V]] = OrderedDict()
        self._forgotten = 0

    async def get(self, key: K, *, from_memory: bool) -> V:
        """Return the current value of a key or, with ``from_memory``, the cached one.

        A value that is not cached is read. Safe to cancel.
        """
        found = self._kept.get(key) if from_memory else None
        if found is None:
            return await self._ask(key)
        if now() - found.asked < (FRESH_FOR if self._fresh_for is None else self._fresh_for):
            return found.value
        found.asked = now()  # even if it fails: a database that does not answer must not be asked each time
        return await or_else(lambda: self._ask(key), found.value)

    def known(self, key: K) -> V | None:
        """Return the cached value of a key, or None."""
        found = self._kept.get(key)
        return found.value if found is not None else None

    def forget(self, key: K) -> None:
        self._forgotten += 1
        self._kept.pop(key, None)

    async def _ask(self, key: K) -> V:
        forgotten = self._forgotten
        value = await self._read(key)
        if forgotten == self._forgotten:  # otherwise it may have been read before the change
            self._kept[key] = _Remembered(value, now())
            self._kept.move_to_end(key)
            if len(self._kept) > SIZE:
                self._kept.popitem(last=False)
        return value
