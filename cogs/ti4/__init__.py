"""Commands of Twilight Imperium 4."""

from __future__ import annotations

from discord.ext import commands

from bot.api.discord import Router
from cogs.ti4.agendas import Agendas
from cogs.ti4.commodities import Commodities
from cogs.ti4.neighbors import Neighbors
from cogs.ti4.notes import Notes
from cogs.ti4.permits import Permits
from cogs.ti4.strategy import StrategyCards
from cogs.ti4.take_back import TakeBacks
from cogs.ti4.turns import Turns


def cogs(router: Router) -> list[commands.Cog]:
    """Return the game's cogs. The entry-point group ``bourse.cogs`` names this function."""
    return [
        Turns(router),
        StrategyCards(router),
        Agendas(router),
        Neighbors(router),
        Commodities(router),
        Notes(router),
        Permits(router),
        TakeBacks(router),
    ]
