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
    OfferAltered,
    OfferPosted,
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
from bot.rules.games.ti4 import notes as promissory
from bot.rules.games.ti4.components import captured_unit
from bot.rules.games.ti4.entries import CommoditiesGained, Replenished
from bot.rules.games.ti4.state import are_neighbors, in_combat, state_of
from bot.rules.goods import Goods, kind_of
from bot.rules.ruling import Refused
from bot.rules.table import Seat, Table, pair
from bot.rules.views import PUBLIC, Viewer, view

MAKES_GOODS = (Gained, Spent, Corrected, Replenished, CommoditiesGained)
"""The entries that may change how many trade goods and commodities there are, or any other component but notes."""

SENTENCE_MOST = 1000
"""A refusal must fit into a Discord message of 2000 characters with everybody's names in it."""

_NOTE = re.compile(r"note:\w+:\w+")
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


def _comes_home(token: str, receiver: str) -> bool:
    return kind_of(token) == "captured" and captured_unit(token)[1] == receiver


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
        lifted = any(permit.pair == both and permit.lifts == "limit" for permit in state_of(before).permits)
        again = (entry.window, both) in self.traded
        assert not again or entry.overruled or lifted, "two transactions of a pair in one window"
        self.traded.add((entry.window, both))
        assert set(entry.changes) == set(both)
        assert (gave(entry, offer.seat), gave(entry, entry.second)) == (offer.give, offer.want)
        for seat, other in (both, both[::-1]):
            # At its owner a captured unit goes back to the supply.
            kept = Goods({token: n for token, n in gave(entry, seat).items() if not _comes_home(token, other)})
            assert matter(kept) == matter(got(entry, other))
            assert not got(entry, seat).count("commodity"), "21.5: a received commodity is a trade good"
        if not entry.overruled:
            _legal(before, entry)


def gave(entry: Transaction, seat: str) -> Goods:
    """All that a seat gave, in the open and in secret."""
    return sum((changes[seat].lost for changes in (entry.changes, entry.hidden or {}) if seat in changes), Goods())


def got(entry: Transaction, seat: str) -> Goods:
    """All that a seat received, in hand and in play."""
    both = [changes[seat] for changes in (entry.changes, entry.hidden or {}) if seat in changes]
    return sum((change.gained + change.entered_play for change in both), Goods())


def _legal(table: Table, entry: Transaction) -> None:
    """Rule 94 told another way than `bot.rules.games.ti4.transactions` does. A permit lifts too much for it."""
    both = {entry.first, entry.second}
    if any(set(permit.pair) == both for permit in state_of(table).permits):
        return
    agenda = table.window.kind == "agenda"
    convoys = any(token.startswith("note:trade_convoys") for seat in both for token in table.seats[seat].in_play)
    met = are_neighbors(table, entry.first, entry.second) or in_combat(table, entry.first, entry.second)
    assert agenda or table.window.holder in both, "94.1"
    assert agenda or met or convoys or "hacan" in both, "94.1"
    assert gave(entry, entry.first) or gave(entry, entry.second), "94.4"
    for seat in both:
        goods = gave(entry, seat)
        assert goods.of_kind("note").total() <= 1, "94.2"
        for token in goods.without_kind("trade_good", "commodity", "note", "fragment"):
            other = (both - {seat}).pop()
            cards = "hacan" in both if kind_of(token) == "action_card" else False
            kenara = token == "planet:Arretze" and seat == "hacan"
            assert cards or kenara or token == f"captured:cruiser:{other}", "94.3"


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
                expected.subtract(change.lost + change.left_play)
                expected.update(change.gained + change.entered_play)
        if not isinstance(entry, MAKES_GOODS):
            assert _lasting(now) == _lasting(was), f"{entry.kind} made or lost goods"
        assert notes(now) == notes(was), f"{entry.kind} made or lost a promissory note"
        parties = {*entry.changes, *(entry.hidden or {})}
        others = set(before.seats) - parties
        assert all(after.seats[seat].holdings == before.seats[seat].holdings for seat in others)
    assert now == +expected, f"{entry.kind} moved other goods than it says"
    assert all(count == 1 for count in notes(now).values()), "a promissory note exists twice"


def _lasting(goods: Mapping[str, int]) -> Counter[str]:
    """What no trade and no note makes or unmakes: all but captured units, which go back to their owner's supply."""
    return matter({token: count for token, count in goods.items() if kind_of(token) != "captured"})


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
    assert all(table.seats[offer.seat].person is not None for offer in table.live_offers())
    assert table.open or not (table.live_offers() or any(talks.open for talks in table.negotiations.values()))


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
            if part != "parties" or seat not in entry.parties():
                assert getattr(seen, name) is None
    assert view(entry, Viewer(after_close=True)) == entry
    if public.get("negotiation") is not None and isinstance(entry, OfferPosted):
        assert (public["give"], public["want"], public["terms"]) == ({}, {}, ""), "what is offered in private is told"
    told = json.dumps(public)
    if not (isinstance(entry, OfferPosted | OfferAltered) and entry.to is None):
        for note in set(_NOTE.findall(json.dumps(sealed))):
            assert (promissory.public(note) and not isinstance(entry, Corrected)) or note not in told, f"{note} is told"
