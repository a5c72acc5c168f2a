"""What becomes of a seat's other offers after it has traded: which still stand, and which it can't keep any more."""

from __future__ import annotations

from bot.rules.features.offers.state import agrees, exchange_of, takers, violations
from bot.rules.game import Trade
from bot.rules.model.actions import EndUnmet
from bot.rules.model.goods import NOTHING
from bot.rules.model.offers import Offer
from bot.rules.model.table import Table
from bot.rules.model.violation import Violation
from bot.rules.registry import game_of
from bot.rules.views import StandingView


def standing(table: Table, seat: str) -> tuple[StandingView, ...]:
    """Return the offers that this seat has posted or accepted and that are not over, for this seat alone."""
    return tuple(_standing(table, offer, seat) for offer in table.live_offers() if _concerns(table, offer, seat))


def _concerns(table: Table, offer: Offer, seat: str) -> bool:
    """Return whether this seat posted the offer, or has accepted it and could still be the one it is for."""
    if offer.to is None:
        return seat == offer.seat or seat in takers(table, offer)
    return seat == offer.seat or (seat == offer.to and agrees(offer, seat))


def _standing(table: Table, offer: Offer, seat: str) -> StandingView:
    posted = offer.seat == seat
    return StandingView(
        offer=offer.number, posted=posted, wish=posted and not offer.give and game_of(table).exchange is not None,
        suspended=offer.status == "suspended", unmet=_unmet(table, offer, seat),
        end=EndUnmet(table.id, offer.number, "withdraw" if posted else "back_out"),
    )  # fmt: skip


def _unmet(table: Table, offer: Offer, seat: str) -> str:
    """Return why this seat can't give what the offer takes from it; empty when it can, whatever else forbids it."""
    gives, gets = (offer.give, offer.want) if offer.seat == seat else (offer.want, offer.give)
    # With nobody on the other side, only this seat's own goods are looked at.
    found = [each for each in violations(table, Trade(seat, "", gives, gets)) if _tells(each, seat)]
    missing = sum((each.missing for each in found), NOTHING)
    describe = game_of(table).goods.describe
    reasons = [f"You are short of {describe(missing)}."] if missing else [each.reason for each in found[:1]]
    return " ".join([*reasons, *_gone(table, offer, seat)])


def _tells(violation: Violation, seat: str) -> bool:
    return violation.short and violation.known_to in ("", seat)


def _gone(table: Table, offer: Offer, seat: str) -> list[str]:
    """Return that what this seat has handed over for the offer has gone elsewhere."""
    exchange = exchange_of(table)
    if exchange is None or seat not in offer.handed:
        return []
    missing = exchange.hand(table, seat).missing(offer.handed[seat])
    if not missing:
        return []
    what = game_of(table).goods.describe(missing)
    return [f"What you handed over for offer {offer.number} is not all in your hand any more: {what}."]
