"""The bot in the test's own process, by `bot.app.run`: a start takes a tenth of what a process
takes.

It is stopped by an event instead of a signal. All else is as in a process: another start on the
same database is another run of the program.
"""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext, suppress
from dataclasses import dataclass

import pytest
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot import app
from bot.errors import OperatorError
from bot.settings import Settings
from tests.loopback.loopback import Loopback
from tests.loopback.process import PATIENT, START_WITHIN, STOP_WITHIN, Constants


@dataclass
class Inside:
    """A bot that runs in this process."""

    discord: Loopback
    run: asyncio.Task[None]
    stopped: asyncio.Event

    async def online(self) -> None:
        """Wait until it is ready for interactions. Raises AssertionError when it ends instead."""
        await self.discord.until(
            lambda: self.discord.gateway.online() or self.run.done(), START_WITHIN
        )
        if self.run.done():
            raise AssertionError(f"the bot ended and said: {await self.ended()}")

    async def ended(self) -> str:
        """Wait for it to end. Return the sentence for the operator, empty if it was stopped. Raises
        TimeoutError.
        """
        try:
            async with asyncio.timeout(STOP_WITHIN):
                await self.run
        except OperatorError as error:
            return str(error)
        return ""

    async def stop(self) -> str:
        """Stop it as the first signal does, and wait for its end."""
        self.stopped.set()
        return await self.ended()


@asynccontextmanager
async def inside(
    discord: Loopback, database: str, *, constants: Constants | None = None, **settings: str
) -> AsyncIterator[Inside]:
    """Start a `PATIENT` bot at this Discord, with these settings and no others, and cancel it at
    the end.
    """
    discord.gateway.forget()
    stopped = asyncio.Event()
    everything = {**discord.settings, "DATABASE_URL": database, **settings}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Route, "BASE", Route.BASE)  # what the bot overrides is as before afterwards
        patch.setattr(DiscordWebSocket, "DEFAULT_GATEWAY", DiscordWebSocket.DEFAULT_GATEWAY)
        patch.setattr(app, "stop_signals", lambda: nullcontext(stopped))
        patch.setattr(app, "collect_seldom", lambda: None)
        for name, value in {**PATIENT, **(constants or {})}.items():
            module, _, constant = name.partition(":")
            patch.setattr(importlib.import_module(module), constant, value)
        given = Settings(**{name.lower(): value for name, value in everything.items()})  # type: ignore[arg-type]
        run = asyncio.create_task(app.run(given, lambda _line: None))
        run.add_done_callback(lambda _: discord.world.changed.set())
        try:
            yield Inside(discord, run, stopped)
        finally:
            run.cancel()
            with suppress(asyncio.CancelledError, OperatorError):
                await run
            discord.gateway.forget()
