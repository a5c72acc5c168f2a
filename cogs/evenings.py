"""/evenings: the reader's numbers over the closed tables of the server. Only they see them."""

from __future__ import annotations

import asyncio

from discord import app_commands
from discord.ext import commands

from bot.show.evenings import evenings_card
from cogs.request import Request
from cogs.slash import slash


class EveningsCommand(commands.Cog):
    """The /evenings command."""

    @app_commands.guild_only()
    @slash("evenings", "Your numbers over this server's closed tables, only for you")
    async def evenings(self, request: Request) -> None:
        found = await request.service.evenings(request.requester)
        await request.reply(await asyncio.to_thread(evenings_card, found))
