"""Tests of one person's limits in a day: the refusal says when they end, and restarts gain
little.
"""

from __future__ import annotations

import asyncio
import logging

import pytest

from bot.ledger import LedgerError, NotWritten
from bot.rules.commands import Command
from bot.rules.features.seats import Sit
from bot.rules.features.tables import CloseTable, SetHost
from bot.rules.model.violation import Refused
from bot.service import Quotas, Requester, Service
from bot.service.requests import People
from tests.service.club import ALICE, BOB, GAIN, NOON, TABLE, Club, requester
from tests.tools.bench.counting import counting

MIDNIGHT = (int(NOON.timestamp()) // 86_400 + 1) * 86_400


async def gains(service: Service, times: int, user: int = BOB) -> None:
    for _ in range(times):
        await service.execute(TABLE, requester(user), GAIN)


async def opens(service: Service, who: Requester, channel: int) -> int:
    return (await service.open_table(who, game="ti4", name="", channel_id=channel)).table_id


async def test_so_many_entries_a_day_and_then_when_it_goes_on(
    club: Club, caplog: pytest.LogCaptureFixture
) -> None:
    service = club.started(room=Quotas(entries_a_day=8))
    club.clock.moves(days=1)
    await gains(service, 8)
    before = await club.seq()
    for _ in range(3):
        with pytest.raises(
            Refused, match=rf"one person may in a day: 8 entries.*go on <t:{MIDNIGHT + 86_400}:R>"
        ):
            await gains(service, 1)
    assert await club.seq() == before
    await gains(service, 1, ALICE)
    told = [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING]
    assert told == [f"user {BOB} is refused until midnight UTC: 8 entries in the ledger today"]
    club.clock.moves(hours=12)
    await gains(service, 1)


async def test_what_was_carried_out_is_answered_again_all_the_same(club: Club) -> None:
    service = club.started(room=Quotas(entries_a_day=1))
    first = await service.execute(TABLE, requester(BOB, 77), GAIN)
    again = await service.execute(TABLE, requester(BOB, 77), GAIN)
    assert [each.seq for each in again.entries] == [each.seq for each in first.entries]


@pytest.mark.parametrize(("restarted", "more"), [(False, 0), (True, 10)])
async def test_a_restart_wins_a_quarter_at_most(club: Club, restarted: bool, more: int) -> None:
    room = Quotas(entries_a_day=40)
    club.clock.moves(days=1)
    service = club.started(room=room)
    await gains(service, 40)
    service = club.started(room=room) if restarted else service
    before = await club.seq()
    with pytest.raises(Refused, match="40 entries"):
        await gains(service, 40)
    assert await club.seq() - before == more


async def test_what_others_did_or_was_yesterday_is_not_counted_after_a_restart(club: Club) -> None:
    await gains(club.service, 30)
    club.clock.moves(days=1)
    await gains(club.service, 30, ALICE)
    before, service = await club.seq(), club.started(room=Quotas(entries_a_day=40))
    with pytest.raises(Refused, match="40 entries"):
        await gains(service, 50)
    assert await club.seq() == before + 40


async def test_while_the_ledger_cant_be_read_nothing_is_done_and_it_is_asked_again(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    await gains(club.service, 40)
    service = club.started(room=Quotas(entries_a_day=40))
    await gains(service, 10)

    async def fails(user_id: int, since: int) -> dict[str, int]:
        raise LedgerError("the database does not answer")

    with monkeypatch.context() as broken:
        broken.setattr(club.ledger.tables, "recorded_by", fails)
        with pytest.raises(NotWritten):
            await gains(service, 1)
    with pytest.raises(Refused, match="40 entries"):
        await gains(service, 1)


async def test_who_plays_an_evening_costs_no_statement_more(club: Club) -> None:
    counts = []
    for room in (Quotas(), Quotas(entries_a_day=2**31)):
        service = club.started(room=room)
        await gains(service, 1)
        with counting() as counted:
            await gains(service, 20)
        counts.append(counted.statements)
    assert counts[0] == counts[1]


async def test_the_ledger_is_asked_once_a_day(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    ask = club.ledger.tables.recorded_by

    async def counted(user_id: int, since: int) -> dict[str, int]:
        asked.append(user_id)
        return await ask(user_id, since)

    monkeypatch.setattr(club.ledger.tables, "recorded_by", counted)
    service = club.started(room=Quotas(entries_a_day=40))
    await gains(service, 10)
    assert asked == []
    await gains(service, 20)
    assert asked == [BOB]


async def test_so_many_tables_a_day_though_each_is_closed_and_some_are_removed(empty: Club) -> None:
    room, host = Quotas(tables_a_day=8), requester(ALICE)
    service = empty.started(room=room)
    for channel in range(8):
        table = await opens(service, host, channel)
        await service.execute(table, host, CloseTable())
        if channel < 3:
            await service.remove(table, host)
    with pytest.raises(Refused, match=rf"in a day: 8 tables opened.*go on <t:{MIDNIGHT}:R>"):
        await opens(service, host, 99)
    await opens(service, requester(BOB), 99)


async def test_a_restart_does_not_forget_tables_that_are_there(empty: Club) -> None:
    room, host = Quotas(tables_a_day=8), requester(ALICE)
    for channel in range(8):
        table = await opens(empty.service, host, channel)
        await empty.service.execute(table, host, CloseTable())
    service = empty.started(room=room)
    await opens(service, host, 98)
    await opens(service, host, 99)
    with pytest.raises(Refused, match="8 tables"):
        await opens(service, host, 100)


async def test_an_opening_that_is_delivered_again_is_not_refused(empty: Club) -> None:
    service = empty.started(room=Quotas(tables_a_day=1))
    asked = requester(ALICE, 7)
    first = await service.open_table(asked, game="ti4", name="", channel_id=1)
    assert (
        await service.open_table(asked, game="ti4", name="", channel_id=1)
    ).table_id == first.table_id


QUOTAS = [Quotas(person=2), Quotas(server=2), Quotas(tables_a_day=2)]


@pytest.mark.parametrize("room", QUOTAS)
async def test_tables_opened_at_once_do_not_pass_a_limit(empty: Club, room: Quotas) -> None:
    service = empty.started(room=room)
    host = requester(ALICE)
    opened = await asyncio.gather(
        *(opens(service, host, channel) for channel in range(4)), return_exceptions=True
    )
    refusals = [each for each in opened if isinstance(each, Refused)]
    assert len(refusals) == 2
    assert len(await service.tables_of(host)) == 2


@pytest.mark.parametrize("gives", ["a seat", "the host's part"])
async def test_what_others_give_counts_once_its_person_acts_there(empty: Club, gives: str) -> None:
    service = empty.started(room=Quotas(person=1))
    given = await opens(service, requester(ALICE), 1)

    def give(people: People) -> Command:
        bob = people.number(BOB, "Bob")
        return Sit("sol", bob) if gives == "a seat" else SetHost(bob)

    await service.execute(given, requester(ALICE), give)
    await opens(service, requester(BOB), 2)
    await service.execute(given, requester(BOB), Sit("hacan") if gives != "a seat" else GAIN)
    with pytest.raises(Refused, match="2 open tables"):
        await opens(service, requester(BOB), 3)
