"""A double-entry journal in beancount's format: every good that somebody gains, somebody else or the box has lost.

``bean-check`` holds the balances that the bot knows against the sums of the entries.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, timedelta

from bot.exports.source import Source, time_of
from bot.rules.books import Move, Step
from bot.rules.entries import Transaction
from bot.rules.goods import Goods
from bot.show import names
from bot.show.story import plain_sentence

SCHEMA = "bourse-beancount/1"

BOX = "Equity:Box"
"""Where goods come from and go to when no player has them; also where a commodity is turned over."""

CURRENCY_MOST = 24
"""The longest currency that beancount takes, in characters."""


def write(source: Source) -> bytes:
    """The ledger as a journal."""
    journal = _Journal(source)
    return ("\n".join(journal.lines()) + "\n").encode()


class _Names:
    """One name for each thing, and no two things of one name."""

    def __init__(self) -> None:
        self._given: dict[str, str] = {}

    def give(self, thing: str, wanted: str, most: int) -> str:
        if thing not in self._given:
            taken = set(self._given.values())
            tries = (wanted[:most], *(f"{wanted[: most - 4]}-{n}" for n in range(2, 1000)))
            self._given[thing] = next(name for name in tries if name not in taken)
        return self._given[thing]


class _Journal:
    def __init__(self, source: Source) -> None:
        self._source = source
        self._currencies, self._accounts = _Names(), _Names()
        self._moved = [(step, moves) for step in source.life if (moves := source.moves(step))]

    def lines(self) -> Iterator[str]:
        source = self._source
        yield f"; {SCHEMA}: the ledger of table {source.table_id} up to entry {len(source.life)}"
        yield f"; its head is {source.life[-1].recorded.hash if source.life else 'none'}"
        yield f'option "title" {_quoted(source.table.name or "Bourse")}'
        days = [_day(step.recorded.at) for step in source.life] or [date(1970, 1, 1)]
        every = [move for _, moves in self._moved for move in moves]
        yield ""
        for token in sorted({move.token for move in every}):
            yield f"{min(days)} commodity {self._currency(token)}"
            yield f"  token: {_quoted(token)}"
            yield f"  name: {_quoted(source.component(token))}"
        yield ""
        yield f"{min(days)} open {BOX}"
        for seat, place in sorted({(move.seat, move.place) for move in every}):
            yield f"{min(days)} open {self._account(seat, place)}"
            yield f"  player: {_quoted(names.name(source.look, seat))}"
        for step, moves in self._moved:
            yield ""
            yield from self._entry(step, moves)
        yield ""
        # beancount holds a balance at the beginning of its day
        yield from self._balances(max(days) + timedelta(days=1), every)

    def _entry(self, step: Step, moves: Sequence[Move]) -> Iterator[str]:
        source, recorded = self._source, step.recorded
        flag = "!" if isinstance(step.entry, Transaction) and step.entry.overruled else "*"
        told = plain_sentence(source.table_id, source.people, step, source.viewer)
        yield f"{_day(recorded.at)} {flag} {_quoted(told)}"
        yield f"  seq: {recorded.seq}"
        yield f"  kind: {_quoted(recorded.entry.kind)}"
        yield f"  time: {_quoted(time_of(recorded.at))}"
        yield f"  hash: {_quoted(recorded.hash)}"
        box: dict[str, int] = {}
        for move in moves:
            amount = move.gained - move.lost
            if amount:
                yield f"  {self._account(move.seat, move.place)}  {amount} {self._currency(move.token)}"
                box[move.token] = box.get(move.token, 0) - amount
        for token, amount in box.items():
            if amount:
                yield f"  {BOX}  {amount} {self._currency(token)}"

    def _balances(self, day: date, every: Sequence[Move]) -> Iterator[str]:
        """What the table knows that each seat has, as far as the viewer may know it."""
        source = self._source
        for seat, place, token in sorted({(move.seat, move.place, move.token) for move in every}):
            if not (source.sees_all or (place == "hand" and source.game.open_goods(Goods({token: 1})))):
                continue
            has = source.table.seats[seat]
            held = (has.holdings if place == "hand" else has.in_play).count(token)
            yield f"{day} balance {self._account(seat, place)}  {held} {self._currency(token)}"

    def _currency(self, token: str) -> str:
        """A component as beancount writes it: ``TRADE-GOOD``. Which one it is stands beside its first mention."""
        bare = re.sub(r"[^A-Z0-9]+", "-", token.upper()).strip("-")
        wanted = re.sub(r"^(?![A-Z])", "X", bare)[:CURRENCY_MOST].strip("-")
        return self._currencies.give(token, wanted if len(wanted) > 1 else f"{wanted}X", CURRENCY_MOST)

    def _account(self, seat: str, place: str) -> str:
        wanted = re.sub(r"[^A-Za-z0-9]+", "-", seat).strip("-").capitalize() or "Seat"
        return f"Assets:{self._accounts.give(seat, wanted, 60)}:{place.capitalize()}"


def _day(at: int) -> date:
    return datetime.fromtimestamp(at / 1000, UTC).date()


def _quoted(text: str) -> str:
    escaped = " ".join(text.split()).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
