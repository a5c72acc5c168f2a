"""/agenda: the agenda that is being resolved."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.ext import commands

from bot.rules.games.ti4.commands import ResolveAgenda, RevealAgenda
from cogs.context import CommandContext

Title = app_commands.Range[str, 1, 80]


@app_commands.guild_only()
class Agendas(commands.GroupCog, group_name="agenda", group_description="The agenda that is being resolved"):
    """The /agenda commands."""

    def __init__(self, context: CommandContext) -> None:
        self._context = context

    @app_commands.command(name="reveal", description="An agenda is revealed; each pair may trade once")
    @app_commands.describe(title="What it is called")
    async def reveal(self, interaction: discord.Interaction, title: Title | None = None) -> None:
        """Reveal an agenda."""
        await self._context.execute_publicly(interaction, RevealAgenda(title or ""))

    @app_commands.command(name="replace", description="The agenda is replaced; each pair may trade again")
    @app_commands.describe(title="What the new one is called")
    async def replace(self, interaction: discord.Interaction, title: Title | None = None) -> None:
        """Replace the agenda."""
        await self._context.execute_publicly(interaction, RevealAgenda(title or "", replaces=True))

    @app_commands.command(name="resolve", description="The agenda has been dealt with")
    async def resolve(self, interaction: discord.Interaction) -> None:
        """Resolve the agenda."""
        await self._context.execute_publicly(interaction, ResolveAgenda())
