"""Tests of which table is played in a channel, in this process and in others."""

from __future__ import annotations

import pytest

from bot.rules.features.seats import Sit
from bot.rules.features.tables import CloseTable
from bot.service import Service, Shards
from tests.service.club import ALICE, BOB, CAROL, CHANNEL, GAIN, TABLE, Club, requester
from tests.service.conftest import Another
from tests.tools.bench.counting import counting

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


async def test_what_another_process_closed_is_known_as_soon_as_it_is_heard_of(
    club: Club, another: Another
) -> None:
    await club.does(ALICE, GAIN)
    assert await played(club.service) == TABLE
    other = await another()
    await other.does(ALICE, CloseTable())
    await club.service.refresh(TABLE)
    assert await played(club.service) is None
    opened = await other.opens()
    assert await played(club.service) == opened.table_id


async def greeted(club: Club, table: int, user: int, seat: str) -> bool:
    """Sit down, and return whether that is the person's first time at any table, for which they are
    greeted.
    """
    club.clock.moves(seconds=1)
    outcome = await club.service.execute(table, requester(user), Sit(seat))
    seq = outcome.entries[-1].seq
    briefing = await club.service.briefing(table, seq - 1)
    assert briefing is not None
    return seq in briefing.newcomers


@pytest.mark.parametrize("tables", [(1, 2), (2, 1)])
async def test_who_sits_at_two_tables_is_greeted_once(empty: Club, tables: tuple[int, int]) -> None:
    for table in (1, 2):
        await empty.opens(channel=CHANNEL + table)
    first, second = tables
    assert await greeted(empty, first, BOB, "sol")
    assert await greeted(empty, first, ALICE, "hacan")  # who opened both
    assert not await greeted(empty, second, BOB, "sol")
    assert not await greeted(empty, second, ALICE, "hacan")
    assert await greeted(empty, second, CAROL, "letnev")
    assert (await empty.service.briefing(first, 0)).newcomers  # type: ignore[union-attr]  # also when it is told late
