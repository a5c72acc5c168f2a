"""Accounts: holdings and promises, computed from a table's entries. Balances are never stored,
always summed.

The entries are one viewer's: what the viewer may not see is not in the sums.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from bot.rules.entries import Entry
from bot.rules.features.deals import DealAnswered, DealMarked, DealProposed
from bot.rules.features.holdings import GoodsMoved
from bot.rules.features.seats import SeatLeft, SeatTaken
from bot.rules.features.tables import SettingsChanged, TableOpened
from bot.rules.model.deals import Mark
from bot.rules.model.goods import Change, Goods
from bot.rules.views import EntryView, TableView
from bot.rules.vocabulary import kinds_of
from bot.show.names import game_of

Area = Literal["hand", "play"]
"""Where goods of a seat lie: in its hand (hidden or not) or in its play area."""


Slot = tuple[str, Area, str]
"""A component in one area of a seat: seat, area, token."""


class Move(NamedTuple):
    """One entry's change to a slot. An entry may both add to it and remove from it."""

    seat: str
    area: Area
    token: str
    gained: int
    lost: int

    @property
    def slot(self) -> Slot:
        return (self.seat, self.area, self.token)


SEAT_AND_DEAL_KINDS = kinds_of(SeatTaken, SeatLeft, DealProposed, DealAnswered, DealMarked)
"""The kinds of entry that record who sat where and what they promised."""


def kinds() -> frozenset[str]:
    """Return all kinds of entry that accounts are made from."""
    return SEAT_AND_DEAL_KINDS | kinds_of(TableOpened, SettingsChanged, GoodsMoved)


def bears_on(entry: EntryView, seat: str | None) -> bool:
    """Return whether the accounts of this seat's past and present holders need this entry."""
    match entry.entry:
        case GoodsMoved(changes=changes, hidden=hidden):
            return seat in changes or seat in (hidden or {})
        case _:
            return True


# ---------------------------------------------------------------- goods


def moves_by_entry(entries: Iterable[EntryView]) -> list[tuple[EntryView, list[Move]]]:
    """Return each entry with the goods that it moved, as far as the viewer may know.

    ``entries`` are all entries of a table, from the first. Two corrections keep the sums right for
    a viewer who has not seen everything. A successor sees the hand but not its history, so the
    difference is booked on `SeatTaken`. Goods that publicly leave a hidden hand must have entered
    it unseen, so they are also booked as gained; likewise goods that came by an entry of a game
    that is no longer installed.
    """
    tracked, sums = True, Counter[Slot]()
    result = []
    for view in entries:
        entry = view.entry
        if isinstance(entry, TableOpened | SettingsChanged):
            tracked = entry.settings.inventory == "tracked"
        moves = []
        for move in _moves_of(entry, sums, tracked=tracked):
            unseen = max(0, move.lost - move.gained - sums[move.slot])
            moves.append(move._replace(gained=move.gained + unseen))
            sums[move.slot] += move.gained + unseen - move.lost
        result.append((view, moves))
    return result


def _moves_of(entry: Entry, sums: Mapping[Slot, int], *, tracked: bool) -> list[Move]:
    """Return what an entry moved as it says itself. ``sums`` are of the entries before."""
    match entry:
        case SeatTaken(seat=seat, hand=Goods() as hand) as taken:
            present = _slots(seat, taken.open + hand, taken.in_play)
            return _taken_over(seat, present, sums)
        case SeatTaken(seat=seat, start=start):
            return _booked([(seat, Change(gained=start))])
        case GoodsMoved(changes=changes, hidden=hidden, always=always) if tracked or always:
            return _booked([*changes.items(), *(hidden or {}).items()])
        case _:
            return []


def known_seats(view: TableView) -> frozenset[str]:
    """Return the seats whose goods the viewer can see completely."""
    hides = game_of(view).hidden is not None
    return frozenset(
        seat.id for seat in view.seats.values() if not hides or seat.hidden is not None
    )


def lies_open(view: TableView, token: str) -> bool:
    """Return whether everybody can see this component in a hand."""
    return bool(game_of(view).open_goods(Goods({token: 1})))


def _booked(changes: Iterable[tuple[str, Change]]) -> list[Move]:
    """Return a move for each slot that these changes touch."""
    gained, lost = Counter[Slot](), Counter[Slot]()
    for seat, change in changes:
        gained.update(_slots(seat, change.gained, change.entered_play))
        lost.update(_slots(seat, change.lost, change.left_play))
    touched = sorted(gained.keys() | lost.keys())
    return [Move(*slot, gained[slot], lost[slot]) for slot in touched]


def _slots(seat: str, hand: Goods, play: Goods) -> dict[Slot, int]:
    slots: dict[Slot, int] = {}
    for token, count in hand.items():
        slots[seat, "hand", token] = count
    for token, count in play.items():
        slots[seat, "play", token] = count
    return slots


def _taken_over(seat: str, present: Mapping[Slot, int], sums: Mapping[Slot, int]) -> list[Move]:
    """Return the difference between what a successor finds in a seat and what earlier entries
    account for.
    """
    booked = {slot for slot in sums if slot[0] == seat}
    moves = []
    for slot in sorted(present.keys() | booked):
        difference = present.get(slot, 0) - sums.get(slot, 0)
        if difference:
            moves.append(Move(*slot, max(0, difference), max(0, -difference)))
    return moves


# ---------------------------------------------------------------- seats


def seat_of(entries: Sequence[EntryView], person: int) -> str | None:
    """Return the person's seat, or the last seat they had."""
    for view in reversed(entries):
        if isinstance(view.entry, SeatTaken) and view.entry.person == person:
            return view.entry.seat
    return None


def holders(entries: Iterable[EntryView], seat: str) -> frozenset[int]:
    """Return the numbers of everybody who has ever had this seat."""
    taken = [view.entry for view in entries if isinstance(view.entry, SeatTaken)]
    return frozenset(entry.person for entry in taken if entry.seat == seat)


def entries_in_seat(entries: Iterable[EntryView], person: int, seat: str) -> list[EntryView]:
    """Return the entries from this person's taking the seat to their leaving it, both included."""
    tenure, sits = [], False
    for view in entries:
        entry = view.entry
        if isinstance(entry, SeatTaken) and entry.seat == seat:
            sits = entry.person == person
        if sits:
            tenure.append(view)
        if isinstance(entry, SeatLeft) and entry.seat == seat:
            sits = False
    return tenure


# ---------------------------------------------------------------- promises


class Promises(NamedTuple):
    """One person's deals by number: kept or broken according to the other side, or not yet
    marked.
    """

    kept: tuple[int, ...]
    broken: tuple[int, ...]
    unmarked: tuple[int, ...]


@dataclass
class _Deal:
    """A deal while entries are read, without sealed marks and answers."""

    seat: str
    to: str
    agreed: bool
    marks: dict[str, Mark] = field(default_factory=dict)  # of the other side, by the marking seat

    def other(self, seat: str) -> str:
        return self.to if seat == self.seat else self.seat


def promises(entries: Iterable[EntryView], person: int) -> Promises:
    """Return what became of a person's promises in any seat. Each side marks only the other side's
    part.
    """
    deals: dict[int, _Deal] = {}
    promised: dict[int, str] = {}  # to whom, by the deal's number
    for view in entries:
        match view.entry:
            case DealProposed(deal=number, seat=seat, to=to, offer=offer) as proposed:
                agreed = offer is not None and proposed.wording() is not None
                deals[number] = _Deal(seat, to, agreed)
                promisers = (seat,) if offer is None else (seat, to)
            case DealAnswered(deal=number, seat=seat) as answered:
                deals[number].agreed = bool(answered.answer())
                promisers = (seat,)
            case DealMarked() as marked:
                _mark(deals, marked)
                continue
            case _:
                continue
        for seat in promisers:
            if view.names.holders.get(seat) == person:
                promised[number] = deals[number].other(seat)
    by_mark = defaultdict[Mark | None, tuple[int, ...]](tuple)
    for number, other in promised.items():
        deal = deals[number]
        if deal.agreed:
            by_mark[deal.marks.get(other)] += (number,)
    return Promises(by_mark["kept"], by_mark["broken"], by_mark[None])


def _mark(deals: Mapping[int, _Deal], marked: DealMarked) -> None:
    """Note what one side of a deal said of the other, if the viewer may know."""
    verdict = marked.said()
    if verdict is None:
        return
    deal, seat = deals[marked.deal], marked.seat
    if seat not in (deal.seat, deal.to):  # it has another name than when the deal was made
        seat = deal.other(marked.other)
    deal.marks[seat] = verdict
