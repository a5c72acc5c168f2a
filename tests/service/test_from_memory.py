"""Tests that forms and completions are answered from memory, and are soon right again."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from bot.ledger import LedgerError
from bot.rules.features.seats import Leave, Sit
from bot.rules.features.tables import CloseTable, SetHost
from bot.rules.model.replacing import replace
from bot.service import Requester, records
from tests.ledger.samples import executed, in_file
from tests.service.club import ALICE, BOB, CAROL, CHANNEL, GAIN, TABLE, Club, requester
from tests.service.conftest import Another


def cached(user: int) -> Requester:
    return requester(user, accepts_cached=True)


@contextmanager
def no_reading(club: Club, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Whatever is asked of the ledger gets no answer."""

    async def never(_work: object) -> None:
        await asyncio.Event().wait()

    with monkeypatch.context() as hung:
        hung.setattr(in_file(club.ledger), "read", never)
        yield


async def looks(club: Club) -> tuple[object, ...]:
    """Everything that a form or a completion asks for."""
    service = club.service
    return (
        (await service.view(TABLE, cached(BOB))).seq,
        await service.table_at(CHANNEL, cached(ALICE)),
        await service.last_table_at(CHANNEL, cached(ALICE)),
        [row.id for row in await service.tables_of(cached(BOB))],
        await service.dm_choice(cached(BOB)),
    )


async def test_what_was_asked_a_moment_ago_is_not_asked_again(club: Club) -> None:
    before = await looks(club)
    with executed(club.ledger) as statements:
        assert await looks(club) == before
    assert statements == []


@pytest.mark.parametrize("fresh", [0.0, 5.0])
async def test_a_database_that_does_not_answer_is_not_waited_for(
    club: Club, monkeypatch: pytest.MonkeyPatch, fresh: float
) -> None:
    monkeypatch.setattr(records, "FRESH_FOR", fresh)
    monkeypatch.setattr("bot.service.records.FRESH_FOR", fresh)
    monkeypatch.setattr(records, "ASK_FOR", 0.01)
    await club.service.choose_for_dm(requester(BOB), TABLE)
    before = await looks(club)
    with no_reading(club, monkeypatch):
        assert await asyncio.wait_for(looks(club), 10) == before


async def test_a_database_that_fails_is_not_needed_either(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(records, "FRESH_FOR", 0)
    monkeypatch.setattr("bot.service.records.FRESH_FOR", 0)
    before = await looks(club)

    async def fails(_work: object) -> None:
        raise OSError("gone")

    monkeypatch.setattr(in_file(club.ledger), "read", fails)
    assert await looks(club) == before
    with pytest.raises(LedgerError):
        await club.sees(BOB)


async def test_what_is_not_kept_is_read_and_may_be_cancelled(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    fresh = club.started()
    with no_reading(club, monkeypatch):
        for look in (
            fresh.view(TABLE, cached(BOB)),
            fresh.table_at(CHANNEL, cached(ALICE)),
            fresh.tables_of(cached(BOB)),
            fresh.dm_choice(cached(BOB)),
        ):
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(look, 0.01)
    view = await fresh.view(TABLE, cached(BOB))
    assert view.seq == await club.seq()


async def test_a_look_from_memory_sees_what_this_process_did(club: Club) -> None:
    service = club.service
    await looks(club)
    await club.does(BOB, GAIN)
    view = await service.view(TABLE, cached(BOB))
    assert view.seq == await club.seq()

    assert not await service.tables_of(cached(CAROL))
    await club.does(CAROL, Sit("letnev"))
    assert [row.id for row in await service.tables_of(cached(CAROL))] == [TABLE]
    await club.does(CAROL, Leave("letnev"))
    assert not await service.tables_of(cached(CAROL))
    await club.does(ALICE, lambda people: SetHost(people.number(CAROL, "carol")))
    assert [row.id for row in await service.tables_of(cached(CAROL))] == [TABLE]

    await service.choose_for_dm(requester(BOB), TABLE)
    assert await service.dm_choice(cached(BOB)) == TABLE

    await club.does(CAROL, CloseTable())
    assert await service.table_at(CHANNEL, cached(ALICE)) is None
    last = await service.last_table_at(CHANNEL, cached(ALICE))
    assert last is not None
    assert last.closed
    assert not await service.tables_of(cached(BOB))

    opened = await club.opens()
    row = await service.table_at(CHANNEL, cached(ALICE))
    assert row is not None
    assert row.id == opened.table_id
    assert len(await service.tables_of(cached(ALICE))) == 1


async def test_a_table_is_seen_once_until_it_changes(club: Club) -> None:
    before = await club.service.view(TABLE, requester(BOB))
    assert await club.service.view(TABLE, requester(BOB)) is before
    done = await club.service.execute(TABLE, requester(ALICE), GAIN)
    after = await club.service.view(TABLE, requester(BOB))
    assert after.seq == before.seq + 1
    assert await club.service.view(TABLE, requester(ALICE)) is done.view


async def test_views_of_other_tables_are_forgotten(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(records, "VIEWS_KEPT", 1)
    kept = records.TableRecords(club.ledger)
    one = (await kept.current(TABLE)).table
    seen, other = kept.views(one), kept.views(replace(one, id=TABLE + 1))
    assert other is not seen
    assert kept.views(one) is not seen


async def test_what_another_process_did_is_seen_before_long(
    club: Club, another: Another, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(records, "ASK_FOR", 30)  # the ledger answers, however slow the machine
    await looks(club)
    other = await another()
    await other.does(CAROL, Sit("letnev"))
    await other.does(ALICE, CloseTable())
    monkeypatch.setattr(records, "FRESH_FOR", 0)
    monkeypatch.setattr("bot.service.records.FRESH_FOR", 0)
    seq, open_row, _, tables, _ = await looks(club)
    assert (seq, open_row, tables) == (await club.seq(), None, [])


async def test_a_name_that_was_erased_is_not_remembered(club: Club) -> None:
    """A closed table is read, so that it shows nobody who asked to be forgotten, in whichever
    process.
    """
    await club.does(ALICE, CloseTable())
    await club.service.view(TABLE, cached(ALICE))
    await club.started().forget_person(requester(BOB))
    view = await club.service.view(TABLE, cached(ALICE))
    assert view.person_of_user(BOB) is None


async def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "VALUES_KEPT", 3)
    read: list[int] = []

    async def double(key: int) -> int:
        read.append(key)
        return 2 * key

    kept = records.Cache(double)
    keys = (1, 2, 3, 4, 4, 1)
    values = [await kept.get(key, accepts_cached=True) for key in keys]
    assert values == [2, 4, 6, 8, 8, 2]
    assert read == [1, 2, 3, 4, 1]
    assert len(kept._kept) == 3


async def test_what_changes_while_it_is_read_is_not_remembered() -> None:
    value, reading, goes_on = 1, asyncio.Event(), asyncio.Event()

    async def slowly(_key: str) -> int:
        found = value
        reading.set()
        await goes_on.wait()
        return found

    kept = records.Cache(slowly)
    first = asyncio.ensure_future(kept.get("a", accepts_cached=True))
    await reading.wait()
    value = 2
    kept.forget("a")
    goes_on.set()
    assert await first == 1
    assert await kept.get("a", accepts_cached=True) == 2
