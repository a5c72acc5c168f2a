"""Which table is played in a channel: known where this process plays it, asked for otherwise."""

from __future__ import annotations

from bot.rules.features.tables import CloseTable
from bot.service import Service, Shards
from tests.bench.counting import counting
from tests.service.club import ALICE, CHANNEL, GAIN, TABLE, Club, requester
from tests.service.conftest import Another

ELSEWHERE = Shards((1,), 2)


async def played(service: Service) -> int | None:
    """Return the number of the table that is played in the channel."""
    row = await service.table_at(CHANNEL, requester(ALICE))
    return row.id if row else None


async def statements(service: Service) -> int:
    """Return how many statements it takes to find the table that is played in the channel."""
    with counting() as counts:
        assert await played(service) == TABLE
    return counts.statements


async def test_a_table_that_is_played_here_is_found_without_the_ledger(club: Club) -> None:
    assert await statements(club.service) > 0
    assert await statements(club.service) > 0  # nothing was done there, so it is not in memory
    await club.does(ALICE, GAIN)
    assert await statements(club.service) == 0
    await club.does(ALICE, CloseTable())
    assert await played(club.service) is None


async def test_one_of_another_shard_is_asked_for_each_time(club: Club) -> None:
    club.service = club.started(ELSEWHERE)
    await played(club.service)
    await club.does(ALICE, GAIN)
    assert await statements(club.service) > 0


async def test_what_another_process_closed_is_known_as_soon_as_it_is_heard_of(club: Club, another: Another) -> None:
    await club.does(ALICE, GAIN)
    assert await played(club.service) == TABLE
    other = await another()
    await other.does(ALICE, CloseTable())
    await club.service.refresh(TABLE)
    assert await played(club.service) is None
    opened = await other.opens()
    assert await played(club.service) == opened.table_id
