"""Find the seat, deal or negotiation that a command names, or raise `Refused`."""

from __future__ import annotations

from bot.rules.commands import Caller
from bot.rules.model.actions import take_a_seat
from bot.rules.model.deals import Deal, Negotiation
from bot.rules.model.seats import Seat
from bot.rules.model.table import Table
from bot.rules.model.violation import Refused


def own_seat(table: Table, caller: Caller) -> Seat:
    """Return the caller's seat. Raises `Refused` if they have none."""
    seat = table.seat_of(caller.person)
    if seat is None:
        raise Refused("", "You have no seat at this table.", "Take one with /table sit.", take_a_seat(table.id))
    return seat


def taken_seat(table: Table, id: str) -> Seat:
    """Return this seat. Raises `Refused` if it is empty."""
    seat = table.seats.get(id)
    if seat is None or seat.person is None:
        raise Refused("", "Nobody plays that seat any more.", "/table show lists the players.")
    return seat


def seat_meant(table: Table, id: str | None, caller: Caller) -> Seat:
    """Return this seat, or the caller's own for None. Raises `Refused` if it is empty."""
    return own_seat(table, caller) if id is None else taken_seat(table, id)


def ongoing(table: Table, number: int) -> Negotiation:
    """Return the open negotiation with this number. Raises `Refused` if there is none."""
    negotiation = table.negotiations.get(number)
    if negotiation is None or not negotiation.open:
        raise Refused("", "These negotiations are closed.", "/negotiate open starts new ones.")
    return negotiation


def deal_numbered(table: Table, number: int) -> Deal:
    """Return the deal with this number. Raises `Refused` if there is none."""
    deal = table.deals.get(number)
    if deal is None:
        raise Refused("", f"There is no deal {number} at this table.", "/deal list shows all.")
    return deal
