"""Databases that fail at a chosen moment: a SQLite engine that raises, a PostgreSQL server behind a
proxy.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Literal

from sqlalchemy import Connection, event, make_url
from sqlalchemy.exc import OperationalError

from bot.ledger import Ledger
from tests.ledger.samples import in_file

Moment = Literal["before", "after"]
"""Of a failing commit: before it takes place or after."""


@contextmanager
def failing_commits(ledger: Ledger, moment: Moment, times: int = 1) -> Iterator[list[Moment]]:
    """The next commits of a ledger in SQLite fail, though those that fail "after" have taken place.
    Yields the failed.

    A commit with nothing to show for it fails like that when the disk does not say whether it has
    the pages.
    """
    engine, failed = in_file(ledger).writing, list[Moment]()

    def fail(connection: Connection) -> None:
        if len(failed) == times:
            return
        failed.append(moment)
        if moment == "after":
            connection.connection.driver_connection.execute("COMMIT")  # type: ignore[union-attr]
        raise OperationalError("COMMIT", {}, Exception("disk I/O error"))

    event.listen(engine, "commit", fail)
    try:
        yield failed
    finally:
        event.remove(engine, "commit", fail)


class SlowCommits:
    """Commits of a ledger in SQLite that wait until they may go on."""

    def __init__(self) -> None:
        self._begun, self._may_go_on = threading.Event(), threading.Event()

    async def begun(self) -> None:
        """Wait until one of them is under way."""
        assert await asyncio.to_thread(self._begun.wait, 30)

    def go_on(self) -> None:
        """Let it and all others take place."""
        self._may_go_on.set()

    def __call__(self, _connection: Connection) -> None:
        self._begun.set()
        self._may_go_on.wait(30)


@contextmanager
def slow_commits(ledger: Ledger) -> Iterator[SlowCommits]:
    """The commits of a ledger in SQLite are slow, until the end of the block at the latest."""
    engine, made = in_file(ledger).writing, SlowCommits()
    event.listen(engine, "commit", made)
    try:
        yield made
    finally:
        made.go_on()
        event.remove(engine, "commit", made)


class Cable:
    """A connection to a PostgreSQL server that can be cut.

    ``cut_at``: words of a client's message at which every connection is cut, before the server gets
    it or after the server has answered. While ``away``, nobody is connected.
    """

    def __init__(self, socket: str) -> None:
        self._socket = socket
        self._writers: set[asyncio.StreamWriter] = set()
        self._lines: set[asyncio.Task[None]] = set()
        self.cut_at: bytes | None = None
        self.moment: Moment = "before"
        self.stays_away = False
        self.away = False
        self.cuts = 0

    def cut(self, words: bytes, moment: Moment, *, stays_away: bool = False) -> None:
        """Cut at the next message with these words, once. ``stays_away``: and do not connect
        again.
        """
        self.cut_at, self.moment, self.stays_away = words, moment, stays_away

    def connect(self, client: asyncio.StreamReader, to_client: asyncio.StreamWriter) -> None:
        """Take a client."""
        task = asyncio.get_running_loop().create_task(self._line(client, to_client))
        self._lines.add(task)

    async def close(self) -> None:
        """Hang up for good."""
        self.away = True
        self.hang_up()
        await asyncio.gather(*self._lines, return_exceptions=True)

    async def _line(self, client: asyncio.StreamReader, to_client: asyncio.StreamWriter) -> None:
        """Pass on what client and server say to each other."""
        writers = [to_client]
        with contextlib.suppress(OSError):
            if not self.away:
                server, to_server = await asyncio.open_unix_connection(self._socket)
                writers.append(to_server)
                self._writers.update(writers)
                back = asyncio.ensure_future(self._pass(server, to_client))
                while data := await client.read(65536):
                    if self.cut_at is not None and self.cut_at in data:
                        await self._cut(data, to_server, back, server)
                        break
                    to_server.write(data)
                back.cancel()
        for writer in writers:
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()

    async def _cut(
        self,
        data: bytes,
        to_server: asyncio.StreamWriter,
        back: asyncio.Future[None],
        server: asyncio.StreamReader,
    ) -> None:
        self.cut_at, self.away = None, self.stays_away
        self.cuts += 1
        if self.moment == "after":
            back.cancel()
            await asyncio.gather(back, return_exceptions=True)
            to_server.write(data)
            await server.read(65536)  # the answer, which nobody gets
        self.hang_up()

    def hang_up(self) -> None:
        """Close every connection."""
        for writer in self._writers:
            writer.close()
        self._writers.clear()

    async def _pass(self, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await source.read(65536):
                target.write(data)
        target.close()


@asynccontextmanager
async def cable(url: str) -> AsyncIterator[tuple[Cable, str]]:
    """Give a cable to the PostgreSQL server of an address, and the address at its other end."""
    given = make_url(url)
    made = Cable(f"{given.query['host']}/.s.PGSQL.{given.port or 5432}")
    server = await asyncio.start_server(made.connect, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    through = given.set(host="127.0.0.1", port=port, query={})
    try:
        yield made, through.render_as_string(hide_password=False)
    finally:
        server.close()
        await made.close()
