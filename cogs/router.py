"""The router: every press of a button finds its way by its custom_id, also after a restart. Nothing is kept in memory.

A route is a pattern and a function; the pattern's named groups are the function's arguments. Errors take the same
path as those of slash commands.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from typing import Any

import discord
from discord.ext import commands

from cogs.door import answer
from cogs.errors import explain

Handler = Callable[..., Awaitable[None]]


class Router(commands.Cog):
    """Takes what is pressed, chosen or submitted to the function that knows it."""

    def __init__(self) -> None:
        self._routes: list[tuple[re.Pattern[str], Handler]] = []

    def route(self, pattern: str, handler: Handler) -> None:
        """Send what matches this pattern to this handler, with the pattern's groups as arguments."""
        self._routes.append((re.compile(pattern), handler))

    @commands.Cog.listener()
    async def on_interaction(self, interaction: discord.Interaction) -> None:
        """A component was used or a modal sent."""
        if interaction.type not in (discord.InteractionType.component, discord.InteractionType.modal_submit):
            return
        data: Any = interaction.data
        try:
            for pattern, handler in self._routes:
                if found := pattern.fullmatch(data["custom_id"]):
                    await handler(interaction, **found.groupdict())
                    return
            await answer(interaction, "This button is from an older version of me. /offer list shows what stands.")
        except Exception as error:  # noqa: BLE001  the one place for all of them: see cogs.errors
            await explain(interaction, error)
