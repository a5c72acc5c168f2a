"""Fixtures: Discords, and bots in their own process or the test's, with their requests checked.

A test has its own Discord and bot (`discord`, `online`, `here`), or a `table` of its own at those
its module `shared`.
"""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from bot.rehearsal.limits import refused
from tests.loopback.faults import Held
from tests.loopback.inside import Inside, inside
from tests.loopback.loopback import Loopback
from tests.loopback.people import MODERATOR, Person
from tests.loopback.process import BotProcess, Constants, connected
from tests.loopback.world import Exchange, guild_on
from tests.wire.club import sit_down

Online = Callable[..., AbstractAsyncContextManager[BotProcess]]
Here = Callable[..., AbstractAsyncContextManager[Inside]]
Ledger = Callable[..., list[str]]


@pytest.fixture
async def discord() -> AsyncIterator[Loopback]:
    """A Discord of its own; the test fails when the bot sent what Discord would refuse."""
    async with Loopback.running() as discord:
        yield discord
    assert refused(discord.calls) == []


def in_file(folder: Path) -> str:
    """The address of the database in this folder."""
    return f"sqlite:///{folder / 'bourse.db'}"


@pytest.fixture
def online(discord: Loopback, tmp_path: Path) -> Online:
    """`async with online() as bot` starts the bot, always on the same database, and kills it at the
    end.

    A traceback in its log fails the test.
    """

    @asynccontextmanager
    async def start(
        *, constants: Constants | None = None, **settings: str
    ) -> AsyncIterator[BotProcess]:
        async with connected(
            discord, tmp_path, in_file(tmp_path), constants=constants, **settings
        ) as bot:
            yield bot
        assert "Traceback" not in bot.err

    return start


@pytest.fixture
def here(discord: Loopback, tmp_path: Path) -> Here:
    """`async with here()` is the same in the test's own process, and much quicker: for a bot that
    is not killed.
    """

    @asynccontextmanager
    async def start(**options: Any) -> AsyncIterator[Inside]:
        async with inside(discord, in_file(tmp_path), **options) as bot:
            await bot.online()
            yield bot

    return start


@pytest.fixture
def recorded(tmp_path: Path) -> Ledger:
    """The kinds of entries in the ledger, oldest first; of one kind only, if one is named."""

    def kinds(*only: str) -> list[str]:
        with closing(sqlite3.connect(tmp_path / "bourse.db")) as database:
            rows = database.execute("SELECT kind FROM entries ORDER BY table_id, seq").fetchall()
        return [kind for (kind,) in rows if not only or kind in only]

    return kinds


# ---------------------------------------------------------------- one bot for all tests of a module


@dataclass(frozen=True)
class Table:
    """A table on a server of its own, with people of its own, whom nobody at other tables sees."""

    discord: Loopback
    file: Path
    guild: str
    at: str
    alice: Person
    bob: Person
    carol: Person

    async def slash(self, words: str, *, user: Person, **options: Any) -> Exchange:
        """Types a slash command in the table's channel."""
        return await self.discord.slash(words, user=user, at=self.at, **options)

    def recorded(self, *only: str) -> list[str]:
        """The kinds of the table's entries, oldest first; of one kind only, if one is named."""
        query = (
            "SELECT kind FROM entries JOIN tables ON id = table_id WHERE channel_id = ? ORDER BY "
            "seq"
        )
        with closing(sqlite3.connect(self.file)) as database:
            rows = database.execute(query, (int(self.at),)).fetchall()
        return [kind for (kind,) in rows if not only or kind in only]

    @property
    def cards(self) -> str:
        """The path of messages sent to its channel."""
        return f"/channels/{self.at}/messages$"


TABLES = 40
"""How many tables a module can have: their servers are there before the bot starts."""


class Shared:
    """A Discord and a bot, and the tables that are still free."""

    bot: BotProcess

    def __init__(self, discord: Loopback, folder: Path) -> None:
        self.discord, self.file = discord, folder / "bourse.db"
        guilds = [guild_on(number, 1) for number in range(1, TABLES + 1)]
        channels = [discord.world.add_channel(guild) for guild in guilds]
        self._free = iter(zip(guilds, channels, strict=True))
        self._people = 0
        self._checked = 0

    async def table(self) -> Table:
        """A table where Alice and Bob have sat down; Carol is a moderator. Every message has
        arrived.
        """
        guild, at = next(self._free)
        self._people += 10
        alice = Person(self._people + 1, "alice")
        bob = Person(self._people + 2, "bob")
        carol = Person(self._people + 3, "carol", MODERATOR)
        members = {str(person.id) for person in (alice, bob, carol)}
        self.discord.world.thread_members[at] = members
        await sit_down(self.discord, alice, bob, at=at)
        await self.discord.quiet()
        return Table(self.discord, self.file, guild, at, alice, bob, carol)

    def unchecked(self) -> list[Any]:
        """What has been asked for since this was called before."""
        begin, self._checked = self._checked, len(self.discord.calls)
        return self.discord.calls[begin:]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shared(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Shared]:
    """A Discord and a bot for all tests of a module, with the module's `SETTINGS`, if it has
    any.
    """
    folder = tmp_path_factory.mktemp("shared")
    settings = getattr(request.module, "SETTINGS", {})
    async with Loopback.running() as discord:
        shared = Shared(discord, folder)
        async with connected(discord, folder, in_file(folder), **settings) as shared.bot:
            yield shared
        assert "Traceback" not in shared.bot.err
    assert refused(shared.unchecked()) == []


@pytest_asyncio.fixture(loop_scope="module")
async def table(shared: Shared) -> AsyncIterator[Table]:
    """A table for this test. Discord is sound again afterwards."""
    discord, said = shared.discord, len(shared.bot.err)
    yield await shared.table()
    for fault in discord.rest.faults:
        if isinstance(fault, Held):
            fault.released.set()
    discord.rest.faults.clear()
    discord.closed_dms.clear()
    discord.limits.enforced = False
    sys.stderr.write(shared.bot.err[said:])  # shown by pytest when the test fails
    assert refused(shared.unchecked()) == []
