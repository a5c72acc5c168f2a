"""Delivery on a real service and ledger, and a Discord of a few lines."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, cast

import discord
import pytest

from bot.delivery import Delivery, delivery
from bot.ledger import Ledger
from bot.rules.commands import Command
from bot.rules.games.ti4.commands import StartTurn
from bot.rules.holdings.commands import SetHoldings
from bot.rules.model.goods import Goods
from bot.rules.negotiations.commands import OpenNegotiation
from bot.rules.offers.commands import PostOffer, Sign
from bot.rules.seats.commands import Sit
from bot.rules.tables.commands import CloseTable
from bot.service import Outcome, Requester, Service
from tests.delivery.briefings import ALICE, BOB, CHANNEL
from tests.delivery.fake import DMS, Discord, Request

SERVER = 7
NAMES = {ALICE: "alice", BOB: "bob"}


class Club:
    """A table at which alice and bob sit."""

    def __init__(self, ledger: Ledger) -> None:
        self.discord, self.ledger = Discord(), ledger
        self.ahead = timedelta()
        self.service = Service(ledger, self.now)
        self.delivery = self.started()

    def now(self) -> datetime:
        return datetime.now(UTC) + self.ahead

    def started(self, pace: float = 0) -> Delivery:
        """Return delivery as after a start: it remembers only what is stored."""
        return Delivery(cast(discord.Client, self.discord), self.service, pace, clock=self.now)

    async def open(self, channel: int = CHANNEL) -> int:
        opened = await self.service.open_table(requester(ALICE), game="ti4", name="Friday", channel_id=channel)
        for user, seat in ((ALICE, "hacan"), (BOB, "sol")):
            await self.service.execute(opened.table_id, requester(user), sit(user, seat))
        goods = SetHoldings("hacan", Goods({"trade_good": 5}))
        await self.service.execute(opened.table_id, requester(ALICE), goods)
        return opened.table_id

    async def does(self, user: int, command: Command, table_id: int = 1) -> Outcome:
        return await self.service.execute(table_id, requester(user), command)

    async def tells(self, **options: Any) -> list[Request]:
        """Deliver, and return what that asked of Discord beside the board."""
        before = len(self.discord.requests)
        await self.delivery.deliver(1, **options)
        return [each for each in self.discord.requests[before:] if not is_board(each)]


def is_board(request: Request) -> bool:
    return request.text.startswith("### Friday") and "chain" not in request.text


def requester(user: int) -> Requester:
    return Requester(user, NAMES[user], SERVER)


def sit(user: int, seat: str) -> Any:
    return lambda people: Sit(seat, people.number(user, NAMES[user]))


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    ledger = await Ledger.open(f"sqlite:///{tmp_path / 'bourse.db'}")
    club = Club(ledger)
    await club.open()
    await club.delivery.deliver(1)
    yield club
    await club.delivery.close()
    await ledger.close()


def to_bob(**changes: Any) -> PostOffer:
    return PostOffer(to="sol", give=Goods({"trade_good": 1}), **changes)


async def test_news_are_told_once(club: Club) -> None:
    await club.does(ALICE, to_bob())
    assert [each.channel for each in await club.tells()] == [CHANNEL, BOB + DMS]
    assert await club.tells() == []
    assert await club.service.undelivered() == []


async def test_two_passes_at_once_send_one_message(club: Club) -> None:
    await club.does(ALICE, to_bob())
    await asyncio.gather(*(club.delivery.deliver(1) for _ in range(3)))
    assert sum(each.channel == BOB + DMS for each in club.discord.requests) == 1


async def test_what_failed_is_told_next_time_and_the_rest_not_twice(club: Club) -> None:
    await club.does(ALICE, to_bob())
    club.discord.refusing["send", BOB + DMS] = (503, 0)
    with pytest.raises(discord.HTTPException):
        await club.tells()
    assert await club.service.undelivered() == [1]
    club.discord.refusing.clear()
    assert [each.channel for each in await club.tells()] == [BOB + DMS]
    assert await club.service.undelivered() == []


async def test_those_who_were_pinged_are_named(club: Club) -> None:
    club.discord.refusing["send", BOB + DMS] = (403, 50007)
    posted = await club.does(ALICE, to_bob())
    await club.tells()
    assert await club.delivery.unreached(posted) == [BOB]


async def test_those_who_had_a_dm_are_not(club: Club) -> None:
    posted = await club.does(ALICE, to_bob())
    await club.tells()
    assert await club.delivery.unreached(posted) == []


async def test_after_a_start_what_was_not_told_is_told(club: Club) -> None:
    await club.does(ALICE, to_bob())
    before = len(club.discord.requests)
    await club.delivery.close()
    club.delivery = club.started()
    await club.delivery.catch_up()
    sent = [each for each in club.discord.requests[before:] if each.what == "send" and not is_board(each)]
    assert [each.channel for each in sent] == [CHANNEL, BOB + DMS]


async def test_after_a_start_one_table_that_fails_does_not_keep_the_others_waiting(
    club: Club, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(delivery, "CATCH_UP_PAUSE", 0)
    await club.open(CHANNEL + 1)
    await club.does(ALICE, to_bob(), 2)
    await club.does(ALICE, to_bob(), 1)
    club.discord.refusing["send", CHANNEL] = (503, 0)
    await club.delivery.catch_up()
    assert await club.service.undelivered() == [1]
    assert [each.name for each in caplog.records if each.levelno >= logging.ERROR] == ["bot.delivery.delivery"]


async def test_a_look_at_every_message_is_taken_once_a_minute(club: Club) -> None:
    await club.does(ALICE, to_bob())
    await club.tells()
    assert [each.what for each in await club.tells(check=True)] == ["edit", "edit"]
    assert await club.tells(check=True) == []


async def until(true: Callable[[], Awaitable[bool]]) -> None:
    async with asyncio.timeout(5):
        while not await true():  # noqa: ASYNC110  (what is waited for is in the ledger, which tells nobody)
            await asyncio.sleep(0.01)


async def test_a_deadline_rings_although_nobody_acts(club: Club) -> None:
    await club.does(ALICE, to_bob(lasts=10_000))
    club.ahead = timedelta(seconds=9.7)
    await club.tells()

    async def told() -> bool:
        return sum("Its time is up" in each.text for each in club.discord.requests) == 2

    await until(told)
    assert not any(each.buttons for each in club.discord.requests if "Its time is up" in each.text)


async def test_a_failed_delivery_does_not_stop_the_clock(club: Club) -> None:
    await club.does(ALICE, to_bob(lasts=10_000))
    club.ahead = timedelta(seconds=9.7)
    club.discord.refusing["send", CHANNEL] = (503, 0)
    with pytest.raises(discord.HTTPException):
        await club.tells()

    async def rung() -> bool:
        return await club.service.deadlines() == []

    await until(rung)


async def test_a_result_is_told_to_the_side_that_did_not_press(club: Club) -> None:
    await club.does(ALICE, StartTurn())
    await club.does(ALICE, to_bob())
    await club.tells()
    await club.does(BOB, Sign(1))
    told = [each for each in await club.tells() if "Done: transaction 1 with" in each.text]
    assert [each.channel for each in told] == [ALICE + DMS]


async def test_where_no_thread_can_be_opened_a_negotiation_goes_on_without(club: Club) -> None:
    await club.does(ALICE, OpenNegotiation("sol", "the planet"))
    await club.tells()
    assert await club.delivery.thread_of(1, 1) is None
    await club.does(ALICE, to_bob(negotiation=1))
    assert [each.channel for each in await club.tells()] == [BOB + DMS]


async def test_what_was_said_elsewhere_is_announced(club: Club) -> None:
    await club.delivery.announce(1, "hello")
    await club.delivery.announce(99, "nobody")
    assert [each.text for each in club.discord.requests if each.text in ("hello", "nobody")] == ["hello"]


async def test_a_board_is_edited_at_its_pace(club: Club) -> None:
    club.delivery = club.started(pace=0.2)
    for _ in range(3):
        await club.does(ALICE, to_bob())
        await club.delivery.deliver(1)
    boards = [each for each in club.discord.requests if is_board(each)]
    await asyncio.sleep(0.4)
    later = [each for each in club.discord.requests if is_board(each)][len(boards) :]
    assert len(later) == 1
    assert "#3" in later[0].text.replace("\\", "")


async def test_a_table_that_is_not_there_is_nothing_to_deliver(club: Club) -> None:
    await club.delivery.deliver(99)


async def test_a_closed_table_is_told_of_and_left_in_peace(club: Club) -> None:
    await club.does(ALICE, to_bob())
    await club.tells()
    await club.does(ALICE, CloseTable())
    told = await club.tells()
    assert any("head of its chain" in each.text for each in told)
    assert any("No longer possible" in each.text and not each.buttons for each in told)
