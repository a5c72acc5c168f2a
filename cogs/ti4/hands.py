"""The button under the reminder to discard action cards."""

from __future__ import annotations

import discord

from bot.api.discord import CommandContext, Router
from bot.games.ti4.actions import DiscardAction
from bot.games.ti4.commands import DiscardCards


class Hands:
    """Handles **I have discarded**."""

    def __init__(self, context: CommandContext, router: Router) -> None:
        self._context = context
        router.on(DiscardAction, self.discarded)

    async def discarded(self, interaction: discord.Interaction, press: DiscardAction) -> None:
        """Record that the presser has discarded what was too many."""
        await self._context.execute_publicly(interaction, DiscardCards(), table_id=press.table)
