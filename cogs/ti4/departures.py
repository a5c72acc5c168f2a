"""The buttons under the previews of /table eliminate and /table change."""

from __future__ import annotations

import discord

from bot.api.discord import CommandContext, Router
from bot.games.ti4.actions import ChangeAction, EliminateAction
from bot.games.ti4.commands import ChangeFaction, Eliminate


class SeatButtons:
    """Handles the button that does what a preview has shown."""

    def __init__(self, context: CommandContext, router: Router) -> None:
        self._context = context
        router.on(EliminateAction, self.eliminate)
        router.on(ChangeAction, self.change)

    async def eliminate(self, interaction: discord.Interaction, press: EliminateAction) -> None:
        """Handle **Eliminate**: the seat is out of the game."""
        await self._context.execute_publicly(interaction, Eliminate(press.seat, press.stamp), table_id=press.table)

    async def change(self, interaction: discord.Interaction, press: ChangeAction) -> None:
        """Handle **Become**: the faction is another now."""
        await self._context.execute_publicly(interaction, ChangeFaction(press.seat, press.stamp), table_id=press.table)
