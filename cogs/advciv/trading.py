"""/trading: the phase in which cards are traded."""

from __future__ import annotations

from typing import Literal

import discord
from discord import app_commands
from discord.ext import commands

from bot.api.discord import CommandContext, Outcome
from bot.games.advciv.commands import CloseTrading, DoneTrading, OpenTrading, UndoTrading
from bot.games.advciv.entries import TradingDone


@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
class Trading(commands.GroupCog, group_name="trading", group_description="The time in which cards are traded"):
    """The /trading commands, which the board's buttons use too."""

    def __init__(self, context: CommandContext) -> None:
        self._context = context

    @app_commands.command(name="open", description="Host: trading begins, or while it is open, ends at another time")
    @app_commands.describe(
        minutes="For how long; 0 for no limit, five are recommended",
        anyway="Also while somebody still has cards to draw. They can draw later",
    )
    async def open(
        self,
        interaction: discord.Interaction,
        minutes: app_commands.Range[int, 0, 1440] | None = None,
        anyway: Literal["yes", "no"] = "no",
    ) -> None:
        """Open trading, or change when it ends."""
        await self.open_at(interaction, minutes=minutes, anyway=anyway == "yes")

    @app_commands.command(name="undo", description="Host: takes back that trading opened, until a card has moved")
    async def undo(self, interaction: discord.Interaction) -> None:
        """Take back that trading opened."""
        await self.undo_at(interaction)

    @app_commands.command(name="done", description="You have traded all you want; say it again to go on")
    async def done(self, interaction: discord.Interaction) -> None:
        """Toggle whether the person is done."""
        await self.done_at(interaction)

    @app_commands.command(name="close", description="Host: trading is over")
    async def close(self, interaction: discord.Interaction) -> None:
        """Close trading."""
        await self.close_at(interaction)

    async def open_at(
        self,
        interaction: discord.Interaction,
        table_id: int | None = None,
        minutes: int | None = None,
        *,
        anyway: bool = False,
    ) -> None:
        """Open trading at a table, by default that of the channel."""
        await self._context.execute_publicly(interaction, OpenTrading(minutes, anyway), table_id=table_id)

    async def undo_at(self, interaction: discord.Interaction, table_id: int | None = None) -> None:
        """Take back that trading opened at a table, by default that of the channel."""
        await self._context.execute_publicly(interaction, UndoTrading(), table_id=table_id)

    async def close_at(self, interaction: discord.Interaction, table_id: int | None = None) -> None:
        """Close trading at a table, by default that of the channel."""
        await self._context.execute_publicly(interaction, CloseTrading(), table_id=table_id)

    async def done_at(self, interaction: discord.Interaction, table_id: int | None = None) -> None:
        """Toggle whether the person is done. The board shows it; if that ends trading, the channel is told."""
        await self._context.execute_privately(interaction, DoneTrading(), _done, table_id=table_id)


def _done(outcome: Outcome) -> str:
    said = outcome.entries[0].entry
    done = isinstance(said, TradingDone) and said.done
    return "You are done. Press **Done trading** again to trade on." if done else "You are trading again."
