"""What people type to do again what the entries of a command record, for a table that is exported as a play."""

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
from bot.games.advciv.trading import BellSet, TradingClosed, TradingDone, TradingOpened, TradingUndone

MINUTE = 60_000


def typed(entries: Sequence[Entry], at: int, seat: str) -> Typed | None:
    """Return what to type, as `bot.rules.game.Game.typed` says."""
    by_chance = any(isinstance(entry, CardsDrawn | CardBought | CardTaken | CardsLost) for entry in entries)
    lead = entries[0]
    line = _line(lead, entries, at)
    by_host = isinstance(lead, TradingOpened | BellSet | TradingUndone) or bool(getattr(lead, "by_host", False))
    by_host = by_host or (isinstance(lead, TradingClosed) and lead.reason == "host")
    return Typed((line,), by_host, by_chance) if line else None


def _line(lead: Entry, entries: Sequence[Entry], at: int) -> str:
    match lead:
        case CitiesSaid(seat=seat, cities=cities):
            return f"/cards cities cities:{cities} player:<player:{seat}>"
        case CardsDrawn(seat=seat, cities=cities):
            return f"/cards draw cities:{cities} player:<player:{seat}>"
        case CardBought():
            return "/cards buy"
        case TradingOpened(bell=bell) | BellSet(bell=bell):
            return f"/trading open minutes:{round((bell - at) / MINUTE) if bell else 0} anyway:yes"
        case TradingUndone():
            return "/trading undo"
        case TradingClosed(reason="host"):
            return "/trading close"
        case TradingDone():
            ended = any(isinstance(entry, TradingClosed) for entry in entries)
            return f"/trading done{' anyway:yes' if ended else ''}"
        case CalamitiesShown():
            return "/calamities show anyway:yes"
        case CardsSurrendered(seat=seat, changes=changes, mining=mining):
            mined = f" {option('mining', card_of(mining).name)}" if mining else ""
            return f"/cards surrender {option('cards', describe(changes[seat].lost))}{mined}"
        case CardsTakenBack():
            return "/cards undo"
        case CardRequested(other=other):
            return f"/cards take from:<player:{other}>"
        case CardDenied(other=other):
            return f"/cards keep from:<player:{other}>"
        case CardTaken(seat=seat, other=other, by_host=True):
            return f"/cards take nation:{other} player:<player:{seat}>"
        case CardTaken(seat=seat):
            return f"/cards lose to:<player:{seat}>"
        case CardsLost(seat=seat, count=count, cities=cities, by_host=by_host):
            many = f"cards:{count}" if count is not None else f"cities:{cities}"
            return f"/cards lose {many}{f' nation:{seat}' if by_host else ''}"
    return ""
