"""/commodities: how they come outside of trade."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.ext import commands

from bot.rules.games.ti4.actions import RequestAnswer
from bot.rules.games.ti4.commands import AnswerRequest, Convert, GainCommodities, Replenish
from bot.service import Outcome
from bot.show.narration import headlines_text
from cogs.context import CommandContext
from cogs.inputs import seat_of
from cogs.router import Router

Amount = app_commands.Range[int, 1, 99]


@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
class Commodities(
    commands.GroupCog, group_name="commodities", group_description="Commodities: replenish, convert, gain"
):
    """The /commodities commands."""

    def __init__(self, context: CommandContext, router: Router) -> None:
        self._context = context
        router.on(RequestAnswer, self.answered)

    @app_commands.command(name="replenish", description="You take commodities up to your commodity value")
    @app_commands.describe(player="For the active player and hosts: who replenishes")
    async def replenish(self, interaction: discord.Interaction, player: discord.User | None = None) -> None:
        """Replenish commodities."""
        view = await self._context.view(interaction)
        command = Replenish(seat_of(view, player) if player else None)
        await self._context.execute_publicly(interaction, command, table_id=view.id)

    async def answered(self, interaction: discord.Interaction, press: RequestAnswer) -> None:
        """Handle the answer of a player who is asked to replenish, or for a note."""
        command = AnswerRequest(press.other, press.note, press.agreed)
        await self._context.execute_privately(interaction, command, _answer_text, table_id=press.table)

    @app_commands.command(name="convert", description="An effect lets you turn own commodities into trade goods")
    @app_commands.describe(amount="How many")
    async def convert(self, interaction: discord.Interaction, amount: Amount) -> None:
        """Convert own commodities."""
        await self._context.execute_publicly(interaction, Convert(amount))

    @app_commands.command(name="gain", description="You gained commodities, other than by replenishing")
    @app_commands.describe(amount="How many")
    async def gain(self, interaction: discord.Interaction, amount: Amount) -> None:
        """Gain commodities."""
        await self._context.execute_publicly(interaction, GainCommodities(amount))


def _answer_text(outcome: Outcome) -> str:
    return headlines_text(outcome.entries)
