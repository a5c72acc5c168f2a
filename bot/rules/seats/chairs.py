"""Who may take which seat, and free it, where hands are hidden: nobody plays who knows another hand.

The reasons rest on nothing that is hidden: on who sat where, and on looks, which are entries.
"""

from __future__ import annotations

from bot.rules.commands import Caller
from bot.rules.game import SeatOption
from bot.rules.model.people import Tenure
from bot.rules.model.seats import Seat
from bot.rules.model.table import Table
from bot.rules.model.violation import Refused
from bot.rules.registry import game_of


def require_unknowing(table: Table, option: SeatOption, person: int, caller: Caller) -> None:
    """Raise `Refused` for a person who has looked at what is hidden here, and for a player of another seat.

    The latter may take a seat that nobody has played; where somebody has, its hand is hidden. A person may go back to
    the seat they left last.
    """
    own = person == caller.person
    if person in table.looked:
        who, they = ("You have", "you can't") if own else (f"<person:{person}> has", "they can't")
        raise Refused(
            "", f"{who} looked at what is hidden at this table, so {they} play at it.",
            "That ends when the table closes." if own else "Seat somebody who has not looked.",
        )  # fmt: skip
    if game_of(table).hidden is None or option.id not in table.seats:
        return
    left = last_tenure(table, person)
    if left is not None and left.seat != option.id:
        who, whom = ("you have", "you") if own else (f"<person:{person}> has", "them")
        raise Refused(
            "", f"Somebody has played {option.name}, and {who} sat elsewhere at this table.",
            f"A seat that nobody has played yet is open to {whom}.",
        )  # fmt: skip


def require_no_player(table: Table, seat: Seat, caller: Caller) -> None:
    """Raise `Refused` for a caller who plays or has played, where hands are hidden: only its player leaves a seat."""
    if game_of(table).hidden is not None and last_tenure(table, caller.person) is not None:
        raise Refused(
            "", "Hands are hidden here, and you play at this table or have played.",
            f"<person:{seat.person}> can use /table leave, or a host or moderator who never played here can free it.",
        )  # fmt: skip


def last_tenure(table: Table, person: int) -> Tenure | None:
    """Return the seat that this person has, or else the one they left last; None if they never sat."""
    own = [tenure for tenure in table.tenures if tenure.person == person]
    return max(own, key=lambda tenure: table.seq + 1 if tenure.until is None else tenure.until, default=None)
