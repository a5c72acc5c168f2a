"""/trading, and the buttons of the board that open and end it."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.ext import commands

from bot.desk import Here
from bot.rules.games.advciv.commands import CloseTrading, DoneTrading, OpenTrading
from cogs.door import Door
from cogs.router import Router


@app_commands.guild_only()
class Trading(commands.GroupCog, group_name="trading", group_description="The time in which cards are traded"):
    """/trading."""

    def __init__(self, door: Door, router: Router) -> None:
        self._door = door
        router.route(r"board:(?P<table>\d+):(?P<what>trade|done|bell)", self.board)

    @app_commands.command(name="open", description="Host: trading begins, or while it is open, ends at another time")
    @app_commands.describe(minutes="For how long; 0 for no limit, five are recommended")
    async def open(
        self, interaction: discord.Interaction, minutes: app_commands.Range[int, 0, 1440] | None = None
    ) -> None:
        """Open trading, or set the bell anew."""
        await self._open(interaction, minutes)

    @app_commands.command(name="done", description="You have traded all you want; say it again to go on")
    async def done(self, interaction: discord.Interaction) -> None:
        """Say to be done, or not any more."""
        await self._door.openly(interaction, lambda here: DoneTrading(by=here.me))

    @app_commands.command(name="close", description="Host: trading is over")
    async def close(self, interaction: discord.Interaction) -> None:
        """Close trading."""
        await self._close(interaction)

    async def board(self, interaction: discord.Interaction, table: str, what: str) -> None:
        """A button of the board."""
        match what:
            case "trade":
                await self._open(interaction, None, int(table))
            case "done":
                await self._door.openly(interaction, lambda here: DoneTrading(by=here.me), table_id=int(table))
            case _:
                await self._close(interaction, int(table))

    async def _open(self, interaction: discord.Interaction, minutes: int | None, table: int | None = None) -> None:
        def make(here: Here) -> OpenTrading:
            return OpenTrading(by=here.me, moderator=here.asker.moderator, minutes=minutes)

        await self._door.openly(interaction, make, table_id=table)

    async def _close(self, interaction: discord.Interaction, table: int | None = None) -> None:
        await self._door.openly(
            interaction, lambda here: CloseTrading(by=here.me, moderator=here.asker.moderator), table_id=table
        )
