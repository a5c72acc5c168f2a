"""Caps: how much of one thing may stand at a table at once. More than any table needs, and fewer than a prank needs.

They are no rules of a game. What is counted, the person who is refused can see: it is their own, or public.
"""

from __future__ import annotations

from bot.rules.model.table import Table
from bot.rules.model.violation import Refused

OFFERS, OFFERS_TO_ONE = 40, 30
"""Offers that one seat may have standing in all, and to one other seat. Suspended ones count."""

DEALS, DEALS_TO_ONE = 40, 20
"""Deals proposed by one seat that wait for an answer in all, and for that of one other seat."""

NEGOTIATIONS, NEGOTIATIONS_OF_TWO = 60, 5
"""Negotiations that are open at a table in all, and between the same two."""


def require_room_for_offer(table: Table, seat: str, to: str | None) -> None:
    """Raise `Refused` when this seat has too many offers standing, or too many to the seat it names."""
    standing = [offer.to for offer in table.live_offers() if offer.seat == seat]
    if to is not None and standing.count(to) >= OFFERS_TO_ONE:
        raise Refused(
            "", f"You have {OFFERS_TO_ONE} offers to <seat:{to}> standing.", "Withdraw some: /offer withdraw."
        )
    if len(standing) >= OFFERS:
        raise Refused("", f"You have {OFFERS} offers standing.", "Withdraw some: /offer withdraw.")


def require_room_for_deal(table: Table, seat: str, to: str) -> None:
    """Raise `Refused` when too many deals that this seat proposed wait for an answer."""
    waiting = [deal.to for deal in table.deals.values() if deal.seat == seat and deal.status == "proposed"]
    if waiting.count(to) >= DEALS_TO_ONE:
        raise Refused("", f"{DEALS_TO_ONE} deals wait for <seat:{to}> already.", "Talk to them first.")
    if len(waiting) >= DEALS:
        raise Refused("", f"{DEALS} deals that you proposed wait for an answer.", "Let some be answered first.")


def require_room_for_negotiation(table: Table, seat: str, other: str) -> None:
    """Raise `Refused` when these two, or all at the table together, have too many negotiations open."""
    talks = [each for each in table.negotiations.values() if each.open]
    if sum(each.party(seat) and each.party(other) for each in talks) >= NEGOTIATIONS_OF_TWO:
        reason = f"You have {NEGOTIATIONS_OF_TWO} negotiations with <seat:{other}> open."
        raise Refused("", reason, "Go on in one of them, or close it: /negotiate close.")
    if len(talks) >= NEGOTIATIONS:
        raise Refused("", f"{NEGOTIATIONS} negotiations are open at this table.", "Close one: /negotiate close.")
