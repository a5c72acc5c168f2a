from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from bot.ledger import Ledger
from tests.desk.people import Club

Another = Callable[[], Awaitable[Club]]


@pytest.fixture
async def another(tmp_path: Path) -> AsyncIterator[Another]:
    """Opens one more ledger, with a desk of its own, on the test's one SQLite file: another process, as it were."""
    async with AsyncExitStack() as stack:

        async def opened() -> Club:
            ledger = await Ledger.open(f"sqlite:///{tmp_path / 'bourse.db'}")
            stack.push_async_callback(ledger.close)
            return Club(ledger)

        yield opened


@pytest.fixture
async def club(another: Another) -> Club:
    """A desk on a real ledger, with a table at which Alice and Bob sit and may trade. Alice offers Bob 1 trade good."""
    club = await another()
    await club.set_up()
    return club
