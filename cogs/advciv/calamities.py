"""/calamities: which calamities everybody has after trading."""

from __future__ import annotations

from typing import Literal

import discord
from discord import app_commands
from discord.ext import commands

from bot.api import PhaseSet, kinds_of
from bot.api.discord import CommandContext, names, reply, requester
from bot.games.advciv.commands import ShowCalamities
from bot.games.advciv.entries import CalamitiesShown
from bot.games.advciv.narration import describe_calamities, shown_this_turn
from cogs.advciv.chance import new_chance


@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
class Calamities(commands.GroupCog, group_name="calamities", group_description="Calamities, after trading"):
    """The /calamities command."""

    def __init__(self, context: CommandContext) -> None:
        self._context = context

    @app_commands.command(name="show", description="After trading: who has which calamity, and who traded it to them")
    @app_commands.describe(anyway="Also while somebody still has cards to draw. Then they can't any more")
    async def show(self, interaction: discord.Interaction, anyway: Literal["yes", "no"] = "no") -> None:
        """Reveal everybody's calamities, or repeat what was revealed this turn."""
        await self.show_at(interaction, await self._context.table_id(interaction), anyway=anyway == "yes")

    async def show_at(self, interaction: discord.Interaction, table_id: int, *, anyway: bool = False) -> None:
        """Do the same at a table."""
        view = await self._context.view(interaction, table_id)
        kinds = kinds_of(CalamitiesShown, PhaseSet)
        shown = shown_this_turn(await self._context.service.entries(table_id, requester(interaction), kinds=kinds))
        if shown is not None and isinstance(shown.entry, CalamitiesShown):
            lines = describe_calamities(shown.entry.effects, shown.entry.spared)
            await reply(interaction, names.format_text(view, "\n".join(lines)))
            return
        command = ShowCalamities(new_chance(), anyway)
        await self._context.execute_publicly(interaction, command, table_id=table_id)
