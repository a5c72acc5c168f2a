from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.ledger import Ledger
from tests.ledger.samples import fresh_database


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "bourse.db"


@pytest.fixture
async def ledger(file: Path) -> AsyncIterator[Ledger]:
    """An empty ledger in a SQLite file."""
    opened = await Ledger.open(f"sqlite:///{file}")
    yield opened
    await opened.close()


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def url(request: pytest.FixtureRequest, file: Path) -> str:
    """An empty database of either kind."""
    if request.param == "sqlite":
        return f"sqlite:///{file}"
    return fresh_database(request.getfixturevalue("postgres"), "bourse_test")


@pytest.fixture
async def both(url: str) -> AsyncIterator[Ledger]:
    """An empty ledger in either kind of database."""
    opened = await Ledger.open(url)
    yield opened
    await opened.close()
