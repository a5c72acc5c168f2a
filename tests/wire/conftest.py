"""A Discord and a bot for each test; what the bot asked of Discord is held against the contract at the end."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing
from pathlib import Path

import pytest

from tests.contract.check import check
from tests.loopback.loopback import Loopback
from tests.loopback.process import BotProcess, Constants, connected

Online = Callable[..., AbstractAsyncContextManager[BotProcess]]
Ledger = Callable[..., list[str]]


@pytest.fixture
async def discord() -> AsyncIterator[Loopback]:
    """A Discord of its own; the test fails when the bot sent what Discord would refuse."""
    async with Loopback.running() as discord:
        yield discord
    assert check(discord.calls) == []


@pytest.fixture
def online(discord: Loopback, tmp_path: Path) -> Online:
    """`async with online() as bot` starts the bot, always on the same database, and kills it at the end.

    A traceback in its log fails the test.
    """

    @asynccontextmanager
    async def start(*, constants: Constants | None = None, **settings: str) -> AsyncIterator[BotProcess]:
        database = f"sqlite:///{tmp_path / 'bourse.db'}"
        async with connected(discord, tmp_path, database, constants=constants, **settings) as bot:
            yield bot
        assert "Traceback" not in bot.err

    return start


@pytest.fixture
def recorded(tmp_path: Path) -> Ledger:
    """The kinds of entries in the ledger, oldest first; of one kind only, if one is named."""

    def kinds(*only: str) -> list[str]:
        with closing(sqlite3.connect(tmp_path / "bourse.db")) as database:
            rows = database.execute("SELECT kind FROM entries ORDER BY table_id, seq").fetchall()
        return [kind for (kind,) in rows if not only or kind in only]

    return kinds
