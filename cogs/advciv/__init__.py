"""Commands of Advanced Civilization."""

from __future__ import annotations

from discord.ext import commands

from bot.api.discord import CommandContext, Router
from cogs.advciv.board import Board
from cogs.advciv.calamities import Calamities
from cogs.advciv.cards import Cards
from cogs.advciv.lost_cards import LostCards
from cogs.advciv.trading import Trading


def cogs(context: CommandContext, router: Router) -> list[commands.Cog]:
    """Return the game's cogs. The entry-point group ``bourse.cogs`` names this function."""
    cards, calamities, trading = Cards(context, router), Calamities(context), Trading(context)
    # These two are no cogs: they only bind handlers to the router.
    LostCards(context, router)
    Board(context, router, cards, calamities, trading)
    return [cards, calamities, trading]
