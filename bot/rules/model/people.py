"""People of a table: numbers that entries use for them, and which seats they held when."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from bot.rules.model.text import one_line


@dataclass(frozen=True, slots=True)
class Person:
    """A person known at one table. ``number`` is what entries call them; ``user_id`` is None once erased.

    ``name`` is on one line and without characters that nobody can see, whatever it was made from.
    """

    number: int
    user_id: int | None
    name: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", one_line(self.name))


@dataclass(frozen=True, slots=True)
class Tenure:
    """A person's time in a seat, from entry ``since`` up to entry ``until`` (None: they still sit there).

    The first holder of a seat has it from entry 0: what happened to the seat before they sat down is theirs to see.
    """

    seat: str
    person: int
    since: int
    until: int | None = None

    def covers(self, seq: int) -> bool:
        """Return whether the entry with this number falls into this time."""
        return self.since <= seq and (self.until is None or seq <= self.until)


Holders = Mapping[str, int | None]
"""Who holds each seat; None for an empty one."""


def holders_at(tenures: Iterable[Tenure], seq: int) -> Holders:
    """Return who held each seat at an entry; a seat that nobody held yet then is not in it."""
    holders: dict[str, int | None] = {}
    for each in tenures:
        if each.covers(seq):
            holders[each.seat] = each.person
        elif each.since <= seq:
            holders.setdefault(each.seat, None)
    return holders


@dataclass(frozen=True, slots=True)
class Hosting:
    """A person hosts a table from entry ``since`` on, until another does."""

    person: int
    since: int


def host_at(hosts: Iterable[Hosting], seq: int) -> int:
    """Return who hosted the table at an entry; 0 before it was opened."""
    return next((each.person for each in reversed(tuple(hosts)) if each.since <= seq), 0)


@dataclass(frozen=True, slots=True)
class Parties:
    """The people an offer, a deal or a negotiation is between, by the seats they had when they became part of it.

    What was said is theirs: a successor in one of the seats is not one of them.
    """

    people: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, seats: Iterable[str | None], holders: Holders, known: Parties | None = None) -> Parties:
        """Return the people of these seats: as ``known``, or else those who hold them."""
        before = known.people if known else {}
        people = {seat: before.get(seat) or holders.get(seat) for seat in seats if seat is not None}
        return cls({seat: person for seat, person in people.items() if person})

    def include(self, person: int, seat: str | None) -> bool:
        """Return whether this person, who has this seat now, is one of them."""
        return seat is not None and person != 0 and self.people.get(seat) == person


@dataclass(frozen=True, slots=True)
class Names:
    """What is needed to put names into a sentence: the game, its people, and who held each seat at that time."""

    game: str
    people: Mapping[int, Person]
    holders: Holders

    def holder(self, seat: str) -> Person | None:
        """Return the person in this seat, if there was one."""
        return self.people.get(self.holders.get(seat) or 0)
