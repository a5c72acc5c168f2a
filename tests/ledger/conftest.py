from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.ledger import Ledger
from tests.ledger.prepared import DATABASES, emptied, prepared
from tests.ledger.releases import RELEASES, Release, unpacked


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "bourse.db"


@pytest.fixture
async def ledger(file: Path) -> AsyncIterator[Ledger]:
    """An empty ledger in a SQLite file."""
    opened = await Ledger.open(f"sqlite:///{prepared(file)}")
    yield opened
    await opened.close()


@pytest.fixture(params=DATABASES)
def url(request: pytest.FixtureRequest, file: Path) -> str:
    """An empty database of either kind, without a key; on PostgreSQL with its tables."""
    if request.param == "sqlite":
        return f"sqlite:///{file}"
    return emptied(request.getfixturevalue("postgres"))


@pytest.fixture
async def both(url: str, file: Path) -> AsyncIterator[Ledger]:
    """An empty ledger in either kind of database."""
    if url.startswith("sqlite"):
        prepared(file)
    opened = await Ledger.open(url)
    yield opened
    await opened.close()


@pytest.fixture(params=RELEASES, ids=str)
def release(request: pytest.FixtureRequest, file: Path) -> Release:
    """The ledger of each release."""
    return unpacked(request.param, file)
