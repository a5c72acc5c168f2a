"""Commands of Twilight Imperium 4."""

from __future__ import annotations

from discord.ext import commands

from cogs.door import Door
from cogs.router import Router
from cogs.ti4.goods import Commodities, Notes
from cogs.ti4.neighbors import Neighbors
from cogs.ti4.permits import Permits
from cogs.ti4.turns import Agendas, Turns


def cogs(door: Door, router: Router) -> list[commands.Cog]:
    """The game's own commands, as the entry-point group ``bourse.cogs`` names them."""
    return [
        Turns(door, router),
        Agendas(door),
        Neighbors(door, router),
        Commodities(door),
        Notes(door),
        Permits(door),
    ]
