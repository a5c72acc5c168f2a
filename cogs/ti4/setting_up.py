"""The buttons of the game's steps in the set-up: neighbours by the order of seats, and whose turn is first."""

from __future__ import annotations

import discord

from bot.api.discord import CommandContext, Router
from bot.games.ti4.actions import BeginTurn, SeatNeighborsAction
from bot.games.ti4.commands import SeatNeighbors, StartTurn


class SetUpButtons:
    """Handles those buttons."""

    def __init__(self, context: CommandContext, router: Router) -> None:
        self._context = context
        router.on(SeatNeighborsAction, self.seated)
        router.on(BeginTurn, self.begin)

    async def seated(self, interaction: discord.Interaction, press: SeatNeighborsAction) -> None:
        """Handle **Neighbours as you sit**."""
        await self._context.execute_publicly(interaction, SeatNeighbors(), table_id=press.table)

    async def begin(self, interaction: discord.Interaction, press: BeginTurn) -> None:
        """Handle the button of the seat that takes the first turn."""
        await self._context.execute_publicly(interaction, StartTurn(press.seat), table_id=press.table)
