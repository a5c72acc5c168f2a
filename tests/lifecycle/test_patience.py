"""Tests of retries: the operator is told now and then, and expected errors are one line of the
log.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from types import SimpleNamespace
from typing import Any

import aiohttp
import discord
import pytest

from bot.ledger import LedgerError
from bot.lifecycle import Retries, failures
from bot.lifecycle.failures import PlainErrors
from bot.tasks import Stopped, unless_stopped


class Work:
    """Fails with these errors, one after another, then succeeds."""

    def __init__(self, *errors: BaseException) -> None:
        self.errors = list(errors)

    async def __call__(self) -> str:
        if self.errors:
            raise self.errors.pop(0)
        return "done"


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """How long it waited each time; no time passes."""
    waited: list[float] = []

    async def sleep(seconds: float) -> None:
        waited.append(seconds)

    monkeypatch.setattr("bot.lifecycle.failures.asyncio.sleep", sleep)
    monkeypatch.setattr("bot.lifecycle.failures.random.uniform", lambda _low, high: high)
    return waited


async def test_pauses_grow_up_to_a_minute(
    pauses: list[float], caplog: pytest.LogCaptureFixture
) -> None:
    work = Work(*(aiohttp.ServerDisconnectedError() for _ in range(9)))
    assert await Retries().attempt(work) == "done"
    assert pauses == [1, 2, 4, 8, 16, 32, 60, 60, 60]
    assert [record.levelname for record in caplog.records] == ["ERROR", "WARNING"], (
        "once each: away, and back"
    )


async def test_another_reason_is_told(
    pauses: list[float], caplog: pytest.LogCaptureFixture
) -> None:
    await Retries().attempt(
        Work(aiohttp.ServerDisconnectedError(), OSError("another"), OSError("another"))
    )
    assert len(caplog.records) == 3


async def test_it_waits_as_long_as_discord_asks_or_cloudflare_before_it(
    pauses: list[float],
) -> None:
    answer: Any = SimpleNamespace(status=429, reason="", headers={"Retry-After": "3600"})
    shut_out = discord.HTTPException(answer, "<html>")
    no_gateway = discord.GatewayNotFound()
    no_gateway.__cause__ = shut_out
    await Retries().attempt(Work(discord.RateLimited(700.0), shut_out, no_gateway))
    assert pauses == [700.0, 3600.0, 3600.0]


async def test_what_does_not_pass_is_raised(pauses: list[float]) -> None:
    for error in (discord.LoginFailure("no"), LedgerError("no"), KeyError("no")):
        with pytest.raises(type(error)):
            await Retries().attempt(Work(error))
    assert pauses == []


async def test_work_ends_when_the_program_is_to_stop() -> None:
    stopped, cancelled = asyncio.Event(), asyncio.Event()

    async def work() -> None:
        stopped.set()
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.set()

    with pytest.raises(Stopped):
        await unless_stopped(stopped, work())
    assert cancelled.is_set()


async def test_work_that_is_done_first_gives_its_result() -> None:
    assert await unless_stopped(asyncio.Event(), Work()()) == "done"
    with pytest.raises(KeyError):
        await unless_stopped(asyncio.Event(), Work(KeyError("no"))())


def record(error: BaseException, text: str = "Shard %s failed") -> logging.LogRecord:
    try:
        raise error
    except type(error):
        return logging.LogRecord("discord.shard", logging.ERROR, "", 0, text, (0,), sys.exc_info())


def test_an_expected_error_is_a_line_and_not_repeated() -> None:
    plain = PlainErrors()
    first = record(ConnectionResetError("reset\nby peer"))
    assert plain.filter(first)
    assert logging.Formatter().format(first) == "Shard 0 failed (reset)"
    assert not plain.filter(record(ConnectionResetError("reset\nby peer")))
    assert plain.filter(record(ConnectionResetError("another")))


def test_no_more_lines_are_remembered_than_may_be_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(failures, "REMEMBERED", 8)
    monkeypatch.setattr(failures, "REPEATED_EVERY", 0.0)
    plain = PlainErrors()
    for number in range(100):
        assert plain.filter(record(ConnectionResetError(f"reset {number}")))
    assert len(plain._logged_at) <= 8


def test_a_defect_keeps_its_traceback() -> None:
    plain = PlainErrors()
    for _ in range(2):
        defect = record(KeyError("defect"))
        assert plain.filter(defect)
        assert "Traceback" in logging.Formatter().format(defect)
