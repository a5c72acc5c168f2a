"""Commands of Advanced Civilization."""

from __future__ import annotations

from discord.ext import commands

from cogs.advciv.cards import Calamities, Cards
from cogs.advciv.trading import Trading
from cogs.door import Door
from cogs.router import Router


def cogs(door: Door, router: Router) -> list[commands.Cog]:
    """The game's own commands, as the entry-point group ``bourse.cogs`` names them."""
    return [Cards(door, router), Calamities(door, router), Trading(door, router)]
