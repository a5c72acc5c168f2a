"""Commands of Advanced Civilization."""

from __future__ import annotations

from discord.ext import commands

from cogs.advciv.board import Board
from cogs.advciv.calamities import Calamities
from cogs.advciv.cards import Cards
from cogs.advciv.trading import Trading
from cogs.context import CommandContext
from cogs.router import Router


def cogs(context: CommandContext, router: Router) -> list[commands.Cog]:
    """Return the game's cogs. The entry-point group ``bourse.cogs`` names this function."""
    calamities, trading = Calamities(context), Trading(context)
    Board(context, router, calamities, trading)  # no cog: it only binds handlers to the router
    return [Cards(context, router), calamities, trading]
