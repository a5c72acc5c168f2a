"""The slash commands and forms of the host's own game."""

from discord.ext import commands

from bot.api.discord import Router
from cogs.any.playing import OwnGame

__all__ = ["cogs"]


def cogs(router: Router) -> list[commands.Cog]:
    """Return the cogs, as an entry point names them."""
    return [OwnGame(router)]
