"""Commands of Advanced Civilization."""

from __future__ import annotations

from discord.ext import commands

from bot.api.discord import Router
from cogs.advciv.calamities import CalamityCommands
from cogs.advciv.cards import Cards
from cogs.advciv.surrendering import TurnIn
from cogs.advciv.trading import Trading


def cogs(router: Router) -> list[commands.Cog]:
    """Return the game's cogs. The entry-point group ``bourse.cogs`` names this function."""
    TurnIn(router)
    return [Cards(router), CalamityCommands(router), Trading(router)]
