"""The desk on a real ledger: once and durably, whoever else is at it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from random import Random

import pytest

import bot.desk
from bot.desk import Here, Outcome, read_snapshot
from bot.ledger import LedgerError
from bot.rules.apply import replay
from bot.rules.commands import CloseTable, Command, EndOffer, Gain, SetHost, Sit, Spend
from bot.rules.ruling import Refused
from tests.desk.conftest import Another
from tests.desk.people import ALICE, BOB, CAROL, CHANNEL, TABLE, Club, Make, accepts, asker, gains, offered, tg
from tests.rules.machine import command


async def both(first: Awaitable[Outcome], second: Awaitable[Outcome]) -> tuple[list[Outcome], list[BaseException]]:
    """Two at once: what came of them, and what they were refused."""
    found = await asyncio.gather(first, second, return_exceptions=True)
    return [one for one in found if isinstance(one, Outcome)], [one for one in found if isinstance(one, BaseException)]


# ---------------------------------------------------------------- clicks


async def test_a_double_click_is_one_transaction(club: Club) -> None:
    """Two clicks are two interactions: the ledger decides, and the later one is told that it is done."""
    done, refused = await both(club.do(BOB, accepts, 1001), club.do(BOB, accepts, 1002))
    assert (len(done), len(refused)) == (1, 1)
    assert isinstance(refused[0], Refused)
    assert "has been resolved" in str(refused[0])
    assert await club.transactions() == 1
    assert (await club.table()).seats["sol"].holdings.count("trade_good") == 1


async def test_an_interaction_delivered_twice_at_once_is_one(club: Club) -> None:
    done, refused = await both(club.do(BOB, accepts, 1001), club.do(BOB, accepts, 1001))
    assert not refused
    first, second = done
    assert (first.repeated, second.repeated) == (False, True)
    assert first.entries == second.entries
    assert (first.before, first.after.table) == (second.before, second.after.table)
    assert await club.transactions() == 1


@pytest.mark.parametrize("make", [accepts, gains], ids=["refused the second time", "allowed the second time"])
async def test_an_interaction_delivered_again_later_is_answered_as_before(club: Club, make: Make) -> None:
    first = await club.do(BOB, make, 1001)
    await club.do(ALICE, gains)
    seq = (await club.table()).seq
    second = await club.do(BOB, make, 1001)
    assert second.repeated
    assert second.entries == first.entries
    assert second.before == first.before
    assert (await club.table()).seq == seq


async def test_opening_a_table_twice_by_one_interaction_opens_one(another: Another) -> None:
    club = await another()

    def opens() -> Awaitable[Outcome]:
        return club.desk.open_table(asker(ALICE, 7), game="ti4", name="Friday", guild_id=1, channel_id=CHANNEL)

    done, refused = await both(opens(), opens())
    again = await opens()
    assert not refused
    assert {one.after.table_id for one in (*done, again)} == {TABLE}
    assert [one.repeated for one in (*done, again)] == [False, True, True]
    assert len(await club.ledger.all_tables()) == 1


async def test_a_second_table_in_a_channel_is_refused_by_name(club: Club) -> None:
    with pytest.raises(Refused, match="has a table already: Friday"):
        await club.desk.open_table(asker(BOB, 8), game="ti4", name="Other", guild_id=1, channel_id=CHANNEL)
    await club.do(ALICE, lambda here: CloseTable(by=here.me))
    opened = await club.desk.open_table(asker(BOB, 9), game="ti4", name="Other", guild_id=1, channel_id=CHANNEL)
    assert opened.after.table_id != TABLE


# ---------------------------------------------------------------- two processes


async def test_two_desks_race_for_one_offer(club: Club, another: Another) -> None:
    other = await another()
    await other.table()  # both have the table in memory
    done, refused = await both(club.do(BOB, accepts, 1001), other.do(BOB, accepts, 1002))
    assert (len(done), len(refused)) == (1, 1)
    assert isinstance(refused[0], Refused)
    assert await club.transactions() == 1
    assert await club.table() == await other.table()


async def test_two_desks_get_the_same_interaction(club: Club, another: Another) -> None:
    other = await another()
    await other.table()
    done, refused = await both(club.do(BOB, accepts, 1001), other.do(BOB, accepts, 1001))
    assert not refused
    assert sorted(one.repeated for one in done) == [False, True]
    assert done[0].entries == done[1].entries
    assert await club.transactions() == 1


async def test_many_commands_at_two_desks_all_count_once(club: Club, another: Another) -> None:
    other = await another()
    made = [desk.do(user, gains, 2000 + n) for n, (desk, user) in enumerate([(club, ALICE), (other, BOB)] * 8)]
    await asyncio.gather(*made)
    table = await other.table()
    assert table == await club.table() == replay(one.entry for one in await club.entries())
    assert [table.seats[seat].holdings.count("trade_good") for seat in ("hacan", "sol")] == [5 + 16, 16]
    assert await club.ledger.verify(TABLE) is None


async def test_a_crowd_at_one_desk_waits_its_turn(club: Club) -> None:
    """In one process nobody loses a race, however many come at once."""
    outcomes = await asyncio.gather(*(club.do(BOB, gains, 3000 + n) for n in range(3 * bot.desk.RACES)))
    firsts = [outcome.entries[0].seq for outcome in outcomes]
    assert firsts == sorted(firsts)
    assert (await club.table()).seats["sol"].holdings.count("trade_good") == 2 * len(outcomes)


async def test_a_refusal_from_a_stale_table_is_decided_again(club: Club, another: Another) -> None:
    """Only what is true now may refuse."""
    other = await another()
    spends = Spend(by=2, goods=tg(2))
    with pytest.raises(Refused, match="short"):
        await other.do(BOB, lambda _: spends)
    await club.do(BOB, gains)  # the other desk has not heard of it
    asked: list[int] = []

    def make(here: Here) -> Command:
        asked.append(here.table.seq)
        return spends

    outcome = await other.do(BOB, make)
    assert len(asked) == 2
    assert asked[0] < asked[1] == outcome.before.seq


async def test_a_decision_from_a_stale_table_is_decided_again(club: Club, another: Another) -> None:
    other = await another()
    await other.table()
    await club.do(ALICE, lambda here: EndOffer(by=here.me, offer=1, how="withdraw"))
    with pytest.raises(Refused, match="was withdrawn"):
        await other.do(BOB, accepts)


async def test_looking_shows_what_another_process_did(club: Club, another: Another) -> None:
    other = await another()
    await other.table()
    await club.do(BOB, gains)
    assert await other.table() == await club.table()


# ---------------------------------------------------------------- who is who


async def test_newcomers_are_stored_with_entries_only(club: Club) -> None:
    people = await club.ledger.people(TABLE)
    with pytest.raises(Refused):
        await club.do(CAROL, offered(BOB))
    assert await club.ledger.people(TABLE) == people
    assert (await club.desk.look(TABLE)).person(CAROL) is None

    await club.do(ALICE, lambda here: SetHost(by=here.me, person=here.person(CAROL, "carol")))
    assert [person.name for person in await club.ledger.people(TABLE)] == ["alice", "bob", "carol"]
    look = await club.desk.look(TABLE)
    carol = look.person(CAROL)
    assert carol is not None
    assert look.table.host == carol.number


async def test_two_newcomers_at_two_desks_get_numbers_of_their_own(club: Club, another: Another) -> None:
    other = await another()
    await other.table()
    dave = 104

    await asyncio.gather(
        club.do(CAROL, _sits("letnev")),
        other.desk.do(TABLE, asker(dave, name="dave"), _sits("xxcha")),
    )
    people = {person.user_id: person.number for person in await club.ledger.people(TABLE)}
    assert len(set(people.values())) == len(people) == 4
    table = await club.table()
    assert (table.seats["letnev"].person, table.seats["xxcha"].person) == (people[CAROL], people[dave])


async def test_who_is_called_something_else_now_is_so_here_too(club: Club) -> None:
    await club.desk.do(TABLE, asker(BOB, name="Robert"), gains)
    assert [person.name for person in await club.ledger.people(TABLE)] == ["alice", "Robert"]
    person = (await club.desk.look(TABLE)).person(BOB)
    assert person is not None
    assert person.name == "Robert"


async def test_the_tables_of_somebody_are_those_where_they_sit_or_host(club: Club) -> None:
    assert [row.id for row in await club.desk.tables_of(ALICE)] == [TABLE]
    assert not await club.desk.tables_of(CAROL)


# ---------------------------------------------------------------- memory


async def test_snapshots_and_a_small_memory_give_the_same_table(
    another: Another, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Many commands at three tables with one kept in memory and a snapshot every few entries."""
    monkeypatch.setattr(bot.desk, "KEPT", 1)
    monkeypatch.setattr(bot.desk, "SNAPSHOT_EVERY", 4)
    club, dice = await another(), Random(7)
    for n in (1, 2, 3):
        await club.desk.open_table(asker(ALICE), game="ti4", name=f"T{n}", guild_id=1, channel_id=n)
        for user, seat in ((ALICE, "hacan"), (BOB, "sol")):
            await club.desk.do(n, asker(user), _sits(seat))
    for step in range(240):
        user = dice.choice([ALICE, BOB])
        try:
            await club.desk.do(1 + step % 3, asker(user), lambda here: command(here.table, dice))
        except Refused:
            continue
    fresh = await another()
    for n in (1, 2, 3):
        entries = await club.ledger.read(n)
        snapshot = await club.ledger.snapshot(n)
        assert snapshot is not None
        assert snapshot[0] > 4
        table = replay(one.entry for one in entries)
        assert (await club.desk.look(n)).table == (await fresh.desk.look(n)).table == table
        assert read_snapshot(*snapshot) == replay(one.entry for one in entries[: snapshot[0]])
    assert len(club.desk._kept) == 1


def _sits(seat: str) -> Make:
    return lambda here: Sit(by=here.me, seat=seat, person=here.me)


async def test_an_unknown_table_is_refused(club: Club) -> None:
    with pytest.raises(Refused, match="no such table"):
        await club.desk.do(99, asker(ALICE), gains)
    with pytest.raises(Refused, match="no such table"):
        await club.desk.look(99)


# ---------------------------------------------------------------- the ledger fails


async def test_when_the_ledger_fails_nothing_has_happened(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    before, people = await club.table(), await club.ledger.people(TABLE)

    async def fails(*_: object, **__: object) -> None:
        raise LedgerError("The disk is full.")

    with monkeypatch.context() as broken:
        broken.setattr(club.ledger, "append", fails)
        with pytest.raises(LedgerError):
            await club.do(BOB, accepts, 1001)
        with pytest.raises(LedgerError):
            await club.do(ALICE, lambda here: SetHost(by=here.me, person=here.person(CAROL, "carol")))
    assert club.desk._kept[TABLE].table == before
    assert await club.table() == before
    assert await club.ledger.people(TABLE) == people
    assert not (await club.do(BOB, accepts, 1001)).repeated
    assert await club.transactions() == 1


@pytest.mark.parametrize("late", ["rename", "save_snapshot"])
async def test_what_is_written_is_done_though_a_note_beside_it_fails(
    club: Club, monkeypatch: pytest.MonkeyPatch, late: str
) -> None:
    """A name or a snapshot is no part of the trade: who accepted must not read that nothing has happened."""

    async def fails(*_: object) -> None:
        raise LedgerError("The disk is full.")

    monkeypatch.setattr(bot.desk, "SNAPSHOT_EVERY", 1)
    monkeypatch.setattr(club.ledger, late, fails)
    outcome = await club.desk.do(TABLE, asker(BOB, 1001, name="Robert"), accepts)
    assert outcome.after.table.transactions == await club.transactions() == 1


async def test_who_is_cancelled_leaves_no_lock_behind(club: Club) -> None:
    waiting = asyncio.ensure_future(club.do(ALICE, gains))
    await asyncio.sleep(0)
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    await asyncio.wait_for(club.do(BOB, lambda here: Gain(by=here.me, goods=tg(1))), 5)
    table = await club.table()
    assert table == replay(one.entry for one in await club.entries())
