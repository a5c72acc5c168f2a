"""/negotiate: a private thread for two. And which table somebody's DMs are about."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.desk import Here
from bot.rules.commands import CloseNegotiation, OpenNegotiation
from bot.rules.entries import NegotiationOpened
from bot.rules.ruling import Refused
from bot.show import names
from cogs.door import Door, answer, person
from cogs.router import Router


@app_commands.guild_only()
class Negotiations(commands.GroupCog, group_name="negotiate", group_description="A private thread for two"):
    """Everything about negotiations."""

    def __init__(self, door: Door, router: Router) -> None:
        self._door = door
        router.route(r"talks:(?P<table>\d+):(?P<number>\d+):close", self.closed)
        router.route(r"dm-table", self.chosen)

    @app_commands.command(name="open", description="Talk to somebody in a private thread")
    @app_commands.rename(other="with")
    @app_commands.describe(other="With whom", topic="What about")
    async def open(self, interaction: discord.Interaction, other: discord.User, topic: str = "") -> None:
        """Open a negotiation."""

        def make(here: Here) -> OpenNegotiation:
            return OpenNegotiation(by=here.me, other=person(here, other), topic=" ".join(topic.split()))

        outcome = await self._door.do(interaction, make)
        opened = next(one.entry for one in outcome.entries if isinstance(one.entry, NegotiationOpened))
        await interaction.response.defer(ephemeral=True)
        await self._door.tell(interaction, outcome)
        thread = await self._door.herald.thread_of(outcome.after.table_id, opened.negotiation)
        if thread is None:
            told = (
                "I may not open private threads in this channel. An admin can allow me **Create Private Threads** and "
                "**Send Messages in Threads**; until then, offers go to the channel and by DM."
            )
        else:
            told = f"You and {names.mention(outcome.after, opened.other)} can talk in <#{thread}>."
        await answer(interaction, told)

    @app_commands.command(name="close", description="You are done with the negotiation of this thread")
    async def close(self, interaction: discord.Interaction) -> None:
        """Close the negotiation of this thread."""
        place = await self._door.place(interaction)
        if place.negotiation is None:
            raise Refused("", "This is no negotiation's thread.", "Type it in the thread that is to be closed.")
        await self._close(interaction, place.table_id, place.negotiation)

    async def closed(self, interaction: discord.Interaction, table: str, number: str) -> None:
        """**Close**, under a thread's summary."""
        await self._close(interaction, int(table), int(number))

    async def _close(self, interaction: discord.Interaction, table_id: int, number: int) -> None:
        outcome = await self._door.do(
            interaction, lambda here: CloseNegotiation(by=here.me, negotiation=number), table_id=table_id
        )
        await answer(interaction, "This negotiation is closed, and its thread goes to the archive.")
        await self._door.tell(interaction, outcome)

    async def chosen(self, interaction: discord.Interaction) -> None:
        """Which table somebody's DMs are about."""
        data: Any = interaction.data
        [table] = data["values"]
        await self._door.desk.ledger.set_mark(f"dm:{interaction.user.id}", table)
        look = await self._door.desk.look(int(table))
        await answer(interaction, f"Your DMs are about {names.escape(look.table.name)} now. Ask me once more.")
