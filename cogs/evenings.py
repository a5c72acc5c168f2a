"""/evenings: the reader's numbers over the closed tables of the server. Only they see them."""

from __future__ import annotations

import asyncio

from discord import Interaction, app_commands
from discord.ext import commands

from bot.show.evenings import evenings_card
from cogs.request import Request


class EveningsCommand(commands.Cog):
    """The /evenings command."""

    @app_commands.command(
        name="evenings", description="Your numbers over this server's closed tables, only for you"
    )
    @app_commands.guild_only()
    async def evenings(self, interaction: Interaction) -> None:
        request = Request(interaction)
        found = await request.service.evenings(request.requester)
        await request.reply(await asyncio.to_thread(evenings_card, found))
