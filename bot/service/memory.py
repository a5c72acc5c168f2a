"""What the service remembers of the ledger, for answers that can't wait for it: forms and completions.

What is remembered may be outdated, which does no harm there: whatever is then submitted is checked against the ledger.
Since another process may have changed it, the ledger is asked now and then, but never waited for long.
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
"""How long something remembered is used without asking the ledger, in seconds."""

ASK_FOR = 0.5
"""How long the ledger is waited for when something is remembered, in seconds. Discord waits three for the answer."""

SIZE = 4096
"""The most values of one kind that are remembered."""


def now() -> float:
    """Return the time of the event loop, in seconds."""
    return asyncio.get_running_loop().time()


async def or_else(ask: Callable[[], Awaitable[V]], remembered: V) -> V:
    """Return what the ledger says if it says so soon, or else what is remembered."""
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
    """The values of the keys asked for last, each as the ledger gave it.

    They are asked for again after ``fresh_for`` seconds, by default after `FRESH_FOR`.
    """

    def __init__(self, read: Callable[[K], Awaitable[V]], *, fresh_for: float | None = None) -> None:
        self._read = read
        self._fresh_for = fresh_for
        self._kept: OrderedDict[K, _Remembered[V]] = OrderedDict()
        self._forgotten = 0

    async def get(self, key: K, *, from_memory: bool) -> V:
        """Return the value of a key as it is now or, ``from_memory``, as it is remembered.

        What is not remembered is read. Safe to cancel.
        """
        found = self._kept.get(key) if from_memory else None
        if found is None:
            return await self._ask(key)
        if now() - found.asked < (FRESH_FOR if self._fresh_for is None else self._fresh_for):
            return found.value
        found.asked = now()  # whatever comes of it: a database that does not answer is not asked each time
        return await or_else(lambda: self._ask(key), found.value)

    def known(self, key: K) -> V | None:
        """Return the value of a key as it is remembered; None where it is not."""
        found = self._kept.get(key)
        return found.value if found is not None else None

    def forget(self, key: K) -> None:
        """Drop the value of a key, since it has changed."""
        self._forgotten += 1
        self._kept.pop(key, None)

    async def _ask(self, key: K) -> V:
        forgotten = self._forgotten
        value = await self._read(key)
        if forgotten == self._forgotten:  # or else it may have been read before the change
            self._kept[key] = _Remembered(value, now())
            self._kept.move_to_end(key)
            if len(self._kept) > SIZE:
                self._kept.popitem(last=False)
        return value
