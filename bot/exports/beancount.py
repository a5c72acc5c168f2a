"""A double-entry journal for beancount: goods move between the accounts of seats and the box.

The journal ends with the table's balances, which ``bean-check`` compares with the sums of the entries.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from itertools import chain

from bot.exports.source import format_time
from bot.rules.features.offers.entries import Transaction
from bot.rules.model.goods import Goods
from bot.rules.model.text import one_line
from bot.rules.views import EntryView, SeatView
from bot.service import ExportSource
from bot.show import names
from bot.show.accounts import Move, known_seats, lies_open, moves_by_entry
from bot.show.narration import plain_sentence

SCHEMA = "bourse-beancount/1"

BOX = "Equity:Box"
"""The account for goods that no player has. Goods that turn into other goods pass through it."""

CURRENCY_MAX = 24
"""Beancount's limit on a currency name, in characters."""

ACCOUNT_MAX = 60
"""The most characters of a seat's name in an account name. Not a limit of beancount; it keeps lines readable."""


def write(source: ExportSource) -> bytes:
    """Return the ledger as a journal, in UTF-8."""
    return ("\n".join(_Journal(source).lines()) + "\n").encode()


class _Identifiers:
    """Assigns a unique identifier to each key."""

    def __init__(self) -> None:
        self._by_key: dict[str, str] = {}

    def of(self, key: str, wanted: str, max_length: int) -> str:
        """Return the key's identifier: ``wanted``, with a number if another key has it already."""
        if key not in self._by_key:
            taken = set(self._by_key.values())
            numbered = (f"{wanted[: max_length - 4]}-{n}" for n in range(2, 1000))
            self._by_key[key] = next(name for name in chain([wanted[:max_length]], numbered) if name not in taken)
        return self._by_key[key]


class _Journal:
    """The journal of one source, with the identifiers used in it."""

    def __init__(self, source: ExportSource) -> None:
        self._source = source
        self._currencies, self._accounts = _Identifiers(), _Identifiers()
        self._moved = [(entry, moves) for entry, moves in moves_by_entry(source.entries) if moves]
        self._moves = [move for _, some in self._moved for move in some]
        self._known = known_seats(source.view)

    def lines(self) -> Iterator[str]:
        days = [_day(entry.at) for entry in self._source.entries] or [date(1970, 1, 1)]
        yield from self._title()
        yield ""
        yield from self._commodities(min(days))
        yield ""
        yield from self._open_accounts(min(days))
        for entry, moves in self._moved:
            yield ""
            yield from self._transaction(entry, moves)
        yield ""
        # A balance holds at the beginning of its day, before that day's transactions.
        yield from self._balances(max(days) + timedelta(days=1))

    def _title(self) -> Iterator[str]:
        view, entries = self._source.view, self._source.entries
        yield f"; {SCHEMA}: the ledger of table {view.id} up to entry {len(entries)}"
        yield f"; its head is {entries[-1].hash if entries else 'none'}"
        yield f'option "title" {_quoted(view.name or "Bourse")}'

    def _commodities(self, day: date) -> Iterator[str]:
        """Yield a ``commodity`` directive for each component."""
        for token in sorted({move.token for move in self._moves}):
            yield f"{day} commodity {self._currency(token)}"
            yield f"  token: {_quoted(token)}"
            yield f"  name: {_quoted(self._describe(token))}"

    def _open_accounts(self, day: date) -> Iterator[str]:
        """Yield an ``open`` directive for each account."""
        yield f"{day} open {BOX}"
        for seat, place in sorted({(move.seat, move.place) for move in self._moves}):
            yield f"{day} open {self._account(seat, place)}"
            yield f"  player: {_quoted(names.bare_name(self._source.view, seat))}"
            if (person := self._source.view.names.holder(seat)) is not None:
                yield f"  person: {person.number}"

    def _transaction(self, entry: EntryView, moves: Sequence[Move]) -> Iterator[str]:
        flag = "!" if isinstance(entry.entry, Transaction) and entry.entry.overruled else "*"
        yield f"{_day(entry.at)} {flag} {_quoted(plain_sentence(entry))}"
        yield f"  seq: {entry.seq}"
        if entry.by is not None:
            yield f"  by: {entry.by}"
        yield f"  kind: {_quoted(entry.kind)}"
        yield f"  time: {_quoted(format_time(entry.at))}"
        yield f"  hash: {_quoted(entry.hash)}"
        yield from self._postings(moves)

    def _postings(self, moves: Sequence[Move]) -> Iterator[str]:
        """Yield a posting for each change, then the postings to the box that bring the sum to zero."""
        box = Counter[str]()
        for move in moves:
            if amount := move.gained - move.lost:
                yield f"  {self._account(move.seat, move.place)}  {amount} {self._currency(move.token)}"
                box[move.token] -= amount
        for token, amount in box.items():
            if amount:
                yield f"  {BOX}  {amount} {self._currency(token)}"

    def _balances(self, day: date) -> Iterator[str]:
        """Yield a ``balance`` directive for everything that seats have now and the viewer may know."""
        for seat, place, token in sorted({(move.seat, move.place, move.token) for move in self._moves}):
            count = self._count(self._source.view.seats[seat], place, token)
            if count is not None:
                yield f"{day} balance {self._account(seat, place)}  {count} {self._currency(token)}"

    def _count(self, seat: SeatView, place: str, token: str) -> int | None:
        """Return how many of a component a seat has in a place; None if the viewer may not know."""
        if place == "play":
            return seat.in_play.count(token)
        if seat.id in self._known or lies_open(self._source.view, token):
            return seat.known.count(token)
        return None

    def _describe(self, token: str) -> str:
        """Return a component in words: ``1 trade good``."""
        view = self._source.view
        return names.plain_text(view, names.game_of(view).goods.describe(Goods({token: 1})))

    def _currency(self, token: str) -> str:
        """Return the component as a currency name: ``TRADE-GOOD``."""
        bare = re.sub(r"[^A-Z0-9]+", "-", token.upper()).strip("-")
        wanted = re.sub(r"^(?![A-Z])", "X", bare)[:CURRENCY_MAX].strip("-")
        return self._currencies.of(token, wanted if len(wanted) > 1 else f"{wanted}X", CURRENCY_MAX)

    def _account(self, seat: str, place: str) -> str:
        """Return the account name of a seat's hand or play area: ``Assets:Blue:Hand``."""
        wanted = re.sub(r"[^A-Za-z0-9]+", "-", seat).strip("-").capitalize() or "Seat"
        return f"Assets:{self._accounts.of(seat, wanted, ACCOUNT_MAX)}:{place.capitalize()}"


def _day(at: int) -> date:
    """Return the UTC day of a time in milliseconds since 1970."""
    return datetime.fromtimestamp(at / 1000, UTC).date()


def _quoted(text: str) -> str:
    """Return the text as a beancount string literal on one line."""
    escaped = one_line(text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
