"""/help: short topics. Those about playing a game come from the game."""

from __future__ import annotations

from collections.abc import Mapping

import discord
from discord import app_commands
from discord.ext import commands

from bot.rules.model.violation import Refused
from bot.rules.registry import game_named, games
from cogs.context import CommandContext, reply

TOPICS = {
    "offers": (
        "### Offers\n"
        "**/offer post** without `to:` is open to everybody, and you pick one of those who accept; without goods it "
        "opens a form. An offer reserves nothing.\n"
        "**Counter** answers an offer with another; **Alter**, **Suspend** and **Withdraw** are for your own. "
        "**/offer list** shows what stands. `for: 10m` lets an offer run out by itself.\n"
        "**/negotiate open** makes a private thread for two. **/deal propose** is for promises in words."
    ),
    "quarrels": (
        "### When you disagree\n"
        "**/rules show** tells a rule and where this table stands towards it; **/table show** whom you can trade with "
        "and why not; **/history** what happened, as far as you may know.\n"
        "Hosts and moderators: **/audit trade** tells the whole story of one transaction, **/audit player** what came "
        "and went, **/audit verify** that nothing was changed since, and **/audit correct** mends a mistake, for all "
        "to see. **/privacy** tells what is stored about you, **/pings** what I notify you of."
    ),
}
"""The topics of all games."""

START = "start"

OPEN_ONE = (
    "### A table to trade at\n"
    "**/table open** in a channel opens one, for {games}. Then **/help** there tells the first steps of that game."
)

ALL_TOPICS = (
    START,
    *dict.fromkeys(topic for game in games().values() for topic in game.info.help if topic != START),
    *TOPICS,
)
"""Every topic that the command offers; a table shows those of its game."""


class Help(commands.Cog):
    """The /help command."""

    def __init__(self, context: CommandContext) -> None:
        self._context = context

    @app_commands.command(name="help", description="How to trade here")
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
    @app_commands.choices(topic=[app_commands.Choice(name=topic, value=topic) for topic in ALL_TOPICS])
    async def help(self, interaction: discord.Interaction, topic: str = START) -> None:
        """Show a topic of the table's game, and the names of the others."""
        topics = await self._topics(interaction)
        others = ", ".join(f"**/help topic:{name}**" for name in topics if name != topic)
        await reply(interaction, f"{topics.get(topic, topics[START])}\n-# More: {others}")

    async def _topics(self, interaction: discord.Interaction) -> Mapping[str, str]:
        """Return the topics of the table's game, or how to open a table if there is none."""
        try:
            view = await self._context.view(interaction)
            return {**game_named(view.game).info.help, **TOPICS}
        except Refused:
            names = " or ".join(f"`{game.info.id}` ({game.info.name})" for game in games().values())
            return {START: OPEN_ONE.format(games=names), **TOPICS}
