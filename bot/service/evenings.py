"""Numbers over evenings: what each closed table adds to them is stored when it closes, in people's
numbers there.

They are made from what everybody could read while the table was open. What was private counts
nowhere, so it can't be reckoned from a sum.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, NotRequired, TypedDict

from bot.rules.features.deals import DealMarked
from bot.rules.features.offers.entries import Transaction
from bot.rules.features.seats import SeatTaken, TakenUp
from bot.rules.model.debts import PAYS, is_private, left_to_pay
from bot.rules.model.goods import NOTHING
from bot.rules.model.people import Person
from bot.rules.model.values import frozen
from bot.rules.views import EntryView

COUNTED_KINDS = (SeatTaken, TakenUp, Transaction, DealMarked)
"""The classes of entries that count, beside those that take a transaction back."""


@frozen
class Partner:
    """A person with whom the reader sat: at how many tables, and how often they traded."""

    name: str
    evenings: int
    trades: int


@frozen
class Evenings:
    """The reader's numbers over the closed tables of a server at which they sat. ``biggest`` is
    their biggest trade.
    """

    evenings: int
    trades: int
    kept: int
    debts: int
    partners: tuple[Partner, ...]
    biggest: EntryView | None = None


class Summary(TypedDict):
    """What a table adds. ``pairs`` maps two people, as in ``1:2``, to the number of their trades,
    and the size and the entry of the biggest.

    JSON has no keys but text, so people's numbers are text too, except in ``sat``.
    """

    sat: list[int]
    pairs: dict[str, tuple[int, int, int]]
    kept: dict[str, int]
    debts: NotRequired[dict[str, int]]


class Evening(NamedTuple):
    """A closed table, the reader's number there, and its stored summary."""

    table_id: int
    reader: int
    text: str


def summary(entries: Sequence[EntryView]) -> str:
    """Return a table's `Summary` as JSON."""
    taken_back = {view.entry.takes_back() for view in entries}
    sat = dict[int, None]()
    kept, debts = Counter[str](), Counter[str]()
    pairs = dict[str, tuple[int, int, int]]()
    for view in entries:
        match view.entry:
            case SeatTaken(person=person, given=False) | TakenUp(person=person, seat=str()):
                sat[person] = None
            case DealMarked(mark="kept", private=False, promised_by=person):
                kept[str(person)] += 1
            case Transaction(private=False) as trade if trade.number not in taken_back:
                traders = list[int]()
                for seat in (trade.first, trade.second):
                    holder = view.names.holders.get(seat)
                    if holder is not None:
                        debts[str(holder)] += _debts_paid(trade, seat)
                        traders.append(holder)
                if len(traders) == 2:
                    two = ":".join(map(str, sorted(traders)))
                    size = sum(goods.total() for goods in trade.given.values())
                    count, biggest, seq = pairs.get(two, (0, -1, 0))
                    if size > biggest:
                        biggest, seq = size, view.seq
                    pairs[two] = (count + 1, biggest, seq)
    return json.dumps(Summary(sat=[*sat], pairs=pairs, kept=kept, debts=+debts))


def _debts_paid(trade: Transaction, seat: str) -> int:
    """Return how many debts this seat paid off with a trade, as far as everybody may know."""
    words = trade.promised.get(seat, NOTHING).of_kind(PAYS)
    return sum(not is_private(word) and count == left_to_pay(word) for word, count in words.items())


def total(
    evenings: Iterable[Evening], people: Mapping[int, Mapping[int, Person]]
) -> tuple[Evenings, tuple[int, int] | None]:
    """Add up a reader's evenings, oldest first. Return also the table and the entry of their
    biggest trade.

    ``people`` are each table's people by number, without those who were forgotten.
    """
    count = trades = kept = debts = 0
    biggest = (0, 0, 0)  # size, table, entry
    names = dict[int, str]()
    evenings_with, trades_with = Counter[int](), Counter[int]()
    for table_id, reader, text in evenings:
        table: Summary = json.loads(text)
        if reader not in table.get("sat", ()):
            continue
        count += 1
        kept += table["kept"].get(str(reader), 0)
        debts += table.get("debts", {}).get(str(reader), 0)
        known = people.get(table_id, {})
        for number in table["sat"]:
            if number != reader and number in known:
                user_id = known[number].user_id or 0
                names[user_id] = known[number].name
                evenings_with[user_id] += 1
        for two, (times, size, seq) in table["pairs"].items():
            first, second = map(int, two.split(":"))
            if reader not in (first, second):
                continue
            trades += times
            partner = known.get(second if first == reader else first)
            if partner is not None:
                trades_with[partner.user_id or 0] += times
                biggest = max(biggest, (size, table_id, seq))

    def closeness(user_id: int) -> tuple[int, int, int]:
        return -trades_with[user_id], -evenings_with[user_id], user_id

    partners = [
        Partner(names[user_id], evenings_with[user_id], trades_with[user_id])
        for user_id in sorted(names, key=closeness)
    ]
    size, table_id, seq = biggest
    numbers = Evenings(count, trades, kept, debts, tuple(partners))
    return numbers, (table_id, seq) if size else None
