"""The baseline of click: discord.py with one command that only replies, at the same Discord."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.loopback.loopback import Loopback
from tests.loopback.people import Person
from tests.tools.bench.clubs import ANSWERED_WITHIN, Child, child


class Ponger:
    """A person who types ``/ping`` and waits for the reply."""

    def __init__(self, discord: Loopback, number: int) -> None:
        self._discord, self._person = discord, Person(number, f"person {number}")

    async def ping(self) -> None:
        """Type it once."""
        exchange = await self._discord.slash("ping", user=self._person, wait=False)
        await asyncio.wait_for(exchange.answered.wait(), ANSWERED_WITHIN)


@asynccontextmanager
async def pongers(folder: Path, people: int) -> AsyncIterator[tuple[Child, list[Ponger]]]:
    """Run the bot that only replies, with so many people in front of it."""
    async with Loopback.running() as discord, child(discord, folder, "plain") as bot:
        yield bot, [Ponger(discord, 20 + number) for number in range(people)]
