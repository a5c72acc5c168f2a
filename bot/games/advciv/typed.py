"""The commands that people type to bring about a game's entries again, for a table that is exported
as a play.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.api import Entry, Typed, option
from bot.games.advciv.calamities import CalamitiesShown
from bot.games.advciv.cards import card_of, describe
from bot.games.advciv.cities import CitiesSaid
from bot.games.advciv.drawing import CardBought, CardsDrawn
from bot.games.advciv.losing import CardsLost
from bot.games.advciv.surrendering import CardsSurrendered, CardsTakenBack
from bot.games.advciv.taking import CardDenied, CardRequested, CardTaken
from bot.games.advciv.trading import (
    BellSet,
    TradingClosed,
    TradingDone,
    TradingOpened,
    TradingUndone,
)

MINUTE = 60_000

ALWAYS: dict[type[Entry], str] = {
    CitiesSaid: "/cards cities cities:{cities} player:<player:{seat}>",
    CardsDrawn: "/cards draw cities:{cities} player:<player:{seat}>",
    CardBought: "/cards buy",
    CardsTakenBack: "/cards undo",
    CardRequested: "/cards take from:<player:{other}>",
    CardDenied: "/cards keep from:<player:{other}>",
    TradingUndone: "/trading undo",
    CalamitiesShown: "/calamities show anyway:yes",
}
"""Commands with fields of the entry, for entries that need no more."""


def typed(entries: Sequence[Entry], at: int, seat: str) -> Typed | None:
    """Return what to type, as `bot.rules.game.Game.typed` says."""
    by_chance = any(
        isinstance(entry, CardsDrawn | CardBought | CardTaken | CardsLost) for entry in entries
    )
    lead = entries[0]
    line = _line(lead, entries, at)
    by_host = isinstance(lead, TradingOpened | BellSet | TradingUndone) or bool(
        getattr(lead, "by_host", False)
    )
    by_host = by_host or (isinstance(lead, TradingClosed) and lead.reason == "host")
    return Typed((line,), by_host, by_chance) if line else None


def _line(lead: Entry, entries: Sequence[Entry], at: int) -> str:
    if type(lead) in ALWAYS:
        return ALWAYS[type(lead)].format_map(dict(lead))
    match lead:
        case TradingOpened(bell=bell) | BellSet(bell=bell):
            return f"/trading open minutes:{round((bell - at) / MINUTE) if bell else 0} anyway:yes"
        case TradingClosed(reason="host"):
            return "/trading close"
        case TradingDone():
            ended = any(isinstance(entry, TradingClosed) for entry in entries)
            return f"/trading done{' anyway:yes' if ended else ''}"
        case CardsSurrendered(seat=seat, changes=changes, mining=mining):
            mined = f" {option('mining', card_of(mining).name)}" if mining else ""
            return f"/cards surrender {option('cards', describe(changes[seat].lost))}{mined}"
        case CardTaken(seat=seat, other=other, by_host=True):
            return f"/cards take nation:{other} player:<player:{seat}>"
        case CardTaken(seat=seat):
            return f"/cards lose to:<player:{seat}>"
        case CardsLost(seat=seat, count=count, cities=cities, by_host=by_host):
            many = f"cards:{count}" if count is not None else f"cities:{cities}"
            return f"/cards lose {many}{f' nation:{seat}' if by_host else ''}"
    return ""
