"""A bot in its own process that reports its costs, for the benchmarks over the wire.

`python -m tests.tools.bench.child KIND`, where the kind is one of

- bourse: Bourse, without limits of its own on what it asks of Discord
- counted: the same, with boards that follow at once
- limited: Bourse as it is
- plain: discord.py with one command, ``/ping``, that does nothing but reply

Settings come from the environment. For each line it reads, it writes one with a JSON object; see
`Spent`.
"""

from __future__ import annotations

import asyncio
import importlib.util
import json
import os
import sys
import threading
import time
from collections.abc import Callable, Coroutine
from dataclasses import asdict, dataclass
from typing import Any

import discord
import yarl
from discord import app_commands
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot.app import run
from bot.delivery import Budget
from bot.settings import load
from tests.tools.bench.counting import Counts, counting

PACE_OF_COUNTS = 0.05
"""Seconds between two edits of a board while requests and statements are counted, so that nobody
has to wait for it.
"""


@dataclass(frozen=True, slots=True)
class Spent:
    """What a process has spent so far: seconds of processor time, and what `counting` counts."""

    seconds: float
    statements: int = 0
    commits: int = 0
    trips: int = 0


def bot_of(kind: str) -> Coroutine[Any, Any, None]:
    """Return the run of a bot of this kind. Raises ``ValueError`` when there is none."""
    match kind:
        case "bourse":  # Discord's limits would hide what a click costs
            return run(load(), _quiet, budget=Budget(None, None))
        case "counted":
            return run(load(), _quiet, budget=Budget(None, None), pace=PACE_OF_COUNTS)
        case "limited":
            return run(load(), _quiet)
        case "plain":
            return plain()
        case _:
            raise ValueError(f"There is no bot of the kind {kind!r}.")


async def plain() -> None:
    """Run a bot of discord.py whose only command replies."""
    Route.BASE = os.environ["DISCORD_API_URL"]
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(os.environ["DISCORD_GATEWAY_URL"])
    client = discord.Client(intents=discord.Intents(guilds=True), max_messages=None)
    tree = app_commands.CommandTree(client)

    @tree.command(description="Replies")
    async def ping(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("pong")

    async with client:
        await client.login(os.environ["DISCORD_TOKEN"])
        await tree.sync()
        await client.connect()


def _quiet(line: str) -> None:
    """Say nothing to an operator who is not there."""


def _tell(counts: Callable[[], Counts]) -> None:
    """Tell what was spent whenever a line comes; end when no more can come, since whoever started
    this is gone.
    """
    for _ in sys.stdin:
        now = counts()
        spent = Spent(time.process_time(), now.statements, now.commits, now.trips)
        sys.stdout.write(json.dumps(asdict(spent)) + "\n")
        sys.stdout.flush()
    os._exit(0)


def main(kind: str) -> None:
    """Run a bot of this kind until it is killed."""
    with counting() as counts:
        threading.Thread(target=_tell, args=(lambda: counts,), daemon=True).start()
        if importlib.util.find_spec("uvloop") is None:
            asyncio.run(bot_of(kind))
        else:
            import uvloop

            uvloop.run(bot_of(kind))


if __name__ == "__main__":
    main(sys.argv[1])
