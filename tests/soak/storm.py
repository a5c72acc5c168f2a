"""Faults of Discord, the database and the machine while people play.

Each hostility is a task of its own and can be left out.
"""

from __future__ import annotations

import asyncio
import os
import random
import resource
import signal
import sqlite3
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from itertools import chain

import asyncpg  # type: ignore[import-untyped]

from tests.loopback import screen
from tests.loopback.faults import Error, Fault, Slow
from tests.loopback.loopback import Loopback
from tests.loopback.people import Person
from tests.loopback.process import BotProcess
from tests.loopback.world import NONCES_LAST
from tests.soak.players import Party
from tests.soak.sights import custom_ids, revision_of

CALLBACK, OTHERS = r"/callback$", r"^/(channels|webhooks|users/@me/channels)"
ALL_OTHERS = r"^/(channels|webhooks|users|guilds)"
LIMITS = (20028, 30046, 40062)  # codes that Discord gives with a 429
BY_TOKEN = r"^/webhooks/\d+/[^/]+/messages/@original"
LOGIN = r"^/(users/@me$|oauth2|applications|gateway)"
ERRORS = (500, 502, 503, 504)
AWAY = (asyncpg.PostgresError, asyncpg.InterfaceError, OSError)
CUT = """
SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid()
"""
A_CRASH = 0.3  # how often it is a crash
BURST, BURST_OF_CALLBACKS = 3.0, 1.0  # seconds at most; a callback has three to come through


Happens = Callable[[], Awaitable[None]]
"""Something that happens to Discord or the bots."""


@dataclass
class Storm:
    """What rages.

    `bots` are the running processes by shard. `down` are the times during which one of them, or
    all, could not be reached or could not answer, as (from, until, its shard or None).
    """

    discord: Loopback
    chance: random.Random
    parties: list[Party]
    database: str
    bots: dict[int, BotProcess]
    without: frozenset[str] = frozenset()
    down: list[tuple[float, float, int | None]] = field(default_factory=list)
    removed: set[tuple[str, int]] = field(default_factory=set)  # offers whose card somebody deleted
    shut: set[str] = field(default_factory=set)  # users whose DMs were closed for a while
    met: dict[str, int] = field(default_factory=dict)
    _tasks: list[asyncio.Task[None]] = field(default_factory=list)

    @property
    def kinds(self) -> dict[str, tuple[float, Happens]]:
        """The hostilities by name: the mean time between two, in seconds, and what happens."""
        return {
            "errors": (5.0, self._errors),
            "callbacks": (6.0, self._callbacks),
            "tokens": (6.0, self._tokens),
            "overall": (20.0, self._overall),
            "codes": (10.0, self._codes),
            "slow": (10.0, self._slow),
            "very-slow": (15.0, self._very_slow),
            "deleted": (8.0, self._deleted),
            "archived": (8.0, self._archived),
            "dms": (10.0, self._dms),
            "spells": (10.0, self._spells),
            "thrown-out": (20.0, self.thrown_out),
            "gateway": (15.0, self._gateway),
            "odd": (10.0, self._odd),
            "login": (20.0, self._login),
            "lost": (12.0, self._lost),
            "paused": (15.0, self._paused),
            "locked": (15.0, self._locked),
            "full": (20.0, self._full),
            "cut": (25.0, self._cut),
        }

    def begin(self) -> None:
        """Lets it rage."""
        if "limits" not in self.without:
            self.discord.limits.enforced = True
        without = self.without | ({"full"} if self.database.startswith("postgres") else {"cut"})
        for name, (mean, happens) in self.kinds.items():
            if name not in without:
                self._tasks.append(asyncio.create_task(self._again(name, mean, happens)))

    async def calm(self) -> None:
        """Discord has recovered: only its rate limits and what was closed for good remain."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks.clear()
        for fault in self.discord.rest.faults:
            fault.over()
        self.discord.rest.faults.clear()
        self.discord.closed_dms.clear()
        for thread in self.discord.world.threads():
            self.discord.world.archive(thread, False)
        self.discord.world.nonces_last = NONCES_LAST

    @contextmanager
    def unreachable(self, shard: int | None = None) -> Iterator[None]:
        """Notes that the bot of this shard, or every bot, could not answer while the block
        lasted.
        """
        began = time.monotonic()
        try:
            yield
        finally:
            self.down.append((began, time.monotonic(), shard))

    async def _again(self, name: str, mean: float, happens: Happens) -> None:
        while True:
            await asyncio.sleep(self.chance.expovariate(1 / mean))
            self.met[name] = self.met.get(name, 0) + 1
            await happens()

    async def _for_a_while(self, fault: Fault, most: float) -> None:
        self.discord.add(fault)
        try:
            await asyncio.sleep(self.chance.uniform(0.1, most))
        finally:
            fault.over()

    # ---------------------------------------------------------------- requests

    async def _errors(self) -> None:
        """A burst of errors on everything but callbacks, with effect or without."""
        status, effect = self.chance.choice(ERRORS), self.chance.random() < 0.3
        await self._for_a_while(Error(path=OTHERS, status=status, effect=effect), BURST)

    async def _callbacks(self) -> None:
        """A burst of errors on callbacks; then some rest, so that each can come through.

        They are server errors, with effect or without, or 429 with a code or without a time to
        wait.
        """
        kind = self.chance.randrange(4)
        if kind < 2:
            status, effect = self.chance.choice(ERRORS), self.chance.random() < 0.5
            fault = Error(path=CALLBACK, status=status, effect=effect)
        elif kind == 2:
            code = self.chance.choice(LIMITS)
            fault = Error(path=CALLBACK, status=429, code=code, retry_after=0.2)
        else:
            html, via = self.chance.random() < 0.5, self.chance.random() < 0.5
            fault = Error(path=CALLBACK, status=429, retry_after=None, html=html, via=via)
        await self._for_a_while(fault, BURST_OF_CALLBACKS)
        await asyncio.sleep(3.0)

    async def _tokens(self) -> None:
        """Discord does not accept tokens any more: they have expired, been revoked, or are not
        known yet.
        """
        status = self.chance.choice((401, 404, 429, 503))
        fault = Error(path=BY_TOKEN, status=status, retry_after=5.0)
        await self._for_a_while(fault, BURST)

    async def _overall(self) -> None:
        """Discord says 429 to all routes."""
        fault = Error(path=OTHERS, status=429, overall=True, retry_after=0.5, times=3)
        await self._for_a_while(fault, 1.0)

    async def _codes(self) -> None:
        """Discord says 429 with a code, also to requests that the code is not about."""
        fault = Error(path=ALL_OTHERS, status=429, retry_after=0.3, chance=self.chance)
        fault.code = self.chance.choice(LIMITS)
        fault.share = self.chance.choice((0.5, 1.0))
        await self._for_a_while(fault, BURST)

    async def _slow(self) -> None:
        """Every request takes 150 ms."""
        await self._for_a_while(Slow(seconds=0.15), 4.0)

    async def _very_slow(self) -> None:
        """One of five requests takes five seconds."""
        fault = Slow(path=OTHERS, seconds=5.0, share=0.2, chance=self.chance)
        await self._for_a_while(fault, 2.0)

    async def _login(self) -> None:
        """Nobody can log in for a moment."""
        fault = Error(path=LOGIN, status=self.chance.choice(ERRORS))
        await self._for_a_while(fault, BURST)

    # ---------------------------------------------------------------- places and messages

    async def _deleted(self) -> None:
        """A moderator deletes a message in a channel."""
        channel = self.chance.choice(self.parties).channel
        if not self.discord.world.open(channel):
            return
        messages = self.discord.world.history(channel, 20)
        cards = [message for message in messages if screen.buttons(message)]
        if not cards:
            return
        message = self.chance.choice(cards)
        self.discord.world.delete(message["id"])
        name = next(party.name for party in self.parties if party.channel == channel)
        for parts in custom_ids(message):
            if named := revision_of(parts):
                self.removed.add((name, named[0]))

    async def _archived(self) -> None:
        """A thread is archived for a while, or deleted."""
        if not (threads := self.discord.world.threads()):
            return
        thread = self.chance.choice(threads)
        if self.chance.random() < 0.2:
            self.discord.world.remove_channel(thread)
            return
        self.discord.world.archive(thread)
        await asyncio.sleep(self.chance.uniform(0.5, 5.0))
        self.discord.world.archive(thread, False)

    async def _dms(self) -> None:
        """Somebody's DMs are closed for a while."""
        person = self.chance.choice(self._sociable())
        self.shut.add(str(person.id))
        self.discord.closed_dms.add(person)
        try:
            await asyncio.sleep(self.chance.uniform(0.5, 5.0))
        finally:
            self.discord.closed_dms.discard(person)

    async def _spells(self) -> None:
        """Discord has lost somebody's DM channel for a while, also for what is there."""
        person = self.chance.choice(self._sociable())
        self.shut.add(str(person.id))
        dm = self.discord.world.dm_with(str(person.id))
        await self._for_a_while(Error(path=rf"^/channels/{dm}/", status=403, code=50001), 6.0)

    async def thrown_out(self) -> None:
        """A server throws the bot out, and invites it again a little later."""
        world, gateway = self.discord.world, self.discord.gateway
        guild = self.chance.choice(
            sorted({party.guild for party in self.parties if not party.doomed})
        )
        here = [party for party in self.parties if party.guild == guild and not party.lost]
        unknown = Error(path=rf"^/guilds/{guild}/members/", status=404, code=10004)
        if self.chance.random() < 0.5:
            self.discord.add(unknown)
        for party in here:
            party.lost = True
        try:
            await self._leave(guild)
            await asyncio.sleep(self.chance.uniform(0.5, 6.0))
        finally:
            unknown.over()
            if gateway.online():
                await gateway.invite(guild)
            else:
                world.left.discard(guild)
            for party in here:
                party.lost = False

    async def _leave(self, guild: str) -> None:
        if self.discord.gateway.online():
            await self.discord.gateway.kick(guild)
        else:
            self.discord.world.left.add(guild)

    def _sociable(self) -> list[Person]:
        """The people who can be reached in a channel if their DMs are closed."""
        everywhere = chain.from_iterable(party.seats for party in self.parties)
        doomed = chain.from_iterable(party.seats for party in self.parties if party.doomed)
        lonely = {seat.person for seat in doomed}
        people = dict.fromkeys(seat.person for seat in everywhere)
        return [person for person in people if person not in lonely]

    async def _lost(self) -> None:
        """A table loses its channel for good: it is deleted, or the bot is kicked from the
        server.
        """
        doomed = [party for party in self.parties if party.doomed and not party.lost]
        if not doomed:
            return
        party = doomed[0]
        party.lost = True
        if party.doomed == "deleted":
            self.discord.world.remove_channel(party.channel)
        else:
            await self._leave(party.guild)

    async def _odd(self) -> None:
        """One DM is refused for a reason of Discord's own, or edits because the message is old."""
        if self.chance.random() < 0.3:
            channel = self.chance.choice(
                [party.channel for party in self.parties if not party.doomed]
            )
            fault = Error(
                method="PATCH",
                path=rf"^/channels/{channel}/messages/",
                status=429,
                code=30046,
                times=3,
            )
        else:
            person = self.chance.choice(self._sociable())
            self.shut.add(str(person.id))
            dm = self.discord.world.dm_with(str(person.id))
            code = self.chance.choice((20026, 40003, 50001, 50033))
            fault = Error(
                method="POST", path=rf"^/channels/{dm}/messages$", status=400, code=code, times=1
            )
        await self._for_a_while(fault, 4.0)

    # ---------------------------------------------------------------- the gateway

    async def _gateway(self) -> None:
        """The connections are dropped, or Discord asks for other ones. Each process comes again in
        its own time.
        """
        gateway = self.discord.gateway
        began, shards = time.monotonic(), gateway.shards
        if not shards:
            return
        try:
            how = self.chance.randrange(4)
            if how == 0:
                await gateway.drop()
            elif how == 1:
                await gateway.reconnect()
            else:
                await gateway.invalidate(resumable=how == 2)
            with suppress(TimeoutError):
                await self.discord.until(
                    lambda: all(gateway.came[shard] > began for shard in shards)
                )
        finally:
            for shard in shards:
                came = gateway.came[shard]
                self.down.append((began, came if came > began else time.monotonic(), shard))

    # ---------------------------------------------------------------- the machine and the database

    async def _paused(self) -> None:
        """A process is stopped and goes on later, as when its machine sleeps; it may hold locks of
        the database.
        """
        if not self.bots:
            return
        process = self.chance.choice(list(self.bots.values())).process
        with self.unreachable(), suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGSTOP)
            try:
                await asyncio.sleep(self.chance.uniform(0.2, 4.0))
            finally:
                os.kill(process.pid, signal.SIGCONT)

    async def _locked(self) -> None:
        """Somebody else writes to the database for a while."""
        seconds = self.chance.uniform(0.2, 2.0)
        with self.unreachable():
            if self.database.startswith("postgres"):
                with suppress(*AWAY):
                    connection = await asyncpg.connect(self.database)
                    try:
                        async with connection.transaction():
                            await connection.execute("LOCK TABLE entries IN EXCLUSIVE MODE")
                            await asyncio.sleep(seconds)
                    finally:
                        await connection.close()
                return
            with (
                closing(sqlite3.connect(_file(self.database), timeout=0.1)) as other,
                suppress(sqlite3.OperationalError),
            ):
                other.execute("BEGIN IMMEDIATE")
                await asyncio.sleep(seconds)

    async def _full(self) -> None:
        """The disk takes no more for a while. The files of PostgreSQL are another's, so they are
        left alone.
        """
        if not self.bots:
            return
        pid = self.chance.choice(list(self.bots.values())).process.pid
        with self.unreachable(), suppress(ProcessLookupError, FileNotFoundError):
            size = os.stat(f"{_file(self.database)}-wal").st_size
            before = resource.prlimit(pid, resource.RLIMIT_FSIZE)
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, before[1]))
            try:
                await asyncio.sleep(self.chance.uniform(0.2, 2.0))
            finally:
                resource.prlimit(pid, resource.RLIMIT_FSIZE, before)

    async def _cut(self) -> None:
        """PostgreSQL cuts all connections, or crashes and starts again, as it does when one of its
        processes dies.
        """
        with self.unreachable():
            with suppress(*AWAY):
                connection = await asyncpg.connect(self.database)
                if self.chance.random() < A_CRASH:
                    os.kill(await connection.fetchval("SELECT pg_backend_pid()"), signal.SIGKILL)
                else:
                    await connection.execute(CUT)
                await connection.close()
            while True:
                try:
                    await (await asyncpg.connect(self.database)).close()
                except AWAY:
                    await asyncio.sleep(0.1)
                else:
                    break


def _file(database: str) -> str:
    return database.removeprefix("sqlite:///")
