"""The books: what a table's entries come to when they are read again. Balances are summed from them, never kept.

Everything here is for one viewer and goes through `view`: what they may not see is not in their sums.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from bot.rules.apply import apply
from bot.rules.entries import Corrected, DealAnswered, DealProposed, Entry, GoodsMoved, Recorded, SeatTaken, Transaction
from bot.rules.goods import Goods
from bot.rules.table import Deal, Seat, Table
from bot.rules.views import Viewer, view

Place = Literal["hand", "play"]
"""Where goods lie: what a seat holds, hidden or not, and its play area."""

_SEATS = ("seat", "to", "first", "second", "taker", "other")
"""The fields in which an entry names a seat."""


@dataclass(frozen=True)
class Step:
    """An entry, and the table before and after it."""

    recorded: Recorded
    before: Table
    after: Table

    @property
    def entry(self) -> Entry:
        """What happened."""
        return self.recorded.entry


class Move(NamedTuple):
    """What one entry did to one component in one place of one seat. It may be lost and gained at once."""

    seat: str
    place: Place
    token: str
    gained: int
    lost: int


def steps(entries: Iterable[Recorded]) -> list[Step]:
    """A table's life from its first entry on."""
    table, life = Table(), []
    for recorded in entries:
        after = apply(table, recorded.entry)
        life.append(Step(recorded, table, after))
        table = after
    return life


def moves(step: Step, viewer: Viewer) -> list[Move]:
    """The goods that an entry moved, as far as this viewer may know."""
    gained: Counter[tuple[str, Place, str]] = Counter()
    lost: Counter[tuple[str, Place, str]] = Counter()

    def count(into: Counter[tuple[str, Place, str]], seat: str, place: Place, goods: Goods) -> None:
        into.update({(seat, place, token): number for token, number in goods.items()})

    match view(step.entry, viewer, step.recorded.seq):
        case SeatTaken(seat=seat, start=start) if seat not in step.before.seats:
            count(gained, seat, "hand", start)
        case GoodsMoved(changes=changes, hidden=hidden) if step.before.settings.inventory == "tracked":
            for seat, change in (*changes.items(), *(hidden or {}).items()):
                count(lost, seat, "hand", change.lost)
                count(gained, seat, "hand", change.gained)
                count(lost, seat, "play", change.left_play)
                count(gained, seat, "play", change.entered_play)
    keys = sorted(gained.keys() | lost.keys())
    return [Move(*key, gained[key], lost[key]) for key in keys]


def moved(life: Iterable[Step], viewer: Viewer) -> list[tuple[Step, list[Move]]]:
    """The `moves` of each entry. Who takes over a chair learns what its hand holds then, not how it came: for them,
    the entry with which they sit down moves what the ones before did not account for. What leaves a hidden hand for all
    to see had come to it unseen.
    """
    every, sums = [], Counter[tuple[str, Place, str]]()
    for step in life:
        some = moves(step, viewer)
        if viewer.seat and viewer.since == step.recorded.seq:
            some = _taken_over(step.after.seats[viewer.seat], sums)
        some = [_unseen(move, sums, viewer) for move in some]
        for move in some:
            sums[move.seat, move.place, move.token] += move.gained - move.lost
        every.append((step, some))
    return every


def _unseen(move: Move, sums: Mapping[tuple[str, Place, str], int], viewer: Viewer) -> Move:
    """A move out of a hand that this viewer may not look into: what it takes must have been there before."""
    if viewer.moderates or viewer.after_close or move.seat == viewer.seat:
        return move
    short = move.lost - move.gained - sums.get((move.seat, move.place, move.token), 0)
    return move._replace(gained=move.gained + short) if short > 0 else move


def _taken_over(seat: Seat, sums: Mapping[tuple[str, Place, str], int]) -> list[Move]:
    lies: dict[Place, Goods] = {"hand": seat.holdings, "play": seat.in_play}
    tokens = {(place, token) for place, goods in lies.items() for token in goods}
    tokens |= {(place, token) for id, place, token in sums if id == seat.id}
    gone = {(place, token): lies[place].count(token) - sums.get((seat.id, place, token), 0) for place, token in tokens}
    return [
        Move(seat.id, place, token, max(0, amount), max(0, -amount))
        for (place, token), amount in sorted(gone.items())
        if amount
    ]


def balances(every: Iterable[Move]) -> dict[tuple[str, Place], Goods]:
    """What moves come to, by seat and place. Raises ``ValueError`` when more was lost than gained."""
    sums: dict[tuple[str, Place], Counter[str]] = {}
    for move in every:
        sums.setdefault((move.seat, move.place), Counter())[move.token] += move.gained - move.lost
    return {key: Goods({token: left for token, left in counts.items() if left}) for key, counts in sums.items()}


def seats_in(step: Step, viewer: Viewer) -> frozenset[str]:
    """The seats that an entry is about, as far as this viewer may know."""
    entry, table = view(step.entry, viewer, step.recorded.seq), step.after
    found: set[str | None] = {getattr(entry, name, None) for name in _SEATS}
    if isinstance(entry, GoodsMoved):
        found |= {*entry.changes, *(entry.hidden or {})}
    if (offer := table.offers.get(getattr(entry, "offer", None) or 0)) is not None:
        found |= {offer.seat, offer.to}
    if (deal := table.deals.get(getattr(entry, "deal", None) or 0)) is not None:
        found |= {deal.seat, deal.to}
    if (talks := table.negotiations.get(getattr(entry, "negotiation", None) or 0)) is not None:
        found |= {talks.seat, talks.other}
    if (permit := getattr(entry, "permit", None)) is not None:
        found |= {*permit.pair}
    return frozenset(seat for seat in found if seat)


def concerns(step: Step, person: int, viewer: Viewer) -> bool:
    """Whether an entry is about this person: they did it, or it is about the seat they had then."""
    if step.recorded.by == person or getattr(step.entry, "person", None) == person:
        return True
    theirs = {seat.id for table in (step.before, step.after) for seat in table.seats.values() if seat.person == person}
    return not theirs.isdisjoint(seats_in(step, viewer))


def seat_of(life: Sequence[Step], person: int) -> str | None:
    """The seat that this person has or had last."""
    taken = (step.entry for step in reversed(life))
    return next((entry.seat for entry in taken if isinstance(entry, SeatTaken) and entry.person == person), None)


def transaction(life: Iterable[Step], number: int) -> Step:
    """The transaction of this number. Raises ``StopIteration`` when there is none."""
    return next(step for step in life if isinstance(step.entry, Transaction) and step.entry.number == number)


def story(life: Sequence[Step], number: int) -> list[Step]:
    """Every entry that led to a transaction, the transaction, and what followed from it.

    That is: its offer and those it answers with all their revisions and signatures; the permits it used up; the deals
    that its terms became, and what was said of them; and later corrections of what its two people have.
    """
    done = transaction(life, number)
    entry = done.entry
    assert isinstance(entry, Transaction)
    offers = set(_answered(done.after, entry.offer))
    deals = {step.entry.deal for step in life if isinstance(step.entry, DealProposed) and step.entry.offer in offers}
    return [
        step
        for step in life
        if getattr(step.entry, "offer", None) in offers
        or getattr(step.entry, "deal", None) in deals
        or getattr(getattr(step.entry, "permit", None), "number", None) in entry.permits
        or (
            isinstance(step.entry, Corrected)
            and step.recorded.seq > done.recorded.seq
            and step.entry.seat in (entry.first, entry.second)
        )
    ]


def _answered(table: Table, offer: int | None) -> Iterator[int]:
    """An offer, the one it answers, the one that answers, and so on."""
    while offer is not None:
        yield offer
        offer = table.offers[offer].parent


def sat(life: Sequence[Step], person: int, seat: str) -> list[Step]:
    """The entries from a person's first to their last in this seat, without those of others who sat there between."""

    def sits(table: Table) -> bool:
        return seat in table.seats and table.seats[seat].person == person

    return [step for step in life if sits(step.before) or sits(step.after)]


class Promises(NamedTuple):
    """One person's deals by number: kept and broken as the other side says, and those of which nothing was said."""

    kept: tuple[int, ...]
    broken: tuple[int, ...]
    unmarked: tuple[int, ...]


def promises(life: Sequence[Step], person: int) -> Promises:
    """What became of a person's promises, wherever they sat then. Each side speaks of the other's part only."""
    deals = life[-1].after.deals if life else {}
    said = {
        deal.number: deal.marks.get(other)
        for step in life
        for deal, other in _promised(step, person, deals)
        if deal.status == "agreed"
    }
    return Promises(*(tuple(n for n, mark in said.items() if mark == which) for which in ("kept", "broken", None)))


def _promised(step: Step, person: int, deals: Mapping[int, Deal]) -> list[tuple[Deal, str]]:
    """The deal that this person gave their word to with this entry, with the seat of the other."""
    seat, entry = step.before.seat_of(person), step.entry
    if seat is None or not isinstance(entry, DealProposed | DealAnswered):
        return []
    deal = deals[entry.deal]
    word = (deal.seat, deal.to) if deal.offer else (entry.seat,)
    return [(deal, deal.to if seat.id == deal.seat else deal.seat)] if seat.id in word else []
