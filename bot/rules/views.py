"""Who may see: the one function that every look at an entry goes through."""

from __future__ import annotations

from bot.rules.entries import Entry, sealed_fields
from bot.rules.table import Value


class Viewer(Value):
    """Somebody who looks. ``seat`` is theirs at this table, if any; ``after_close`` when the table is closed.

    A host or moderator who sits at the table is a player like any other until it closes.
    """

    seat: str | None = None
    after_close: bool = False


PUBLIC = Viewer()


def view(entry: Entry, viewer: Viewer) -> Entry:
    """The entry as this viewer may see it: what they may not know is None.

    What is sealed for the parties is theirs, what is sealed for the keeper nobody's; both open when the table closes.
    """
    hidden = {
        name: None
        for name, part in sealed_fields(type(entry)).items()
        if not viewer.after_close and not (part == "parties" and viewer.seat in entry.parties())
    }
    return entry.model_copy(update=hidden) if hidden else entry
