"""Counts the work of the database: round trips to its threads, statements, commits."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import aiosqlite
from sqlalchemy import Engine, event


@dataclass(slots=True)
class Counts:
    """The work of all SQLite databases of this process. A statement run with many rows counts as
    one.

    Beginning a transaction is a statement here; the commit at its end is counted by itself.
    """

    trips: int = 0
    statements: int = 0
    commits: int = 0


@contextmanager
def counting() -> Iterator[Counts]:
    """Count until the block ends."""
    counts, execute = Counts(), aiosqlite.Connection._execute

    async def counted(self: aiosqlite.Connection, *args: Any, **kwargs: Any) -> Any:
        counts.trips += 1
        return await execute(self, *args, **kwargs)  # type: ignore[no-untyped-call]

    def statement(*_: object) -> None:
        counts.statements += 1

    def commit(*_: object) -> None:
        counts.commits += 1

    # Not a public method, but everything that runs on aiosqlite's thread goes through it.
    aiosqlite.Connection._execute = counted  # type: ignore[method-assign]
    event.listen(Engine, "before_cursor_execute", statement)
    event.listen(Engine, "commit", commit)
    try:
        yield counts
    finally:
        event.remove(Engine, "commit", commit)
        event.remove(Engine, "before_cursor_execute", statement)
        aiosqlite.Connection._execute = execute  # type: ignore[method-assign]
