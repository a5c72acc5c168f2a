"""The buttons under hints of what an effect lets somebody take, and those that answer it."""

from __future__ import annotations

import discord

from bot.api.discord import CommandContext, Router
from bot.games.ti4.actions import PillageAction, PillageAnswer, TakeAction
from bot.games.ti4.commands import AnswerPillage, Pillage, TakeGain


class Effects:
    """Handles Mentak's **Pillage**, its answer, and **Take 1 trade good**."""

    def __init__(self, context: CommandContext, router: Router) -> None:
        self._context = context
        router.on(PillageAction, self.pillage)
        router.on(PillageAnswer, self.answered)
        router.on(TakeAction, self.take)

    async def pillage(self, interaction: discord.Interaction, press: PillageAction) -> None:
        """Pillage: the other is asked for it."""
        command = Pillage(press.of, press.take, press.since)
        await self._context.execute_publicly(interaction, command, table_id=press.table)

    async def answered(self, interaction: discord.Interaction, press: PillageAnswer) -> None:
        """Hand over what is pillaged, or don't."""
        command = AnswerPillage(press.since, press.agreed)
        await self._context.execute_publicly(interaction, command, table_id=press.table)

    async def take(self, interaction: discord.Interaction, press: TakeAction) -> None:
        """Gain what Dark Pact brings."""
        await self._context.execute_publicly(interaction, TakeGain(press.since), table_id=press.table)
