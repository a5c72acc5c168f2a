"""Tracks running interactions. Before the program stops, they are answered, and new ones are turned away.

Discord delivers an interaction to one session only and allows three seconds for the answer. The next process can't
answer an interaction that reached this one, so the person is told to try again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any

import aiohttp
import discord

log = logging.getLogger(__name__)

RESTARTING = "I am restarting just now. Please do that once more in a moment."

Interaction = discord.Interaction[Any]


class Interactions:
    """The interactions being handled, each in its own task."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()
        self._closed = False

    @property
    def under_way(self) -> int:
        """The number of interactions being handled."""
        return len(self._tasks)

    async def handle(self, interaction: Interaction, handler: Callable[[], Awaitable[None]]) -> None:
        """Handle an interaction in the current task, or turn it away after `close`."""
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            await (turn_away(interaction) if self._closed else handler())
        finally:
            self._tasks.discard(task)

    def close(self) -> None:
        """Turn away new interactions from now on."""
        self._closed = True

    async def finish(self, seconds: float) -> None:
        """Wait for the running interactions, at most ``seconds``."""
        if self._tasks:
            await asyncio.wait(tuple(self._tasks), timeout=seconds)

    async def cancel(self) -> None:
        """Cancel the running interactions, and wait until they have ended."""
        left = self._tasks - {asyncio.current_task()}
        if left:
            log.info("%d interactions were still under way", len(left))
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
