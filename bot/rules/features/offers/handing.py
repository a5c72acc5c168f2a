"""Handing over: where hands are hidden, each side hands over its part, sealed until the other has too."""

from __future__ import annotations

from collections.abc import Iterable

from bot.rules.apply import replay
from bot.rules.commands import Caller
from bot.rules.entries import Entry
from bot.rules.features.offers.checks import blocking, require_in_time, require_legal, require_party, require_revision
from bot.rules.features.offers.commands import HandOver
from bot.rules.features.offers.ends import between
from bot.rules.features.offers.entries import HandedOver, OfferPicked
from bot.rules.features.offers.resolving import resolution, signature
from bot.rules.features.offers.state import exchange_of, live_offer, sealed_takers, signed_now, trade_of
from bot.rules.lookup import own_seat
from bot.rules.model.offers import Offer
from bot.rules.model.seats import Seat
from bot.rules.model.table import Table
from bot.rules.model.violation import Refused


def hand_over(table: Table, command: HandOver, caller: Caller) -> Iterable[Entry]:
    """Hand over what one side gives, sealed until the other has too; until then it may choose again.

    A party that has not agreed to the offer does so with it. An offer to all is for its only taker who has handed over,
    once its poster has too; among several the poster picks. Nothing moves before both parts are there.
    Raises `Refused` where goods are not handed over, for others than the two, for another revision, when its time is
    up, for a trade that is not legal now, and for goods that are not what was promised.
    """
    offer, seat = live_offer(table, command.offer), own_seat(table, caller)
    exchange = exchange_of(table)
    if exchange is None:
        raise Refused("", "Here goods change hands as soon as both agree.", "Press Accept.")
    require_revision(offer, command.revision)
    require_party(table, offer, seat)
    require_in_time(offer, caller.at)
    trade = trade_of(offer, seat.id)
    overruled = require_legal(table, trade, seat.id, offer, closes=False)  # each looks into their own hand alone
    if (violation := exchange.why_not(table, seat.id, trade.gives(seat.id), command.goods)) is not None:
        raise Refused.because(violation)
    done = _handed(table, offer, seat, command)
    if (taker := _only_taker(replay(done, table), offer.number, seat.id)) is not None:
        done.append(OfferPicked(offer=offer.number, seat=offer.seat, taker=taker))
    now = replay(done, table)
    taken = now.offers[offer.number]
    other = taken.other(seat.id)
    if taken.to is not None and other is not None and signed_now(now, taken, other):
        done += resolution(now, offer.number, overruled)
    return done


def _handed(table: Table, offer: Offer, seat: Seat, command: HandOver) -> list[Entry]:
    """Return the signature if it is missing, and the handing over."""
    done: list[Entry] = [] if signed_now(table, offer, seat.id) else [signature(table, offer, seat.id)]
    handed = HandedOver(
        offer=offer.number, revision=offer.revision, seat=seat.id, goods=command.goods, between=between(offer)
    )
    return [*done, handed]


def _only_taker(table: Table, number: int, seat: str) -> str | None:
    """Return the one taker of an offer to all with whom it closes now; None while there is none, or more than one.

    ``seat`` is who has just handed over. With a taker with whom a trade is not legal, it does not close.
    """
    offer = table.offers[number]
    if offer.seat not in offer.handed or len(sealed := sealed_takers(table, offer)) != 1:
        return None
    return sealed[0] if blocking(table, trade_of(offer, sealed[0]), seat, offer, closes=False) is None else None
