"""People of a table: the numbers that entries use for them, and the seats they held."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field

from bot.rules.model.text import one_line
from bot.rules.model.values import frozen


@frozen
class Person:
    """A person known at one table. ``number`` identifies them in entries; ``user_id`` is None once
    erased.

    ``name`` is reduced to one line without invisible characters.
    """

    number: int
    user_id: int | None
    name: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", one_line(self.name))


@frozen
class Tenure:
    """A person's time in a seat, from entry ``since`` to entry ``until`` (None: they still sit
    there).

    The first holder of a seat has it from entry 0, so that they may see what happened to it before
    they sat down. ``given``: another seated them, and they have done nothing here since.
    """

    seat: str
    person: int
    since: int
    until: int | None = None
    given: bool = False

    @property
    def counts(self) -> bool:
        """Whether they have sat here: they acted, or sit here still."""
        return not self.given or self.until is None

    def covers(self, seq: int) -> bool:
        """Return whether entry ``seq`` is within this time."""
        return self.since <= seq and (self.until is None or seq <= self.until)


Holders = Mapping[str, int | None]
"""The person in each seat; None for an empty seat."""


def holders_at(tenures: Iterable[Tenure], seq: int) -> Holders:
    """Return who held each seat at entry ``seq``. Seats that nobody had taken yet are missing."""
    holders: dict[str, int | None] = {}
    for each in tenures:
        if each.covers(seq):
            holders[each.seat] = each.person
        elif each.since <= seq:
            holders.setdefault(each.seat, None)
    return holders


@frozen
class Hosting:
    """A person hosts a table from entry ``since`` on, until the next `Hosting`. ``given`` as of
    `Tenure`.
    """

    person: int
    since: int
    given: bool = False


def host_at(hosts: Iterable[Hosting], seq: int) -> int:
    """Return who hosted the table at entry ``seq``; 0 before it was opened."""
    host = 0
    for hosting in hosts:
        if hosting.since <= seq:
            host = hosting.person
    return host


@frozen
class Parties:
    """The people of an offer, a deal or a negotiation, by the seat each had when they joined it.

    A successor in one of these seats is not a party, and may not see what was said.
    """

    people: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def of(
        cls, seats: Iterable[str | None], holders: Holders, known: Parties | None = None
    ) -> Parties:
        """Return the people of these seats: those in ``known``, or else the current holders."""
        known_people = known.people if known else {}
        people = dict[str, int]()
        for seat in filter(None, seats):
            if person := known_people.get(seat) or holders.get(seat):
                people[seat] = person
        return cls(people)

    def renamed(self, became: Mapping[str, str]) -> Parties:
        """Return these people by the current ids of seats that have become others."""
        people = {became.get(seat, seat): person for seat, person in self.people.items()}
        return Parties(people)

    def include(self, person: int, seat: str | None) -> bool:
        """Return whether this person, who has this seat now, is a party."""
        return seat is not None and person != 0 and self.people.get(seat) == person


@frozen
class Names:
    """Data for filling names into a sentence: the game, the people, and the holder of each seat at
    the time.

    ``words`` are the table's own words for things of the game; see `Game.words`. ``reader`` is the
    only person who reads it, and is called *you*; 0 for what several read. ``variant`` is the text
    by which the table plays the game; see `Variants`.
    """

    game: str
    people: Mapping[int, Person]
    holders: Holders
    words: Mapping[str, str] = field(default_factory=dict)
    reader: int = 0
    variant: str = ""

    def holder(self, seat: str) -> Person | None:
        """Return the person in this seat, if any."""
        return self.people.get(self.holders.get(seat) or 0)

    def seat_of(self, person: int) -> str | None:
        """Return the seat of this person, if any."""
        for seat, holder in self.holders.items():
            if holder == person:
                return seat
        return None
