"""/rules: what a rule says, and where this table stands towards it."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.app_commands import Choice
from discord.ext import commands

from bot.show.rulebook import rule_card, titles
from cogs.complete import choices
from cogs.door import Door, answer


@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
class Rulebook(commands.GroupCog, group_name="rules", group_description="The rules by their numbers"):
    """/rules show."""

    def __init__(self, door: Door) -> None:
        self._door = door

    @app_commands.command(name="show", description="A rule in our own words, and where this table stands")
    @app_commands.describe(number="Its number as a refusal cites it, or what it is about")
    async def show(self, interaction: discord.Interaction, number: app_commands.Range[str, 1, 80]) -> None:
        """Show a rule to who asks."""
        look = await self._door.look(interaction)
        await answer(interaction, rule_card(look, number))

    @show.autocomplete("number")
    async def _numbers(self, interaction: discord.Interaction, typed: str) -> list[Choice[str]]:
        return choices(titles(await self._door.look(interaction)), typed)
