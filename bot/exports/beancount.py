"""A double-entry journal in beancount's format: what one seat gains, another seat or the box has lost.

``bean-check`` compares the balances that the bot knows with the sums of the entries.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, timedelta

from bot.exports.source import describe_component, format_time, lies_open, moves_by_entry
from bot.rules.offers.entries import Transaction
from bot.rules.views import EntryView, SeatView
from bot.service import ExportSource
from bot.show import names
from bot.show.accounts import Move, known_seats
from bot.show.narration import plain_sentence

SCHEMA = "bourse-beancount/1"

BOX = "Equity:Box"
"""The account for goods that no player has; what turns into something else passes through it, too."""

CURRENCY_MAX = 24
"""The longest currency that beancount takes, in characters."""

ACCOUNT_MAX = 60


def write(source: ExportSource) -> bytes:
    """Return the ledger as a journal."""
    return ("\n".join(_Journal(source).lines()) + "\n").encode()


class _Identifiers:
    """Gives each thing one identifier, and no two things the same."""

    def __init__(self) -> None:
        self._given: dict[str, str] = {}

    def give(self, thing: str, wanted: str, longest: int) -> str:
        if thing not in self._given:
            taken = set(self._given.values())
            candidates = (wanted[:longest], *(f"{wanted[: longest - 4]}-{n}" for n in range(2, 1000)))
            self._given[thing] = next(name for name in candidates if name not in taken)
        return self._given[thing]


class _Journal:
    """The journal of one source, with the identifiers that were given in it."""

    def __init__(self, source: ExportSource) -> None:
        self._source = source
        self._currencies, self._accounts = _Identifiers(), _Identifiers()
        moves = moves_by_entry(source)
        self._moved = [(entry, moves[entry.seq]) for entry in source.entries if moves[entry.seq]]
        self._moves = [move for _, some in self._moved for move in some]
        self._known = known_seats(source.view)

    def lines(self) -> Iterator[str]:
        """Yield the journal, section by section."""
        days = [_day(entry.at) for entry in self._source.entries] or [date(1970, 1, 1)]
        yield from self._title()
        yield ""
        yield from self._commodities(min(days))
        yield ""
        yield from self._opened(min(days))
        for entry, moves in self._moved:
            yield ""
            yield from self._transaction(entry, moves)
        yield ""
        # A balance holds at the beginning of its day, before that day's transactions.
        yield from self._balances(max(days) + timedelta(days=1))

    def _title(self) -> Iterator[str]:
        """Yield what the file is, and of what."""
        view, entries = self._source.view, self._source.entries
        yield f"; {SCHEMA}: the ledger of table {view.id} up to entry {len(entries)}"
        yield f"; its head is {entries[-1].hash if entries else 'none'}"
        yield f'option "title" {_quoted(view.name or "Bourse")}'

    def _commodities(self, day: date) -> Iterator[str]:
        """Yield the components, each with its token and its name."""
        for token in sorted({move.token for move in self._moves}):
            yield f"{day} commodity {self._currency(token)}"
            yield f"  token: {_quoted(token)}"
            yield f"  name: {_quoted(describe_component(self._source, token))}"

    def _opened(self, day: date) -> Iterator[str]:
        """Yield the accounts, each with the player's name."""
        yield f"{day} open {BOX}"
        for seat, place in sorted({(move.seat, move.place) for move in self._moves}):
            yield f"{day} open {self._account(seat, place)}"
            yield f"  player: {_quoted(names.name(self._source.view, seat))}"

    def _transaction(self, entry: EntryView, moves: Sequence[Move]) -> Iterator[str]:
        """Yield an entry that moved goods."""
        flag = "!" if isinstance(entry.entry, Transaction) and entry.entry.overruled else "*"
        yield f"{_day(entry.at)} {flag} {_quoted(plain_sentence(entry))}"
        yield f"  seq: {entry.seq}"
        yield f"  kind: {_quoted(entry.kind)}"
        yield f"  time: {_quoted(format_time(entry.at))}"
        yield f"  hash: {_quoted(entry.hash)}"
        yield from self._postings(moves)

    def _postings(self, moves: Sequence[Move]) -> Iterator[str]:
        """Yield what came and went at each seat, and what the box gives or takes so that it adds up to nothing."""
        box = Counter[str]()
        for move in moves:
            if amount := move.gained - move.lost:
                yield f"  {self._account(move.seat, move.place)}  {amount} {self._currency(move.token)}"
                box[move.token] -= amount
        for token, amount in box.items():
            if amount:
                yield f"  {BOX}  {amount} {self._currency(token)}"

    def _balances(self, day: date) -> Iterator[str]:
        """Yield what the table says each seat has, as far as the viewer may know it."""
        for seat, place, token in sorted({(move.seat, move.place, move.token) for move in self._moves}):
            count = self._count(self._source.view.seats[seat], place, token)
            if count is not None:
                yield f"{day} balance {self._account(seat, place)}  {count} {self._currency(token)}"

    def _count(self, seat: SeatView, place: str, token: str) -> int | None:
        """Return how many of a component a seat has in a place; None where the viewer may not know."""
        if place == "play":
            return seat.in_play.count(token)
        if seat.id in self._known or lies_open(self._source, token):
            return seat.known.count(token)
        return None

    def _currency(self, token: str) -> str:
        """Return a component as beancount writes it: ``TRADE-GOOD``."""
        bare = re.sub(r"[^A-Z0-9]+", "-", token.upper()).strip("-")
        wanted = re.sub(r"^(?![A-Z])", "X", bare)[:CURRENCY_MAX].strip("-")
        return self._currencies.give(token, wanted if len(wanted) > 1 else f"{wanted}X", CURRENCY_MAX)

    def _account(self, seat: str, place: str) -> str:
        """Return the account of a seat's hand or play area: ``Assets:Blue:Hand``."""
        wanted = re.sub(r"[^A-Za-z0-9]+", "-", seat).strip("-").capitalize() or "Seat"
        return f"Assets:{self._accounts.give(seat, wanted, ACCOUNT_MAX)}:{place.capitalize()}"


def _day(at: int) -> date:
    """Return the day of an instant, in UTC."""
    return datetime.fromtimestamp(at / 1000, UTC).date()


def _quoted(text: str) -> str:
    """Return a text as a string of beancount's, on one line."""
    escaped = " ".join(text.split()).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
