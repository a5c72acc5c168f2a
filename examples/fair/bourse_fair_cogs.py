"""The slash commands of the fair."""

from __future__ import annotations

import discord
from bourse_fair import BeginDay, NameStall
from discord import app_commands
from discord.ext import commands

from bot.api.discord import Request, Router


class Days(commands.GroupCog, group_name="day", group_description="The days of the fair"):
    """The /day commands."""

    @app_commands.command(name="next", description="Begin the next day, or the first")
    async def next(self, interaction: discord.Interaction) -> None:
        await Request(interaction).respond(BeginDay())


class Stalls(commands.GroupCog, group_name="stall", group_description="Your stall"):
    """The /stall commands."""

    @app_commands.command(name="name", description="Write a name on your stall")
    @app_commands.describe(name="What it is called, for example: The Golden Thread")
    async def name(
        self, interaction: discord.Interaction, name: app_commands.Range[str, 1, 60]
    ) -> None:
        await Request(interaction).respond(NameStall(name))


def cogs(router: Router) -> list[commands.Cog]:
    """Return the game's cogs; the entry point in pyproject.toml names this function."""
    return [Days(), Stalls()]
