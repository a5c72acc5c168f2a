"""69.3: a promissory note in play returns to its owner once its ability is completely resolved.

The data of each note says when (`data.ti4.Returns`). The bot sees the end of a combat, a turn, an agenda or the status
phase, and returns the notes that wait for it. Other notes are returned by their holder's command.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from bot.api import (
    Apply,
    Caller,
    Change,
    Entry,
    Feature,
    FollowUpView,
    Goods,
    GoodsMoved,
    GoodsOfSeat,
    PhaseSet,
    Seat,
    Table,
    part,
)
from bot.games.ti4.components import describe_token, note_owner
from bot.games.ti4.state import PHASES, Combat
from data.ti4 import Returns, promissory_notes

Moment = Literal["combat", "turn", "agenda", "status"]
"""A moment that can return notes: the end of the status phase, an agenda, a turn or a combat."""

ENDED_BY: Mapping[Returns, frozenset[Moment]] = {
    "combat_ends": frozenset({"combat", "turn"}),
    "turn_ends": frozenset({"turn"}),
    "agenda_ends": frozenset({"agenda"}),
    "status_ends": frozenset({"status"}),
}
"""The moments that return notes, for each kind of `Returns`."""


class NoteReturned(GoodsOfSeat):
    """A promissory note in play went back to its owner.

    ``after``: it went back by itself when this ended. Otherwise ``said_by`` is the seat that returned it, "" for the
    host.
    """

    kind: Literal["ti4.note.returned"] = "ti4.note.returned"
    note: str
    said_by: str = ""
    after: Moment | None = None

    def by_itself(self) -> bool:
        return self.after is not None

    def sentence(self, ruler: str) -> str:
        card = f"**{describe_token(self.note)}**"
        if self.after is not None:
            over = "status phase" if self.after == "status" else self.after
            return f"{card} goes back from <seat:{self.seat}> to its owner, because the {over} is over."
        if not self.said_by:
            return f"{ruler.capitalize()} returns {card} from <seat:{self.seat}> to its owner."
        return f"<player:{self.seat}> gives {card} back to its owner."


def returns(token: str) -> Returns:
    """Return when this note, once played, goes back to its owner."""
    return promissory_notes()[note_owner(token)[0]].returns


def stays_in_play(token: str) -> bool:
    """Return whether this note stays in play after it is played."""
    return returns(token) != "at_once"


def going_back(holder: Seat, token: str, *, said_by: str = "", after: Moment | None = None) -> NoteReturned:
    """Return the entry by which a note in play goes from its holder to its owner. See `NoteReturned`."""
    card = Goods({token: 1})
    changes = {holder.id: Change(left_play=card), note_owner(token)[1]: Change(gained=card)}
    return NoteReturned(seat=holder.id, note=token, said_by=said_by, after=after, changes=changes)


# ---------------------------------------------------------------- returning notes


def brings(table: Table, entries: tuple[Entry, ...], caller: Caller, apply: Apply) -> tuple[Entry, ...]:
    """Return the entries of a command, each followed by the notes that go back with it."""
    waits = any(returns(token) in ENDED_BY for seat in table.seats.values() for token in seat.in_play)
    if not waits and not any(isinstance(entry, GoodsMoved) for entry in entries):
        return entries  # the common case: no note waits for anything, nor will after these entries
    every: list[Entry] = []
    for entry in entries:
        every.append(entry)
        before, table = table, apply(table, entry)
        for due in _notes_due(before, table):
            every.append(due)
            table = apply(table, due)
    return tuple(every)


def _notes_due(before: Table, after: Table) -> list[NoteReturned]:
    """Return the notes that go back because of what ended between two states of the table."""
    if not after.tracked:
        return []
    return [
        going_back(seat, token, after=moment)
        for seat in after.seats.values()
        for token in sorted(seat.in_play)
        for moment in _what_ended(before, after, seat.id)
        if moment in ENDED_BY.get(returns(token), ())
    ]


def _what_ended(before: Table, after: Table, holder: str) -> tuple[Moment, ...]:
    """Return what ended between two states for the holder of a note. If a combat ends with its turn, only the turn."""
    over = before.window.number != after.window.number
    if over and before.window.kind == "turn":
        turn: tuple[Moment, ...] = ("turn",)
    else:
        turn = ("combat",) if _fights(before, holder) and not _fights(after, holder) else ()
    agenda = (over and before.window.kind == "agenda") or before.phase == "agenda" != after.phase
    status = "status" in _phases_over(before.phase, after.phase)
    return (*turn, *(("agenda",) if agenda else ()), *(("status",) if status else ()))


def _fights(table: Table, seat: str) -> bool:
    return any(seat in two for two in part(table, Combat).pairs)


def _phases_over(before: str, after: str) -> tuple[str, ...]:
    """Return the phases that ended between two phases, including skipped ones."""
    first, last = PHASES.index(before), PHASES.index(after)
    return tuple((PHASES + PHASES)[first : last if last >= first else last + len(PHASES)])


# ---------------------------------------------------------------- reminders


def waiting_for_status(table: Table) -> list[tuple[str, str]]:
    """Return the holder and token of each note in play that goes back when the status phase ends."""
    return [
        (seat.id, token)
        for seat in table.seats.values()
        for token in sorted(seat.in_play)
        if returns(token) == "status_ends"
    ]


def reminders(table: Table, entry: Entry) -> Iterable[FollowUpView]:
    """When the status phase begins, remind holders and owners of the notes that go back at its end."""
    if not isinstance(entry, PhaseSet) or entry.phase != "status":
        return
    for holder, token in waiting_for_status(table):
        for seat in (holder, note_owner(token)[1]):
            yield FollowUpView(
                seat=seat, evident=True,
                text=f"When this status phase ends, **{describe_token(token)}** goes back to its owner automatically.",
            )  # fmt: skip


FEATURE = Feature(entries=(NoteReturned,), brings=brings, follow_ups=reminders)
