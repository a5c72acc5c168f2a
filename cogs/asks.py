"""**Show me**: a question that was private, for who could not be reached by DM."""

from __future__ import annotations

import discord
from discord.ext import commands

from bot.rules.ruling import Refused
from bot.show.asks import ask_card, asks
from cogs.door import Door, answer
from cogs.router import Router


class Asks(commands.Cog):
    """The button under a question that others must not read."""

    def __init__(self, door: Door, router: Router) -> None:
        self._door = door
        router.route(r"ask:(?P<table>\d+):(?P<key>[\w:]+):reveal", self.revealed)

    async def revealed(self, interaction: discord.Interaction, table: str, key: str) -> None:
        """Put the question to whoever it is for."""
        look = await self._door.desk.look(int(table))
        seat = look.seat(interaction.user.id)
        found = [ask for ask in asks(look) if ask.key == key and ask.seat == seat]
        if not found:
            raise Refused("", "That is for somebody else, or settled.", "/history tells what you may know.")
        await answer(interaction, ask_card(look, found[0]))
