"""/pings: lets a person choose what notifies them."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.ext import commands

from bot.show.actions import MutePing
from bot.show.pings import pings_card
from cogs.answers import answer_to
from cogs.context import CommandContext, reply, requester
from cogs.router import Router


class Pings(commands.Cog):
    """The /pings command and the buttons of its card."""

    def __init__(self, context: CommandContext, router: Router) -> None:
        self._context = context
        router.on(MutePing, self.muted)

    @app_commands.command(name="pings", description="What you want to be notified of, at all your tables")
    async def pings(self, interaction: discord.Interaction) -> None:
        """Show what notifies the person, with a button for each kind of call."""
        await reply(interaction, pings_card(await self._context.service.muted(requester(interaction))))

    async def muted(self, interaction: discord.Interaction, press: MutePing) -> None:
        """Handle a button: mute or unmute one kind of call for the presser."""
        service, who = self._context.service, requester(interaction)
        before = await service.muted(who)
        now = before | {press.kind} if press.muted else before - {press.kind}
        if now != before:
            await service.mute(who, now)
        answer, card = answer_to(interaction), pings_card(now)
        await (answer.put_aside(card) if interaction.guild_id is None else answer.update(card))
