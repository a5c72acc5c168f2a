"""/calamities: show everybody's calamities after trading."""

from __future__ import annotations

from typing import Literal

import discord
from discord import app_commands
from discord.ext import commands

from bot.api import PhaseSet, kinds_of
from bot.api.discord import CommandContext, Router, names, reply, requester
from bot.games.advciv.calamities import (
    CalamitiesShown,
    SeeCalamities,
    ShowCalamities,
    describe_calamities,
    shown_this_turn,
)


@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
class Calamities(commands.GroupCog, group_name="calamities", group_description="Calamities, after trading"):
    """The /calamities command."""

    def __init__(self, context: CommandContext, router: Router) -> None:
        self._context = context
        router.on(SeeCalamities, self.pressed)

    @app_commands.command(name="show", description="After trading: who has which calamity, and who traded it to them")
    @app_commands.describe(anyway="Also while somebody still has cards to draw. Then they can't any more")
    async def show(self, interaction: discord.Interaction, anyway: Literal["yes", "no"] = "no") -> None:
        """Reveal everybody's calamities, or repeat what was revealed this turn."""
        await self._show(interaction, await self._context.table_id(interaction), ShowCalamities(anyway == "yes"))

    async def pressed(self, interaction: discord.Interaction, press: SeeCalamities) -> None:
        """Handle **Show calamities** of the board like the command."""
        await self._show(interaction, press.table, ShowCalamities())

    async def _show(self, interaction: discord.Interaction, table_id: int, command: ShowCalamities) -> None:
        view = await self._context.view(interaction, table_id)
        kinds = kinds_of(CalamitiesShown, PhaseSet)
        shown = shown_this_turn(await self._context.service.entries(table_id, requester(interaction), kinds=kinds))
        if shown is not None and isinstance(shown.entry, CalamitiesShown):
            lines = describe_calamities(shown.entry.effects, shown.entry.spared)
            await reply(interaction, names.format_text(view, "\n".join(lines)))
            return
        await self._context.execute_publicly(interaction, command, table_id=table_id)
