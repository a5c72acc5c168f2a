"""A turn that is given back after a slip: it is the same turn, so who has traded in it has had their transaction.

A turn can be given back as long as it is the one before: since it ended, or was left, no other has ended. The host does
so by naming its player to begin once more. That is taken for the same turn where a new one would be out of turn, and
nobody has traded or fought since; the host is told, and may say which of the two it is. A turn that is interrupted in
this way goes on later as the same turn, too.
"""

from __future__ import annotations

from typing import Literal

from bot.api import Refused, Table
from bot.games.ti4.entries import TurnStarted
from bot.games.ti4.state import TurnTrades, active_seat, next_seat, state_of

SameOrNew = Literal["same", "new"]


def trades_now(table: Table, seat: str) -> TurnTrades:
    """Return who has traded in the turn under way, which is this seat's."""
    return TurnTrades(seat, table.window.used, state_of(table).parted)


def begun(table: Table, seat: str, window: int, turn: SameOrNew | None = None, *, by_name: bool = True) -> TurnStarted:
    """Return the beginning of a seat's turn: of a new one, or once more of one that is given back or goes on.

    ``turn``: which of the two it is, None where nobody has said. ``by_name``: the seat was named; a turn that somebody
    begins as their own is their next one. Raises `Refused` when no turn of theirs can be given back.
    """
    interrupted = next((each for each in state_of(table).interrupted if each.seat == seat), None)
    before = interrupted or _before(table, seat)
    slip = before is not None and interrupted is None and _is_slip(table, seat)
    if turn == "same" and before is None:
        raise Refused(
            "", f"<seat:{seat}>'s last turn can't be given back: another has ended since, or a phase began.",
            "Without turn:same a new turn begins.",
        )  # fmt: skip
    same = turn == "same" if turn else (interrupted is not None or (slip and by_name))
    assumed = slip and turn is None
    if before is None or not same:
        return TurnStarted(seat=seat, window=window, assumed=assumed)
    used = before.used | (table.window.used if active_seat(table) == seat else frozenset())
    return TurnStarted(
        seat=seat, window=window, again=True, assumed=assumed, used=tuple(sorted(used)),
        parted=tuple(sorted(before.parted)),
    )  # fmt: skip


def _before(table: Table, seat: str) -> TurnTrades | None:
    """Return the turn before this one, if it was this seat's."""
    last = state_of(table).last
    return last if last is not None and last.seat == seat else None


def _is_slip(table: Table, seat: str) -> bool:
    """Return whether this seat's next turn would come out of turn: another is due, or has only just begun theirs."""
    if active_seat(table) is None:
        return next_seat(table, seat) not in (None, seat)
    return not table.window.used and not state_of(table).combat
