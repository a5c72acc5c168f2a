"""Commands of Twilight Imperium 4."""

from __future__ import annotations

from discord.ext import commands

from bot.api.discord import CommandContext, Router
from cogs.ti4.agendas import Agendas
from cogs.ti4.departures import SeatButtons
from cogs.ti4.effects import Effects
from cogs.ti4.goods import Commodities
from cogs.ti4.hands import Hands
from cogs.ti4.neighbors import Neighbors
from cogs.ti4.notes import Notes
from cogs.ti4.permits import Permits
from cogs.ti4.take_back import TakeBacks
from cogs.ti4.turns import Turns


def cogs(context: CommandContext, router: Router) -> list[commands.Cog]:
    """Return the game's cogs. The entry-point group ``bourse.cogs`` names this function."""
    for binds in (SeatButtons, Hands, Effects):  # no cogs: they only bind handlers to the router
        binds(context, router)
    return [
        Turns(context, router),
        Agendas(context, router),
        Neighbors(context, router),
        Commodities(context, router),
        Notes(context, router),
        Permits(context),
        TakeBacks(context, router),
    ]
