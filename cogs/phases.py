"""/phase: sets the phase of the game."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.app_commands import Choice
from discord.ext import commands

from bot.rules.features.tables import SetPhase
from bot.rules.registry import game_named
from cogs.completion import choices
from cogs.request import Request


@app_commands.guild_only()
class Phases(commands.GroupCog, group_name="phase", group_description="The phase of the game"):
    """The /phase command."""

    @app_commands.command(name="set", description="Host: begin a phase of the game")
    @app_commands.describe(phase="Which phase begins")
    async def set(self, interaction: discord.Interaction, phase: str) -> None:
        await Request(interaction).execute_publicly(SetPhase(phase.strip().casefold()))

    @set.autocomplete("phase")
    async def _phases(self, interaction: discord.Interaction, typed: str) -> list[Choice[str]]:
        view = await Request(interaction).view()
        return choices(((phase, phase) for phase in game_named(view.game).info.phases), typed)
