"""Numbers over evenings: what each closed table adds to them is stored when it closes, in people's
numbers there.

They are made from what everybody could read while the table was open. What was private counts
nowhere, so it can't be reckoned from a sum.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bot.rules.features.deals import DealMarked
from bot.rules.features.offers.entries import Transaction
from bot.rules.features.seats import SeatTaken
from bot.rules.model.debts import PAYS, is_private, left_to_pay
from bot.rules.model.goods import NOTHING
from bot.rules.model.windows import pair
from bot.rules.views import EntryView

KINDS = (SeatTaken, Transaction, DealMarked)
"""The classes of entries that count, beside those that take a transaction back."""


@dataclass(frozen=True, slots=True)
class Partner:
    """A person with whom the reader sat: at how many tables, and how often they traded."""

    name: str
    evenings: int
    trades: int


@dataclass(frozen=True, slots=True)
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


def summary(entries: Sequence[EntryView]) -> str:
    """Return what a table adds, as JSON: who sat, and for each two who traded how often and their
    biggest trade.
    """
    back = {number for each in entries if (number := each.entry.takes_back()) is not None}
    sat, pairs, kept = dict[int, None](), dict[str, list[int]](), Counter[str]()
    debts = Counter[str]()
    for each in entries:
        match each.entry:
            case SeatTaken(person=person):
                sat[person] = None
            case DealMarked(mark="kept", private=False, promised_by=person):
                kept[str(person)] += 1
            case Transaction(private=False, number=number) as done if number not in back:
                held = [each.names.holders.get(seat) for seat in (done.first, done.second)]
                for seat, payer in zip((done.first, done.second), held, strict=True):
                    words = done.promised.get(seat, NOTHING).of_kind(PAYS)
                    paid_off = (
                        not is_private(word) and count == left_to_pay(word)
                        for word, count in words.items()
                    )
                    debts[str(payer)] += sum(paid_off)
                if None not in held:
                    two = pair(*(f"{person:09}" for person in held))
                    size = sum(goods.total() for goods in done.given.values())
                    found = pairs.setdefault(":".join(str(int(one)) for one in two), [0, -1, 0])
                    found[0] += 1
                    if size > found[1]:
                        found[1:] = [size, each.seq]
    return json.dumps({"sat": [*sat], "pairs": pairs, "kept": kept, "debts": +debts})


def counted(
    texts: Sequence[tuple[int, int, str]], people: dict[int, dict[int, tuple[int, str]]]
) -> dict[str, Any]:
    """Add up summaries for one reader: (table, the reader's number there, summary), oldest first.

    ``people`` are the Discord users and names of each table's people, without those who were
    forgotten.
    """
    told: dict[str, Any] = {"evenings": 0, "trades": 0, "kept": 0, "debts": 0, "biggest": (0, 0, 0)}
    names, sat_with, traded_with = dict[int, str](), Counter[int](), Counter[int]()
    for table_id, own, text in texts:
        found = json.loads(text)
        if own not in found.get("sat", ()):
            continue
        told["evenings"] += 1
        told["kept"] += found["kept"].get(str(own), 0)
        told["debts"] += found.get("debts", {}).get(str(own), 0)
        known = people.get(table_id, {})
        for person in found["sat"]:
            if person != own and person in known:
                user, name = known[person]
                names[user] = name
                sat_with[user] += 1
        for two, (count, size, seq) in found["pairs"].items():
            both = [int(one) for one in two.split(":")]
            if own not in both:
                continue
            told["trades"] += count
            other = both[1] if both[0] == own else both[0]
            if other in known:
                traded_with[known[other][0]] += count
                told["biggest"] = max(told["biggest"], (size, table_id, seq))
    every = sorted(sat_with, key=lambda user: (-traded_with[user], -sat_with[user], user))
    told["partners"] = tuple(
        Partner(names[user], sat_with[user], traded_with[user]) for user in every
    )
    return told
