"""/privacy: shows what is stored, removes a person's name from closed tables, and removes closed tables."""

from __future__ import annotations

from typing import Literal

import discord
from discord import app_commands
from discord.ext import commands

from bot.rules.model.violation import Refused
from bot.rules.views import TableView
from bot.show import names
from bot.show.actions import ForgetMe, RemoveTable
from bot.show.privacy import ask_me_card, ask_table_card, privacy_card
from cogs.context import CommandContext, reply, requester
from cogs.router import Router


class Privacy(commands.Cog):
    """The /privacy command and its buttons, which ask for confirmation before anything is deleted."""

    def __init__(self, context: CommandContext, router: Router) -> None:
        self._context = context
        router.on(ForgetMe, self.me_pressed)
        router.on(RemoveTable, self.table_pressed)

    @app_commands.command(name="privacy", description="What I keep about you, and how to be forgotten")
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
    @app_commands.describe(forget="me: take my name out of closed tables. table: hosts, remove this closed table")
    async def privacy(self, interaction: discord.Interaction, forget: Literal["me", "table"] | None = None) -> None:
        """Show what is stored, or ask for confirmation."""
        if forget == "me":
            await self._ask_me(interaction)
        elif forget == "table":
            await self._ask_table(interaction, await self._context.last_table_id(interaction))
        else:
            closed, still_open = await self._context.service.known_at(requester(interaction))
            await reply(interaction, privacy_card(closed, still_open, await self._removable(interaction)))

    async def me_pressed(self, interaction: discord.Interaction, press: ForgetMe) -> None:
        """Handle **Take my name out**, and its confirmation."""
        if press.sure:
            await self._forget_me(interaction)
        else:
            await self._ask_me(interaction)

    async def table_pressed(self, interaction: discord.Interaction, press: RemoveTable) -> None:
        """Handle **Remove this table**, and its confirmation."""
        if press.sure:
            await self._remove_table(interaction, press.table)
        else:
            await self._ask_table(interaction, press.table)

    async def _ask_me(self, interaction: discord.Interaction) -> None:
        closed, still_open = await self._context.service.known_at(requester(interaction))
        if not closed:
            first = "Leave the open ones, and once they are closed you can be forgotten." if still_open else ""
            raise Refused("", "No closed table knows you.", first)
        await reply(interaction, ask_me_card(closed))

    async def _forget_me(self, interaction: discord.Interaction) -> None:
        count = await self._context.service.forget_person(requester(interaction))
        text = f"Your name and id are taken out of {count} closed {'table' if count == 1 else 'tables'}."
        await reply(interaction, text if count else "No closed table knows you any more.")

    async def _ask_table(self, interaction: discord.Interaction, table_id: int) -> None:
        view = await self._context.service.removable(table_id, requester(interaction))
        await reply(interaction, ask_table_card(view))

    async def _remove_table(self, interaction: discord.Interaction, table_id: int) -> None:
        view = await self._context.service.removable(
            table_id, requester(interaction)
        )  # for its name, before it is gone
        removal = await self._context.service.remove(table_id, requester(interaction))
        who, table = names.mention_user(view, interaction.user.id), names.escape(view.name)
        text = (
            f"{who} had the closed table **{table}** removed, with all "
            f"its {removal.last_seq} entries. The head of its chain was\n`{removal.head}`"
        )
        await reply(interaction, text, public=True)

    async def _removable(self, interaction: discord.Interaction) -> TableView | None:
        """Return the closed table of this channel if the person may remove it; None otherwise."""
        if interaction.guild_id is None:
            return None
        try:
            table_id = await self._context.last_table_id(interaction)
            return await self._context.service.removable(table_id, requester(interaction))
        except Refused:
            return None
