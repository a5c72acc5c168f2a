"""Measures four bots on one PostgreSQL under load, with one killed and started again.

    python -m tests.tools.four_processes --seconds 30
    python -m tests.tools.four_processes --compare       1, 2 and 4 bots, none killed, in turns

At every table Alice posts an offer in the channel, and Bob accepts it in his DMs. So each
acceptance arrives on shard 0, and three times out of four it is told by another process than the
one that carried it out.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine

from bot.ledger.engine import address
from tests.loopback import screen
from tests.loopback.loopback import Loopback
from tests.loopback.people import Person
from tests.loopback.process import BotProcess, connected
from tests.loopback.world import guild_on
from tests.postgresql import fresh_database, postgresql
from tests.tools.bench.postgres import processor_time

SHARDS = 4
KILLED = 2
TOLD_WITHIN = 45.0  # seconds


@dataclass
class Club:
    """A table on a server of its own: its shard, its channel and its two people."""

    number: int
    shard: int
    channel: str
    alice: Person
    bob: Person
    waits: bool = False  # whether Bob accepts only when the table's bot is gone
    ready: asyncio.Event = field(default_factory=asyncio.Event)  # for that
    done: int = 0  # transactions of which Alice was told

    @property
    def news(self) -> str:
        return f"· transaction {self.done + 1}\n"


@dataclass
class Figures:
    """What came of it. Times are seconds from Bob's press to Alice's DM."""

    seconds: float = 0.0
    # at tables of other shards, while one process is gone
    of_others: list[float] = field(default_factory=list)
    of_all: list[float] = field(default_factory=list)  # while all are there
    in_flight: int = 0  # interactions that died with the process
    # from when the killed one is back to what was owed
    caught_up: list[float] = field(default_factory=list)
    lost: int = 0
    doubled: int = 0
    recorded: int = 0

    def report(self) -> str:
        return "\n".join(
            [
                f"{self.recorded} transactions in {self.seconds:.0f} s at {SHARDS} processes",
                f"told after, all there:      {_percentiles(self.of_all)}",
                f"told after, one gone:       {_percentiles(self.of_others)}  (tables of the other "
                "three)",
                f"told after it was back:     {_percentiles(self.caught_up)}",
                f"lost {self.lost}, doubled {self.doubled}, in flight at the kill {self.in_flight}",
            ]
        )


def _percentiles(times: Sequence[float]) -> str:
    if len(times) < 2:
        return f"{len(times)} times"
    cuts = statistics.quantiles(times, n=100, method="inclusive")
    return (
        f"p50 {cuts[49]:.2f} s, p99 {cuts[98]:.2f} s, at most {max(times):.2f} s, {len(times)} "
        "times"
    )


class Evening:
    """The clubs in front of one Discord, and the four bots."""

    def __init__(
        self, discord: Loopback, database: str, folder: Path, shards: int = SHARDS
    ) -> None:
        self.discord, self.database, self.folder, self.shards = discord, database, folder, shards
        self.figures = Figures()
        self.there = [asyncio.Event() for _ in range(shards)]
        self.leaving = asyncio.Event()
        self.went_on = asyncio.Event()  # somebody was told while a bot was gone
        self.over = asyncio.Event()
        self.kills = [0] * shards
        self.clubs: list[Club] = []
        self._engine = create_async_engine(address(database))

    async def close(self) -> None:
        """Let go of the database."""
        await self._engine.dispose()

    def gather(self, tables: int) -> None:
        """Lays out the servers, before any bot starts."""
        for number in range(tables):
            channel = self.discord.world.add_channel(guild_on(number % self.shards, self.shards))
            people = [
                Person(1000 + 2 * number + i, f"{name}{number}")
                for i, name in enumerate(("alice", "bob"))
            ]
            waits = number % self.shards == KILLED and number // self.shards % 2 == 0
            self.clubs.append(Club(number, number % self.shards, channel, *people, waits))

    @asynccontextmanager
    async def bot(self, shard: int) -> AsyncIterator[BotProcess]:
        folder = self.folder / str(shard)
        folder.mkdir(exist_ok=True)
        settings = {
            "SHARD_IDS": str(shard),
            "SHARD_COUNT": str(self.shards),
            "BOURSE_LOG": "warning",
        }
        async with connected(self.discord, folder, self.database, **settings) as bot:
            self.there[shard].set()
            yield bot

    async def sit_down(self, club: Club) -> None:
        alice, at = club.alice, club.channel
        await self.discord.slash("table open", user=alice, at=at, game="ti4")
        await self.discord.slash("table sit", user=alice, at=at, seat="hacan")
        await self.discord.slash("table sit", user=club.bob, at=at, seat="sol")
        await self.discord.slash("holdings set", user=alice, at=at, player=alice, goods="90 tg")

    async def play(self, club: Club) -> None:
        """One trade after another, each in a turn of its own, until it is over or the table's bot
        is gone.
        """
        here, kills = self.there[club.shard], self.kills[club.shard]
        while here.is_set() and self.kills[club.shard] == kills:
            if self.over.is_set():
                break
            try:
                # refused where there is none
                await self.discord.slash("turn end", user=club.alice, at=club.channel)
                await self.discord.slash(
                    "turn start", user=club.alice, at=club.channel, player=club.alice, turn="new"
                )
                await self.discord.slash(
                    "offer post", user=club.alice, at=club.channel, to=club.bob, give="1 tg"
                )
            except AssertionError:  # no answer
                if self.kills[club.shard] == kills:
                    raise
                self.figures.in_flight += 1
                return
            await self.trade(club)

    async def trade(self, club: Club) -> None:
        """Bob accepts, and Alice is told: unless the table's bot is gone, by `owed`."""
        here = self.there[club.shard]
        # an older card may still be there
        offer = f"Offer {(await self.recorded('offer.posted'))[club.number]} from"
        card = await self.discord.sees(club.bob, offer, button="Accept", dm=True)
        if club.waits and self.leaving.is_set():
            club.ready.set()
            await self.discord.until(lambda: not here.is_set())
        times = (
            self.figures.of_all
            if all(bot.is_set() for bot in self.there)
            else self.figures.of_others
        )
        pressed = time.monotonic()
        reply = await self.discord.press("Accept", user=club.bob, on=card)
        try:
            await self.discord.until(lambda: self.reads(club) or not here.is_set())
        except TimeoutError:
            done = (await self.recorded())[club.number]
            told = f"{club.alice.name} was told of {club.done} of {done} transactions"
            raise AssertionError(
                f"{told}; {club.bob.name} accepted {offer} and read: {reply.text}"
            ) from None
        if here.is_set():
            club.done += 1
            times.append(time.monotonic() - pressed)
            if times is self.figures.of_others:
                self.went_on.set()

    def reads(self, club: Club) -> bool:
        """Whether Alice has been told of the next transaction."""
        mine = [
            m
            for m in self.discord.world.visible(club.alice)
            if self.discord.world.is_dm(m["channel_id"])
        ]
        return any(club.news in screen.text_of(message) for message in mine)

    async def owed(self, club: Club, since: float) -> None:
        """Waits for what a table is owed after its bot has come back."""
        recorded = await self.recorded()
        while club.done < recorded[club.number]:
            await self.discord.sees(club.alice, club.news, dm=True)
            self.figures.caught_up.append(time.monotonic() - since)
            club.done += 1

    async def recorded(self, kind: str = "offer.transaction") -> dict[int, int]:
        """How many entries of this kind each club's table has, from the ledger."""
        query = """SELECT channel_id, count(*) FILTER (WHERE kind = :kind) AS number
            FROM tables JOIN entries ON table_id = id GROUP BY channel_id"""
        async with self._engine.connect() as connection:
            rows = await connection.execute(text(query), {"kind": kind})
            found = {str(row.channel_id): row.number for row in rows}
        return {club.number: found.get(club.channel, 0) for club in self.clubs}

    async def count(self) -> None:
        """Compares what Alice read with what is in the ledger."""
        recorded = await self.recorded()
        for club in self.clubs:
            mine = [
                m
                for m in self.discord.world.visible(club.alice)
                if self.discord.world.is_dm(m["channel_id"])
            ]
            texts = "\n".join(map(screen.text_of, mine))
            told = Counter(re.findall(r"(?m)· transaction (\d+)$", texts))
            self.figures.recorded += recorded[club.number]
            self.figures.lost += max(0, recorded[club.number] - len(told))
            self.figures.doubled += sum(times - 1 for times in told.values())


async def run(database: str, folder: Path, *, seconds: float, tables: int = 16) -> Figures:
    """Load in three parts: all there, one gone, all there again.

    Each part takes so many seconds, or longer where the machine is slow: until what is to be seen
    in it has happened. AssertionError if it does not happen: while one is gone, the others tell
    people, and carry out what is accepted at its tables.
    """
    async with Loopback.running(shards=SHARDS) as discord, AsyncExitStack() as stack:
        evening = Evening(discord, database, folder)
        stack.push_async_callback(evening.close)
        evening.gather(tables)
        bots = [await stack.enter_async_context(evening.bot(shard)) for shard in range(SHARDS)]
        await asyncio.gather(*map(evening.sit_down, evening.clubs))
        began = time.monotonic()
        async with asyncio.TaskGroup() as playing:
            plays = {club.number: playing.create_task(evening.play(club)) for club in evening.clubs}
            theirs = [club for club in evening.clubs if club.shard == KILLED]
            waiting = [club for club in theirs if club.waits]

            await asyncio.sleep(seconds)
            evening.leaving.set()
            await in_time(
                "no offer to accept when the bot is gone", *(club.ready.wait() for club in waiting)
            )

            await bots[KILLED].kill()
            discord.gateway.forget([KILLED])
            evening.kills[KILLED] += 1
            evening.there[KILLED].clear()
            evening.leaving.clear()
            discord.world.changed.set()
            accepted = [plays[club.number] for club in waiting]
            await asyncio.gather(
                asyncio.sleep(seconds),
                in_time("nobody was told while a bot was gone", evening.went_on.wait()),
                in_time(
                    "an acceptance was not carried out while the table's bot was gone", *accepted
                ),
            )

            await stack.enter_async_context(evening.bot(KILLED))
            since = time.monotonic()
            # what they were at when it was killed
            await asyncio.gather(*(plays[club.number] for club in theirs))
            await asyncio.gather(*(evening.owed(club, since) for club in theirs))
            for club in theirs:
                playing.create_task(evening.play(club))
            await asyncio.sleep(seconds)
            evening.over.set()
        evening.figures.seconds = time.monotonic() - began
        await discord.quiet(2.0)
        await evening.count()
        return evening.figures


async def in_time(otherwise: str, *happenings: Awaitable[object]) -> None:
    """Wait for all of them. AssertionError, with what is to be said, if they take longer than
    `TOLD_WITHIN`.
    """
    try:
        async with asyncio.timeout(TOLD_WITHIN):
            await asyncio.gather(*happenings)
    except TimeoutError:
        raise AssertionError(otherwise) from None


@dataclass
class Steady:
    """What so many bots did while nothing happened to them. Processor time is in seconds, of all of
    them together.
    """

    processes: int
    trades: int
    processor: float
    seconds: float
    times: list[float]

    def report(self) -> str:
        each = 1000 * self.processor / self.trades
        cores = self.processor / self.seconds
        trades = f"{self.trades} trades, {self.trades / self.seconds:.1f} a second"
        cost = f"{each:.1f} ms of processor each ({cores:.2f} cores)"
        return f"{self.processes} bots: {trades}, {cost}; told after {_percentiles(self.times)}"


async def steady(
    database: str, folder: Path, processes: int, *, seconds: float, tables: int
) -> Steady:
    """Load for so many seconds, with so many bots."""
    async with Loopback.running(shards=processes) as discord, AsyncExitStack() as stack:
        evening = Evening(discord, database, folder, processes)
        stack.push_async_callback(evening.close)
        evening.gather(tables)
        bots = [await stack.enter_async_context(evening.bot(shard)) for shard in range(processes)]
        await asyncio.gather(*map(evening.sit_down, evening.clubs))
        await discord.quiet(1.0)
        spent = [processor_time(bot.process.pid) or 0.0 for bot in bots]
        began = time.monotonic()
        asyncio.get_running_loop().call_later(seconds, evening.over.set)
        await asyncio.gather(*map(evening.play, evening.clubs))
        took = time.monotonic() - began
        spent = [
            (processor_time(bot.process.pid) or 0.0) - before
            for bot, before in zip(bots, spent, strict=True)
        ]
        trades = sum((await evening.recorded()).values())
        return Steady(processes, trades, sum(spent), took, evening.figures.of_all)


def compare(server: str, *, seconds: float, tables: int, rounds: int) -> None:
    """Print what 1, 2 and 4 bots do, in turns, and the ratios to one bot."""
    found: dict[int, list[Steady]] = {1: [], 2: [], 4: []}
    for number in range(rounds):
        for processes, those in found.items():
            with tempfile.TemporaryDirectory() as folder:
                database = fresh_database(server, f"bourse_{processes}_{number}")
                work = steady(database, Path(folder), processes, seconds=seconds, tables=tables)
                those.append(asyncio.run(work))
                print(those[-1].report(), flush=True)
    for processes in (2, 4):
        pairs = list(zip(found[processes], found[1], strict=True))
        rates, costs, delays = list[float](), list[float](), list[float]()
        for some, one in pairs:
            trades = some.trades / one.trades
            rates.append(trades / (some.seconds / one.seconds))
            costs.append(some.processor / one.processor / trades)
            delays.append(statistics.median(some.times) / statistics.median(one.times))
        for what, ratios in (
            ("trades a second", rates),
            ("processor a trade", costs),
            ("told after, p50", delays),
        ):
            spread = f"({min(ratios):.2f} to {max(ratios):.2f})"
            print(f"{processes} bots / 1: {what} {statistics.median(ratios):.2f} {spread}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=30.0, help="of each of the three parts")
    parser.add_argument("--tables", type=int, default=16)
    parser.add_argument("--compare", action="store_true", help="1, 2 and 4 bots, none killed")
    parser.add_argument("--rounds", type=int, default=3, help="of the comparison")
    options = parser.parse_args()
    with (
        postgresql(os.environ.get("POSTGRES_FOR_TESTS")) as server,
        tempfile.TemporaryDirectory() as folder,
    ):
        if options.compare:
            compare(server, seconds=options.seconds, tables=options.tables, rounds=options.rounds)
            return
        database = fresh_database(server, "bourse_four")
        work = run(database, Path(folder), seconds=options.seconds, tables=options.tables)
        print(asyncio.run(work).report())


if __name__ == "__main__":
    main()
