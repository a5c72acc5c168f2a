"""Tests of delivery with a real service and ledger on the loopback."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import discord
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.delivery import Budget, Delivery, delivery, life
from bot.delivery.delivery import newest_first
from bot.delivery.transport import membership
from bot.games.ti4.turns import StartTurn
from bot.ledger import Ledger, LedgerError
from bot.rules.commands import Command
from bot.rules.features.holdings import Gain, SetHoldings
from bot.rules.features.negotiations import OpenNegotiation
from bot.rules.features.offers.posting import PostOffer
from bot.rules.features.offers.signing import EndOffer, Sign
from bot.rules.features.seats import Sit
from bot.rules.features.tables import CloseTable
from bot.rules.model.goods import Goods
from bot.service import Briefing, DeadlineClock, Members, Outcome, Requester, Service
from tests.delivery.briefings import ALICE, BOB, CHANNEL
from tests.delivery.display import idle
from tests.delivery.near import ALICES, BOBS, SERVER, LoggedRequest, Near, near
from tests.waiting import until

NAMES = {ALICE: "alice", BOB: "bob"}


class Club:
    """A table at which alice and bob sit."""

    discord: Near
    client: discord.Client
    service: Service
    delivery: Delivery

    def __init__(self) -> None:
        self.ahead = timedelta()
        self._told = 0

    def now(self) -> datetime:
        return datetime.now(UTC) + self.ahead

    def started(self, **options: Any) -> Delivery:
        """Return delivery as after a start: it remembers only what is stored."""
        options = {"clock": self.now, "budget": Budget(None, None), **options}
        return Delivery(self.client, self.service, 0, **options)

    async def open(self, channel: int = CHANNEL) -> int:
        self.discord.world.add_channel(str(SERVER), str(channel))
        opened = await self.service.open_table(
            requester(ALICE), game="ti4", name="Friday", channel_id=channel
        )
        for user, seat in ((ALICE, "hacan"), (BOB, "sol")):
            await self.service.execute(opened.table_id, requester(user), sit(user, seat))
        goods = SetHoldings("hacan", Goods({"trade_good": 5}))
        await self.service.execute(opened.table_id, requester(ALICE), goods)
        return opened.table_id

    async def does(self, user: int, command: Command, table_id: int = 1) -> Outcome:
        return await self.service.execute(table_id, requester(user), command)

    async def told(self, *, check: bool = False) -> list[LoggedRequest]:
        """Deliver, and return what was asked of Discord since the last call, beside the board and
        opening DMs.
        """
        if check:
            self.delivery.check(1)
        await self.delivery.deliver(1)
        await self.idle()
        return self._new_requests()

    async def idle(self) -> None:
        await idle(self.delivery)

    async def crashes(self) -> None:
        """Have the process die; what happens from now on is for the next one."""
        await self.told()
        await self.delivery.close()

    async def starts(self) -> list[LoggedRequest]:
        self.delivery = self.started()
        await self.delivery.start()
        await self.idle()
        return self._new_requests()

    async def undelivered(self, *tables: int) -> None:
        """Wait until only these tables have undelivered news."""
        async with asyncio.timeout(60):
            while await self.service.undelivered() != [*tables]:  # noqa: ASYNC110  (the ledger tells nobody)
                await asyncio.sleep(0.01)

    def _new_requests(self) -> list[LoggedRequest]:
        requests = self.discord.requests
        new, self._told = requests[self._told :], len(requests)
        return [each for each in new if not is_board(each) and each.what != "dm"]


def is_board(request: LoggedRequest) -> bool:
    """Return whether a request is about the board, which is deleted when it moves down, or the
    set-up before it.
    """
    board = "### Friday" in request.text and "chain" not in request.text
    return board or request.text.startswith("**Friday** is set up") or request.what == "delete"


def requester(user: int) -> Requester:
    return Requester(user, NAMES[user], SERVER)


def sit(user: int, seat: str) -> Any:
    return lambda people: Sit(seat, people.number(user, NAMES[user]))


async def sat_before(table_id: int, user_id: int, at: int) -> bool:
    """Everybody has been at a table before, so nobody is welcomed."""
    return True


@pytest.fixture
async def club(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Club]:
    ledger = await Ledger.open(f"sqlite:///{tmp_path / 'bourse.db'}")
    monkeypatch.setattr(ledger.tables, "sat_before", sat_before)
    club = Club()
    async with near(monkeypatch, club.now) as club.discord:
        club.client = await club.discord.client()
        club.service = Service(ledger, club.now, Members(membership(club.client)))
        club.delivery = club.started()
        await club.delivery.start()
        await club.open()
        await club.told()
        yield club
        await club.delivery.close()
    await ledger.close()


def to_bob(**changes: Any) -> PostOffer:
    return PostOffer(to="sol", give=Goods({"trade_good": 1}), **changes)


def places(requests: list[LoggedRequest]) -> list[int]:
    return sorted(each.channel for each in requests)


# ---------------------------------------------------------------- told once


async def test_news_are_told_once(club: Club) -> None:
    await club.does(ALICE, to_bob())
    assert places(await club.told()) == [CHANNEL, BOBS]
    assert await club.told() == []
    assert await club.service.undelivered() == []


async def test_news_are_told_although_nobody_asks_for_it(club: Club) -> None:
    await club.does(ALICE, to_bob())
    await until(lambda: club.discord.seen(BOBS))
    await club.idle()
    assert await club.service.undelivered() == []


async def test_several_at_once_send_one_message(club: Club) -> None:
    await club.does(ALICE, to_bob())
    await asyncio.gather(*(club.delivery.deliver(1) for _ in range(3)))
    await club.idle()
    assert len(club.discord.seen(BOBS)) == 1


async def test_what_failed_is_told_later_and_the_rest_not_twice(club: Club) -> None:
    club.discord.refuses("send", BOBS, 503)  # on a busy machine it is tried again meanwhile
    await club.does(ALICE, to_bob())
    assert {*places(await club.told())} == {CHANNEL, BOBS}
    assert await club.service.undelivered() == [1]
    club.discord.works()
    await club.undelivered()
    assert len(club.discord.seen(BOBS)) == 1
    assert await club.told() != []  # that attempt
    assert await club.told() == []


@pytest.mark.parametrize("restarted", [True, False])
@pytest.mark.parametrize("ending", [EndOffer(1, "withdraw"), CloseTable()])
async def test_what_ended_while_the_bot_was_not_on_the_server_has_no_buttons_when_it_is_back(
    club: Club, ending: Command, restarted: bool
) -> None:
    await club.does(ALICE, to_bob())
    await club.told()
    club.service.members.note_bot(SERVER, here=False)
    await club.told()
    await club.does(ALICE, ending)  # as the clock may do
    club.ahead += timedelta(minutes=11)  # then it is closed for good
    await club.service.tick(1)
    await club.told()
    if restarted:
        await club.crashes()
        await club.starts()
    club.service.members.note_bot(SERVER, here=True)
    await club.idle()
    for channel in (CHANNEL, BOBS):
        [card] = [each for each in club.discord.seen(channel) if "Offer 1" in each.text]
        assert not card.buttons
        assert "Withdrawn" in card.text or isinstance(ending, CloseTable)


async def test_a_thread_is_known_by_its_negotiation_and_the_other_way_round(club: Club) -> None:
    await club.does(ALICE, OpenNegotiation("sol", "the planet"))
    await club.told()
    thread, _ = await club.delivery.thread_of(1, 1)
    assert [thread] == club.discord.threads
    assert await club.delivery.negotiation_in(1, thread) == 1
    assert await club.delivery.negotiation_in(1, CHANNEL) is None
    club.delivery = club.started()
    assert await club.delivery.thread_of(1, 1) == (thread, ())


async def test_a_table_that_is_not_there_is_nothing_to_deliver(club: Club) -> None:
    await club.delivery.deliver(99)
    assert await club.told() == []


# ---------------------------------------------------------------- looking at every message


async def test_a_check_is_made_once_a_minute(club: Club) -> None:
    await club.does(ALICE, to_bob())
    await club.told()
    assert [each.what for each in await club.told(check=True)] == ["history", "edit"]
    assert await club.told(check=True) == []


async def test_each_table_has_its_own_minute(club: Club) -> None:
    second = await club.open(CHANNEL + 1)
    await club.does(ALICE, to_bob(), second)
    await club.told(check=True)
    club.delivery.check(second)
    await club.idle()
    assert [each.what for each in await club.told()] == ["history", "edit"]


# ---------------------------------------------------------------- after a start


async def test_what_another_process_changes_before_discord_is_connected_waits_for_the_start(
    club: Club,
) -> None:
    """Without a login there is nobody to ask, and the start finds it in the ledger."""
    await club.crashes()
    club.delivery = club.started()
    await club.does(ALICE, to_bob())
    await club.idle()
    before = len(club.discord.requests)
    await club.delivery.start()
    await club.idle()
    assert club._told == before
    assert [
        each.channel for each in club.discord.requests[before:] if "-# Offer 1" in each.text
    ] == [
        CHANNEL,
        BOBS,
    ]


async def test_after_a_start_nothing_is_asked_of_discord_where_nothing_is_owed(club: Club) -> None:
    await club.does(ALICE, to_bob())
    await club.crashes()
    assert await club.starts() == []


@pytest.mark.parametrize("what", ["thread", "add"])
async def test_a_thread_that_a_kill_left_half_open_is_not_opened_again(
    club: Club, what: str
) -> None:
    """Nor is it forgotten: those who were not added to it yet are."""
    gate = club.discord.hangs(what, CHANNEL if what == "thread" else 0, done=True)
    await club.does(ALICE, OpenNegotiation("sol", "the planet"))
    await gate.arrived.wait()
    await club.delivery.close()
    gate.released.set()
    requests = await club.starts()
    [thread] = club.discord.threads
    assert [each.pings for each in requests if each.what == "add"][-2:] == [(ALICE,), (BOB,)]
    assert [each.channel for each in requests if each.what == "send"] == [thread]
    assert await club.delivery.thread_of(1, 1) == (thread, ())
    assert await club.starts() == []


async def test_a_result_that_was_planned_and_not_sent_is_told_though_its_offer_is_over(
    club: Club,
) -> None:
    await club.does(ALICE, StartTurn())
    await club.does(ALICE, to_bob())
    await club.told()
    gate = club.discord.hangs("send", ALICES)
    await club.does(BOB, Sign(1))
    await gate.arrived.wait()
    await club.delivery.close()
    gate.released.set()
    await club.starts()
    assert ["· transaction 1 🤝" in each.text for each in club.discord.seen(ALICES)] == [True]
    assert await club.service.undelivered() == []


async def test_the_card_of_an_offer_that_ended_meanwhile_is_brought_to_its_end(club: Club) -> None:
    """Whatever the last entry was when it was sent, which is all that its record tells of when."""
    await club.crashes()
    await club.does(ALICE, to_bob())
    await club.does(BOB, Gain(Goods({"trade_good": 1})))
    await club.starts()
    gate = club.discord.hangs("edit", CHANNEL)
    await club.does(ALICE, EndOffer(offer=1, how="withdraw"))
    await gate.arrived.wait()
    await club.delivery.close()
    gate.released.set()
    await club.starts()
    [card] = [each for each in club.discord.seen(CHANNEL) if "Offer 1 ·" in each.text]
    assert "Withdrawn" in card.text
    assert not card.buttons


async def test_what_another_run_meant_to_send_and_nobody_wants_any_more_is_forgotten(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(life, "ECHO", 0.05)
    gate = club.discord.hangs("send", BOBS)
    await club.does(ALICE, to_bob())
    await gate.arrived.wait()
    await club.delivery.close()
    await club.does(ALICE, EndOffer(offer=1, how="withdraw"))
    await club.starts()
    await club.undelivered()
    await club.told()
    assert club.discord.seen(BOBS) == []
    assert await club.starts() == []


async def test_one_table_that_can_not_be_planned_keeps_no_other_waiting(
    club: Club, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    second = await club.open(CHANNEL + 1)
    await club.crashes()
    await club.does(ALICE, to_bob(), 1)
    await club.does(ALICE, to_bob(), second)
    broken, briefing = {second}, club.service.briefing

    async def breaks(table_id: int, *args: Any, **options: Any) -> Briefing | None:
        if table_id in broken:
            raise LedgerError("The ledger could not be read: disk I/O error.")
        return await briefing(table_id, *args, **options)

    monkeypatch.setattr(club.service, "briefing", breaks)
    monkeypatch.setattr(delivery, "PLAN_AGAIN", 0.05)
    assert places(await club.starts()) == [CHANNEL, BOBS]
    first = next(each for each in caplog.records if each.levelno >= logging.ERROR)
    assert first.name == "bot.delivery.delivery"
    broken.clear()
    await club.undelivered()
    assert len(club.discord.seen(BOBS)) == 2


async def test_one_table_that_discord_refuses_keeps_no_other_waiting(club: Club) -> None:
    second = await club.open(CHANNEL + 1)
    await club.crashes()
    club.discord.hangs("send", CHANNEL)
    await club.does(ALICE, to_bob(), 1)
    await club.does(ALICE, to_bob(), second)
    club.delivery = club.started()
    await club.delivery.start()
    await until(lambda: len(club.discord.seen(BOBS)) == 2)
    await club.undelivered(1)


async def test_the_newest_debts_are_paid_first(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    tables = [1]
    for more in range(1, 9):
        tables.append(await club.open(CHANNEL + more))
    await club.idle()
    await club.crashes()
    for table in tables:
        club.ahead += timedelta(minutes=1)
        await club.does(ALICE, to_bob(), table)
    monkeypatch.setattr(delivery, "PLANNED_AT_ONCE", 1)
    told = [
        each.channel - CHANNEL + 1 for each in await club.starts() if each.channel < CHANNEL + 9
    ]
    assert told == [9, 8, 7, 1, 6, 5, 4, 2, 3]


@given(st.lists(st.integers(), unique=True))
def test_of_four_the_first_three_are_the_newest_and_the_last_is_the_oldest(
    tables: list[int],
) -> None:
    order, left = newest_first(tables), list(tables)
    assert sorted(order) == sorted(tables)
    for number, table in enumerate(order):
        assert left.pop(-1 if number % 4 == 3 else 0) == table


# ---------------------------------------------------------------- what this process does not delive


async def test_a_table_of_another_process_is_left_to_it(club: Club) -> None:
    await club.crashes()
    club.delivery = club.started(owns=lambda guild_id: guild_id != SERVER)
    await club.does(ALICE, to_bob())
    await club.delivery.start()
    await club.idle()
    assert await club.told() == []
    assert await club.service.undelivered() == [1]


async def test_tables_that_have_nothing_to_do_are_dropped_from_memory(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delivery, "TABLES_KEPT", 2)
    club.discord.fails("send", BOBS, 503, times=99)
    await club.does(ALICE, to_bob())
    await club.told()
    for more in range(1, 5):
        await club.open(CHANNEL + more)
        await club.idle()
    assert set(club.delivery._tables) == {1, 5}  # there is something to do at the first


# ---------------------------------------------------------------- the clock


async def test_a_failed_delivery_does_not_stop_the_clock(club: Club) -> None:
    clock = DeadlineClock(club.service, club.now)
    for what in ("send", "edit"):
        club.discord.refuses(what, CHANNEL, 503)
    await club.does(ALICE, to_bob(lasts=10_000))
    await club.told()
    club.ahead = timedelta(seconds=9.7)
    await clock.start()
    async with asyncio.timeout(60):
        while await club.service.deadlines():  # noqa: ASYNC110  (the ledger tells nobody)
            await asyncio.sleep(0.01)
    await clock.close()


# ---------------------------------------------------------------- the end


async def test_before_the_end_what_is_under_way_is_finished(club: Club) -> None:
    gate = club.discord.hangs("send", BOBS)
    await club.does(ALICE, to_bob())
    await gate.arrived.wait()
    asyncio.get_running_loop().call_later(0.05, gate.released.set)
    await club.delivery.finish(60)
    assert len(club.discord.seen(BOBS)) == 1


async def test_before_the_end_nothing_new_is_begun(club: Club) -> None:
    await club.delivery.finish(1)
    await club.does(ALICE, to_bob())
    await club.idle()
    assert club.discord.seen(BOBS) == []


async def test_the_end_does_not_wait_for_what_takes_too_long(club: Club) -> None:
    gate = club.discord.hangs("send", BOBS)
    await club.does(ALICE, to_bob())
    await gate.arrived.wait()
    async with asyncio.timeout(60):
        await club.delivery.finish(0.05)
        await club.delivery.close()
    assert await club.service.undelivered() == [1]
