"""What holds at every table after every step, whatever was asked of it.

A `Witness` keeps its own books from the entries alone and holds the table against them, so that a mistake in the
table's own memory shows. When a new kind of entry may make or unmake goods, add it to ``MAKES_GOODS``.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping

import pytest

from bot.rules.apply import apply
from bot.rules.commands import Command
from bot.rules.decide import decide
from bot.rules.entries import (
    Corrected,
    Entry,
    Gained,
    GoodsMoved,
    SeatTaken,
    Signed,
    Spent,
    Transaction,
    entry_adapter,
    join,
    sealed_fields,
    split,
)
from bot.rules.game import game_named
from bot.rules.games.ti4.state import are_neighbors
from bot.rules.goods import Goods, kind_of
from bot.rules.ruling import Refused
from bot.rules.table import Seat, Table, pair
from bot.rules.views import PUBLIC, Viewer, view

MAKES_GOODS = (Gained, Spent, Corrected)
"""The entries that may change how many trade goods and commodities there are, or any other component but notes."""

SENTENCE_MOST = 1000
"""A refusal must fit into a Discord message of 2000 characters with everybody's names in it."""

_MARK = re.compile(r"<(seat|person|name|faction):([^>]*)>")


def there(table: Table) -> Counter[str]:
    """Every component at the table, in hand or in play."""
    every: Counter[str] = Counter()
    for seat in table.seats.values():
        every.update(seat.holdings)
        every.update(seat.in_play)
    return every


def matter(goods: Mapping[str, int]) -> Counter[str]:
    """Goods with each commodity counted as the trade good that it is on its other side (21.5)."""
    counted = Counter(goods)
    counted["trade_good"] += counted.pop("commodity", 0)
    return +counted


def notes(goods: Mapping[str, int]) -> dict[str, int]:
    """The promissory notes among these."""
    return {token: count for token, count in goods.items() if kind_of(token) == "note"}


class Witness:
    """Its own books of one table."""

    def __init__(self) -> None:
        self.signed: set[tuple[int, str, int, int]] = set()
        self.traded: set[tuple[int, tuple[str, str]]] = set()
        self.transactions = 0

    def saw(self, before: Table, entry: Entry, after: Table) -> None:
        """One entry was applied."""
        assert after.seq == before.seq + 1
        if isinstance(entry, Signed):
            self.signed.add((entry.offer, entry.seat, entry.revision, entry.window))
        if isinstance(entry, Transaction):
            self._transaction(before, entry, after)
        _goods(before, entry, after)

    def _transaction(self, before: Table, entry: Transaction, after: Table) -> None:
        self.transactions += 1
        offer, both = before.offers[entry.offer], pair(entry.first, entry.second)
        assert entry.first != entry.second
        assert (entry.number, after.transactions) == (self.transactions, self.transactions)
        assert offer.status == "open", "an offer resolved that was over"
        assert after.offers[entry.offer].status == "resolved"
        assert entry.window == before.window.number
        for seat in both:
            assert (entry.offer, seat, offer.revision, before.window.number) in self.signed, f"{seat} did not sign"
        assert entry.overruled or (entry.window, both) not in self.traded, "two transactions of a pair in one window"
        self.traded.add((entry.window, both))
        assert set(entry.changes) == set(both)
        assert (entry.changes[offer.seat].lost, entry.changes[entry.second].lost) == (offer.give, offer.want)
        for seat, other in (both, both[::-1]):
            assert matter(entry.changes[seat].lost) == matter(entry.changes[other].gained)
            assert not entry.changes[seat].gained.count("commodity"), "21.5: a received commodity is a trade good"
        if not entry.overruled:
            _legal(before, entry)


def _legal(table: Table, entry: Transaction) -> None:
    """Rule 94 once more, told another way than `bot.rules.games.ti4.transactions` does."""
    both = {entry.first, entry.second}
    agenda = table.window.kind == "agenda"
    assert agenda or table.window.holder in both, "94.1"
    assert agenda or "hacan" in both or are_neighbors(table, entry.first, entry.second), "94.1"
    moved = {seat: change.lost for seat, change in entry.changes.items()}
    assert any(moved.values()), "94.4"
    for seat, goods in moved.items():
        assert goods.of_kind("note").total() <= 1, "94.2"
        for token in goods.without_kind("trade_good", "commodity", "note", "fragment"):
            other = (both - {seat}).pop()
            assert (kind_of(token) == "action_card" and "hacan" in both) or token == f"captured:cruiser:{other}", "94.3"


def _goods(before: Table, entry: Entry, after: Table) -> None:
    """Goods move as the entry says and in no other way."""
    if not isinstance(entry, GoodsMoved | SeatTaken):
        assert all(_same(seat, after.seats[id]) for id, seat in before.seats.items()), f"{entry.kind} moved goods"
        return
    was, now = there(before), there(after)
    expected = Counter(was)
    if isinstance(entry, SeatTaken) and entry.seat not in before.seats:
        expected.update(entry.start)
    elif isinstance(entry, GoodsMoved) and before.settings.inventory == "tracked":
        for changes in (entry.changes, entry.hidden or {}):
            for change in changes.values():
                expected.subtract(change.lost)
                expected.update(change.gained)
        if not isinstance(entry, MAKES_GOODS):
            assert matter(now) == matter(was), f"{entry.kind} made or lost goods"
        assert notes(now) == notes(was), f"{entry.kind} made or lost a promissory note"
        parties = {*entry.changes, *(entry.hidden or {})}
        others = set(before.seats) - parties
        assert all(after.seats[seat].holdings == before.seats[seat].holdings for seat in others)
    assert now == +expected, f"{entry.kind} moved other goods than it says"
    assert all(count == 1 for count in notes(now).values()), "a promissory note exists twice"


def _same(seat: Seat, then: Seat) -> bool:
    return seat is then or (seat.holdings == then.holdings and seat.in_play == then.in_play)


def standing(table: Table) -> None:
    """What holds at a table that rests."""
    sitting = [seat.person for seat in table.seats.values() if seat.person is not None]
    assert len(sitting) == len(set(sitting)), "somebody sits twice"
    assert all(type(count) is int and count > 0 for count in there(table).values())
    game = game_named(table.game)
    expected: Counter[str] = Counter()
    for seat in table.seats:
        expected.update(game.start(seat))
    assert notes(there(table)) == notes(expected), "each promissory note is there exactly once"
    assert list(table.offers) == list(range(1, len(table.offers) + 1))
    assert all(table.seats[offer.seat].person is not None for offer in table.open_offers())
    assert table.open or not table.open_offers()


def pure(table: Table, command: Command) -> None:
    """Deciding and applying change neither the table nor the command, and do the same again."""
    was, asked = table.model_dump_json(), command.model_dump_json()
    try:
        entries = decide(table, command)
    except Refused as refused:
        with pytest.raises(Refused, match=re.escape(str(refused))):
            decide(table, command)
    else:
        assert entries == decide(table, command)
        told = [entry.model_dump_json() for entry in entries]
        here = table
        for entry in entries:
            then = apply(here, entry)
            assert then == apply(here, entry)
            here = then
        assert told == [entry.model_dump_json() for entry in entries]
    assert (table.model_dump_json(), command.model_dump_json()) == (was, asked)


def told_well(table: Table, refused: Refused) -> None:
    """A refusal is a sentence with nobody in it whom the table does not know."""
    ruling = refused.ruling
    assert ruling.why.endswith((".", "?")), ruling.why
    assert len(ruling.sentence()) <= SENTENCE_MOST
    for mark, which in _MARK.findall(ruling.sentence()):
        assert which.isdigit() if mark == "person" else which in table.seats, f"<{mark}:{which}> is nobody here"


def stored(entry: Entry) -> Entry:
    """The entry as it comes back from the ledger: parted, as JSON, and put together again."""
    public, sealed = json.loads(json.dumps(split(entry)))
    return join(public, sealed)


def survives_storage(entry: Entry) -> None:
    """The entry is the same after JSON, whole or parted."""
    adapter = entry_adapter()
    assert stored(entry) == entry
    assert adapter.validate_json(adapter.dump_json(entry)) == entry


def seals(table: Table, entry: Entry) -> None:
    """Nobody but the parties sees what is sealed; what is public says nothing of it."""
    public, sealed = split(entry)
    fields = sealed_fields(type(entry))
    assert public.keys().isdisjoint(fields)
    assert {name for part in sealed.values() for name in part} == set(fields)
    assert join(public, {}) == view(entry, PUBLIC)
    for seat in (None, *table.seats):
        seen = view(entry, Viewer(seat=seat))
        for name, part in fields.items():
            may = part == "parties" and seat in entry.parties()
            assert getattr(seen, name) == (getattr(entry, name) if may else None)
    assert view(entry, Viewer(after_close=True)) == entry
    if isinstance(entry, Corrected):
        assert "note:" not in json.dumps(public), "a correction tells which note came to a hand"


def goods_named(entry: GoodsMoved) -> Goods:
    """Everything an entry moves in secret."""
    goods = Goods()
    for change in (entry.hidden or {}).values():
        goods += change.gained
    return goods
