"""A market of many tables, made quickly: a ledger in a file, and a loopback Discord that shows what
it should.

The commands go through the service, many tables at once; delivery then runs here, on a client that
puts its messages straight into the loopback's world. So a bot that is started afterwards owes
nobody anything, until `owe`.
"""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from copy import deepcopy
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast

import discord

from bot.delivery import Budget, Delivery
from bot.games.advciv.trading import OpenTrading
from bot.games.ti4.turns import StartTurn
from bot.ledger import Ledger
from bot.rules.commands import Command
from bot.rules.features.holdings import SetHoldings
from bot.rules.features.offers.posting import PostOffer
from bot.rules.features.seats import Sit
from bot.rules.model.goods import Goods
from bot.service import Members, Requester, Service
from tests.loopback.loopback import Loopback
from tests.loopback.people import Person
from tests.loopback.world import BOT, World, guild_on

AT_ONCE = 64  # tables that are worked at together
IN_A_GUILD = 50  # channels
FIRST_PERSON = 100_000
STOCK = Goods({"trade_good": 900})


@dataclass(frozen=True)
class Table:
    """A table of two: its number in the ledger, where it is, and who sits there."""

    id: int
    guild: str
    channel: str
    host: Person
    guest: Person
    offers: list[int] = field(default_factory=list)


@dataclass
class Market:
    """The tables, by the order in which they were opened."""

    url: str
    tables: list[Table]

    async def act(
        self,
        work: Callable[[Service, Table], Awaitable[object]],
        tables: Sequence[Table],
        *,
        ago: float = 0.0,
    ) -> None:
        """Does something at these tables, in their order, while no bot runs and nobody is told.

        It happens so many seconds ago.
        """
        async with _opened(self.url, ago) as service:
            for table in tables:
                await work(service, table)

    async def settle(self, discord: Loopback, tables: Sequence[Table]) -> None:
        """Has Discord show what there is to show of these tables."""
        async with _opened(self.url) as service:
            await deliver(discord.world, service, tables)


async def post(service: Service, table: Table, lasts: int | None = None) -> None:
    """The host offers the guest something: a card in the channel, a DM, and a line on the board."""
    offered = PostOffer(to="sol", give=Goods({"trade_good": 1}), lasts=lasts)
    await service.execute(table.id, _asks(table, table.host), offered)
    table.offers.append(len(table.offers) + 1)


async def open_trading(service: Service, table: Table) -> None:
    """Trading begins at a table of Advanced Civilization; the bell rings after a minute."""
    await service.execute(table.id, _asks(table, table.host), OpenTrading(minutes=1))


async def copied(folder: Path, tables: int, *, civilizations: int = 0) -> tuple[World, Market]:
    """Return what `build` makes, with the ledger in a folder. One market of each size is made, and
    copied.
    """
    if (tables, civilizations) not in _made:
        made = TemporaryDirectory(prefix="bourse-market-")
        world = World()
        market = await build(world, Path(made.name), tables, civilizations=civilizations)
        _made[tables, civilizations] = made, world, market.tables
    made, *begun = _made[tables, civilizations]
    shutil.copytree(made.name, folder, dirs_exist_ok=True)
    world, begun_tables = deepcopy(begun)
    return world, Market(_ledger(folder), begun_tables)


Made = tuple[TemporaryDirectory[str], World, list[Table]]
_made: dict[tuple[int, int], Made] = {}


def _ledger(folder: Path) -> str:
    return f"sqlite:///{folder / 'bourse.db'}"


async def build(world: World, folder: Path, tables: int, *, civilizations: int = 0) -> Market:
    """Opens so many tables, of which ``civilizations`` play Advanced Civilization, and has Discord
    show them.
    """
    url = _ledger(folder)
    places = [_place(world, number) for number in range(tables)]
    async with _opened(url) as service:

        async def opens(place: Place) -> Table:
            return await _table(service, place, civilization=place[0] < civilizations)

        async def has_dm(person: Person) -> None:
            dm = world.dm_with(str(person.id))
            await service.messages.set_dm_channel(person.id, int(dm), BOT.id)

        made = await _each(opens, places)
        await deliver(world, service, made)
        await _each(has_dm, [table.host for table in made])
        await _each(has_dm, [table.guest for table in made])
    return Market(url, sorted(made, key=lambda table: int(table.channel)))


async def deliver(world: World, service: Service, tables: Sequence[Table]) -> None:
    """Has Discord show everything there is to show of these tables, at once."""
    delivery = Delivery(cast(Any, Client(world)), service, 0.0, budget=Budget(None, None))
    await _each(lambda table: delivery.deliver(table.id), tables)
    await delivery.finish(5.0)
    await delivery.close()
    assert await service.undelivered() == []


Place = tuple[int, str, str, Person, Person]
"""A table's number, server and channel, and the two who play at it."""


def _place(world: World, number: int) -> Place:
    guild = guild_on(0, 1 + number // IN_A_GUILD)
    host = Person(FIRST_PERSON + 2 * number, f"host{number}")
    guest = Person(FIRST_PERSON + 2 * number + 1, f"guest{number}")
    world.meet(host, guest)
    return number, guild, world.add_channel(guild), host, guest


async def _table(service: Service, place: Place, *, civilization: bool) -> Table:
    number, guild, channel, host, guest = place
    game = "advciv" if civilization else "ti4"
    asks = Requester(host.id, host.name, guild_id=int(guild))
    opened = await service.open_table(
        asks, game=game, name=f"Table {number}", channel_id=int(channel)
    )
    table = Table(opened.table_id, guild, channel, host, guest)
    commands: list[tuple[Person, Command]] = (
        [(host, Sit("egypt")), (guest, Sit("crete"))]
        if civilization
        else [
            (host, Sit("hacan")),
            (guest, Sit("sol")),
            (host, SetHoldings("hacan", STOCK)),
            (host, StartTurn("hacan")),
        ]
    )
    for person, command in commands:
        await service.execute(table.id, _asks(table, person), command)
    return table


def _asks(table: Table, person: Person) -> Requester:
    return Requester(person.id, person.name, guild_id=int(table.guild))


async def _each(work: Callable[[Any], Awaitable[Any]], these: Sequence[Any]) -> list[Any]:
    gate = asyncio.Semaphore(AT_ONCE)

    async def one(each: Any) -> Any:
        async with gate:
            return await work(each)

    return await asyncio.gather(*(one(each) for each in these))


async def _everybody(guild_id: int, user_id: int) -> bool:
    return True


@asynccontextmanager
async def _opened(url: str, ago: float = 0.0) -> AsyncIterator[Service]:
    ledger = await Ledger.open(url)
    try:
        yield Service(
            ledger, lambda: datetime.now(UTC) - timedelta(seconds=ago), Members(_everybody)
        )
    finally:
        await ledger.close()


# ---------------------------------------------------------------- a client without a network


@dataclass
class Client:
    """As much of a discord.py client as delivery uses to send and edit."""

    world: World
    application_id = 0

    def get_partial_messageable(self, id: int, *, guild_id: int | None = None) -> Channel:
        return Channel(self.world, str(id))

    async def create_dm(self, user: discord.Object) -> Channel:
        return Channel(self.world, self.world.dm_with(str(user.id)))


@dataclass
class Channel:
    """A channel of the world, or a message in it."""

    world: World
    number: str
    message: str = ""

    @property
    def id(self) -> int:
        return int(self.message or self.number)

    async def send(self, *, view: discord.ui.LayoutView, nonce: str, **_: Any) -> Channel:
        body = {
            "components": view.to_components(),
            "flags": 1 << 15,
            "nonce": nonce,
            "enforce_nonce": True,
        }
        message = self.world.post(self.number, body, {})
        return Channel(self.world, self.number, message["id"])

    def get_partial_message(self, id: int) -> Channel:
        return Channel(self.world, self.number, str(id))

    async def edit(self, *, view: discord.ui.LayoutView, **_: Any) -> None:
        self.world.change(
            self.world.message(self.message, channel=self.number),
            {"components": view.to_components()},
            {},
        )

    async def delete(self) -> None:
        self.world.delete(self.message)
