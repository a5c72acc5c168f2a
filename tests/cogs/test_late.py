"""Tests that late interactions are deferred first, by Discord's time and not by this machine's."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import aiohttp
import pytest
from aiohttp import web

from bot.lifecycle import DiscordTime, interactions
from cogs import answers
from cogs.answers import answer_to
from cogs.errors import explain
from tests.cogs.exchange import (
    COMPLETION,
    UNKNOWN_INTERACTION,
    Exchange,
    Slow,
    answering,
    outage,
    told,
)
from tests.errors import error

pytestmark = pytest.mark.usefixtures("quick")


@dataclass
class Clocks:
    """A steady clock, and Discord's time, which is ahead of it by so much."""

    steady: float = 1_000.0
    ahead: float = 1_700_000_000.3

    def discord(self) -> DiscordTime:
        return DiscordTime(lambda: self.steady)

    def date(self) -> datetime:
        """Discord's time as a response over HTTP tells it."""
        return datetime.fromtimestamp(int(self.steady + self.ahead), UTC)

    def responds(self, time: DiscordTime, took: float = 0.1) -> None:
        """A request is answered, on whose way back half of the time passes."""
        sent = self.steady
        self.steady += took / 2
        date = self.date()
        self.steady += took / 2
        time.responded(sent, date)

    def made(self, ago: float) -> datetime:
        return datetime.fromtimestamp(self.steady + self.ahead - ago, UTC)


@pytest.fixture
def clocks() -> Clocks:
    return Clocks()


@pytest.fixture
def time(clocks: Clocks) -> DiscordTime:
    """What a new process knows after a few requests."""
    time = clocks.discord()
    for _ in range(3):
        clocks.responds(time)
        clocks.steady += 0.4
    return time


async def arrive(
    clocks: Clocks, time: DiscordTime, age: float, **changes: Any
) -> tuple[Exchange, list[float]]:
    """Have an interaction of this age arrive; return it, and its age if it was carried out."""
    exchange, done = Exchange(created_at=clocks.made(age), **changes), list[float]()

    async def work() -> None:
        done.append(age)
        await answer_to(exchange.it).send("one")

    await answering(time=time).handle(exchange.it, work)
    return exchange, done


AT_ONCE, AFTER_A_WHILE = [("send", "one")], [("think", ""), ("edit", "one")]


async def test_one_that_comes_late_is_deferred_first(clocks: Clocks, time: DiscordTime) -> None:
    exchange, done = await arrive(clocks, time, 2.2)
    assert told(exchange) == AFTER_A_WHILE
    assert done == [2.2]


async def test_one_whose_person_was_told_that_it_failed_is_not_carried_out(
    clocks: Clocks, time: DiscordTime
) -> None:
    exchange, done = await arrive(clocks, time, 3.0, errors=[error(*UNKNOWN_INTERACTION)])
    assert (exchange.asked, done) == (["think"], [])


@pytest.mark.parametrize(
    ("ran", "level"), [(1.0, logging.DEBUG), (5.1, logging.WARNING), (60.0, logging.WARNING)]
)
async def test_one_older_than_the_process_is_no_warning(
    clocks: Clocks, time: DiscordTime, caplog: pytest.LogCaptureFixture, ran: float, level: int
) -> None:
    caplog.set_level(logging.DEBUG, "cogs.answers")
    exchange, late = (
        Exchange(created_at=clocks.made(5.0), errors=[error(*UNKNOWN_INTERACTION)]),
        answering(time=time),
    )
    late.since -= ran
    await late.handle(exchange.it, Slow(lambda: answer_to(exchange.it).send("one")))
    assert [
        each.levelno for each in caplog.records if "not answered in time" in each.getMessage()
    ] == [level]


async def test_a_command_that_is_deferred_too_late_is_no_defect(
    clocks: Clocks, time: DiscordTime, caplog: pytest.LogCaptureFixture
) -> None:
    exchange = Exchange(created_at=clocks.made(1.0), errors=[error(*UNKNOWN_INTERACTION)])

    async def command() -> None:
        try:
            await answer_to(exchange.it).defer()
        except Exception as failed:  # noqa: BLE001  (as the tree and the router do)
            await explain(exchange.it, failed)

    caplog.set_level(logging.DEBUG, "cogs")
    await answering(time=time).handle(exchange.it, command)
    assert [each.getMessage() for each in caplog.records if each.levelno > logging.DEBUG] == []
    assert "an interaction was not answered in time and is not carried out" in caplog.messages


async def test_nor_is_a_late_one_that_can_not_be_deferred(
    clocks: Clocks, time: DiscordTime
) -> None:
    _, done = await arrive(clocks, time, 2.2, errors=[outage() for _ in range(9)])
    assert done == []


@pytest.mark.parametrize("age", [0.5, 2.2])
async def test_what_discord_takes_from_nobody_is_a_line_in_the_log(
    clocks: Clocks, time: DiscordTime, caplog: pytest.LogCaptureFixture, age: float
) -> None:
    """Neither the deferral, nor the answer, nor the word that it failed."""
    exchange = Exchange(created_at=clocks.made(age), errors=[error(401, 50027) for _ in range(9)])

    async def command() -> None:
        try:
            await answer_to(exchange.it).send("one")
        except Exception as failed:  # noqa: BLE001  (as the tree and the router do)
            await explain(exchange.it, failed)

    await answering(time=time).handle(exchange.it, command)
    assert [each.getMessage() for each in caplog.records if each.name == "cogs.answers"] == [
        "Discord took no answer: 401  (error code: 50027)"
    ]


async def test_one_that_another_process_answers_is_not_carried_out_late(
    clocks: Clocks, time: DiscordTime
) -> None:
    _, done = await arrive(clocks, time, 2.2, taken=True)
    assert done == []


async def test_one_that_comes_in_time_is_not_deferred(clocks: Clocks, time: DiscordTime) -> None:
    exchange, _ = await arrive(clocks, time, 0.9)
    assert told(exchange) == AT_ONCE


async def test_its_deferral_is_counted_from_when_it_was_made(
    clocks: Clocks, time: DiscordTime
) -> None:
    exchange = Exchange(created_at=clocks.made(1.4))
    work = Slow(lambda: answer_to(exchange.it).send("one"))
    answer = answers.Answer(exchange.it, time.age(exchange.created_at))
    answer.arm()
    assert answer._timer is not None
    assert answer._timer.when() <= asyncio.get_running_loop().time() + answers.DEFER_AFTER - 0.4
    answer.disarm()
    assert not work.done


@pytest.mark.parametrize("took", [0.1, 2.0])
@pytest.mark.parametrize("fraction", range(10))
async def test_nor_is_one_thought_younger_than_it_is(took: float, fraction: int) -> None:
    """After a single request, whatever part of a second its date leaves out."""
    clocks = Clocks(ahead=1_700_000_000 + fraction / 10)
    time = clocks.discord()
    clocks.responds(time, took)
    exchange, _ = await arrive(clocks, time, answers.DEFER_AFTER)
    assert told(exchange) == AFTER_A_WHILE


@pytest.mark.parametrize("stopped", [3.0, 5.0, 3600.0])
async def test_what_waited_while_a_new_process_was_stopped_is_not_carried_out(
    stopped: float,
) -> None:
    """The first interactions of a process, after a single request."""
    for fraction in range(10):
        clocks = Clocks(ahead=1_700_000_000 + fraction / 10)
        time = clocks.discord()
        clocks.responds(time, took=0.4)
        made = clocks.made(0.0)
        clocks.steady += stopped
        for _ in range(3):
            exchange, done = (
                Exchange(created_at=made, errors=[error(*UNKNOWN_INTERACTION)]),
                list[str](),
            )

            async def work(done: list[str] = done) -> None:
                done.append("done")

            await answering(time=time).handle(exchange.it, work)
            assert (exchange.asked, done) == (["think"], [])


@pytest.mark.parametrize("step", [-3600.0, -2.0, 2.0, 3600.0])
async def test_a_clock_that_was_set_keeps_nobody_waiting(
    clocks: Clocks, time: DiscordTime, step: float
) -> None:
    """Nobody can set the steady clock; but were it to jump, the next response puts that right."""
    clocks.ahead += step
    await arrive(clocks, time, 0.2)
    clocks.responds(time)
    exchange, _ = await arrive(clocks, time, 0.2)
    assert told(exchange) == AT_ONCE
    assert time.age(clocks.made(3.0)) > answers.DEFER_AFTER


async def test_a_clock_that_runs_wrong_is_followed(clocks: Clocks, time: DiscordTime) -> None:
    for drift in (-0.0002, 0.0002):
        for _ in range(500):
            clocks.steady += 60
            clocks.ahead += 60 * drift
            clocks.responds(time)
            exchange, _ = await arrive(clocks, time, 0.2)
            assert told(exchange) == AT_ONCE
            assert time.age(clocks.made(3.0)) > answers.DEFER_AFTER


async def test_the_machines_clock_is_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    time = DiscordTime()
    time.responded(interactions.steady(), datetime.now(UTC))
    made = datetime.now(UTC)
    monkeypatch.setattr(interactions.time, "time", lambda: 0.0)
    assert 0 <= time.age(made) < 1.5


async def test_before_discord_said_what_time_it_is_nothing_is_late(clocks: Clocks) -> None:
    exchange, _ = await arrive(clocks, clocks.discord(), 5.0)
    assert told(exchange) == AT_ONCE


async def test_responses_tell_the_time() -> None:
    async def answer(_request: web.Request) -> web.Response:
        return web.Response(headers={"Date": "Tue, 14 Nov 2023 22:13:20 GMT"})

    async def without(_request: web.Request) -> web.Response:
        return web.Response(headers={"Date": "noon"})

    app, clocks = web.Application(), Clocks(ahead=1_700_000_000 - 1_000.0)
    app.add_routes([web.get("/", answer), web.get("/without", without)])
    time, runner = clocks.discord(), web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    port = runner.addresses[0][1]
    try:
        async with aiohttp.ClientSession(trace_configs=[time.trace()]) as session:
            await (await session.get(f"http://127.0.0.1:{port}/without")).read()
            assert time.age(clocks.made(5.0)) == 0
            await (await session.get(f"http://127.0.0.1:{port}/")).read()
            assert time.age(clocks.made(5.0)) == 6  # it may be almost a second later than it says
    finally:
        await runner.cleanup()


async def test_a_late_completion_is_made_all_the_same(clocks: Clocks, time: DiscordTime) -> None:
    _, done = await arrive(clocks, time, 2.5, type=COMPLETION)
    assert done == [2.5]
