"""Retries while Discord has temporary trouble, and tells the operator now and then.

Without it, a service manager would restart the program, and each start costs Discord more requests than waiting.
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
"""The first and the longest pause between two attempts, in seconds. Each pause doubles."""

SAID_EVERY = 600.0
"""Seconds before the operator is told the same again."""


class Patience:
    """Retries work that fails with temporary errors."""

    def __init__(self) -> None:
        self._said = ""
        self._said_at = 0.0

    async def attempt(self, work: Callable[[], Awaitable[T]]) -> T:
        """Return the result of ``work``, restarting it after each temporary error. Raises any other error."""
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
        """Log the reason, unless it was logged recently."""
        now = asyncio.get_running_loop().time()
        if reason != self._said or now - self._said_at > SAID_EVERY:
            self._said, self._said_at = reason, now
            log.error("%s I keep trying.", reason)

    def _praise(self) -> None:
        if self._said:
            self._said = ""
            log.warning("Discord answers again.")
