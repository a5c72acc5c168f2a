"""Limits on the offers, deals and negotiations of a table at one time: enough for any table, too
few for a prank.

They are not rules of a game. A refusal reveals no secret, because it counts only what the caller
can see.
"""

from __future__ import annotations

from bot.rules.model.table import Table
from bot.rules.model.violation import Refused

OFFERS, OFFERS_TO_ONE, OFFERS_TO_ALL = 40, 30, 12
"""The most live offers of one seat: in all, to one other seat, and to everybody. Suspended offers
count.
"""

DEALS, DEALS_TO_ONE = 40, 20
"""The most unanswered deals proposed by one seat, in all and to one other seat."""

NEGOTIATIONS, NEGOTIATIONS_OF_TWO = 60, 5
"""The most open negotiations at a table, in all and between the same two seats."""


def require_room_for_offer(table: Table, seat: str, to: str | None) -> None:
    """Raise `Refused` if this seat has too many live offers: in all, to the seat ``to``, or to
    everybody (None).
    """
    standing = [offer.to for offer in table.live_offers() if offer.seat == seat]
    withdraw = "Withdraw some: **Offers** on the board shows them."
    if to is not None and standing.count(to) >= OFFERS_TO_ONE:
        raise Refused(f"You already have {OFFERS_TO_ONE} open offers to <seat:{to}>.", withdraw)
    if len(standing) >= OFFERS:
        raise Refused(f"You already have {OFFERS} open offers.", withdraw)
    if to is None and standing.count(to) >= OFFERS_TO_ALL:
        reason = f"You already have {OFFERS_TO_ALL} open offers to all."
        raise Refused(reason, f"{withdraw} Or post this one to one player.")


def require_room_for_deal(table: Table, seat: str, to: str) -> None:
    """Raise `Refused` if this seat has proposed too many unanswered deals, in all or to the seat
    ``to``.
    """
    waiting = [
        deal.to for deal in table.deals.values() if deal.seat == seat and deal.status == "proposed"
    ]
    if waiting.count(to) >= DEALS_TO_ONE:
        raise Refused(f"{DEALS_TO_ONE} deals already wait for <seat:{to}>.", "Talk to them first.")
    if len(waiting) >= DEALS:
        raise Refused(
            f"{DEALS} deals that you proposed wait for an answer.",
            "Let some be answered first.",
        )


def require_room_for_negotiation(table: Table, seat: str, other: str) -> None:
    """Raise `Refused` if too many negotiations are open, between these two seats or at the
    table.
    """
    talks = [each for each in table.negotiations.values() if each.open]
    if sum(each.party(seat) and each.party(other) for each in talks) >= NEGOTIATIONS_OF_TWO:
        reason = f"You already have {NEGOTIATIONS_OF_TWO} open negotiations with <seat:{other}>."
        raise Refused(reason, "Use one of them, or press **Close** in one.")
    if len(talks) >= NEGOTIATIONS:
        raise Refused(
            f"There are already {NEGOTIATIONS} open negotiations at this table.",
            "**Close** in its thread closes one.",
        )
