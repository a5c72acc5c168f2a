"""Clubs over the wire: tables of two people at the loopback Discord, and a bot in a process of its
own.

Everything is timed from where a person sits: an act ends when its response is there and the other
one was told.
"""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any, Literal

from tests.loopback import screen
from tests.loopback.exchange import Exchange
from tests.loopback.loopback import Loopback
from tests.loopback.people import Person
from tests.loopback.screen import Json
from tests.loopback.world import GUILD
from tests.tools.bench.child import Spent
from tests.tools.bench.starting import Process, environment, process

Kind = Literal["bourse", "counted", "limited", "plain"]

ANSWERED_WITHIN = 120.0
"""Seconds."""

AT_ONCE = 8
"""Clubs that sit down at the same time."""

STOCK = "900 tg"
_people = count(20)


@dataclass
class Child:
    """A bot in a process of its own; see `tests.tools.bench.child`."""

    process: Process

    async def spent(self) -> Spent:
        """Return what it has spent so far."""
        self.process.tell()
        return Spent(**json.loads(await self.process.line()))


@asynccontextmanager
async def child(discord: Loopback, folder: Path, kind: Kind) -> AsyncIterator[Child]:
    """Run a bot at this Discord with its files in this folder, until the block ends."""
    env = environment({"DATABASE_URL": f"sqlite:///{folder / 'bourse.db'}", **discord.settings})
    log = folder / f"{kind}.log"
    async with process(
        "tests.tools.bench.child", kind, folder=folder, environment=env, errors=log
    ) as bot:
        await discord.until(lambda: discord.gateway.online() and discord.world.commands)
        yield Child(bot)


class Mailbox:
    """Wakes whoever waits for a message in some channel."""

    def __init__(self, discord: Loopback) -> None:
        self._waiting: dict[str, tuple[Callable[[Json], bool], asyncio.Future[Json]]] = {}
        discord.world.watch = self._came

    def expect(self, channel: str, fits: Callable[[Json], bool]) -> asyncio.Future[Json]:
        """Return what becomes the next message in this channel that fits, sent or edited. One may
        wait at a time.
        """
        found: asyncio.Future[Json] = asyncio.get_running_loop().create_future()
        self._waiting[channel] = fits, found
        return found

    def _came(self, message: Json) -> None:
        waiting = self._waiting.get(message["channel_id"])
        if waiting is not None and waiting[0](message):
            del self._waiting[message["channel_id"]]
            waiting[1].set_result(message)


class Club:
    """A table with two people, who trade one trade good for one, in turns."""

    def __init__(self, discord: Loopback, mailbox: Mailbox, channel: str) -> None:
        self._discord, self._mailbox, self._channel = discord, mailbox, channel
        self.people = (Person(next(_people), "alice"), Person(next(_people), "bob"))
        self.trades = 0
        self._card: Json = {}

    @property
    def _two(self) -> tuple[Person, Person]:
        """Whose turn it is, and the other one."""
        active = self.trades % 2
        return self.people[active], self.people[1 - active]

    async def sit_down(self) -> None:
        """Open the table, sit down, and begin the first turn."""
        alice, bob = self.people
        await self.types("table open", alice, game="ti4")
        for person, seat in ((alice, "hacan"), (bob, "sol")):
            await self.types("table sit", person, seat=seat)
        for person in self.people:
            await self.types("holdings set", alice, player=person, goods=STOCK)
        await self.types("turn start", alice, player=alice)

    async def trade(self) -> None:
        """Post, accept, next turn: three clicks."""
        await self.post()
        await self.accept()
        await self.end_turn()

    async def post(self) -> float:
        """Post an offer to the other one. Return the seconds until they were told."""
        poster, other = self._two
        text = f"Offer {self.trades + 1}"
        told = self._in_dms(
            other, lambda message: text in screen.text_of(message) and _accept(message) is not None
        )
        began = time.perf_counter()
        await self.types(
            "offer post", poster, to=other, give="1 tg", want="1 tg", terms=f"no. {self.trades + 1}"
        )
        self._card = await asyncio.wait_for(told, ANSWERED_WITHIN)
        return time.perf_counter() - began

    async def accept(self) -> float:
        """Have the other one accept it. Return the seconds until the poster was told."""
        poster, other = self._two
        done, button = re.compile(rf"transaction {self.trades + 1}\b"), _accept(self._card)
        assert button is not None
        told = self._in_dms(poster, lambda message: bool(done.search(screen.text_of(message))))
        began = time.perf_counter()
        answered = await self._discord.use(button, self._card, other, wait=False)
        await self._answered(answered)
        await asyncio.wait_for(told, ANSWERED_WITHIN)
        return time.perf_counter() - began

    async def crowd(self, offers: int = 8, within: float = 3.0) -> list[float]:
        """Post offers to all within so many seconds. Return for each how many it took until its
        card was there.
        """
        seen: dict[str, float] = {}

        def there(message: Json) -> bool:
            if not screen.is_ephemeral(message) and (
                found := re.search(r"offer no\. (\d+)", screen.text_of(message))
            ):
                seen.setdefault(found[1], time.perf_counter())
            return len(seen) == offers

        async def post(number: int) -> float:
            await asyncio.sleep(number * within / offers)
            began = time.perf_counter()
            await self.types(
                "offer post", self.people[number % 2], give="1 tg", terms=f"offer no. {number}"
            )
            return began

        all_there = self._mailbox.expect(self._channel, there)
        began = await asyncio.gather(*map(post, range(offers)))
        await asyncio.wait_for(all_there, ANSWERED_WITHIN)
        return [seen[str(number)] - at for number, at in enumerate(began)]

    async def end_turn(self) -> None:
        """End the turn."""
        await self.types("turn next", self._two[0])
        self.trades += 1

    async def types(self, words: str, person: Person, **options: Any) -> Exchange:
        """Type a command in the table's channel, and return when it is answered."""
        exchange = await self._discord.slash(
            words, user=person, at=self._channel, wait=False, **options
        )
        await self._answered(exchange)
        return exchange

    async def _answered(self, exchange: Exchange) -> None:
        """Wait for the response; where that only says that it takes a while, for what fills it."""
        await asyncio.wait_for(exchange.answered.wait(), ANSWERED_WITHIN)
        if not exchange.finished():
            await self._discord.until(exchange.finished, ANSWERED_WITHIN)

    def _in_dms(self, person: Person, fits: Callable[[Json], bool]) -> asyncio.Future[Json]:
        return self._mailbox.expect(self._discord.world.dm_with(str(person.id)), fits)


@asynccontextmanager
async def clubs(
    folder: Path, tables: int, kind: Kind
) -> AsyncIterator[tuple[Loopback, Child, list[Club]]]:
    """Run Bourse with so many tables, at each of which one trade was made, so that all DMs are
    open.
    """
    async with Loopback.running() as discord:
        channels = [discord.world.add_channel(GUILD) for _ in range(tables)]
        async with child(discord, folder, kind) as bot:
            mailbox = Mailbox(discord)
            opened = [Club(discord, mailbox, channel) for channel in channels]
            gate = asyncio.Semaphore(AT_ONCE)
            await asyncio.gather(*(_begun(club, gate) for club in opened))
            yield discord, bot, opened


async def _begun(club: Club, gate: asyncio.Semaphore) -> None:
    """Have a club sit down and trade."""
    async with gate:
        await club.sit_down()
        await club.trade()


def _accept(message: Json) -> Json | None:
    """Return the button that accepts an offer."""
    accepting = [each for each in screen.buttons(message) if each.get("label") == "Accept"]
    return accepting[0] if accepting else None
