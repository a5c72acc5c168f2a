from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from bot.ledger import Ledger
from tests.ledger.prepared import prepared
from tests.service.club import Club
from tests.service.evening import spend_the_evening

Another = Callable[[], Awaitable[Club]]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return prepared(tmp_path / "bourse.db")


@pytest.fixture
async def another(file: Path) -> AsyncIterator[Another]:
    """Opens one more ledger, with a service of its own, on the test's one SQLite file, as another process would."""
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


@pytest.fixture
async def club(empty: Club) -> Club:
    """A service with the table of `Club.set_up`."""
    await empty.set_up()
    return empty


@pytest.fixture
async def evening(empty: Club) -> Club:
    """A service with the table of `spend_the_evening`."""
    await spend_the_evening(empty)
    return empty
