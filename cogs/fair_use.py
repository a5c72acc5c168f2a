"""Fair use: how much one person may ask of the bot at once, so that nobody's hurry becomes everybody's wait.

Each person has a bucket of tokens that fills by one a second. What they do takes tokens out of it: one for a press, a
command or a form, more for what takes long to put together. Who finds too few is told how long to wait, and nothing is
done. Suggestions while typing have a bucket of their own; over it there are none.

A token pays for some milliseconds of the processor (`PAID`). What takes more of it takes more tokens, as soon as it has
taken them; a bucket may come to owe as many as it holds.

A bucket holds enough for whoever plays: twenty presses at once in a trading phase are half of it.
"""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Generator, Mapping
from dataclasses import dataclass
from functools import partial
from types import coroutine
from typing import Any

import discord

from bot.show.actions import TurnDetails, TurnHistory, TurnLedger, TurnPlayer, TurnTrade

BURST = 40
"""Tokens that a full bucket holds, unless the operator sets another number. One comes back each second."""

SUGGESTIONS, SUGGESTIONS_A_SECOND = 60, 6
"""Completions that a person gets at once, and then in a second: Discord asks for one whenever somebody stops typing."""

PAGE, ACCOUNT, WHOLE = 2, 4, 10
"""The price of a page of the ledger; of one that adds up somebody's accounts; of what reads a whole ledger."""

COSTS: Mapping[str, int] = {
    "history": PAGE, TurnHistory.name: PAGE, TurnDetails.name: PAGE, "audit ledger": PAGE, TurnLedger.name: PAGE,
    "audit player": ACCOUNT, TurnPlayer.name: ACCOUNT, "audit trade": ACCOUNT, TurnTrade.name: ACCOUNT,
    "audit export": WHOLE, "audit verify": WHOLE,
}  # fmt: skip
"""What costs more than one token: commands, and the actions of buttons."""

PAID, PAID_SUGGESTIONS = 0.05, 0.01
"""Seconds of the processor that a token pays for: of commands, presses and forms, and of completions."""

PEOPLE = 10_000
"""The most people whose buckets are kept; those who did something last."""


@dataclass(slots=True)
class _Bucket:
    tokens: float
    at: float


class Buckets:
    """A bucket of tokens for each person. ``clock`` is in seconds."""

    def __init__(self, size: float, a_second: float, clock: Callable[[], float]) -> None:
        self._size = size
        self._a_second = a_second
        self._clock = clock
        self._kept: OrderedDict[int, _Bucket] = OrderedDict()

    def take(self, person: int, tokens: float) -> float:
        """Take so many tokens of a person's bucket, or none if there are too few; return the seconds to wait then.

        What costs more than a bucket holds takes a full one.
        """
        now, wanted = self._clock(), min(tokens, self._size)
        bucket = self._kept.setdefault(person, _Bucket(self._size, now))
        self._kept.move_to_end(person)
        bucket.tokens = min(self._size, bucket.tokens + (now - bucket.at) * self._a_second)
        bucket.at = now
        if bucket.tokens < wanted:
            return (wanted - bucket.tokens) / self._a_second
        bucket.tokens -= wanted
        if len(self._kept) > PEOPLE:
            self._kept.popitem(last=False)
        return 0.0

    def charge(self, person: int, tokens: float) -> None:
        """Take tokens for what was done already. A bucket may come to owe as many as it holds."""
        if (bucket := self._kept.get(person)) is not None:
            bucket.tokens = max(-self._size, bucket.tokens - tokens)


class FairUse:
    """What each person may do at the moment. ``burst`` None: there is no limit, as where time stands still.

    ``used`` is how many seconds of the processor this thread has used.
    """

    def __init__(
        self,
        burst: int | None = BURST,
        clock: Callable[[], float] = time.monotonic,
        used: Callable[[], float] = time.thread_time,
    ) -> None:
        self._limited = burst is not None
        self._used = used
        self._acts = Buckets(burst or BURST, 1, clock)
        self._suggestions = Buckets(SUGGESTIONS, SUGGESTIONS_A_SECOND, clock)

    def wait(self, interaction: discord.Interaction[Any]) -> int:
        """Return after how many seconds a person may do this, 0 for now; then it is counted."""
        if not self._limited:
            return 0
        person = interaction.user.id
        if interaction.type is discord.InteractionType.autocomplete:
            return math.ceil(self._suggestions.take(person, 1))
        return math.ceil(self._acts.take(person, cost(interaction.data)))

    @coroutine
    def metered(
        self, interaction: discord.Interaction[Any], work: Coroutine[Any, Any, None]
    ) -> Generator[Any, Any, None]:
        """Await work, and charge the person for the processor that its steps use, beyond what was paid for before.

        A step lasts until the work waits for something. What it has others do, as the ledger's thread, is not counted.
        """
        typing = interaction.type is discord.InteractionType.autocomplete
        buckets, paid = (self._suggestions, PAID_SUGGESTIONS) if typing else (self._acts, PAID)
        price, seconds = 1 if typing else cost(interaction.data), 0.0
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
                    buckets.charge(interaction.user.id, due - price)
                    price = due
            try:
                step = partial(work.send, (yield waits_for))
            except BaseException as error:  # noqa: BLE001  a cancellation is the work's to handle, like any other error
                step = partial(work.throw, error)


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
    """Return what a person is told who has to wait."""
    return f"That was a lot at once. Try again in {seconds} second{'' if seconds == 1 else 's'}."
