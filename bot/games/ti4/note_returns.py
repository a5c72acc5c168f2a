"""69.3: a promissory note that was played goes back once its ability is completely resolved, as its own text says.

What each note waits for is in its data (`data.ti4.Returns`). What the bot sees end, a combat, a turn, an agenda or the
status phase, brings the notes home that wait for it, whichever command ended it; the rest its holder says.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from bot.api import (
    Caller,
    Change,
    Command,
    Entry,
    FollowUpView,
    Goods,
    GoodsMoved,
    Handler,
    Handlers,
    PhaseSet,
    Seat,
    Table,
)
from bot.games.ti4.apply import apply
from bot.games.ti4.components import describe_token, note_owner
from bot.games.ti4.entries import Moment, NoteReturned
from bot.games.ti4.state import PHASES, state_of
from data.ti4 import Returns, promissory_notes

ENDED_BY: Mapping[Returns, frozenset[Moment]] = {
    "combat_ends": frozenset({"combat", "turn"}),
    "turn_ends": frozenset({"turn"}),
    "agenda_ends": frozenset({"agenda"}),
    "status_ends": frozenset({"status"}),
}
"""The moments that bring a note home."""


def returns(token: str) -> Returns:
    """Return when this note goes back to its owner once it has been played."""
    return promissory_notes()[note_owner(token)[0]].returns


def stays(token: str) -> bool:
    """Return whether this note stays before its holder when it is played."""
    return returns(token) != "at_once"


def going_back(holder: Seat, token: str, *, said_by: str = "", after: Moment | None = None) -> NoteReturned:
    """Return that a note in play goes from its holder to its owner.

    ``said_by`` is the holder, or empty for the host; ``after`` what has ended, where it goes by itself.
    """
    card = Goods({token: 1})
    changes = {holder.id: Change(left_play=card), note_owner(token)[1]: Change(gained=card)}
    return NoteReturned(seat=holder.id, note=token, said_by=said_by, after=after, changes=changes)


# ---------------------------------------------------------------- what brings notes home


def bringing_home(handlers: Handlers) -> Handlers:
    """Return these handlers, each of which also returns the notes that go back with what it ends."""
    return {kind: _bringing_home(handle) for kind, handle in handlers.items()}


def in_phase(table: Table, phase: str, at: int) -> Iterable[Entry]:
    """Return the notes that go back as the host begins this phase. ``table`` is from before."""
    begun = PhaseSet(phase=phase, window=table.window.number + 1)
    return _due(table, _after(table, begun))


def _bringing_home(handle: Handler) -> Handler:
    def handled(table: Table, command: Command, caller: Caller) -> Iterable[Entry]:
        entries = tuple(handle(table, command, caller))
        return _with_returns(table, entries) if _may_return(table, entries) else entries

    return handled


def _may_return(table: Table, entries: Iterable[Entry]) -> bool:
    """Return whether a note that waits for something lies before a seat, or may with these entries; few tables have."""
    waits = any(returns(token) in ENDED_BY for seat in table.seats.values() for token in seat.in_play)
    return waits or any(isinstance(entry, GoodsMoved) for entry in entries)


def _with_returns(table: Table, entries: Iterable[Entry]) -> Iterator[Entry]:
    """Yield the entries, and after each the notes that go back with what it ends."""
    for entry in entries:
        yield entry
        before, table = table, _after(table, entry)
        for due in _due(before, table):
            yield due
            table = _after(table, due)


def _after(table: Table, entry: Entry) -> Table:
    return apply(entry.apply(table), entry)


def _due(before: Table, after: Table) -> list[NoteReturned]:
    """Return the notes that go back with what has ended between these two."""
    if not after.tracked:
        return []
    return [
        going_back(seat, token, after=moment)
        for seat in after.seats.values()
        for token in sorted(seat.in_play)
        for moment in _ended(before, after, seat.id)
        if moment in ENDED_BY.get(returns(token), ())
    ]


def _ended(before: Table, after: Table, holder: str) -> tuple[Moment, ...]:
    """Return what has ended between these two for the holder of a note; of a combat and its turn, only the turn."""
    over = before.window.number != after.window.number
    if over and before.window.kind == "turn":
        turn: tuple[Moment, ...] = ("turn",)
    else:
        turn = ("combat",) if _fights(before, holder) and not _fights(after, holder) else ()
    agenda = (over and before.window.kind == "agenda") or before.phase == "agenda" != after.phase
    status = "status" in _phases_over(before.phase, after.phase)
    return (*turn, *(("agenda",) if agenda else ()), *(("status",) if status else ()))


def _fights(table: Table, seat: str) -> bool:
    return any(seat in two for two in state_of(table).combat)


def _phases_over(before: str, after: str) -> tuple[str, ...]:
    """Return the phases that are over, from the one before to the one after; those that were left out among them."""
    first, last = PHASES.index(before), PHASES.index(after)
    return tuple((PHASES + PHASES)[first : last if last >= first else last + len(PHASES)])


# ---------------------------------------------------------------- reminders


def waiting_for_status(table: Table) -> list[tuple[str, str]]:
    """Return each holder and note in play that goes back when the status phase ends."""
    return [
        (seat.id, token)
        for seat in table.seats.values()
        for token in sorted(seat.in_play)
        if returns(token) == "status_ends"
    ]


def reminders(table: Table) -> list[FollowUpView]:
    """Remind holder and owner, as the status phase begins, of what goes back when it ends."""
    return [
        FollowUpView(
            seat=seat, evident=True,
            text=f"When this status phase ends, **{describe_token(token)}** goes back to its owner by itself.",
        )
        for holder, token in waiting_for_status(table)
        for seat in (holder, note_owner(token)[1])
    ]  # fmt: skip
