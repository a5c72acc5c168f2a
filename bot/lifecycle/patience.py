"""Patience with Discord at the start: what passes by itself is tried again, and the operator is told now and then.

A service manager would only start the program again, and each start asks more of Discord than waiting does.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable
from typing import TypeVar

import aiohttp
import discord

from bot.lifecycle.failures import describe, is_passing

log = logging.getLogger(__name__)

T = TypeVar("T")

FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0
"""Seconds between two attempts; each pause is twice as long as the one before."""

SAID_EVERY = 600.0
"""Seconds after which the operator is told the same again."""


class Patience:
    """Tries again and again what fails for reasons that pass."""

    def __init__(self) -> None:
        self._said = ""
        self._said_at = 0.0

    async def attempt(self, work: Callable[[], Awaitable[T]]) -> T:
        """Return the result of some work, which is started again whenever it fails for a reason that passes.

        Raises any other error.
        """
        pause = FIRST_PAUSE
        while True:
            try:
                result = await work()
            except (discord.DiscordException, aiohttp.ClientError, OSError) as error:
                if not is_passing(error):
                    raise
                self._complain(describe(error))
                wanted = error.retry_after if isinstance(error, discord.RateLimited) else 0.0
            else:
                self._praise()
                return result
            await asyncio.sleep(max(wanted, pause * random.uniform(0.75, 1.0)))
            pause = min(2 * pause, LONGEST_PAUSE)

    def _complain(self, reason: str) -> None:
        """Tell the operator a reason, unless they were told it not long ago."""
        now = asyncio.get_running_loop().time()
        if reason != self._said or now - self._said_at > SAID_EVERY:
            self._said, self._said_at = reason, now
            log.error("%s I keep trying.", reason)

    def _praise(self) -> None:
        if self._said:
            self._said = ""
            log.warning("Discord answers again.")
