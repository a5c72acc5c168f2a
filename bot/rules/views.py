"""Who may see: the one function that every look at an entry goes through."""

from __future__ import annotations

from bot.rules.entries import Entry, GoodsMoved, OfferVoided, Part, Transaction, sealed_fields
from bot.rules.table import Value


class Viewer(Value):
    """Somebody who looks. ``seat`` is theirs at this table, if any; ``since`` is the entry with which they took it over
    from somebody else: what was sealed for its parties before is not for them.

    ``moderates``: a host or moderator who audits the table and has never sat at it; whoever has is a player like any
    other (see `bot.rules.audits.auditor`). ``after_close``: the table is closed, and its host did not choose at
    opening that what is sealed stays so.
    """

    seat: str | None = None
    since: int = 0
    moderates: bool = False
    after_close: bool = False

    def sits(self, seat: str, seq: int = 0) -> bool:
        """Whether this is their seat, and was at this entry."""
        return self.seat == seat and seq >= self.since


PUBLIC = Viewer()


def view(entry: Entry, viewer: Viewer, seq: int = 0) -> Entry:
    """The entry as this viewer may see it: what they may not know is None. ``seq`` is its number, 0 where that is not
    known, and then it is taken for one from before they took over their seat.

    What is sealed for the parties is theirs and a moderator's, what is sealed for the keeper nobody's; both open when
    the table closes.
    """
    seen: dict[str, object] = {
        name: None for name, part in sealed_fields(type(entry)).items() if not may_see(entry, part, viewer, seq)
    }
    match entry:
        case Transaction():  # here the two see what the other gave
            pass
        case GoodsMoved(hidden=hidden) if hidden and not (viewer.after_close or viewer.moderates or "hidden" in seen):
            seen["hidden"] = {seat: change for seat, change in hidden.items() if seat == viewer.seat}
        case OfferVoided(why=why) if why and not (viewer.after_close or viewer.moderates or "why" in seen):
            seen["why"] = {seat: topic for seat, topic in why.items() if seat == viewer.seat}
    return entry.model_copy(update=seen) if seen else entry


def may_see(entry: Entry, part: Part, viewer: Viewer, seq: int = 0) -> bool:
    """Whether this sealed part of the entry of this number is open to this viewer."""
    if viewer.after_close:
        return True
    return part == "parties" and (viewer.moderates or any(viewer.sits(seat, seq) for seat in entry.parties()))
