"""Interactions as they arrive: how old each is, those that discord.py can't parse, and those being
handled.

Before the program stops, running interactions are answered and new ones are turned away. Discord
delivers an interaction to one session only and allows three seconds for the answer. The next
process can't answer an interaction that reached this one, so the person is told to try again.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from email.utils import parsedate_to_datetime
from functools import lru_cache
from typing import Any

import aiohttp
import discord

from bot.discord_hooks import interaction_from, wrap_parser
from bot.tasks import Tasks

log = logging.getLogger(__name__)

RESTARTING = "I am restarting. Please try again in a moment."

Interaction = discord.Interaction[Any]


class Interactions:
    """The interactions being handled, each in its own task. Those that come after `close` are to be
    turned away.
    """

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()
        self.closed = False

    @property
    def under_way(self) -> int:
        """The number of interactions being handled."""
        return len(self._tasks)

    @contextmanager
    def running(self) -> Iterator[None]:
        """Count the current task as one that handles an interaction, for as long as the block
        lasts.
        """
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            yield
        finally:
            self._tasks.discard(task)

    def close(self) -> None:
        """Turn away new interactions from now on."""
        self.closed = True

    async def finish(self, seconds: float) -> None:
        """Wait for the running interactions, at most ``seconds``."""
        if self._tasks:
            await asyncio.wait(tuple(self._tasks), timeout=seconds)

    async def cancel(self) -> None:
        """Cancel the running interactions, and wait until they have ended."""
        left = self._tasks - {asyncio.current_task()}
        if left:
            log.info("%d interactions were still in progress", len(left))
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)


async def turn_away(interaction: Interaction, reason: str = RESTARTING) -> None:
    """Tell the person privately to try again. Answer a completion with an empty list."""
    try:
        if interaction.type is discord.InteractionType.autocomplete:
            await interaction.response.autocomplete([])
        else:
            await interaction.response.send_message(reason, ephemeral=True)
    except (discord.DiscordException, aiohttp.ClientError, OSError) as error:
        log.debug("an interaction could not be turned away: %s", error)


# ---------------------------------------------------------------- their age


_time_of = lru_cache(maxsize=8)(parsedate_to_datetime)
"""Parses a date. Many responses carry the same, since it is in whole seconds."""


def steady() -> float:
    """Return the seconds since the machine started, including sleep if the system supports that."""
    return (
        time.clock_gettime(time.CLOCK_BOOTTIME)
        if hasattr(time, "CLOCK_BOOTTIME")
        else time.monotonic()
    )


class DiscordTime:
    """Estimates Discord's time as an offset from the steady clock: an upper bound that is usually
    close.

    Responses tell it in whole seconds, so the first ones leave up to a second open. What seems
    older than it is gets deferred a moment early; what seems younger would be answered too late.
    """

    def __init__(self, clock: Callable[[], float] = steady) -> None:
        self._clock = clock
        self._ahead: float | None = None

    def age(self, made: datetime) -> float:
        """Return how many seconds ago Discord created something at most; 0 until a response has
        given Discord's time.
        """
        if self._ahead is None:
            return 0.0
        now = self._clock()
        self._ahead = max(self._ahead, made.timestamp() - now)
        return now + self._ahead - made.timestamp()

    def responded(self, sent: float, date: datetime) -> None:
        """Record Discord's time ``date``, in whole seconds, from a request sent at ``sent`` on the
        steady clock.
        """
        least, most = date.timestamp() - self._clock(), date.timestamp() + 1 - sent
        self._ahead = most if self._ahead is None else max(min(self._ahead, most), least)

    def trace(self) -> aiohttp.TraceConfig:
        """Return a trace configuration that makes aiohttp report each response."""

        async def begun(_session: Any, context: Any, _request: Any) -> None:
            context.sent = self._clock()

        async def ended(
            _session: Any, context: Any, request: aiohttp.TraceRequestEndParams
        ) -> None:
            try:
                date = _time_of(request.response.headers.get("Date", ""))
            except ValueError:
                return  # not Discord's server, and it sends no date
            self.responded(context.sent, date)

        config = aiohttp.TraceConfig()
        config.on_request_start.append(begun)
        config.on_request_end.append(ended)
        return config


# ---------------------------------------------------------------- those that can't be parsed

EVENT = "INTERACTION_CREATE"

NEEDED = ("id", "application_id", "type", "token", "version")
"""The fields of an interaction that are required to answer it."""

NOT_UNDERSTOOD = "I could not read what Discord sent me. Please try again."

PARSING_ERRORS = (LookupError, ValueError, TypeError, AttributeError)
"""Errors that discord.py raises for missing fields, or for fields of an undocumented type."""


def guard_arrivals(client: discord.Client) -> None:
    """Log and answer the interactions that discord.py can't parse."""
    tasks = Tasks()

    def guarded(parse: Callable[[Any], None]) -> Callable[[Any], None]:
        def read(data: Any) -> None:
            try:
                parse(data)
            except PARSING_ERRORS as error:
                log.warning("an interaction could not be read: %.200r", error)
                if isinstance(data, dict) and all(name in data for name in NEEDED):
                    tasks.start("answering what could not be read", _answer(client, data))

        return read

    wrap_parser(client, EVENT, guarded)


async def _answer(client: discord.Client, data: dict[str, Any]) -> None:
    """Answer an interaction from its `NEEDED` fields alone."""
    try:
        interaction = interaction_from(
            client, {**{name: data[name] for name in NEEDED}, "attachment_size_limit": 0}
        )
    except PARSING_ERRORS as error:
        log.warning("an unreadable interaction could not be answered: %.200r", error)
    else:
        await turn_away(interaction, NOT_UNDERSTOOD)
