"""What the service is compared with: the same trades as events of the library `eventsourcing`, on SQLite.

A table is an aggregate. Each command appends the events that the ledger's entries are, with as much in them, and is
saved in a commit of its own; the library keeps the aggregates in its cache and need not look for newer events, since
nobody else writes. There are no rules, no chain and no views: it is what another would begin with.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from uuid import UUID

from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event

from bot.bench.workload import COMMANDS, SEATS

KEPT = 1_000
"""Aggregates in the library's cache."""


class TradingTable(Aggregate):
    """A table at which an offer is posted, signed by both and resolved, before the turn goes on."""

    @event("Opened")
    def __init__(self, name: str) -> None:
        self.name = name
        self.turn = 0
        self.offers: dict[int, list[str]] = {}
        self.holdings = {seat: {"trade_good": 9} for seat in SEATS}

    @event("Posted")
    def post(self, offer: int, seat: str, to: str, give: dict[str, int], want: dict[str, int]) -> None:
        """Post an offer."""
        self.offers[offer] = []

    @event("Signed")
    def sign(self, offer: int, revision: int, seat: str) -> None:
        """Sign an offer."""
        self.offers[offer].append(seat)

    @event("Resolved")
    def resolve(self, number: int, offer: int, first: str, second: str, changes: dict[str, dict[str, int]]) -> None:
        """Exchange the goods of an offer, which is over."""
        for seat, gained in changes.items():
            for token, amount in gained.items():
                self.holdings[seat][token] += amount
        del self.offers[offer]

    @event("TurnEnded")
    def end_turn(self, seat: str) -> None:
        """End the turn of a seat."""

    @event("TurnStarted")
    def start_turn(self, seat: str, number: int) -> None:
        """Begin the turn of the next seat."""
        self.turn = number


class Trading(Application[UUID]):
    """The commands of a trade, each in a commit of its own."""

    def open(self, name: str) -> UUID:
        """Open a table."""
        table = TradingTable(name)
        self.save(table)
        return table.id

    def trade(self, table_id: UUID, number: int) -> None:
        """Post an offer, accept it, and end the turn: three commands, six events, as in `bot.bench.workload`."""
        active, other = SEATS[number % len(SEATS)], SEATS[(number + 1) % len(SEATS)]
        offer = number + 1
        table = self._table(table_id)
        table.post(offer, active, other, {"trade_good": 2}, {"trade_good": 1})
        table.sign(offer, 1, active)
        self.save(table)
        table = self._table(table_id)
        table.sign(offer, 1, other)
        table.resolve(offer, offer, active, other, {active: {"trade_good": -1}, other: {"trade_good": 1}})
        self.save(table)
        table = self._table(table_id)
        table.end_turn(active)
        table.start_turn(other, number + 1)
        self.save(table)

    def _table(self, table_id: UUID) -> TradingTable:
        table: TradingTable = self.repository.get(table_id)
        return table


class Peer:
    """Many such tables, and how many trades each has seen."""

    def __init__(self, trading: Trading, tables: int) -> None:
        self._trading = trading
        self._trades = {trading.open(f"Bench {number}"): 0 for number in range(tables)}

    def commands_per_second(self, seconds: float) -> float:
        """Trade at one table after another for about this many seconds; return the durable commands a second."""
        begun, made = time.perf_counter(), 0
        while not made or time.perf_counter() - begun < seconds:
            for table_id, trades in self._trades.items():
                self._trading.trade(table_id, trades)
                self._trades[table_id] = trades + 1
            made += COMMANDS * len(self._trades)
        return made / (time.perf_counter() - begun)


@contextmanager
def peer(folder: Path, tables: int) -> Iterator[Peer]:
    """Open so many tables in a database in this folder. It uses WAL and synchronous=FULL, as the ledger does."""
    file = folder / "peer.db"
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("PRAGMA synchronous").fetchone() == (2,)  # SQLite's default, which is kept
    environment = {
        "PERSISTENCE_MODULE": "eventsourcing.sqlite",
        "SQLITE_DBNAME": str(file),
        "AGGREGATE_CACHE_MAXSIZE": str(KEPT),
        "AGGREGATE_CACHE_FASTFORWARD": "n",
    }
    trading = Trading(env=environment)
    try:
        yield Peer(trading, tables)
    finally:
        trading.close()
