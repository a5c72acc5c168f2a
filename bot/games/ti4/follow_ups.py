"""What may follow from what happened, said privately to those it matters to. The bot never decides it for them."""

from __future__ import annotations

from bot.api import NOTHING, Entry, FollowUpView, PhaseSet, Table, Transaction
from bot.games.ti4 import note_gifts, note_returns, notes
from bot.games.ti4.components import describe
from bot.games.ti4.entries import Eliminated, NoteGiven


def follow_ups(table: Table, entry: Entry) -> list[FollowUpView]:
    """Return what may follow from this entry, at the table as it is after it."""
    match entry:
        case Transaction():
            return _play_now(entry)
        case NoteGiven():
            return note_gifts.received(entry)
        case PhaseSet(phase="status"):
            return note_returns.reminders(table)
        case Eliminated():
            return _notes_moved(entry)
    return []


def _notes_moved(entry: Eliminated) -> list[FollowUpView]:
    """33.4, 33.4.1: which notes left a hand, or came back to one, is for that hand alone."""
    return [
        FollowUpView(seat=seat, text=f"<faction:{entry.seat}> are out of the game. {moved}")
        for seat, change in (entry.hidden or {}).items()
        for moved in (
            f"Out of your hand: **{describe(change.lost)}**." if change.lost else "",
            f"Back to you: **{describe(change.gained)}**." if change.gained else "",
        )
        if moved and seat != entry.seat
    ]


def _play_now(entry: Transaction) -> list[FollowUpView]:
    """F1: a note that came in its own timing window may be played in it.

    That a note came is known to all, and so are those that can't be played from the hand [69.6].
    """
    hidden = entry.hidden or {}
    return [
        FollowUpView(seat=seat, text=f"If now is the time of it, you may play it at once [F1]. {note}.", evident=True)
        for seat in (entry.first, entry.second)
        for note in notes.may_be_played_now(hidden[seat].gained if seat in hidden else NOTHING)
    ]
