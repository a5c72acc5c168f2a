"""/privacy: what is stored, having one's name taken out of closed tables, and having a table removed."""

from __future__ import annotations

from typing import Literal

import discord
from discord import app_commands
from discord.ext import commands

from bot.desk import Look
from bot.rules.audits import require_removable
from bot.rules.commands import Command
from bot.rules.ruling import Refused
from bot.show import names
from bot.show.privacy import ask_me_card, ask_table_card, privacy_card
from cogs.door import Door, answer, asker
from cogs.router import Router


class Privacy(commands.Cog):
    """/privacy. Its buttons ask once more before anything is gone."""

    def __init__(self, door: Door, router: Router) -> None:
        self._door = door
        router.route(r"privacy:me:ask", self.ask_me)
        router.route(r"privacy:me:yes", self.forget_me)
        router.route(r"privacy:table:(?P<table>\d+):ask", self.ask_table)
        router.route(r"privacy:table:(?P<table>\d+):yes", self.remove_table)

    @app_commands.command(name="privacy", description="What I keep about you, and how to be forgotten")
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
    @app_commands.describe(forget="me: take my name out of closed tables. table: hosts, remove this closed table")
    async def privacy(self, interaction: discord.Interaction, forget: Literal["me", "table"] | None = None) -> None:
        """Tell what is stored, or ask whether somebody is sure."""
        if forget == "me":
            await self.ask_me(interaction)
        elif forget == "table":
            await self.ask_table(interaction, str(await self._door.last_table_id(interaction)))
        else:
            closed, still_open = await self._door.desk.ledger.known_at(interaction.user.id)
            await answer(interaction, privacy_card(closed, still_open, await self._removable(interaction)))

    async def ask_me(self, interaction: discord.Interaction) -> None:
        """**Take my name out**: whether they are sure."""
        closed, still_open = await self._door.desk.ledger.known_at(interaction.user.id)
        if not closed:
            first = "Leave the open ones, and once they are closed you can be forgotten." if still_open else ""
            raise Refused("", "No closed table knows you.", first)
        await answer(interaction, ask_me_card(closed))

    async def forget_me(self, interaction: discord.Interaction) -> None:
        """They are sure."""
        count = await self._door.desk.forget_person(interaction.user.id)
        told = f"Your name and id are taken out of {count} closed {'table' if count == 1 else 'tables'}."
        await answer(interaction, told if count else "No closed table knows you any more.")

    async def ask_table(self, interaction: discord.Interaction, table: str) -> None:
        """**Remove this table**: whether its host is sure."""
        look = await self._door.desk.look(int(table))
        _require(look, interaction)
        await answer(interaction, ask_table_card(look))

    async def remove_table(self, interaction: discord.Interaction, table: str) -> None:
        """They are sure."""
        look = await self._door.desk.look(int(table))
        _require(look, interaction)
        gone = await self._door.desk.remove(int(table), asker(interaction))
        told = (
            f"{interaction.user.mention} had the closed table **{names.escape(look.table.name)}** removed, with all "
            f"its {gone.seq} entries. The head of its chain was\n`{gone.hash}`"
        )
        await answer(interaction, told, public=True)

    async def _removable(self, interaction: discord.Interaction) -> Look | None:
        """The closed table of this channel, where whoever asks may have it removed."""
        if interaction.guild_id is None:
            return None
        try:
            look = await self._door.desk.look(await self._door.last_table_id(interaction))
            _require(look, interaction)
        except Refused:
            return None
        return look


def _require(look: Look, interaction: discord.Interaction) -> None:
    who, known = asker(interaction), look.person(interaction.user.id)
    try:
        require_removable(look.table, Command(by=known.number if known else 0, moderator=who.moderator))
    except Refused as refused:
        ruling = refused.ruling
        raise Refused(ruling.rule, ruling.why, names.tell(look, ruling.remedy)) from None
