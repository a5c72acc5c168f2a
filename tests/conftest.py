"""What tests of several folders need."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from bot.bench.server import postgresql


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The address of a PostgreSQL server: POSTGRES_FOR_TESTS, or a server of our own.

    `tests.ledger.samples.fresh_database` makes a database there.
    """
    try:
        with postgresql(os.environ.get("POSTGRES_FOR_TESTS")) as server:
            yield server
    except LookupError as missing:
        pytest.skip(f"no PostgreSQL: {missing}")
