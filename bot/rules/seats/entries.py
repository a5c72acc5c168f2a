"""Entries about seats."""

from __future__ import annotations

from typing import Annotated, Literal

from bot.rules.entries import Entry, Sealed
from bot.rules.model.goods import NOTHING, Goods
from bot.rules.model.parts import with_parts
from bot.rules.model.people import Tenure
from bot.rules.model.references import Reference, reference
from bot.rules.model.replacing import replace
from bot.rules.model.seats import Seat
from bot.rules.model.table import Table


class _SeatEntry(Entry):
    """Something that happened to one seat and the person in it."""

    seat: str
    person: int

    def subject(self) -> Reference | None:
        """Return the seat."""
        return reference("seat", self.seat)

    def seats(self) -> frozenset[str]:
        """Return the seat."""
        return frozenset({self.seat})


class SeatTaken(_SeatEntry):
    """A person sat down. ``start`` is what the seat holds before anything happens, empty for a seat taken before.

    A person who takes a seat over from another sees the hand but not its history: ``hand`` are the hidden goods in it
    then, for them alone; ``open`` and ``in_play`` are what everybody sees before it.

    ``interaction`` is the id that Discord gave to the command. A game that shuffles mixes it in.
    """

    kind: Literal["seat.taken"] = "seat.taken"
    start: Goods = NOTHING
    open: Goods = NOTHING
    in_play: Goods = NOTHING
    hand: Annotated[Goods | None, Sealed("parties")] = None
    takes_over: bool = False
    interaction: int | None = None

    def parties(self) -> frozenset[str]:
        """Return the seat."""
        return frozenset({self.seat})

    def apply(self, table: Table) -> Table:
        """Return the table with this person in the seat. What was said there before stays with those who said it."""
        seat = table.seats.get(self.seat)
        if seat is None:  # its first holder, who has it from entry 0, see `Tenure`
            new = Seat(id=self.seat, person=self.person, last=self.person, holdings=self.start)
            return replace(table, tenures=(*table.tenures, Tenure(self.seat, self.person, 0))).with_seat(new)
        if seat.last == self.person:
            return replace(table, tenures=_reopened(table.tenures, self.seat)).with_seat(
                replace(seat, person=self.person)
            )
        taken = replace(seat, person=self.person, last=self.person)
        tenures = (*table.tenures, Tenure(self.seat, self.person, table.seq + 1))
        return replace(table, tenures=tenures).with_seat(taken)


class SeatLeft(_SeatEntry):
    """A person left their seat; what lies before it stays."""

    kind: Literal["seat.left"] = "seat.left"

    def apply(self, table: Table) -> Table:
        """Return the table with the seat empty, and without its holder's consent to offers that go on."""
        offers = {number: offer.without(self.seat) for number, offer in table.offers.items()}
        tenures = tuple(
            replace(each, until=table.seq + 1) if each.seat == self.seat and each.until is None else each
            for each in table.tenures
        )
        left = replace(table.seats[self.seat], person=None)
        table = replace(table, offers=offers, tenures=tenures).with_seat(left)
        return with_parts(table, lambda part: part.vacated(self.seat))


def _reopened(tenures: tuple[Tenure, ...], seat: str) -> tuple[Tenure, ...]:
    """Return the tenures with the last one of this seat going on, as if its holder had never left."""
    last = max(number for number, each in enumerate(tenures) if each.seat == seat)
    return tuple(replace(each, until=None) if number == last else each for number, each in enumerate(tenures))


ENTRIES: tuple[type[Entry], ...] = (SeatTaken, SeatLeft)
