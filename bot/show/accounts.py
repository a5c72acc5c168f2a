"""Accounts: what a table's entries come to when they are added up. Balances are never kept, always summed.

Everything is for the viewer of the entries: what they may not see is not in their sums.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from bot.rules.deals.entries import DealAnswered, DealMarked, DealProposed
from bot.rules.entries import Entry
from bot.rules.holdings.entries import GoodsMoved
from bot.rules.model.deals import Mark
from bot.rules.model.goods import Goods
from bot.rules.model.seats import Change
from bot.rules.seats.entries import SeatLeft, SeatTaken
from bot.rules.tables.entries import SettingsChanged, TableOpened
from bot.rules.views import EntryView, TableView
from bot.show.names import game_of

Place = Literal["hand", "play"]
"""Where goods lie: what a seat holds, hidden or not, and its play area."""

Slot = tuple[str, Place, str]
"""A component in one place of one seat: the seat, the place, the token."""


class Move(NamedTuple):
    """What one entry did to one component in one place of one seat. It may be lost and gained at once."""

    seat: str
    place: Place
    token: str
    gained: int
    lost: int

    @property
    def slot(self) -> Slot:
        """Where it happened."""
        return (self.seat, self.place, self.token)


# ---------------------------------------------------------------- goods


def moved(view: TableView, entries: Iterable[EntryView]) -> list[tuple[EntryView, list[Move]]]:
    """Return the goods that each entry moved, as far as their viewer may know, so that the sums come out.

    ``entries`` are all of a table's, from the first on. A person who takes a seat over sees the hand but not its
    history, so the difference is booked on their `SeatTaken`. What leaves a hidden hand for all to see came to it
    unseen before, and is booked as gained with the same entry.
    """
    tracked, known, sums = True, known_seats(view), Counter[Slot]()
    every = []
    for entry in entries:
        tracked = _tracked_after(entry.entry, tracked)
        found = _moves(entry.entry, tracked, sums)
        moves = [move if move.seat in known else _with_unseen(move, sums) for move in found]
        for move in moves:
            sums[move.slot] += move.gained - move.lost
        every.append((entry, moves))
    return every


def known_seats(view: TableView) -> frozenset[str]:
    """Return the seats of which nothing is hidden from the viewer."""
    hides = game_of(view).hidden is not None
    return frozenset(seat.id for seat in view.seats.values() if not hides or seat.hidden is not None)


def balances(moves: Iterable[Move]) -> dict[tuple[str, Place], Goods]:
    """Return what moves come to, by seat and place. Raises ``ValueError`` when more was lost than gained."""
    sums: dict[tuple[str, Place], Counter[str]] = {}
    for move in moves:
        sums.setdefault((move.seat, move.place), Counter())[move.token] += move.gained - move.lost
    return {key: Goods({token: left for token, left in counts.items() if left}) for key, counts in sums.items()}


def _tracked_after(entry: Entry, before: bool) -> bool:
    if isinstance(entry, TableOpened | SettingsChanged):
        return entry.settings.inventory == "tracked"
    return before


def _moves(entry: Entry, tracked: bool, sums: Mapping[Slot, int]) -> list[Move]:
    match entry:
        case SeatTaken(hand=hand) if hand is not None:
            return _taken_over(entry.seat, {"hand": entry.open + hand, "play": entry.in_play}, sums)
        case SeatTaken():
            return _booked([(entry.seat, Change(gained=entry.start))])
        case GoodsMoved() if tracked:
            return _booked([*entry.changes.items(), *(entry.hidden or {}).items()])
        case _:
            return []


def _booked(changes: Iterable[tuple[str, Change]]) -> list[Move]:
    """Return the moves that changes come to, one for each component in each place of each seat."""
    gained, lost = Counter[Slot](), Counter[Slot]()
    for seat, change in changes:
        gained.update(dict(_slots(seat, "hand", change.gained)) | dict(_slots(seat, "play", change.entered_play)))
        lost.update(dict(_slots(seat, "hand", change.lost)) | dict(_slots(seat, "play", change.left_play)))
    return [Move(*slot, gained[slot], lost[slot]) for slot in sorted(gained.keys() | lost.keys())]


def _slots(seat: str, place: Place, goods: Goods) -> Iterator[tuple[Slot, int]]:
    for token, count in goods.items():
        yield (seat, place, token), count


def _with_unseen(move: Move, sums: Mapping[Slot, int]) -> Move:
    """Return a move out of a hand that the viewer may not look into: what it takes must have been there before."""
    short = move.lost - move.gained - sums.get(move.slot, 0)
    return move._replace(gained=move.gained + short) if short > 0 else move


def _taken_over(seat: str, lies: Mapping[Place, Goods], sums: Mapping[Slot, int]) -> list[Move]:
    """Return what the entries before do not account for of what a seat has when it is taken over."""
    slots = {slot for place, goods in lies.items() for slot, _ in _slots(seat, place, goods)}
    slots |= {slot for slot in sums if slot[0] == seat}
    found = [(slot, lies[slot[1]].count(slot[2]) - sums.get(slot, 0)) for slot in sorted(slots)]
    return [Move(*slot, max(0, amount), max(0, -amount)) for slot, amount in found if amount]


# ---------------------------------------------------------------- seats


def seat_of(entries: Sequence[EntryView], person: int) -> str | None:
    """Return the seat that this person has or had last."""
    taken = (entry.entry for entry in reversed(entries))
    return next((entry.seat for entry in taken if isinstance(entry, SeatTaken) and entry.person == person), None)


def holders(entries: Iterable[EntryView], seat: str) -> frozenset[int]:
    """Return everybody who has ever sat in this seat."""
    every = (entry.entry for entry in entries)
    return frozenset(entry.person for entry in every if isinstance(entry, SeatTaken) and entry.seat == seat)


def sat(entries: Iterable[EntryView], person: int, seat: str) -> list[EntryView]:
    """Return the entries while this person sat in this seat, those with which they sat down and left included."""
    found, sits = [], False
    for entry in entries:
        leaves = isinstance(entry.entry, SeatLeft) and entry.entry.seat == seat
        if isinstance(entry.entry, SeatTaken) and entry.entry.seat == seat:
            sits = entry.entry.person == person
        if sits:
            found.append(entry)
        sits = sits and not leaves
    return found


# ---------------------------------------------------------------- promises


class Promises(NamedTuple):
    """One person's deals by number: kept and broken as the other side says, and those of which nothing was said."""

    kept: tuple[int, ...]
    broken: tuple[int, ...]
    unmarked: tuple[int, ...]


@dataclass
class _Deal:
    """A deal while the entries are read: who gave their word to it, and what was said of it."""

    seat: str
    to: str
    agreed: bool
    marks: dict[str, Mark] = field(default_factory=dict)


def promises(entries: Iterable[EntryView], person: int) -> Promises:
    """Return what became of a person's promises, wherever they sat then. Each side speaks of the other's part only."""
    deals: dict[int, _Deal] = {}
    promised: dict[int, str] = {}
    for entry in entries:
        _note(deals, entry.entry)
        promised |= _promised(deals, entry, person)
    said = {number: deals[number].marks.get(other) for number, other in promised.items() if deals[number].agreed}
    return Promises(*(tuple(number for number, mark in said.items() if mark == m) for m in ("kept", "broken", None)))


def _note(deals: dict[int, _Deal], entry: Entry) -> None:
    match entry:
        case DealProposed():
            deals[entry.deal] = _Deal(entry.seat, entry.to, agreed=entry.offer is not None)
        case DealAnswered():
            deals[entry.deal].agreed = entry.agreed
        case DealMarked():
            deals[entry.deal].marks[entry.seat] = entry.mark


def _promised(deals: Mapping[int, _Deal], entry: EntryView, person: int) -> dict[int, str]:
    """Return the deal that this person gave their word to with this entry, with the seat of the other side."""
    match entry.entry:
        case DealProposed(deal=number, seat=seat, to=to, offer=offer):
            seats = (seat,) if offer is None else (seat, to)
        case DealAnswered(deal=number, seat=seat):
            seats = (seat,)
        case _:
            return {}
    deal, mine = deals[number], next((id for id in seats if entry.names.holders.get(id) == person), None)
    return {} if mine is None else {number: deal.to if mine == deal.seat else deal.seat}
