"""Commands of Twilight Imperium 4."""

from cogs.ti4.goods import Commodities, Notes
from cogs.ti4.neighbors import Neighbors
from cogs.ti4.permits import Permits
from cogs.ti4.turns import Agendas, Turns

__all__ = ["Agendas", "Commodities", "Neighbors", "Notes", "Permits", "Turns"]
