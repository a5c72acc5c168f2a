"""What either side does about an offer: accept, confirm, agree ahead of time, pick, decline, withdraw, back out.

    posted -> open <-> suspended -> agreed -> resolved
                 altered (next revision) | countered | withdrawn | declined | expired | void

A *signature* is good for one revision and for the window it was given in; when another window has opened since, it
must be given again. With both signatures standing and no violation, the transaction resolves at once and as a whole.
Before it is legal, two can only *agree*: that binds nobody, and when the time comes both are asked to confirm. Offers
reserve nothing: both sides' goods are checked in the very decision that resolves.
"""

from __future__ import annotations

from collections.abc import Iterable

from bot.rules.access import is_host, require_tracked
from bot.rules.apply import apply
from bot.rules.commands import Caller, Handlers, handler
from bot.rules.entries import Entry
from bot.rules.features.holdings import Gained
from bot.rules.features.offers.checks import (
    blocking,
    overruled,
    require_in_time,
    require_legal,
    require_party,
    require_poster,
    require_revision,
)
from bot.rules.features.offers.commands import (
    Agree,
    AlterOffer,
    CounterOffer,
    Declare,
    EndOffer,
    HandOver,
    PauseOffer,
    PickTaker,
    PostOffer,
    RepeatOffer,
    Sign,
)
from bot.rules.features.offers.ends import between
from bot.rules.features.offers.entries import OfferDeclined, OfferPicked, OfferWithdrawn
from bot.rules.features.offers.handing import hand_over
from bot.rules.features.offers.posting import alter, counter, pause, post, repeat
from bot.rules.features.offers.remedies import after_refusal
from bot.rules.features.offers.resolving import agreement, confirms_twice, resolution, signature
from bot.rules.features.offers.state import (
    agrees,
    both_agree,
    declarable,
    exchange_of,
    live_offer,
    signed_now,
    takers,
    trade_of,
)
from bot.rules.lookup import own_seat
from bot.rules.model.offers import Offer
from bot.rules.model.table import Table
from bot.rules.model.violation import Refused
from bot.rules.registry import game_of


def sign(table: Table, command: Sign, caller: Caller) -> Iterable[Entry]:
    """Accept or confirm. If the other's signature stands too, the transaction resolves.

    At a table where everything is confirmed, accepting is only agreeing, and both are asked to confirm.
    Raises `Refused` for others than the two, for the poster of an offer to all, for another revision, when its time is
    up, when the caller's signature stands already, and for a trade that is not legal now.
    """
    offer, seat = live_offer(table, command.offer), own_seat(table, caller)
    require_revision(offer, command.revision)
    require_party(table, offer, seat)
    require_in_time(offer, caller.at)
    other = offer.other(seat.id)
    if other is None:
        raise Refused("", f"Offer {offer.number} is open to all.", "Pick one of those who accept it.")
    if signed_now(table, offer, seat.id):
        raise Refused("", f"You have agreed to offer {offer.number} already.", _waits_for(offer, other))
    asks_again = confirms_twice(table) and not both_agree(offer)
    closes = not asks_again and offer.to is not None and signed_now(table, offer, other)
    broken = _require_legal(table, offer, seat.id, closes=closes and exchange_of(table) is None)
    if asks_again:
        if agrees(offer, seat.id):
            raise Refused("", f"You have agreed to offer {offer.number} already.", f"It waits for <seat:{other}>.")
        return [agreement(offer, seat.id)]
    signed = signature(table, offer, seat.id)
    if not closes:
        return [signed]
    return [signed, *resolution(apply(table, signed), offer.number, broken, confirmed=both_agree(offer))]


def _require_legal(table: Table, offer: Offer, seat: str, *, closes: bool) -> tuple[str, ...]:
    """Raise `Refused` with what can be pressed instead of signing; else return what is `overruled`."""
    trade = trade_of(offer, seat)
    if (found := blocking(table, trade, seat, offer, closes=closes)) is not None:
        raise Refused.because(found, after_refusal(table, found, offer, seat))
    return overruled(table, trade, offer)


def agree(table: Table, command: Agree, caller: Caller) -> Iterable[Entry]:
    """Agree before it is legal. It binds nobody; once it is legal, both are asked to confirm.

    Raises `Refused` for others than the two, for an offer to all, for another revision, when the caller has agreed
    already, and where goods are handed over in a step of their own.
    """
    offer, seat = live_offer(table, command.offer), own_seat(table, caller)
    require_revision(offer, command.revision)
    require_party(table, offer, seat)
    if exchange_of(table) is not None:
        raise Refused("", "Here nothing is agreed ahead of time.", "Press Accept once it is possible.")
    if offer.to is None:
        raise Refused("", f"Offer {offer.number} is open to all.", "It can be accepted once it is possible.")
    if agrees(offer, seat.id):
        raise Refused("", f"You have agreed to offer {offer.number} already.", "You are asked once it is possible.")
    return [agreement(offer, seat.id)]


def pick(table: Table, command: PickTaker, caller: Caller) -> Iterable[Entry]:
    """Pick one of those who accepted the caller's offer to all; the transaction resolves.

    Raises `Refused` for others than the poster, for a seat whose acceptance does not stand, for another revision, when
    the offer's time is up, and for a trade that is not legal now.
    """
    offer, seat = live_offer(table, command.offer), own_seat(table, caller)
    require_poster(offer, seat, "settle")
    require_in_time(offer, caller.at)
    require_revision(offer, command.revision)
    if offer.to is not None or command.taker not in takers(table, offer):
        raise Refused(
            "", f"<seat:{command.taker}> has not accepted offer {offer.number} in this turn.", "They may press Accept."
        )
    picked = OfferPicked(offer=offer.number, seat=seat.id, taker=command.taker)
    now = apply(table, picked)
    taken = now.offers[offer.number]
    closes = not confirms_twice(table) and signed_now(now, taken, command.taker)
    broken = require_legal(now, trade_of(taken), seat.id, taken, closes=closes and exchange_of(table) is None)
    if not closes:
        return [picked, agreement(taken, seat.id)]
    signed = signature(now, taken, seat.id)
    return [picked, signed, *resolution(apply(now, signed), taken.number, broken)]


def end(table: Table, command: EndOffer, caller: Caller) -> Iterable[Entry]:
    """Withdraw the caller's own offer, or decline one made to them; backing out is either.

    Raises `Refused` when it is not theirs to end in that way.
    """
    offer, seat = live_offer(table, command.offer, suspended=True), own_seat(table, caller)
    if command.how == "withdraw" or (command.how == "back_out" and seat.id == offer.seat):
        require_poster(offer, seat, "withdraw")
        return [OfferWithdrawn(offer=offer.number, seat=seat.id, between=between(offer))]
    if seat.id == offer.seat:
        raise Refused("", f"Offer {offer.number} is your own.", "Withdraw it instead.")
    if offer.to is None and seat.id not in takers(table, offer):
        raise Refused("", f"Offer {offer.number} is open to all.", "If it is not for you, just leave it be.")
    require_party(table, offer, seat)
    return [OfferDeclined(offer=offer.number, seat=seat.id, between=between(offer))]


def declare(table: Table, command: Declare, caller: Caller) -> Iterable[Entry]:
    """Record that the caller does have the open goods that they are short of for an offer.

    Raises `Refused` where only the host may say so, for others than the two, and when nothing open is missing.
    """
    require_tracked(table)
    offer, seat = live_offer(table, command.offer), own_seat(table, caller)
    if table.settings.declare_holdings == "host" and not is_host(table, caller):
        raise Refused("", "At this table only the host says what somebody has.", f"Ask <person:{table.host}>.")
    require_party(table, offer, seat)
    missing = declarable(table, offer, seat.id)
    if not missing:
        raise Refused("", f"You are short of nothing open for offer {offer.number}.", "Press Accept once more.")
    return [Gained(seat=seat.id, changes=game_of(table).holdings.gain(table, seat.id, missing).changes, declared=True)]


def _waits_for(offer: Offer, other: str) -> str:
    return f"It waits for <seat:{other}>." if offer.to else f"<seat:{offer.seat}> picks one of those who accept it."


HANDLERS: Handlers = dict(
    [
        handler(PostOffer, post), handler(CounterOffer, counter), handler(AlterOffer, alter),
        handler(PauseOffer, pause), handler(RepeatOffer, repeat), handler(Sign, sign), handler(Agree, agree),
        handler(PickTaker, pick), handler(EndOffer, end), handler(HandOver, hand_over), handler(Declare, declare),
    ]
)  # fmt: skip
