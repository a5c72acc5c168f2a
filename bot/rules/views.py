"""Who may see: the one function that every look at an entry goes through."""

from __future__ import annotations

from bot.rules.entries import Entry, GoodsMoved, Part, Transaction, sealed_fields
from bot.rules.table import Value


class Viewer(Value):
    """Somebody who looks. ``seat`` is theirs at this table, if any.

    ``moderates``: a host or moderator who audits the table and has never sat at it; whoever has is a player like any
    other (see `bot.rules.audits.auditor`). ``after_close``: the table is closed, and its host did not choose at
    opening that what is sealed stays so.
    """

    seat: str | None = None
    moderates: bool = False
    after_close: bool = False


PUBLIC = Viewer()


def view(entry: Entry, viewer: Viewer) -> Entry:
    """The entry as this viewer may see it: what they may not know is None.

    What is sealed for the parties is theirs and a moderator's, what is sealed for the keeper nobody's; both open when
    the table closes.
    """
    seen: dict[str, object] = {
        name: None for name, part in sealed_fields(type(entry)).items() if not may_see(entry, part, viewer)
    }
    match entry:
        case Transaction():  # here the two see what the other gave
            pass
        case GoodsMoved(hidden=hidden) if hidden and not (viewer.after_close or viewer.moderates or "hidden" in seen):
            seen["hidden"] = {seat: change for seat, change in hidden.items() if seat == viewer.seat}
    return entry.model_copy(update=seen) if seen else entry


def may_see(entry: Entry, part: Part, viewer: Viewer) -> bool:
    """Whether this sealed part of the entry is open to this viewer."""
    return viewer.after_close or (part == "parties" and (viewer.moderates or viewer.seat in entry.parties()))
