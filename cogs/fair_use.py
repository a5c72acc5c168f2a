"""Fair use: limits how much one person may ask of the bot. Nobody can slow it down for the others.

Each person has a bucket of tokens, which fills by one a second. A press, a command, a form or a
message to the bot costs one token, or more if its reply takes long to compute. Over budget, it is
rejected with the time to wait. Completions have a bucket of their own; over budget, there are none.

A token pays for some milliseconds of the processor (`PAID`). Work that uses more costs more tokens
once it has used them. A bucket can go into debt by as much as it holds.

A bucket holds enough for anybody who plays: twenty presses at once in a trading phase use half of
it.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Generator, Mapping
from dataclasses import dataclass
from functools import partial
from types import coroutine
from typing import Any

import discord
from discord import Interaction

from bot.show.actions import TurnAccount, TurnHistory, TurnLedger

BURST = 40
"""Tokens in a full bucket, unless the operator sets another number. One is added each second."""

SUGGESTIONS, SUGGESTIONS_A_SECOND = 60, 6
"""Completions in a full bucket, and the number added each second. Discord asks for one whenever
typing pauses.
"""

PAGE, ACCOUNT, WHOLE = 2, 4, 10
"""Tokens for a page of the ledger, a page of somebody's accounts, and reading a whole ledger."""

COSTS: Mapping[str, int] = {
    "history": PAGE,
    TurnHistory.name: PAGE,
    "audit ledger": PAGE,
    TurnLedger.name: PAGE,
    "audit player": ACCOUNT,
    "audit trade": ACCOUNT,
    TurnAccount.name: ACCOUNT,
    "audit export": WHOLE,
    "audit verify": WHOLE,
}
"""The commands, and actions of buttons, that cost more than one token."""

PAID, PAID_SUGGESTIONS = 0.05, 0.01
"""Seconds of the processor that a token pays for: for commands, presses and forms, and for
completions.
"""

Asked = Interaction[Any] | discord.Message
"""What is counted: an interaction, or words that somebody wrote to the bot."""

READ_AT_ONCE = 2
"""How many of the things that cost more than one token are made at a time, for all people: else
others' commands would wait for each one's step of each of many pages.
"""

BUCKETS_MAX = 10_000
"""The most buckets kept: those of the people who acted last."""


@dataclass(slots=True)
class _Bucket:
    tokens: float
    at: float


class TokenBuckets:
    """A bucket of tokens for each person. ``clock`` is in seconds."""

    def __init__(self, size: float, a_second: float, clock: Callable[[], float]) -> None:
        self._size = size
        self._a_second = a_second
        self._clock = clock
        self._kept: OrderedDict[int, _Bucket] = OrderedDict()

    def take(self, person: int, tokens: float) -> float:
        """Take tokens from a person's bucket and return 0. If there are too few, take none; return
        the seconds to wait.

        A price above the bucket's size counts as that size.
        """
        now, wanted = self._clock(), min(tokens, self._size)
        bucket = self._kept.setdefault(person, _Bucket(self._size, now))
        self._kept.move_to_end(person)
        bucket.tokens = min(self._size, bucket.tokens + (now - bucket.at) * self._a_second)
        bucket.at = now
        if bucket.tokens < wanted:
            return (wanted - bucket.tokens) / self._a_second
        bucket.tokens -= wanted
        if len(self._kept) > BUCKETS_MAX:
            self._kept.popitem(last=False)
        return 0.0

    def charge(self, person: int, tokens: float) -> None:
        """Take tokens for work already done. The debt is at most the bucket's size."""
        if (bucket := self._kept.get(person)) is not None:
            bucket.tokens = max(-self._size, bucket.tokens - tokens)


class FairUse:
    """The buckets of all people. ``burst`` None: there is no limit, for example where time stands
    still.

    ``used`` returns how many seconds of the processor this thread has used.
    """

    def __init__(
        self,
        burst: int | None = BURST,
        clock: Callable[[], float] = time.monotonic,
        used: Callable[[], float] = time.thread_time,
    ) -> None:
        self._limited = burst is not None
        self._reading = set[int]()  # the people for whom a page is made now
        self._read_at_once = asyncio.Semaphore(READ_AT_ONCE)
        self._used = used
        self._acts = TokenBuckets(burst or BURST, 1, clock)
        self._suggestions = TokenBuckets(SUGGESTIONS, SUGGESTIONS_A_SECOND, clock)

    def wait(self, asked: Asked) -> int:
        """Take the price of what is asked, and return 0; over budget, return the seconds to
        wait.
        """
        if not self._limited:
            return 0
        person, (buckets, _, price) = _person(asked), self._budget(asked)
        if price > 1 and person in self._reading:
            return 1  # what the page before costs is only known once it is made
        return math.ceil(buckets.take(person, price))

    def _budget(self, asked: Asked) -> tuple[TokenBuckets, float, int]:
        """Return the buckets for what is asked, the seconds that one of their tokens pays for, and
        its price.
        """
        if isinstance(asked, discord.Message):
            return self._acts, PAID, 1
        if asked.type is discord.InteractionType.autocomplete:
            return self._suggestions, PAID_SUGGESTIONS, 1
        return self._acts, PAID, cost(asked.data)

    async def metered(self, asked: Asked, work: Coroutine[Any, Any, None]) -> None:
        """Await work and charge the person for it. Of what costs more than one token, a person is
        made one thing at a time, and all people `READ_AT_ONCE`.
        """
        person, (_, _, price) = _person(asked), self._budget(asked)
        if price == 1:
            await self._charged(asked, work)
            return
        self._reading.add(person)
        try:
            async with self._read_at_once:
                await self._charged(asked, work)
        finally:
            work.close()  # which has not begun if its waiting was cancelled
            self._reading.discard(person)

    @coroutine
    def _charged(self, asked: Asked, work: Coroutine[Any, Any, None]) -> Generator[Any, Any, None]:
        """Await work, and charge the person for the processor time that its steps use beyond the
        price already paid.

        A step lasts until the work waits for something. Work of other threads, such as the
        ledger's, is not counted.
        """
        (buckets, paid, price), seconds = self._budget(asked), 0.0
        step: Callable[[], Any] = partial(work.send, None)
        while True:
            begun = self._used()
            try:
                waits_for = step()
            except StopIteration:
                return
            finally:
                seconds += self._used() - begun
                if (due := math.ceil(seconds / paid)) > price:
                    buckets.charge(_person(asked), due - price)
                    price = due
            try:
                step = partial(work.send, (yield waits_for))
            except BaseException as error:  # noqa: BLE001  a cancellation is the work's to handle, like any other error
                step = partial(work.throw, error)


def _person(asked: Asked) -> int:
    """Return the id of the person who asks."""
    return asked.author.id if isinstance(asked, discord.Message) else asked.user.id


def cost(data: Any) -> int:
    """Return how many tokens an interaction costs, from its data."""
    match data:
        case {"custom_id": str(custom_id)}:
            return COSTS.get(custom_id.partition(":")[0], 1)
        case {"name": str(name), "options": [{"type": 1, "name": str(below)}, *_]}:
            return COSTS.get(f"{name} {below}", 1)
        case {"name": str(name)}:
            return COSTS.get(name, 1)
        case _:
            return 1


def too_much(seconds: int) -> str:
    """Return the reply to a person who is over budget."""
    return f"That was a lot at once. Try again in {seconds} second{'' if seconds == 1 else 's'}."
