"""A long table in a file, and the time that looking back at it takes from the event loop."""

from __future__ import annotations

import asyncio
from asyncio import Handle
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from simcord import interactions
from simcord.backend.models import Interaction

from bot.rules import snapshots
from bot.rules.apply import replay
from bot.rules.model.table import Table
from bot.service import Requester
from tests.cogs.evening import TABLE, Evening
from tests.ledger.samples import save_snapshot
from tests.tools.bench.workload import bench
from tests.work import calls

GUILD, CHANNEL = 1, 1
PLAYERS = (1, 2, 3, 4)
HOST = Requester(1, "player 1", GUILD)
MANAGE_SERVER = 0x20


async def live(folder: Path, entries: int) -> str:
    """Let four players trade until there are so many entries, all of them delivered. Return the
    database's address.
    """
    async with bench(folder, 1) as made:
        while (await made.ledger.entries.head(TABLE)).seq < entries:
            await made.write_trades(TABLE, 300)
        stored = await made.ledger.entries.read(TABLE)
        table = replay([each.entry for each in stored], Table(id=TABLE))
        await save_snapshot(made.ledger, TABLE, table.seq, snapshots.dump(table))
        await made.ledger.messages.save(TABLE, [], cursor=table.seq)
    return f"sqlite:///{folder / 'bourse.db'}"


@contextmanager
def steps() -> Iterator[list[int]]:
    """Measure the event loop while the block lasts: how many functions each of its steps calls."""
    found: list[int] = []
    run = Handle._run  # type: ignore[attr-defined]
    Handle._run = lambda self: found.append(calls(lambda: run(self)))  # type: ignore[attr-defined]
    try:
        yield found
    finally:
        Handle._run = run  # type: ignore[attr-defined]


async def ask(evening: Evening, path: str, **options: Any) -> Interaction:
    """Let the host, who is player 1, type a command in the table's channel; return when it is
    answered.
    """
    env = evening.env
    types = {"player": 6, "number": 4}
    given: list[dict[str, Any]] = []
    for name, value in options.items():
        given.append({"name": name, "type": types.get(name, 3), "value": value})
    name, *below = path.split()
    for word in below:
        given = [{"name": word, "type": 1, "options": given}]
    users: dict[str, dict[str, Any]] = {}
    for id in map(str, PLAYERS):
        name_of = {"username": f"player {id}", "discriminator": "0", "global_name": None}
        users[id] = {"id": id, **name_of, "avatar": None}
    resolved = {"users": users}
    person = evening.stage.person("alice")
    record, payload = interactions.base_payload(
        env.backend,
        type=2,
        channel_id=evening.stage.channel.id,
        guild_id=evening.stage.guild.id,
        user_id=person.id,
        data={"id": "1", "name": name, "type": 1, "options": given, "resolved": resolved},
    )
    payload |= {"channel_id": str(CHANNEL), "guild_id": str(GUILD)}
    payload["channel"]["id"] = str(CHANNEL)
    payload["member"]["user"]["id"] = str(HOST.user_id)
    payload["member"]["permissions"] = str(MANAGE_SERVER)
    env.backend.emit("INTERACTION_CREATE", payload)
    async with asyncio.timeout(60):
        while not record.responded or record.loading:  # noqa: ASYNC110  nothing tells when it is
            await asyncio.sleep(0.001)
    return record
