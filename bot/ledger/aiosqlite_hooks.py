"""All uses of aiosqlite's private parts; `tests/test_hooks.py` has a test for each."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import aiosqlite

T = TypeVar("T")


async def on_thread(connection: aiosqlite.Connection, work: Callable[[], T]) -> T:
    """Run a function on a connection's thread."""
    result: T = await connection._execute(work)  # type: ignore[no-untyped-call]
    return result


def join(connection: aiosqlite.Connection) -> None:
    """Wait for the thread of a connection that failed to open. aiosqlite does not wait for it."""
    connection._thread.join()
