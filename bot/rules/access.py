"""Checks that many commands make: the caller's rights, the table's settings, and that seats and
numbers exist.
"""

from __future__ import annotations

from bot.rules.commands import Caller
from bot.rules.model.actions import LabelledAction, take_a_seat
from bot.rules.model.deals import Deal, Negotiation
from bot.rules.model.table import Seat, Table
from bot.rules.model.violation import Refused, Undecided
from bot.rules.model.windows import Since


def is_host(table: Table, caller: Caller) -> bool:
    """Return whether the caller is the table's host or moderates its server.

    >>> is_host(table, caller), is_host(table, Caller(person=2))
    (True, False)
    """
    return caller.moderator or caller.person == table.host


def require_host(table: Table, caller: Caller, what: str) -> None:
    """Raise `Refused` unless `is_host`. ``what`` completes the sentence "Only the host may".

    >>> require_host(table, Caller(person=2), "ring the bell")
    Traceback (most recent call last):
    bot.rules.model.violation.Refused: Only the host may ring the bell. Ask <person:1>.
    """
    if not is_host(table, caller):
        raise Refused(f"Only the host may {what}.", f"Ask <person:{table.host}>.")


def require_seat_or_host(table: Table, caller: Caller) -> None:
    """Raise `Refused` unless the caller has a seat at this table or `is_host`.

    >>> require_seat_or_host(table, Caller(person=3))
    Traceback (most recent call last):
    bot.rules.model.violation.Refused: You have no seat at this table. Take one: **Take a seat**.
    """
    if not is_host(table, caller):
        own_seat(table, caller)


def require_since(since: Since, now: int, over: str, *again: LabelledAction) -> None:
    """Raise `Refused` unless what a button is about still goes on: the entry ``now`` began it.

    ``over`` says what has come instead. A button of a version that did not say what it was about
    is answered with ``again``, the button of now.

    >>> require_since(12, 12, "The bell has rung since.")
    >>> require_since(None, 12, "The bell has rung since.")
    >>> require_since(7, 12, "The bell has rung since.")
    Traceback (most recent call last):
    bot.rules.model.violation.Refused: The bell has rung since.
    """
    if since in (None, now):
        return
    if since:
        raise Refused(over)
    raise Undecided("That button is from a while ago.", "This one is from now.", options=again)


def require_tracked(table: Table) -> None:
    """Raise `Refused` if the table does not track holdings.

    >>> require_tracked(table)
    """
    if not table.tracked:
        raise Refused(
            "This table does not keep count of holdings.",
            "The host can change that: **Settings** under **Menu**, **Host…**.",
        )


def own_seat(table: Table, caller: Caller) -> Seat:
    """Return the caller's seat. Raises `Refused` if they have none.

    >>> own_seat(table, caller).id
    'red'
    """
    seat = table.seat_of(caller.person)
    if seat is None:
        raise Refused(
            "You have no seat at this table.",
            "Take one: **Take a seat**.",
            options=take_a_seat(table.id),
        )
    return seat


def taken_seat(table: Table, id: str) -> Seat:
    """Return this seat. Raises `Refused` if it is empty.

    >>> taken_seat(table, "green").person
    2
    """
    seat = table.seats.get(id)
    if seat is None or seat.person is None:
        raise Refused(
            "Nobody plays that seat any more.",
            "**Who has what** under **Menu** lists the players.",
        )
    return seat


def seat_meant(table: Table, id: str | None, caller: Caller) -> Seat:
    """Return this seat, or the caller's own for None. Raises `Refused` if it is empty.

    >>> seat_meant(table, None, caller).id, seat_meant(table, "green", caller).id
    ('red', 'green')
    """
    return own_seat(table, caller) if id is None else taken_seat(table, id)


def ongoing(table: Table, number: int) -> Negotiation:
    """Return the open negotiation with this number. Raises `Refused` if there is none."""
    negotiation = table.negotiations.get(number)
    if negotiation is None or not negotiation.open:
        raise Refused(
            "These negotiations are closed.", "**Negotiate…** under **Menu** starts new ones."
        )
    return negotiation


def deal_numbered(table: Table, number: int) -> Deal:
    """Return the deal with this number. Raises `Refused` if there is none."""
    deal = table.deals.get(number)
    if deal is None:
        raise Refused(f"There is no deal {number} at this table.", "/deal list shows all.")
    return deal
