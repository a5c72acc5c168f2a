"""Tests of background tasks: failures are logged, and permanent tasks are restarted."""

from __future__ import annotations

import ast
import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import Any

import discord
import pytest
from sqlalchemy import Connection

from bot import tasks
from bot.app import Bourse
from bot.ledger import Ledger, health
from bot.ledger.claims import _Session
from bot.ledger.engine import SQLite, address
from bot.ledger.writer import Writer
from bot.lifecycle.interactions import EVENT, guard_arrivals
from bot.rules.features.holdings import Gain
from bot.service import TableChange
from bot.service.clock import DeadlineClock
from bot.service.gate import Members
from bot.service.peers import Peers
from bot.service.requests import Shards
from bot.settings import Settings
from bot.tasks import Tasks
from tests.service.club import ALICE, Club, tg
from tests.waiting import until

ROOT = Path(__file__).parent.parent
BEGIN = {"create_task", "ensure_future", "Task", "TaskGroup"}
"""Names in asyncio by which a task begins."""
MAY_BEGIN = {
    Path("bot/tasks.py"),
    Path("bot/rehearsal/watching.py"),  # hands work to the loop of a play's thread, and awaits it
}


class Defect(Exception):
    """What nobody expects."""


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "FIRST_PAUSE", 0.0, raising=False)


@pytest.fixture
async def owner() -> AsyncIterator[Tasks]:
    owner = Tasks()
    yield owner
    await owner.close()


class Fails:
    """Fails the first time, then does its work."""

    def __init__(self, work: Callable[..., Any] = lambda *_about: None) -> None:
        self.calls = 0
        self.again = asyncio.Event()
        self._work = work

    def now(self, *about: Any, **_options: Any) -> Any:
        self.calls += 1
        if self.calls == 1:
            raise Defect
        self.again.set()
        return self._work(*about)

    async def __call__(self, *about: Any, **_options: Any) -> Any:
        done = self.now(*about)
        return await done if isinstance(done, Awaitable) else done

    async def is_repeated(self) -> None:
        async with asyncio.timeout(20):
            await self.again.wait()


def failures(caplog: pytest.LogCaptureFixture) -> list[str]:
    """What was logged with a defect."""
    return [
        each.message
        for each in caplog.records
        if each.exc_info and isinstance(each.exc_info[1], Defect)
    ]


async def forever() -> None:
    await asyncio.Event().wait()


def test_only_an_owner_begins_a_task() -> None:
    folders = [ROOT / folder for folder in ("bot", "cogs", "data")]
    sources = chain.from_iterable(folder.rglob("*.py") for folder in folders)
    begins = {path.relative_to(ROOT) for path in sources if BEGIN & called_in(path)}
    assert begins == MAY_BEGIN


def called_in(source: Path) -> set[str]:
    """Return the names of the functions that a module calls; none if it has no name of `BEGIN`."""
    text, names = source.read_text("utf-8"), set[str]()
    if not any(name in text for name in BEGIN):
        return names
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name)):
                names.add(name)
    return names


# ---------------------------------------------------------------- an owner


async def test_what_a_task_raises_is_logged(owner: Tasks, caplog: pytest.LogCaptureFixture) -> None:
    await asyncio.wait([owner.start("a small thing", Fails()())])
    assert failures(caplog) == ["a small thing failed"]
    assert owner.running == []


async def test_what_is_kept_begins_again_until_it_returns(
    owner: Tasks, caplog: pytest.LogCaptureFixture
) -> None:
    work = Fails()
    await owner.keep("a watch", work)
    assert work.calls == 2
    assert failures(caplog) == ["a watch failed and begins again in 0 s"]


async def test_each_pause_is_longer_up_to_a_minute(
    owner: Tasks, monkeypatch: pytest.MonkeyPatch
) -> None:
    paused: list[float] = []

    async def sleep(seconds: float) -> None:
        paused.append(seconds)

    async def work() -> None:
        if len(paused) < 9:
            raise Defect

    monkeypatch.setattr(tasks, "FIRST_PAUSE", 1.0)
    monkeypatch.setattr(tasks.asyncio, "sleep", sleep)
    await owner.keep("a watch", work)
    assert paused == [1, 2, 4, 8, 16, 32, 60, 60, 60]


async def test_what_is_cancelled_is_no_failure(
    owner: Tasks, caplog: pytest.LogCaptureFixture
) -> None:
    owner.start("one", forever())
    owner.keep("two", forever)
    await asyncio.sleep(0)
    await owner.close()
    assert owner.running == []
    assert not caplog.records


# ---------------------------------------------------------------- each kind of task


@pytest.fixture
async def ledger(tmp_path: Path) -> AsyncIterator[Ledger]:
    ledger = await Ledger.open(str(tmp_path / "bourse.db"))
    yield ledger
    await ledger.close()


class Claim:
    """A claim that tells nobody anything."""

    lost = asyncio.Event()
    notify = Fails()

    def listen(self, listener: Any) -> None:
        pass


@pytest.mark.parametrize("broken", ["_heads", "notify", "_refresh_table"])
async def test_changes_of_other_processes(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, broken: str
) -> None:
    """Looking for them, telling of them and reading them goes on after a defect."""
    club, claim = Club(ledger), Claim()
    await club.set_up()
    peers = Peers(club.service, Shards((0,), 2), claim)
    await peers.start()
    fails = Fails(peers._heads if broken == "_heads" else lambda *_about: asyncio.sleep(0))
    monkeypatch.setattr(claim if broken == "notify" else peers, broken, fails)
    for _ in range(2):
        if broken == "notify":
            peers._note(TableChange(1, 1 << 22, 1, None))
        elif broken == "_refresh_table":
            peers._to_read.add(1)
            peers._read.set()
        else:
            peers._look.set()
        await until(lambda: fails.calls)
        await asyncio.sleep(0.01)
    await fails.is_repeated()
    await peers.close()
    assert len(failures(caplog)) == 1


async def test_the_claim_on_the_shards(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    session, fails = _Session(address("postgresql://nowhere/none"), (0,), 1), Fails(forever)
    monkeypatch.setattr(session, "_connect", _nothing)
    monkeypatch.setattr(session, "_take", _nothing)
    monkeypatch.setattr(session, "_until_broken", fails)
    await session.start(print)
    await fails.is_repeated()
    await session.close()
    assert len(failures(caplog)) == 1


async def test_a_listener_of_the_claim_that_fails_silences_no_other(
    caplog: pytest.LogCaptureFixture,
) -> None:
    session = _Session(address("postgresql://nowhere/none"), (0,), 1)
    heard: list[str | None] = []
    session.listen(Fails().now)
    session.listen(heard.append)
    session._tell("1 2")
    assert heard == ["1 2"]
    assert len(failures(caplog)) == 1


async def test_a_listener_of_changes_that_fails_silences_no_other(
    ledger: Ledger, caplog: pytest.LogCaptureFixture
) -> None:
    club, heard = Club(ledger), list[TableChange]()
    await club.set_up()
    club.service.subscribe(Fails().now)
    club.service.subscribe(heard.append)
    assert (await club.does(ALICE, Gain(tg(1)))).recorded
    assert len(heard) == 1
    assert len(failures(caplog)) == 1


async def test_the_ledgers_writer(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    database = SQLite(address(str(tmp_path / "x.db")))

    def perform(_connection: Connection, requests: Any) -> Any:
        return [] if "odd" in requests else requests  # a defect: an answer is missing

    writer: Writer[str, str] = Writer(database, perform, lambda *_about: None)
    writer.start()
    with pytest.raises(Exception, match="stopped before"):
        await writer.write("odd")
    async with asyncio.timeout(20):
        assert await writer.write("ordinary") == "ordinary"
    await writer.close()
    await database.close()
    assert any("the ledger's writer failed" in each.message for each in caplog.records)


async def test_writing_what_was_shown(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(ledger.messages, "flush", Fails())
    ledger.messages._begin()
    await until(lambda: failures(caplog))


async def test_asking_for_a_member(caplog: pytest.LogCaptureFixture) -> None:
    """Those who wait for the answer get the error, but may have left."""
    with pytest.raises(Defect):
        await Members(Fails()).is_member(1, 2)
    assert len(failures(caplog)) == 1


async def test_watching_the_database_and_icons(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """What runs beside the bot."""
    from bot import app

    looks, icons = Fails(), Fails()
    monkeypatch.setattr(health, "LOOKED_EVERY", 0.0)
    monkeypatch.setattr(ledger.health, "look", looks.now)
    bot = Bourse(Settings(discord_token="x" * 50), ledger, shard_count=1)
    monkeypatch.setattr(bot, "log_in", _nothing)
    monkeypatch.setattr(bot, "have_icons", icons)
    stopped = asyncio.Event()

    async def connected(**_options: Any) -> None:
        await forever()

    monkeypatch.setattr(bot, "connect", connected)
    running = asyncio.create_task(app._run_on(bot, Claim(), stopped, print))
    await looks.is_repeated()
    await until(lambda: len(failures(caplog)) > 1)
    stopped.set()
    with pytest.raises(tasks.Stopped):
        await running
    assert sorted(each.split(" failed")[0] for each in failures(caplog)) == [
        "uploading icons",
        "watching the database",
    ]


@pytest.mark.parametrize("part", ["clock", "delivery"])
async def test_catching_up_at_the_start(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, part: str
) -> None:
    fails = Fails()
    bot = await Bourse(Settings(), ledger, shard_count=1).__aenter__()
    monkeypatch.setattr(getattr(bot, part), "start", fails)
    with suppress(Defect):  # which discord.py would log
        await bot.on_ready()
    await fails.is_repeated()
    await bot.close()
    assert len(failures(caplog)) == 1


async def test_the_clock_goes_on_after_a_look_that_failed(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    club = Club(ledger)
    await club.set_up()
    clock = DeadlineClock(club.service, club.clock)
    monkeypatch.setattr(clock, "_start", Fails().now)
    with pytest.raises(Defect):
        clock.note(1, int(club.clock().timestamp() * 1000) + 10_000)
    assert clock._timer is not None
    await clock.close()


async def test_what_could_not_be_read_is_answered_or_heard_of(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    client = discord.Client(intents=discord.Intents.none())
    guard_arrivals(client)
    monkeypatch.setattr("bot.lifecycle.interactions.turn_away", Fails())
    client._connection.parsers[EVENT](
        {"id": "1", "application_id": "1", "type": 2, "token": "t", "version": 1}
    )
    await until(lambda: failures(caplog))


async def _nothing(*_about: Any, **_options: Any) -> None:
    pass
