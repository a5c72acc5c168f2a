"""Which entries the set-up message or the board shows already, so that the channel needs no
separate line about them.
"""

from __future__ import annotations

from bot.rules.entries import Entry
from bot.rules.features.holdings import Corrected, Gained
from bot.rules.features.seats import SeatLeft, SeatTaken
from bot.rules.features.tables import HostChanged, PhaseSet, SettingsChanged
from bot.rules.game import Game
from bot.rules.views import EntryView

SHOWN_BY_STEPS: tuple[type[Entry], ...] = (SeatTaken, SeatLeft, HostChanged, SettingsChanged)
"""The core's kinds of entry that the set-up always shows."""


def shown_by_steps(game: Game, entry: EntryView) -> bool:
    """Return whether the set-up shows everything about this entry.

    It does not show hidden goods, cards in play, the reason for a correction, or that a moderator
    made it instead of the host.
    """
    match entry.entry:
        case Corrected(reason="", hidden_named=0) as corrected:
            return shows_goods(game) and entry.by_host and not corrected.moves_play()
        case Gained():
            return shows_goods(game)
        case other:
            own = game.setup.shown_kinds if game.setup else ()
            return isinstance(other, (*SHOWN_BY_STEPS, *own))


def shown_by_board(game: Game, entry: EntryView) -> bool:
    """Return whether the board says all of it: a phase began that this game does not announce."""
    announced = game.info.announced_phases
    match entry.entry:
        case PhaseSet(phase=phase):
            return announced is not None and phase not in announced
        case _:
            return False


def shows_goods(game: Game) -> bool:
    """Return whether the set-up shows open goods."""
    return (game.setup is None or game.setup.goods) and not (
        game.hidden and game.hidden.nothing_open
    )
