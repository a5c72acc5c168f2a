"""Entries of Twilight Imperium 4: what several kinds share, and the kinds that no feature declares yet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar, Literal

from bot.api import Entry, GoodsOfSeat, Reference, Table, reference
from bot.games.ti4.components import describe_token
from bot.games.ti4.state import Permit


class OfSeat(Entry):
    """Something that happened to one seat."""

    seat: str

    def seats(self) -> frozenset[str]:
        """Return the seat."""
        return frozenset({self.seat})


class OfPair(Entry):
    """Something that happened between two seats."""

    first: str
    second: str

    def seats(self) -> frozenset[str]:
        """Return the two."""
        return frozenset({self.first, self.second})


class ToAnother(OfSeat):
    """What one seat did or said to another, ``other``."""

    other: str

    def seats(self) -> frozenset[str]:
        """Return the two."""
        return frozenset({self.seat, self.other})


Moment = Literal["combat", "turn", "agenda", "status"]
"""What ends and brings notes home: the status phase, or one of the others."""

ENDED: Mapping[Moment, str] = {"combat": "combat", "turn": "turn", "agenda": "agenda", "status": "status phase"}
"""What has ended when a note goes back by itself."""


class NotePlayed(GoodsOfSeat):
    """A promissory note left its holder's hand: into the play area, or back to its owner once it has taken effect."""

    kind: Literal["ti4.note.played"] = "ti4.note.played"
    note: str
    stays: bool


class NoteReturned(GoodsOfSeat):
    """A promissory note in play went back to its owner.

    ``after``: by itself, since this has ended. Otherwise ``said_by`` is the seat that said so, "" when it was the host.
    """

    kind: Literal["ti4.note.returned"] = "ti4.note.returned"
    note: str
    said_by: str = ""
    after: Moment | None = None

    def sentence(self, ruler: str) -> str:
        card = f"**{describe_token(self.note)}**"
        if self.after:
            return f"{card} goes back from <seat:{self.seat}> to its owner, since the {ENDED[self.after]} is over."
        if not self.said_by:
            return f"{ruler.capitalize()} has {card} go back from <seat:{self.seat}> to its owner."
        return f"<player:{self.seat}> gives {card} back to its owner."

    def by_itself(self) -> bool:
        """Return whether something that ended brought it about."""
        return self.after is not None


class NoteGiven(GoodsOfSeat):
    """An effect made a player give a promissory note to another. Which one only the two know, unless it is public.

    ``reason`` is the effect, as the giver wrote it. It is no transaction.
    """

    kind: Literal["ti4.note.given"] = "ti4.note.given"
    to: str
    reason: str

    def seats(self) -> frozenset[str]:
        """Return the two."""
        return frozenset({self.seat, self.to})

    def redacted(self, seats: frozenset[str]) -> Entry:
        """Return the entry whole: each of the two knows which note it was."""
        return self


class Eliminated(GoodsOfSeat):
    """A seat is out of the game, and all that is its own with it. ``person`` sat there, None for an empty seat.

    ``counted``: the table kept count of holdings, so that what is said to leave really lay there.
    """

    kind: Literal["ti4.seat.eliminated"] = "ti4.seat.eliminated"
    always: ClassVar[bool] = True
    person: int | None = None
    counted: bool = True

    def subject(self) -> Reference | None:
        """Return the seat."""
        return reference("seat", self.seat)


class FactionChanged(GoodsOfSeat):
    """A faction became another: what it has is the other's now, ``becomes``, which ``person`` has just taken."""

    kind: Literal["ti4.seat.changed"] = "ti4.seat.changed"
    always: ClassVar[bool] = True
    becomes: str
    person: int

    def subject(self) -> Reference | None:
        """Return the seat that it is now."""
        return reference("seat", self.becomes)

    def seats(self) -> frozenset[str]:
        """Return the two, and the others whose goods changed for all to see."""
        return super().seats() | {self.becomes}

    def apply(self, table: Table) -> Table:
        """Return the table after the goods have moved, with the one seat going on as the other."""
        moved = super().apply(table)
        return replace(moved, became={**moved.became, self.seat: self.becomes})


class PermitGranted(Entry):
    """A host lifted rules for two seats, for one with anybody or for everybody, and said for what reason."""

    kind: Literal["ti4.permit.granted"] = "ti4.permit.granted"
    permit: Permit

    def subject(self) -> Reference | None:
        """Return the permit, so that the audit of a transaction that used it up finds this entry."""
        return reference("permit", self.permit.number)

    def seats(self) -> frozenset[str]:
        """Return the seats that it is for, none where it is for everybody."""
        return frozenset(self.permit.seats)

    def grants(self) -> int | None:
        """Return the permit's number."""
        return self.permit.number


class PermitRevoked(Entry):
    """A host ended a permit before it was used up, or one that stood until then."""

    kind: Literal["ti4.permit.revoked"] = "ti4.permit.revoked"
    permit: Permit

    def subject(self) -> Reference | None:
        """Return the permit."""
        return reference("permit", self.permit.number)

    def seats(self) -> frozenset[str]:
        """Return the seats that it was for, none where it was for everybody."""
        return frozenset(self.permit.seats)


ENTRIES: tuple[type[Entry], ...] = (
    NotePlayed, NoteReturned, NoteGiven, Eliminated, FactionChanged, PermitGranted, PermitRevoked,
)  # fmt: skip
"""Every kind of entry that no feature declares yet."""
