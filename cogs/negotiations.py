"""/negotiate: opens a private thread for two. Also handles the choice of the table that a person's DMs are about."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.ext import commands

from bot.rules.features.negotiations import CloseNegotiation, NegotiationOpened, OpenNegotiation
from bot.rules.model.actions import NegotiationAction
from bot.rules.model.violation import Refused
from bot.show import names
from bot.show.actions import ChooseTable
from cogs.context import CommandContext, reply, requester
from cogs.inputs import chosen_number, own_seat, require_person, seat_of
from cogs.router import Router

NO_THREAD = (
    "I may not open private threads in this channel. An admin can allow me **Create Private Threads** and "
    "**Send Messages in Threads**; until then, offers go to the channel and by DM."
)


@app_commands.guild_only()
class Negotiations(commands.GroupCog, group_name="negotiate", group_description="A private thread for two"):
    """The /negotiate commands."""

    def __init__(self, context: CommandContext, router: Router) -> None:
        self._context = context
        router.on(NegotiationAction, self.closed)
        router.on(ChooseTable, self.table_chosen)

    @app_commands.command(name="open", description="Talk to somebody in a private thread")
    @app_commands.rename(other="with")
    @app_commands.describe(other="With whom", topic="What about")
    async def open(self, interaction: discord.Interaction, other: discord.User, topic: str = "") -> None:
        view = await self._context.view(interaction)
        require_person(other)
        own_seat(view)
        command = OpenNegotiation(seat_of(view, other), " ".join(topic.split()))
        outcome = await self._context.execute(interaction, command, table_id=view.id)
        opened = next(each.entry for each in outcome.entries if isinstance(each.entry, NegotiationOpened))
        thread = await self._context.delivery.thread_of(outcome.table_id, opened.negotiation)
        talk = f"You and {names.mention(outcome.view, opened.other)} can talk in <#{thread}>."
        await reply(interaction, talk if thread else NO_THREAD)

    @app_commands.command(name="close", description="You are done with the negotiation of this thread")
    async def close(self, interaction: discord.Interaction) -> None:
        place = await self._context.place(interaction)
        if place.negotiation is None:
            raise Refused("", "This is no negotiation's thread.", "Type it in the thread that is to be closed.")
        await self._close(interaction, place.table_id, place.negotiation)

    async def closed(self, interaction: discord.Interaction, press: NegotiationAction) -> None:
        """Handle **Close** under a thread's summary."""
        await self._close(interaction, press.table, press.negotiation)

    async def _close(self, interaction: discord.Interaction, table_id: int, number: int) -> None:
        async with self._context.delivery.turn(table_id):  # the reply comes before the thread is archived
            await self._context.execute(interaction, CloseNegotiation(number), table_id=table_id)
            await reply(interaction, "This negotiation is closed, and its thread goes to the archive.")

    async def table_chosen(self, interaction: discord.Interaction, select: ChooseTable) -> None:
        """Store the choice of the table that a person's DMs are about."""
        table_id = chosen_number(interaction)
        await self._context.service.choose_for_dm(requester(interaction), table_id)
        view = await self._context.view(interaction, table_id)
        await reply(interaction, f"Your DMs are about {names.escape(view.name)} now. Ask me once more.")
