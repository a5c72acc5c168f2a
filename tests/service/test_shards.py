"""Tests of which process owns which server."""

from __future__ import annotations

import asyncio

import pytest

from bot.app import share
from bot.service.requests import Shards


@pytest.mark.parametrize("guild", [None, 1, (1 << 22) + 1, 2**63])
def test_a_process_alone_owns_every_server(guild: int | None) -> None:
    assert Shards().owns(guild)
    assert Shards().all


@pytest.mark.parametrize("guild", [0, 1, 5 << 22, (7 << 22) + 4_194_303, 81384788765712384])
def test_a_server_belongs_to_the_shard_on_which_discord_has_it(guild: int) -> None:
    owner = (guild >> 22) % 4
    for shard in range(4):
        assert Shards((shard,), 4).owns(guild) == (shard == owner)
    assert Shards((0, 1, 2, 3), 4).owns(guild)


def test_a_table_without_a_server_belongs_where_direct_messages_arrive() -> None:
    assert Shards((0, 2), 3).owns(None)
    assert not Shards((1, 2), 3).owns(None)
    assert not Shards((1, 2), 3).all


@pytest.mark.parametrize(
    ("shards", "requests"),
    [
        (Shards(), 50),
        (Shards((0, 3), 4), 25),
        (Shards((7,), 1000), 1),
    ],
)
async def test_processes_share_the_requests_that_discord_allows(
    shards: Shards, requests: int
) -> None:
    budget = share(shards)
    taken = [asyncio.ensure_future(budget.take(None, 0)) for _ in range(60)]
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert sum(each.done() for each in taken) == requests
    budget.close()
    await asyncio.gather(*taken, return_exceptions=True)


def test_shards_in_words() -> None:
    assert str(Shards()) == "shard 0 of 1"
    assert str(Shards((0, 2, 3), 4)) == "shards 0, 2 and 3 of 4"
