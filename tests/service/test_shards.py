"""Which process owns which server."""

from __future__ import annotations

import pytest

from bot.service.shards import Shards


@pytest.mark.parametrize("guild", [None, 1, (1 << 22) + 1, 2**63])
def test_a_process_alone_owns_every_server(guild: int | None) -> None:
    assert Shards().owns(guild)
    assert Shards().all


@pytest.mark.parametrize("guild", [0, 1, 5 << 22, (7 << 22) + 4_194_303, 81384788765712384])
def test_a_server_belongs_to_the_shard_on_which_discord_has_it(guild: int) -> None:
    owners = [shard for shard in range(4) if Shards((shard,), 4).owns(guild)]
    assert owners == [(guild >> 22) % 4]
    assert Shards((0, 1, 2, 3), 4).owns(guild)


def test_a_table_without_a_server_belongs_where_direct_messages_arrive() -> None:
    assert Shards((0, 2), 3).owns(None)
    assert not Shards((1, 2), 3).owns(None)
    assert not Shards((1, 2), 3).all


def test_shards_in_words() -> None:
    assert str(Shards()) == "shard 0 of 1"
    assert str(Shards((0, 2, 3), 4)) == "shards 0, 2 and 3 of 4"
