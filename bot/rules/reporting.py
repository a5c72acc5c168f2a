"""Reporting: what the message of a set-up shows of what happened, so that the channel needs no line about it."""

from __future__ import annotations

from bot.rules.entries import Entry
from bot.rules.features.holdings import Corrected, Gained
from bot.rules.features.seats import SeatLeft, SeatTaken
from bot.rules.features.tables import HostChanged, SettingsChanged
from bot.rules.game import Game
from bot.rules.views import EntryView

TOLD: tuple[type[Entry], ...] = (SeatTaken, SeatLeft, HostChanged, SettingsChanged)
"""Kinds of entry of the core that the set-up shows, whatever is in them."""


def told(game: Game, entry: EntryView) -> bool:
    """Return whether the set-up shows all that this entry did.

    What came to a hidden hand is not shown there, nor is why something was set, or that it was not the host who did.
    """
    match entry.entry:
        case Corrected(reason="", hidden_named=0):
            return shows_goods(game) and entry.by_host
        case Gained():
            return shows_goods(game)
        case each:
            return isinstance(each, (*TOLD, *(game.setup.told if game.setup else ())))


def shows_goods(game: Game) -> bool:
    """Return whether the set-up shows goods: those that lie open."""
    return (game.setup is None or game.setup.goods) and not (game.hidden and game.hidden.nothing_open)
