"""What tests of several folders need."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.ledger.samples import postgresql


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The address of a PostgreSQL server; `tests.ledger.samples.fresh_database` makes a database there."""
    try:
        with postgresql() as server:
            yield server
    except LookupError as missing:
        pytest.skip(f"no PostgreSQL: {missing}")
