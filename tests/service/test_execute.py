"""Tests that a command is carried out once and durably, despite clicks, processes, failures and
time.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from itertools import count

import pytest

from bot.ledger import LedgerError
from bot.rules import snapshots
from bot.rules.commands import Command
from bot.rules.features.holdings import Gain, Spend
from bot.rules.features.offers.posting import CounterOffer
from bot.rules.features.offers.signing import EndOffer, Sign
from bot.rules.features.seats import Sit
from bot.rules.features.tables import CloseTable, SetHost, Tick
from bot.rules.model.table import Table
from bot.rules.model.text import quoted
from bot.rules.model.violation import Refused
from bot.rules.visible_table import TableViews
from bot.service import CommandFactory, Outcome
from bot.service.requests import People
from bot.service.service import RACES
from tests.ledger.samples import inside
from tests.service.club import (
    ACCEPT,
    ALICE,
    BOB,
    CAROL,
    DAVE,
    GAIN,
    MONA,
    TABLE,
    Club,
    requester,
    tg,
)
from tests.service.conftest import Another
from tests.tools.bench.counting import counting


async def names(club: Club) -> list[str]:
    return [person.name for person in await club.ledger.tables.people(TABLE)]


def trade_goods(table: Table, seat: str) -> int:
    return table.seats[seat].holdings.count("trade_good")


async def both(
    first: Awaitable[Outcome], second: Awaitable[Outcome]
) -> tuple[list[Outcome], list[BaseException]]:
    """Two requests at once: their outcomes, and how they were refused."""
    answers = await asyncio.gather(first, second, return_exceptions=True)
    done = [answer for answer in answers if isinstance(answer, Outcome)]
    refused = [answer for answer in answers if isinstance(answer, BaseException)]
    return done, refused


# ---------------------------------------------------------------- clicks


@pytest.mark.parametrize("elsewhere", [False, True])
async def test_a_double_click_is_one_transaction(
    club: Club, another: Another, *, elsewhere: bool
) -> None:
    """Two clicks are two interactions: the ledger decides, and the later one is told that it is
    done. ``elsewhere``: it comes to another process, which has the table in memory too.
    """
    other = await another() if elsewhere else club
    await other.remembered()
    click = club.does(BOB, ACCEPT, 1001)
    again = other.does(BOB, ACCEPT, 1002)
    done, refused = await both(click, again)
    assert (len(done), len(refused)) == (1, 1)
    assert isinstance(refused[0], Refused)
    assert "has been resolved" in str(refused[0])
    assert await club.transactions() == 1
    table = await club.table()
    assert trade_goods(table, "sol") == 1
    assert await club.remembered() == await other.remembered() == table


async def test_an_interaction_delivered_twice_at_once_is_one(club: Club) -> None:
    click = club.does(BOB, ACCEPT, 1001)
    again = club.does(BOB, ACCEPT, 1001)
    done, refused = await both(click, again)
    assert not refused
    first, second = done
    assert first.entries == second.entries
    assert first.public == second.public
    assert first.view == second.view
    assert await club.transactions() == 1


async def test_what_a_command_returns_is_as_of_the_command_whenever_it_is_read(club: Club) -> None:
    at_once, late = await club.does(ALICE, GAIN), await club.does(BOB, ACCEPT)
    assert at_once.view.seats["hacan"].open.count("trade_good") == 7  # before she gave one
    assert at_once.view.seq < late.view.seq
    await club.does(ALICE, CloseTable())
    assert late.view.open
    assert [each.kind for each in late.entries] == ["offer.signature", "offer.transaction"]
    assert all(each.complete for each in late.entries)
    assert not (await club.sees(ALICE)).open


async def test_a_view_that_nobody_looks_at_is_not_made(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[object] = []
    see = TableViews._see
    monkeypatch.setattr(TableViews, "_see", lambda *args: seen.append(args) or see(*args))
    outcome = await club.does(ALICE, GAIN)
    assert (seen, outcome.recorded) == ([], True)
    assert outcome.view is outcome.view
    assert len(seen) == 1


@pytest.mark.parametrize(
    "command", [ACCEPT, GAIN], ids=["refused the second time", "allowed the second time"]
)
async def test_an_interaction_delivered_again_later_is_answered_as_before(
    club: Club, command: Command
) -> None:
    first = await club.does(BOB, command, 1001)
    await club.does(ALICE, GAIN)
    seq = await club.seq()
    second = await club.does(BOB, command, 1001)
    assert second.entries == first.entries
    assert second.view.offers.keys() == first.view.offers.keys()
    assert second.view.seq == await club.seq() == seq


async def test_opening_a_table_twice_by_one_interaction_opens_one(empty: Club) -> None:
    def opens() -> Awaitable[Outcome]:
        return empty.service.open_table(
            requester(ALICE, 7), game="ti4", name="Friday", channel_id=5
        )

    done, refused = await both(opens(), opens())
    again = await opens()
    assert not refused
    assert {each.table_id for each in (*done, again)} == {TABLE}
    assert done[0].entries == done[1].entries == again.entries
    assert len(await empty.ledger.tables.all_tables()) == 1


async def test_a_second_table_in_a_channel_is_refused_by_name(club: Club) -> None:
    with pytest.raises(Refused, match=f"already has a table: {quoted('Friday')}"):
        await club.opens()
    await club.does(ALICE, CloseTable())
    assert (await club.opens()).table_id != TABLE


# ---------------------------------------------------------------- two processes


async def test_two_services_get_the_same_interaction(club: Club, another: Another) -> None:
    other = await another()
    await other.remembered()
    click = club.does(BOB, ACCEPT, 1001)
    again = other.does(BOB, ACCEPT, 1001)
    done, refused = await both(click, again)
    assert not refused
    assert done[0].entries == done[1].entries
    assert await club.transactions() == 1


async def test_many_commands_at_two_services_all_count_once(club: Club, another: Another) -> None:
    other = await another()
    pairs = [(club, ALICE), (other, BOB)] * 8
    interactions = count(2000)
    commands = [each.does(user, GAIN, next(interactions)) for each, user in pairs]
    await asyncio.gather(*commands)
    table = await other.remembered()
    assert table == await club.remembered() == await club.table()
    assert trade_goods(table, "hacan") == 5 + 16
    assert trade_goods(table, "sol") == 16
    assert await club.ledger.entries.verify(TABLE) is None


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize(
    "racing",
    [
        ((ALICE, Sign(2)), (BOB, EndOffer(2, "withdraw"))),
        ((ALICE, Sign(2)), (ALICE, CounterOffer(2, give=tg(2)))),
        ((ALICE, Sign(2)), (BOB, EndOffer(1, "decline"))),
        ((ALICE, Sign(2)), (ALICE, Sign(2))),
    ],
    ids=["withdrawn", "countered", "the first declined", "twice"],
)
async def test_a_chain_of_counters_has_one_live_offer_whoever_comes_first(
    club: Club,
    another: Another,
    racing: tuple[tuple[int, Command], tuple[int, Command]],
    turned: bool,
) -> None:
    """The newest counter is accepted while something else happens to the chain, at another
    service.
    """
    await club.does(BOB, CounterOffer(1, want=tg(2)))
    other = await another()
    await other.remembered()
    (who, what), (whose, else_) = racing
    attempts = (
        (other.does(whose, else_), club.does(who, what))
        if turned
        else (club.does(who, what), other.does(whose, else_))
    )
    done, refused = await both(*attempts)
    assert done
    assert all(isinstance(each, Refused) for each in refused)
    table = await other.remembered()
    standing = [offer.number for offer in table.live_offers() if offer.status == "open"]
    assert await club.transactions() + len(standing) == 1
    assert table == await club.remembered() == await club.table()


async def test_a_crowd_at_one_service_loses_no_race(club: Club) -> None:
    """Within a process commands wait for their turn, however many come at once."""
    commands = [club.does(BOB, GAIN, 3000 + n) for n in range(3 * RACES)]
    outcomes = await asyncio.gather(*commands)
    firsts = [outcome.entries[0].seq for outcome in outcomes]
    assert firsts == sorted(firsts)
    assert trade_goods(await club.table(), "sol") == 2 * len(outcomes)


def asked(command: Command, times: list[int]) -> CommandFactory:
    """A factory that counts how often it is asked for its command."""

    def make(_: People) -> Command:
        times.append(1)
        return command

    return make


async def test_a_refusal_from_a_stale_table_is_decided_again(club: Club, another: Another) -> None:
    """Only what is true now may refuse."""
    other = await another()
    spends = Spend(tg(2))
    with pytest.raises(Refused, match="short"):
        await other.does(BOB, spends)
    await club.does(BOB, GAIN)  # the other service has not heard of it
    times: list[int] = []
    outcome = await other.does(BOB, asked(spends, times))
    assert len(times) == 2
    assert outcome.view.seq == await club.seq()


async def test_a_decision_from_a_stale_table_is_decided_again(club: Club, another: Another) -> None:
    other = await another()
    await other.remembered()
    await club.does(ALICE, EndOffer(1, how="withdraw"))
    with pytest.raises(Refused, match="was withdrawn"):
        await other.does(BOB, ACCEPT)


async def test_a_look_shows_what_another_process_did(club: Club, another: Another) -> None:
    other = await another()
    before = await other.sees(BOB)
    await club.does(BOB, GAIN)
    after = await other.sees(BOB)
    assert before.seq < after.seq
    assert after == await club.sees(BOB)


async def test_a_look_that_takes_long_does_not_set_the_table_back(
    club: Club, another: Another, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A table that was read before later commands must not replace what they left in memory."""
    await (await another()).does(BOB, GAIN)  # so that looking reads the table anew
    read, waits, goes_on = club.ledger.entries.stored, asyncio.Event(), asyncio.Event()

    async def slow(table_id: int) -> object:
        stored = await read(table_id)
        waits.set()
        await goes_on.wait()
        return stored

    monkeypatch.setattr(club.ledger.entries, "stored", slow)
    look = asyncio.ensure_future(club.sees(BOB))
    await waits.wait()
    monkeypatch.setattr(club.ledger.entries, "stored", read)
    await club.does(BOB, GAIN)
    await club.does(BOB, GAIN)
    goes_on.set()
    await look
    assert club.records.seq(TABLE) == await club.seq()


# ---------------------------------------------------------------- people


async def test_newcomers_are_stored_with_entries_only(club: Club) -> None:
    people = await club.ledger.tables.people(TABLE)
    with pytest.raises(Refused):
        await club.does(CAROL, ACCEPT)
    assert await club.ledger.tables.people(TABLE) == people
    assert (await club.sees(ALICE)).person_of_user(CAROL) is None

    outcome = await club.does(ALICE, lambda people: SetHost(people.number(CAROL, "carol")))
    assert await names(club) == [
        "alice",
        "bob",
        "carol",
    ]
    carol = outcome.view.person_of_user(CAROL)
    assert carol is not None
    assert outcome.view.host == carol.number


async def test_two_newcomers_at_two_services_get_numbers_of_their_own(
    club: Club, another: Another
) -> None:
    other = await another()
    await other.remembered()
    sits = club.does(CAROL, Sit("letnev"))
    sits_elsewhere = other.does(DAVE, Sit("xxcha"))
    await asyncio.gather(sits, sits_elsewhere)
    people = {person.user_id: person.number for person in await club.ledger.tables.people(TABLE)}
    assert len(set(people.values())) == len(people) == 4
    seats = (await club.table()).seats
    assert seats["letnev"].person == people[CAROL]
    assert seats["xxcha"].person == people[DAVE]


async def test_a_newcomer_who_names_themselves_is_one_person(club: Club) -> None:
    outcome = await club.does(CAROL, lambda people: Sit("letnev", people.number(CAROL, "carol")))
    assert await names(club) == [
        "alice",
        "bob",
        "carol",
    ]
    assert outcome.view.seat == "letnev"


async def test_a_refusal_knows_the_names_of_newcomers(club: Club) -> None:
    """A sentence may name a person who only comes with the refused command."""
    with pytest.raises(Refused) as refusal:
        await club.does(BOB, lambda people: Sit("letnev", people.number(CAROL, "carol")))
    assert refusal.value.names is not None
    assert [person.name for person in refusal.value.names.people.values()] == [
        "alice",
        "bob",
        "carol",
    ]
    assert await names(club) == ["alice", "bob"]


async def test_a_person_with_a_new_name_is_called_by_it(club: Club) -> None:
    await club.service.execute(TABLE, requester(BOB, name="Robert"), GAIN)
    assert await names(club) == ["alice", "Robert"]
    person = (await club.sees(ALICE)).person_of_user(BOB)
    assert person is not None
    assert person.name == "Robert"


async def test_a_request_without_a_name_changes_none(club: Club) -> None:
    """In a DM nobody has the name that the server gives them."""
    await club.service.execute(TABLE, requester(BOB, name=""), GAIN)
    assert await names(club) == ["alice", "bob"]


async def test_the_tables_of_a_user_are_those_where_they_sit_or_host(club: Club) -> None:
    assert [row.id for row in await club.service.tables_of(requester(ALICE))] == [TABLE]
    assert [row.id for row in await club.service.tables_of(requester(BOB))] == [TABLE]
    assert not await club.service.tables_of(requester(CAROL))
    await club.does(ALICE, CloseTable())
    assert not await club.service.tables_of(requester(ALICE))


# ---------------------------------------------------------------- the ledger fails


async def fails(*_: object, **__: object) -> None:
    raise LedgerError("The disk is full.")


async def test_when_the_ledger_fails_nothing_has_happened(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, people = await club.remembered(), await club.ledger.tables.people(TABLE)
    with monkeypatch.context() as broken:
        broken.setattr(club.ledger.entries, "append", fails)
        with pytest.raises(LedgerError):
            await club.does(BOB, ACCEPT, 1001)
        with pytest.raises(LedgerError):
            await club.does(ALICE, lambda people: SetHost(people.number(CAROL, "carol")))
    assert await club.remembered() == before
    assert await club.ledger.tables.people(TABLE) == people
    await club.does(BOB, ACCEPT, 1001)
    assert await club.transactions() == 1


def cannot_be_saved(table: Table) -> str:
    raise ValueError("a game's state that is no JSON")


@pytest.mark.parametrize("late", ["rename", "dump"])
async def test_what_is_written_is_done_though_a_note_beside_it_fails(
    club: Club, monkeypatch: pytest.MonkeyPatch, late: str
) -> None:
    """A name or a snapshot is no part of the trade: whoever accepts must not read that nothing has
    happened.
    """
    monkeypatch.setattr("bot.rules.snapshots.EVERY", 1)
    if late == "rename":
        monkeypatch.setattr(club.ledger.tables, "rename", fails)
    else:
        monkeypatch.setattr(snapshots, "dump", cannot_be_saved)
    outcome = await club.service.execute(TABLE, requester(BOB, 1001, name="Robert"), ACCEPT)
    assert outcome.view.transactions == await club.transactions() == 1


async def test_a_command_is_one_commit_with_a_snapshot_too(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.rules.snapshots.EVERY", 1)
    await club.does(ALICE, GAIN)  # the table is in memory then
    with counting() as counts:
        await club.does(ALICE, GAIN)
    assert (counts.trips, counts.commits) == (1, 1)
    saved = await club.ledger.entries.snapshot(TABLE)
    assert saved is not None
    assert snapshots.load(*saved) == await club.table()


async def test_a_cancelled_request_leaves_no_lock_behind(club: Club) -> None:
    waiting = asyncio.ensure_future(club.does(ALICE, GAIN))
    await asyncio.sleep(0)
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    await asyncio.wait_for(club.does(BOB, Gain(tg(1))), 60)
    assert await club.remembered() == await club.table()


async def test_a_command_of_which_nothing_comes_leaves_no_trace_of_a_newcomer(club: Club) -> None:
    before = await club.seq()
    outcome = await club.service.execute(TABLE, requester(MONA, 1001), Tick())
    assert outcome.entries == ()
    assert outcome.view.person_of_user(MONA) is None
    assert await club.seq() == before
    assert await club.service.known_at(requester(MONA)) == (0, 0)


async def test_whether_an_interaction_was_carried_out_is_known_while_it_is_being_written(
    club: Club,
) -> None:
    gained = asyncio.ensure_future(club.does(ALICE, Gain(tg(1)), interaction=5))
    while not inside(club.ledger).writer._queue.qsize():  # noqa: ASYNC110  (until it is on its way)
        await asyncio.sleep(0)
    asked = asyncio.ensure_future(club.ledger.entries.carried_out(5))
    await asyncio.sleep(0)
    assert (await gained).recorded
    assert await asked
    assert not await club.ledger.entries.carried_out(6)
