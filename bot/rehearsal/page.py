"""`bourse` without a token: the bot at a table on this machine, and a page in which to play it.

Everything runs in this process: the bot on SimCord, the Previews of the places that were looked at (`places`), and
before them one web server on one address (`front`). The simulated time follows the real one.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
import socket
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Final, Protocol

import discord
import simcord
from aiohttp import web

from bot.app import build, open_ledger
from bot.rehearsal.cast import CastError, Tables, gather, lay_table, set_clock
from bot.rehearsal.front import Front
from bot.rehearsal.places import Places
from bot.settings import Settings
from bot.stop import Stop

_log = logging.getLogger(__name__)

HOST: Final = "127.0.0.1"
PATIENCE: Final = 10.0
"""Seconds of real time that the bot may take for one action."""
CLOCK: Final = "rehearsal.clock"
"""The ledger's mark for an instant before which every id of an earlier run was made."""
NOTED_EVERY: Final = 15.0
"""Seconds between two notes of it."""


class Memory(Tables, Protocol):
    """What the page needs of the ledger."""

    async def mark(self, key: str, /) -> str | None:
        """A small thing remembered."""

    async def set_mark(self, key: str, value: str, /) -> None:
        """Remember it."""

    async def close(self) -> None:
        """Close it."""


House = Callable[[str], Awaitable[tuple[discord.Client, Memory]]]
"""Opens the ledger at a database's address and builds the bot on it, which is not started yet."""


async def serve(settings: Settings) -> None:
    """Serves the page until Ctrl-C or SIGTERM, and prints its address.

    Raises Stop when the ledger cannot be opened, the port is taken, or the first table could not be laid.
    """

    async def house(_url: str) -> tuple[discord.Client, Memory]:
        ledger = await open_ledger(settings)
        return await build(settings, ledger=ledger, shard_count=1, pace=0), ledger

    stopped = asyncio.Event()
    with _stopping(stopped):
        async with rehearsal(house, settings.database_url, settings.bourse_port, settings.bourse_game) as address:
            sys.stdout.write(f"Bourse is at the table: {address}\n")
            sys.stdout.flush()
            await stopped.wait()


@contextlib.asynccontextmanager
async def rehearsal(house: House, url: str, port: int, game: str = "ti4") -> AsyncIterator[str]:
    """A table of this game that is played while the block lasts; gives its address. Port 0 is any that is free.

    Raises Stop as `serve` does. Wants asyncio's own event loop: SimCord reads its timers.
    """
    listening = _bound(port)
    async with contextlib.AsyncExitStack() as stack:
        stack.callback(listening.close)
        front = Front(listening.getsockname()[1])
        bot, ledger = await house(url)
        stack.push_async_callback(ledger.close)
        env = simcord.Env(bot, settle_timeout=PATIENCE)
        cast = gather(env, game)
        set_clock(env, await _beginning(ledger))
        await env.start()
        stack.push_async_callback(env.shutdown)
        _answer_for_itself(bot)
        stack.enter_context(env.time_context())
        try:
            await lay_table(cast, ledger)
        except CastError as problem:
            raise Stop(str(problem)) from problem
        places = Places(env, cast, changed=front.tell)
        stack.push_async_callback(places.close)
        front.attend(places)
        runner = web.AppRunner(front.app, access_log=None, shutdown_timeout=1)
        await runner.setup()
        stack.push_async_callback(runner.cleanup)
        await web.SockSite(runner, listening).start()
        for work in (places.keep_time(), _note_time(env, ledger)):
            stack.push_async_callback(_end, asyncio.create_task(work))
        yield f"http://{HOST}:{front.port}/"


def _answer_for_itself(bot: discord.Client) -> None:
    """Leaves what goes wrong in a command to the bot, which explains it to the person: a refusal is no failure.

    SimCord notes such errors for tests, and its page then takes the action for failed and keeps the command.
    """
    tree = getattr(bot, "tree", None)
    if tree is not None:
        vars(tree).pop("on_error", None)


def _bound(port: int) -> socket.socket:
    try:
        return socket.create_server((HOST, port))
    except OSError as problem:
        raise Stop(
            f"Port {port} cannot be had on this machine ({problem.strerror}): something else is there already, "
            "or it is not for you; set BOURSE_PORT to another, such as 8770."
        ) from problem


async def _beginning(ledger: Memory) -> datetime:
    """When this run begins: now, or where an earlier run left off if the machine's clock was set back since.

    Ids hold their instant. None of this run's may be one that the ledger has from an earlier run.
    """
    now = datetime.now(UTC)
    noted = await ledger.mark(CLOCK)
    return max(now, datetime.fromisoformat(noted)) if noted else now


async def _note_time(env: simcord.Env, ledger: Memory) -> None:
    """Notes, for ever, an instant that this run will not have reached before the next note."""
    while True:
        await ledger.set_mark(CLOCK, (env.now() + timedelta(seconds=2 * NOTED_EVERY)).isoformat())
        await asyncio.sleep(NOTED_EVERY)


async def _end(task: asyncio.Task[None]) -> None:
    """Ends a task that would go on for ever; what it failed of before is logged."""
    task.cancel()
    (failed,) = await asyncio.gather(task, return_exceptions=True)
    if isinstance(failed, Exception):
        _log.error("a task of the page had failed", exc_info=failed)


@contextlib.contextmanager
def _stopping(stopped: asyncio.Event) -> Iterator[None]:
    """Ctrl-C and SIGTERM set the event while the block lasts."""
    loop = asyncio.get_running_loop()

    def stop(*_signal: object) -> None:
        loop.call_soon_threadsafe(stopped.set)

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
