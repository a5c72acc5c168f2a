"""Accounts: holdings and promises, computed from a table's entries. Balances are never stored,
always summed.

The entries are one viewer's: what the viewer may not see is not in the sums.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from bot.rules.features.deals import DealAnswered, DealMarked, DealProposed
from bot.rules.features.holdings import GoodsMoved
from bot.rules.features.seats import SeatLeft, SeatTaken
from bot.rules.features.tables import SettingsChanged, TableOpened
from bot.rules.model.deals import Mark
from bot.rules.model.goods import Change, Goods
from bot.rules.views import EntryView, TableView
from bot.rules.vocabulary import kinds_of
from bot.show.names import game_of

Place = Literal["hand", "play"]
"""The places of a seat: its hand (hidden or not) and its play area."""

Slot = tuple[str, Place, str]
"""A component in one place of a seat: seat, place, token."""


class Move(NamedTuple):
    """One entry's change to a slot. An entry may both add to it and remove from it."""

    seat: str
    place: Place
    token: str
    gained: int
    lost: int

    @property
    def slot(self) -> Slot:
        return (self.seat, self.place, self.token)


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
    for entry in entries:
        moves: list[Move] = []
        match entry.entry:
            case TableOpened(settings=settings) | SettingsChanged(settings=settings):
                tracked = settings.inventory == "tracked"
            case SeatTaken(hand=hand) as taken if hand is not None:
                moves = _taken_over(
                    taken.seat, {"hand": taken.open + hand, "play": taken.in_play}, sums
                )
            case SeatTaken(seat=seat, start=start):
                moves = _booked([(seat, Change(gained=start))])
            case GoodsMoved(changes=changes, hidden=hidden) as moved if tracked or moved.always:
                moves = _booked([*changes.items(), *(hidden or {}).items()])
        for number, move in enumerate(moves):
            unseen = max(0, move.lost - move.gained - sums[move.slot])
            moves[number] = move._replace(gained=move.gained + unseen)
            sums[move.slot] += move.gained + unseen - move.lost
        result.append((entry, moves))
    return result


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
        gained.update(
            dict(_slots(seat, "hand", change.gained))
            | dict(_slots(seat, "play", change.entered_play))
        )
        lost.update(
            dict(_slots(seat, "hand", change.lost)) | dict(_slots(seat, "play", change.left_play))
        )
    return [Move(*slot, gained[slot], lost[slot]) for slot in sorted(gained.keys() | lost.keys())]


def _slots(seat: str, place: Place, goods: Goods) -> Iterator[tuple[Slot, int]]:
    for token, count in goods.items():
        yield (seat, place, token), count


def _taken_over(seat: str, found: Mapping[Place, Goods], sums: Mapping[Slot, int]) -> list[Move]:
    """Return the difference between what a successor finds in a seat and what earlier entries
    account for.
    """
    slots = {slot for place, goods in found.items() for slot, _ in _slots(seat, place, goods)}
    slots |= {slot for slot in sums if slot[0] == seat}
    differences = [
        (slot, found[slot[1]].count(slot[2]) - sums.get(slot, 0)) for slot in sorted(slots)
    ]
    return [Move(*slot, max(0, amount), max(0, -amount)) for slot, amount in differences if amount]


# ---------------------------------------------------------------- seats


def seat_of(entries: Sequence[EntryView], person: int) -> str | None:
    """Return the person's seat, or the last seat they had."""
    newest_first = (entry.entry for entry in reversed(entries))
    return next(
        (
            entry.seat
            for entry in newest_first
            if isinstance(entry, SeatTaken) and entry.person == person
        ),
        None,
    )


def holders(entries: Iterable[EntryView], seat: str) -> frozenset[int]:
    """Return the numbers of everybody who has ever had this seat."""
    every = (entry.entry for entry in entries)
    return frozenset(
        entry.person for entry in every if isinstance(entry, SeatTaken) and entry.seat == seat
    )


def entries_in_seat(entries: Iterable[EntryView], person: int, seat: str) -> list[EntryView]:
    """Return the entries from this person's taking the seat to their leaving it, both included."""
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
    """One person's deals by number: kept or broken according to the other side, or not yet
    marked.
    """

    kept: tuple[int, ...]
    broken: tuple[int, ...]
    unmarked: tuple[int, ...]


@dataclass
class _Deal:
    """A deal while entries are read: its two seats, whether they agreed, and each seat's mark of
    the other.

    Sealed marks and answers are missing.
    """

    seat: str
    to: str
    agreed: bool
    marks: dict[str, Mark] = field(default_factory=dict)


def promises(entries: Iterable[EntryView], person: int) -> Promises:
    """Return what became of a person's promises in any seat. Each side marks only the other side's
    part.
    """
    deals: dict[int, _Deal] = {}
    promised: dict[int, str] = {}  # to whom, by the deal's number
    for each in entries:
        match each.entry:
            case DealProposed(deal=number, seat=seat, to=to, offer=offer) as proposed:
                deals[number] = _Deal(
                    seat, to, agreed=offer is not None and proposed.wording() is not None
                )
                promise = (seat,) if offer is None else (seat, to)
            case DealAnswered(deal=number, seat=seat) as answered:
                deals[number].agreed = bool(answered.answer())
                promise = (seat,)
            case DealMarked(deal=number, seat=by, other=other) as marked if (
                said := marked.said()
            ) is not None:
                deal = deals[number]
                # the seat has another name than when the deal was made
                if by not in (deal.seat, deal.to):
                    by = deal.to if other == deal.seat else deal.seat
                deal.marks[by] = said
                continue
            case _:
                continue
        if (
            mine := next((seat for seat in promise if each.names.holders.get(seat) == person), None)
        ) is not None:
            promised[number] = (
                deals[number].to if mine == deals[number].seat else deals[number].seat
            )
    marks = {
        number: deals[number].marks.get(other)
        for number, other in promised.items()
        if deals[number].agreed
    }
    return Promises(
        *(
            tuple(number for number, mark in marks.items() if mark == m)
            for m in ("kept", "broken", None)
        )
    )
