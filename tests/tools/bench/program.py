"""Benchmarks in a fresh process: ``python -m tests.tools.bench.program start|serve URL ...``.

``start URL`` makes the bot on a ledger, without Discord, begins what it begins when Discord has let
it in, and prints a line when that is done. ``serve URL FIRST LAST AFTER...`` does a command at each
of these tables and has it delivered to a Discord that is not there; after so many tables it prints
how many bytes of memory the process has.
"""

from __future__ import annotations

import asyncio
import gc
import itertools
import os
import subprocess
import sys
from collections.abc import Collection, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

from bot.app import Bourse, collect_seldom
from bot.delivery import Budget, Delivery
from bot.ledger import Ledger
from bot.service import DeadlineClock, Members, Service
from bot.settings import load
from tests.tools.bench.filling import APART
from tests.tools.bench.workload import host, post

READY = "ready"


async def start(url: str) -> None:
    """Start the bot on this ledger, but for what is asked of Discord."""
    settings = load(
        database_url=url,
        discord_token=None,
        discord_guild_id=None,
        shard_ids=None,
        shard_count=None,
    )
    ledger = await Ledger.open(url)
    bourse = Bourse(settings, ledger, shard_count=1)
    await bourse.join_others()
    await asyncio.gather(bourse.clock.start(), bourse.delivery.start())
    say(READY)
    await bourse.clock.close()
    await bourse.delivery.close()
    await ledger.close()


async def serve(url: str, tables: range, after: Collection[int]) -> None:
    """Serve these tables, one after another, and print the memory after so many of them."""
    ledger = await Ledger.open(url)
    service = Service(ledger, lambda: datetime.now(UTC), Members(_is_member))
    clock = DeadlineClock(service, lambda: datetime.now(UTC))
    delivery = Delivery(cast(Any, _Discord()), service, 0.0, budget=Budget(None, None))
    await clock.start()
    for served, table_id in enumerate(tables, 1):
        row = await ledger.tables.table(table_id)
        assert row is not None
        who = replace(host(), user_id=1 + APART * table_id)
        await service.table_at(row.channel_id, who)
        await service.tables_of(replace(who, accepts_cached=True))
        await post(service, table_id, APART * table_id)
        await delivery.deliver(table_id)
        if served in after:
            say(str(memory()))
    await clock.close()
    await delivery.close()
    await ledger.close()


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def memory() -> int:
    """Return how many bytes of memory this process has now, without what nobody needs any more."""
    gc.collect()
    resident = Path("/proc/self/statm")
    if resident.exists():
        return int(resident.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    # Peers the system's ps knows, in units of 1,024 bytes.
    said = subprocess.run(
        ["ps", "-o", "rss=", "-p", str(os.getpid())], capture_output=True, text=True, check=True
    )
    return int(said.stdout) * 1024


async def _is_member(_guild_id: int, _user_id: int) -> bool:
    return True


class _Discord:
    """Takes every message and keeps none."""

    application_id = 1

    def __init__(self) -> None:
        self._ids: Iterator[int] = itertools.count(10**9)

    async def send(self, **_: object) -> object:
        return SimpleNamespace(id=next(self._ids))

    async def edit(self, **_: object) -> None: ...

    async def delete(self) -> None: ...

    def get_partial_messageable(self, _channel_id: int) -> _Discord:
        return self

    def get_partial_message(self, _message_id: int) -> _Discord:
        return self

    async def create_dm(self, _user: object) -> object:
        return SimpleNamespace(id=next(self._ids))


def main() -> None:
    """Do what the command line says."""
    what, url, *numbers = sys.argv[1:]
    if what == "start":
        asyncio.run(start(url))
    else:
        first, last, *after = map(int, numbers)
        collect_seldom()
        asyncio.run(serve(url, range(first, last + 1), after))


if __name__ == "__main__":
    main()
