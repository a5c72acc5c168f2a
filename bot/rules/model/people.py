"""People of a table: numbers that entries use for them, and which seats they held when."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

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


@dataclass(frozen=True, slots=True)
class Names:
    """What is needed to put names into a sentence: the game, its people, and who held each seat at that time."""

    game: str
    people: Mapping[int, Person]
    holders: Mapping[str, int | None]

    def holder(self, seat: str) -> Person | None:
        """Return the person in this seat, if there was one."""
        return self.people.get(self.holders.get(seat) or 0)
