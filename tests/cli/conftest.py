from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.ledger import Ledger


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "bourse.db"


@pytest.fixture
async def ledger(file: Path) -> AsyncIterator[Ledger]:
    """An empty ledger in a SQLite file."""
    opened = await Ledger.open(f"sqlite:///{file}")
    yield opened
    await opened.close()
