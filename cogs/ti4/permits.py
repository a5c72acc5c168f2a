"""/permit: the host lifts a rule, for a card that Bourse does not know."""

from __future__ import annotations

from typing import Literal

import discord
from discord import app_commands
from discord.ext import commands

from bot.rules.games.ti4.commands import GrantPermit
from cogs.context import CommandContext
from cogs.inputs import seat_of


@app_commands.guild_only()
class Permits(commands.GroupCog, group_name="permit", group_description="Host: lift a rule for one pair"):
    """The /permit command."""

    def __init__(self, context: CommandContext) -> None:
        self._context = context

    @app_commands.command(name="grant", description="Host: lift a rule for two players, for a card I do not know")
    @app_commands.describe(
        first="One of them",
        second="The other",
        lifts="Which rule: neighbours, once a turn, whose turn it is, or what may be traded",
        once="Until it has been used (that is how it is without this option), or until the game ends",
        reason="The card that allows it",
    )
    async def grant(
        self,
        interaction: discord.Interaction,
        first: discord.User,
        second: discord.User,
        lifts: Literal["neighbors", "limit", "window", "goods"],
        reason: app_commands.Range[str, 1, 100],
        once: bool = True,
    ) -> None:
        """Grant a permit."""
        view = await self._context.view(interaction)
        command = GrantPermit(seat_of(view, first), seat_of(view, second), lifts, reason.strip(), once)
        await self._context.execute_publicly(interaction, command, table_id=view.id)
