from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from bot.ledger import Ledger
from tests.ledger.prepared import prepared
from tests.service.club import Club
from tests.service.evening import EVENING, spend_the_evening

Another = Callable[[], Awaitable[Club]]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return prepared(tmp_path / "bourse.db")


@pytest.fixture
async def another(file: Path) -> AsyncIterator[Another]:
    """Opens one more ledger, with a service of its own, on the test's one SQLite file, as another
    process would.
    """
    async with AsyncExitStack() as stack:

        async def opened() -> Club:
            ledger = await Ledger.open(f"sqlite:///{file}")
            stack.push_async_callback(ledger.close)
            return Club(ledger)

        yield opened


@pytest.fixture
async def empty(another: Another) -> Club:
    """A service on a real, empty ledger."""
    return await another()


@pytest.fixture(scope="session")
def set_up(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database after `Club.set_up`."""
    return after(Club.set_up, tmp_path_factory.mktemp("set_up"))


@pytest.fixture(scope="session")
def spent(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database after `spend_the_evening`."""
    return after(spend_the_evening, tmp_path_factory.mktemp("spent"))


@pytest.fixture
async def club(set_up: Path, file: Path, another: Another) -> Club:
    """A service with the table of `Club.set_up`."""
    copy(set_up, file)
    return await another()


@pytest.fixture
async def evening(spent: Path, file: Path, another: Another) -> Club:
    """A service with the table of `spend_the_evening`."""
    copy(spent, file)
    club = await another()
    club.clock.moves(minutes=EVENING)
    return club


def after(what: Callable[[Club], Awaitable[None]], folder: Path) -> Path:
    """Return a database after this was done on it, once for all tests that begin there."""
    file = prepared(folder / "bourse.db")

    async def done() -> None:
        ledger = await Ledger.open(f"sqlite:///{file}")
        await what(Club(ledger))
        await ledger.close()

    asyncio.run(done())
    return file


def copy(file: Path, to: Path) -> None:
    """Put a database and its key in place of another."""
    shutil.copy(file, to)
    shutil.copy(f"{file}.key", f"{to}.key")
