"""/calamities: what everybody shows after trading."""

from __future__ import annotations

import secrets

import discord
from discord import app_commands
from discord.ext import commands

from bot.rules.games.advciv.commands import ShowCalamities
from bot.rules.games.advciv.entries import CalamitiesShown
from bot.rules.games.advciv.narration import describe_calamities, shown_this_turn
from bot.show import names
from cogs.advciv.cards import CHANCE_BYTES
from cogs.context import CommandContext, reply, requester


@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
class Calamities(commands.GroupCog, group_name="calamities", group_description="Calamities, after trading"):
    """/calamities."""

    def __init__(self, context: CommandContext) -> None:
        self._context = context

    @app_commands.command(name="show", description="After trading: who has which calamity, and who traded it to them")
    async def show(self, interaction: discord.Interaction) -> None:
        """Have everybody show their calamities; later, tell it again."""
        await self.show_at(interaction, await self._context.table_id(interaction))

    async def show_at(self, interaction: discord.Interaction, table_id: int) -> None:
        """Show them at this table, or tell the person who asks what was shown this turn."""
        view = await self._context.view(interaction, table_id)
        shown = shown_this_turn(await self._context.service.entries(table_id, requester(interaction)))
        if shown is not None and isinstance(shown.entry, CalamitiesShown):
            lines = describe_calamities(shown.entry.effects, shown.entry.spared)
            await reply(interaction, names.format_text(view, "\n".join(lines)))
            return
        command = ShowCalamities(secrets.token_hex(CHANCE_BYTES))
        await self._context.execute_publicly(interaction, command, table_id=table_id)
