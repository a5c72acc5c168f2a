"""The workload of the benchmarks: trades at tables of four.

A trade is three commands: the active player posts an offer to the next in the ring, that player
accepts it, and the active player ends the turn. After four trades everybody has as much as before,
so the goods never run out. Each command has an interaction id, like one from Discord.

The core has no turns, so this module imports a game that has: TI4, where each offer is also checked
for neighbours and for one transaction with each a turn. It is the only module of the benchmarks
that knows a game.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import NamedTuple

from bot.games.ti4 import GAME
from bot.games.ti4.neighbors import JoinNeighbors
from bot.games.ti4.turns import GiveTurn, StartTurn
from bot.ledger import Head, Ledger
from bot.rules.apply import replay
from bot.rules.commands import Caller, Command
from bot.rules.engine import decide
from bot.rules.entries import Entry
from bot.rules.features.holdings import SetHoldings
from bot.rules.features.offers.posting import PostOffer
from bot.rules.features.offers.signing import Sign
from bot.rules.features.seats import Sit
from bot.rules.model.goods import Goods
from bot.rules.model.table import Table
from bot.service import Quotas, Requester, Service

FIRST_LINE = "alice: /table open game:ti4\n"
"""A play of one line."""

SEATS = ("hacan", "sol", "xxcha", "letnev")
"""The ring in which the turn goes round."""

COMMANDS = 3
"""Commands in a trade."""

BOUNDLESS = 2**31
"""As many open tables as the benchmarks want: four people sit at all of them."""

KEY = "benchmark" * 4
"""What the ledgers are sealed with: the same for every process on one database."""

_STOCK, _GIVE, _WANT = (Goods({"trade_good": number}) for number in (9, 2, 1))
_BULK = 100  # trades in one append
# as wide as Discord's; another process on the same database has others
_ids = count(secrets.randbits(61))


class Step(NamedTuple):
    """A command, and the seat whose player gives it (a number in `SEATS`)."""

    player: int
    command: Command


def trade(number: int) -> Iterator[Step]:
    """Yield the commands of a table's trade of this number, from 0. It makes offer number + 1."""
    active, other = number % len(SEATS), (number + 1) % len(SEATS)
    yield Step(active, PostOffer(to=SEATS[other], give=_GIVE, want=_WANT))
    yield Step(other, Sign(number + 1, 1))
    yield Step(active, GiveTurn(SEATS[other]))


def set_up() -> Iterator[Step]:
    """Yield the commands before the first trade: everybody sits, neighbours in a ring, first
    turn.
    """
    for player, seat in enumerate(SEATS):
        yield Step(player, Sit(seat))
        yield Step(0, SetHoldings(seat, _STOCK))
    for player, seat in enumerate(SEATS):
        yield Step(0, JoinNeighbors(seat, SEATS[(player + 1) % len(SEATS)]))
    yield Step(0, StartTurn(SEATS[0]))


@dataclass
class Bench:
    """A service on a ledger of its own, and how many trades each of its tables has seen."""

    ledger: Ledger
    service: Service
    trades: dict[int, int]

    @property
    def made(self) -> int:
        """The commands of all trades so far."""
        return COMMANDS * sum(self.trades.values())

    async def add_table(self) -> int:
        """Open a table and set it up. Return its number."""
        opened = await self.service.open_table(
            _player(0), game=GAME.info.id, name="Bench", channel_id=next(_ids)
        )
        for step in set_up():
            await self.execute(opened.table_id, step)
        self.trades[opened.table_id] = 0
        return opened.table_id

    async def execute(self, table_id: int, step: Step) -> None:
        """Carry out one command."""
        await self.service.execute(table_id, _player(step.player), step.command)

    async def trade(self, table_id: int) -> None:
        """Make the next trade of a table."""
        for step in self.next_trade(table_id):
            await self.execute(table_id, step)

    def next_trade(self, table_id: int) -> Iterator[Step]:
        """Return the commands of a table's next trade, and count it as made."""
        self.trades[table_id] += 1
        return trade(self.trades[table_id] - 1)

    def restart(self) -> None:
        """Begin with a fresh service, which has no table in memory."""
        self.service = _service(self.ledger)

    async def commands_per_second(self, seconds: float) -> float:
        """Trade at all tables at once for about this many seconds; return how many commands a
        second were durable.
        """
        begun = time.perf_counter()
        made = await asyncio.gather(
            *(self._trade_until(table_id, begun + seconds) for table_id in self.trades)
        )
        return COMMANDS * sum(made) / (time.perf_counter() - begun)

    async def _trade_until(self, table_id: int, end: float) -> int:
        """Make one trade and then more until ``end``; return how many were made."""
        made = 0
        while not made or time.perf_counter() < end:
            await self.trade(table_id)
            made += 1
        return made

    async def write_trades(self, table_id: int, trades: int) -> None:
        """Make many trades quickly: decided as by the service, but written in few commits.

        The rows differ from the service's in that they name one person and no interactions, which
        no table depends on. The service does not know of them and saves no snapshot, so call
        `restart` afterwards.
        """
        table = replay(
            (one.entry for one in await self.ledger.entries.read(table_id)), Table(id=table_id)
        )
        head = await self.ledger.entries.head(table_id)
        for first in range(0, trades, _BULK):
            entries: list[Entry] = []
            for _ in range(min(_BULK, trades - first)):
                for step in self.next_trade(table_id):
                    made = decide(table, step.command, Caller(step.player + 1, at=_now()))
                    table = replay(made, table)
                    entries += made
            written = await self.ledger.entries.append(table_id, head, entries, at=_now(), by=1)
            head = Head(written[-1].seq, written[-1].hash)


@asynccontextmanager
async def bench(where: Path | str, tables: int) -> AsyncIterator[Bench]:
    """Open a ledger and add this many tables, at which nothing was traded yet.

    ``where`` is a folder for a SQLite file, whose key is beside it as always, or the address of a
    database.
    """
    file = f"sqlite:///{file_of(where)}" if isinstance(where, Path) else None
    ledger = await (Ledger.open(file) if file else Ledger.open(str(where), KEY))
    try:
        opened = Bench(ledger, _service(ledger), {})
        # which share their commits
        await asyncio.gather(*(opened.add_table() for _ in range(tables)))
        yield opened
    finally:
        await ledger.close()


async def post(service: Service, table_id: int, apart: int) -> None:
    """Have the active player post the offer of the next trade. ``apart`` is added to the numbers of
    the users.
    """
    view = await service.view(table_id, replace(host(), user_id=1 + apart))
    step = next(trade(view.transactions))
    asks = _player(step.player)
    await service.execute(table_id, replace(asks, user_id=asks.user_id + apart), step.command)


async def many_offers(opened: Bench, table_id: int, offers: int) -> None:
    """Post so many offers at a table, which stay open: each player some, to each of the others in
    turn.
    """
    for number in range(offers):
        turn, player = divmod(number, len(SEATS))
        again, away = divmod(turn, len(SEATS) - 1)
        other = SEATS[(player + 1 + away) % len(SEATS)]
        give = Goods({"trade_good": 1 + again})  # the same once more may be a slip
        offer = PostOffer(to=other, give=give, want=_WANT)
        await opened.execute(table_id, Step(player, offer))


def file_of(folder: Path) -> Path:
    """Return the file of the ledger in this folder."""
    return folder / "bourse.db"


def host() -> Requester:
    """Return the host of every table, who plays there and moderates the server."""
    return replace(_player(0), manages_guild=True)


def _service(ledger: Ledger) -> Service:
    return Service(
        ledger, lambda: datetime.now(UTC), room=Quotas(BOUNDLESS, BOUNDLESS, BOUNDLESS, BOUNDLESS)
    )


def _player(player: int) -> Requester:
    return Requester(player + 1, f"player {player + 1}", guild_id=1, interaction=next(_ids))


def _now() -> int:
    return int(time.time() * 1000)
