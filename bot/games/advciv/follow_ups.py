"""What an entry makes a player learn or look after, said to them alone."""

from __future__ import annotations

from collections.abc import Iterable

from bot.api import Entry, FollowUpView, Goods, Offer, Table
from bot.games.advciv import taking
from bot.games.advciv.cards import describe
from bot.games.advciv.entries import CardsDrawn, CardsLost, CardTaken
from bot.games.advciv.trade import hand


def follow_ups(table: Table, entry: Entry) -> list[FollowUpView]:
    """Return what the players learn of cards that came or went without their doing; then what they handed over in vain.

    The latter: a player who no longer has what they had handed over for an offer can alter it. After a trade, its
    result says so.
    """
    return [*_told(entry), *_gone_from(table, _losers(entry))]


def _told(entry: Entry) -> list[FollowUpView]:
    match entry:
        case CardsDrawn(seat=seat, told=True, hidden=hidden):
            drew = describe((hidden or {})[seat].gained)
            return [FollowUpView(seat=seat, text=f"You drew **{drew}**. /cards hand has them all.", evident=True)]
        case CardTaken(seat=seat, hidden=hidden):
            return taking.told(entry, describe((hidden or {})[seat].gained))
        case CardsLost(seat=seat, by_host=True, hidden=hidden):
            lost = describe((hidden or {})[seat].lost)
            return [FollowUpView(seat=seat, text=f"You lost **{lost}** [15.62].", evident=True)]
    return []


def _losers(entry: Entry) -> Iterable[str]:
    """Return the seats from whose hands cards went to where they were not handed over for."""
    match entry:
        case CardTaken(other=seat) | CardsLost(seat=seat):
            return (seat,)
    return ()


def _gone_from(table: Table, seats: Iterable[str]) -> list[FollowUpView]:
    return [
        _gone(seat, offer, missing)
        for seat in seats
        for offer in table.live_offers()
        if seat in offer.handed and (missing := hand(table, seat).missing(offer.handed[seat]))
    ]


def _gone(seat: str, offer: Offer, missing: Goods) -> FollowUpView:
    text = (
        f"What you handed over for offer {offer.number} is not all in your hand any more: {describe(missing)} has "
        "gone. Alter or withdraw it; as it is, it can't be closed."
    )
    return FollowUpView(seat=seat, text=text)
