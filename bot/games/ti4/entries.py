"""Entries of Twilight Imperium 4: what several kinds share, and the kinds that no feature declares yet."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar, Literal

from bot.api import Entry, Goods, GoodsMoved, GoodsOfSeat, Reference, Table, reference
from bot.games.ti4.state import Permit, Take


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


class Replenished(GoodsOfSeat):
    """A player replenished commodities: took as many as were missing to the maximum, maybe none (21.3, 21 note 2).

    ``by_host``: the host said so for them. ``let_by``: the active player who let them, "" for nobody.
    """

    kind: Literal["ti4.commodities.replenished"] = "ti4.commodities.replenished"
    amount: int
    by_host: bool = False
    let_by: str = ""


class ReplenishAsked(ToAnother):
    """The active player lets another replenish, who is asked."""

    kind: Literal["ti4.commodities.asked"] = "ti4.commodities.asked"


class Converted(GoodsOfSeat):
    """A player turned their own commodities over. The trade goods are not gained (21.5.3)."""

    kind: Literal["ti4.commodities.converted"] = "ti4.commodities.converted"
    amount: int


class CommoditiesGained(GoodsOfSeat):
    """A player gained commodities, other than by replenishing."""

    kind: Literal["ti4.commodities.gained"] = "ti4.commodities.gained"
    amount: int


class CommoditiesLost(GoodsOfSeat):
    """A player lost commodities to the supply by an effect; its name is empty where it was not said.

    ``by_host``: the host said so for them.
    """

    kind: Literal["ti4.commodities.lost"] = "ti4.commodities.lost"
    amount: int
    effect: str = ""
    by_host: bool = False


class GivenByEffect(GoodsOfSeat):
    """An effect gave a player's goods to another; commodities became trade goods (21.6). It is no transaction.

    ``since`` is the entry that let Mentak pillage. ``effect`` and ``by_host`` as of `CommoditiesLost`.
    """

    kind: Literal["ti4.goods.given"] = "ti4.goods.given"
    to: str
    goods: Goods
    effect: str = ""
    by_host: bool = False
    since: int | None = None


class GainedByEffect(GoodsOfSeat):
    """A player gained goods by an effect, which the entry ``since`` had set off."""

    kind: Literal["ti4.goods.gained"] = "ti4.goods.gained"
    goods: Goods
    effect: str
    since: int


class PillageAsked(ToAnother):
    """Mentak pillages another, who is asked for it. ``since`` is the entry that let them."""

    kind: Literal["ti4.pillage.asked"] = "ti4.pillage.asked"
    take: Take
    since: int


class PillageDenied(ToAnother):
    """The player who was to be pillaged said that it is not so."""

    kind: Literal["ti4.pillage.denied"] = "ti4.pillage.denied"
    since: int


class CardsDiscarded(GoodsOfSeat):
    """A player discarded the action cards that were too many for a hand (2.4)."""

    kind: Literal["ti4.cards.discarded"] = "ti4.cards.discarded"
    amount: int


Moment = Literal["combat", "turn", "agenda", "status"]
"""What ends and brings notes home: the status phase, or one of the others."""


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


class NoteAsked(ToAnother):
    """The owner of a note asked for it back, in whose play area it lies. ``note`` is its id."""

    kind: Literal["ti4.note.asked"] = "ti4.note.asked"
    note: str


class RequestDenied(ToAnother):
    """The player who was asked did not do it: replenish, or give back the note of this id."""

    kind: Literal["ti4.request.denied"] = "ti4.request.denied"
    note: str = ""


class NotesReprinted(GoodsMoved):
    """Notes came, went or changed their printing in hands, with the boxes that the table plays with."""

    kind: Literal["ti4.note.reprinted"] = "ti4.note.reprinted"
    always: ClassVar[bool] = True


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
    Replenished, ReplenishAsked, Converted, CommoditiesGained, CommoditiesLost, GivenByEffect, GainedByEffect,
    PillageAsked, PillageDenied, CardsDiscarded, NotePlayed, NoteReturned, NoteGiven, NoteAsked, RequestDenied,
    NotesReprinted, Eliminated, FactionChanged, PermitGranted, PermitRevoked,
)  # fmt: skip
"""Every kind of entry that no feature declares yet."""
