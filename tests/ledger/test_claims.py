"""Tests of shards' owners, and of messages between processes."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import asyncpg  # type: ignore[import-untyped]
import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine

from bot.app import claim_shards
from bot.ledger import Ledger, LedgerError, claims
from bot.ledger.claims import Claim, _Session, claimed
from bot.ledger.engine import address
from bot.ledger.errors import Unreachable
from bot.ledger.health import not_opened
from tests.ledger.prepared import CUT_OFF_CLAIMS, emptied
from tests.waiting import until

ROOT = Path(__file__).parents[2]
SOON = 60.0  # seconds; a busy machine takes its time


@pytest.fixture
def server(request: pytest.FixtureRequest) -> str:
    """An empty PostgreSQL database."""
    return emptied(request.getfixturevalue("postgres"))


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(claims, "TRY_EVERY", 0.05)
    monkeypatch.setattr(claims, "CHECK_EVERY", 0.2)
    monkeypatch.setattr(claims, "HEAD_START", 1.0)


class Processes:
    """Claims of several processes, and what each was told while waiting."""

    def __init__(self, url: str, stack: AsyncExitStack) -> None:
        self.url, self.stack = url, stack
        self.said: list[str] = []

    async def claim(self, *ids: int, of: int) -> Claim:
        return await self.stack.enter_async_context(claimed(self.url, ids, of, self.said.append))

    def waits(self, *ids: int, of: int) -> asyncio.Task[Claim]:
        """Another process, which finds its shards taken. Its claim lasts until the test ends."""
        taken: asyncio.Future[Claim] = asyncio.get_running_loop().create_future()
        done = asyncio.Event()

        async def live() -> None:
            async with claimed(self.url, ids, of, self.said.append) as claim:
                taken.set_result(claim)
                await done.wait()

        async def end() -> None:
            done.set()
            task.cancel()
            await asyncio.wait([task])

        async def claim() -> Claim:
            return await taken

        task = asyncio.create_task(live())
        self.stack.push_async_callback(end)
        return asyncio.create_task(claim())


@pytest.fixture
async def processes(server: str) -> AsyncIterator[Processes]:
    async with AsyncExitStack() as stack:
        yield Processes(server, stack)


async def sql(url: str, statement: str) -> list[Any]:
    engine = create_async_engine(address(url), isolation_level="AUTOCOMMIT")
    try:
        async with engine.connect() as connection:
            return list((await connection.execute(text(statement))).all())
    finally:
        await engine.dispose()


async def cut_off(url: str) -> None:
    """Ends the connection of every claim, as a restart of the server does."""
    await sql(url, CUT_OFF_CLAIMS)


def heard_by(claim: Claim) -> list[str | None]:
    notices: list[str | None] = []
    claim.listen(notices.append)
    return notices


# ---------------------------------------------------------------- SQLite

HOLD = """
import asyncio, sys
from bot.ledger.claims import claimed
async def main():
    async with claimed(sys.argv[1], (0,), 1, print):
        print("here", flush=True)
        await asyncio.sleep(600)
asyncio.run(main())
"""


async def test_a_second_process_is_refused_on_a_file(file: Path) -> None:
    async with claimed(str(file), (0,), 1, pytest.fail):
        for name in (
            str(file),
            f"sqlite:///{file}",
            f"{file.parent}/../{file.parent.name}/{file.name}",
        ):
            with pytest.raises(LedgerError, match="in use by another Bourse"):
                async with claimed(name, (0,), 1, pytest.fail):
                    pass
    async with claimed(str(file), (0,), 1, pytest.fail):
        pass


async def test_a_file_that_has_a_process_can_still_be_read_and_written(file: Path) -> None:
    async with claimed(str(file), (0,), 1, pytest.fail) as claim:
        first, second = await Ledger.open(str(file)), await Ledger.open(str(file))
        await second.set_key_value("a", "b")
        assert await first.key_value("a") == "b"
        await first.close()
        await second.close()
        claim.listen(pytest.fail)
        await claim.notify(["nobody is there"])
        assert not claim.lost.is_set()


def test_a_killed_process_leaves_no_lock(file: Path) -> None:
    async def claim() -> None:
        async with claimed(str(file), (0,), 1, pytest.fail):
            pass

    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", HOLD, str(file)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"here\n"
        with pytest.raises(LedgerError, match="in use"):
            asyncio.run(claim())
        holder.kill()
        holder.wait()
        assert (file.parent / f"{file.name}.lock").exists()
        asyncio.run(claim())


async def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(LedgerError, match="there is no folder"):
        async with claimed(f"{tmp_path}/nowhere/bourse.db", (0,), 1, pytest.fail):
            pass


# ---------------------------------------------------------------- PostgreSQL


@pytest.mark.postgres
async def test_processes_with_different_shards_live_side_by_side(processes: Processes) -> None:
    await processes.claim(0, 2, of=4)
    await processes.claim(1, of=4)
    await processes.claim(3, of=4)
    assert processes.said == []


@pytest.mark.postgres
async def test_who_finds_a_shard_taken_waits_and_takes_over(processes: Processes) -> None:
    async with claimed(processes.url, (0, 1), 4, pytest.fail):
        waiting = processes.waits(1, 2, of=4)
        await until(lambda: processes.said)
        assert processes.said == [
            "Another process as the role postgres has shard 1 of 4. I wait until it has ended, "
            "then I start."
        ]
        await processes.claim(2, 3, of=4)  # what waits has not kept the half that was free
        assert not waiting.done()
    await until(lambda: len(processes.said) > 1)
    assert processes.said[1].startswith("Another process as the role postgres has shard 2 of 4.")
    assert not waiting.done()


@pytest.mark.postgres
async def test_who_is_overtaken_while_taking_the_shards_gives_back_what_it_has(
    processes: Processes, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def sees_nobody(_self: object) -> list[int]:
        return []

    async with claimed(processes.url, (1,), 2, pytest.fail):
        with monkeypatch.context() as patch:
            patch.setattr("bot.ledger.claims._Session._others", sees_nobody)
            patch.setattr("bot.ledger.claims.TRY_EVERY", 600.0)
            waiting = processes.waits(0, 1, of=2)
            await until(lambda: processes.said)
            assert processes.said == [
                "Another process has shard 1 of 2. I wait until it has ended, then I start."
            ]
        async with asyncio.timeout(SOON), claimed(processes.url, (0,), 2, pytest.fail):
            pass
        waiting.cancel()


@pytest.mark.postgres
async def test_a_killed_process_is_followed_at_once(processes: Processes) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    holder = await asyncio.create_subprocess_exec(
        sys.executable, "-c", HOLD, processes.url, stdout=subprocess.PIPE, env=environment
    )
    assert holder.stdout is not None
    assert await holder.stdout.readline() == b"here\n"
    waiting = processes.waits(0, of=1)
    await until(lambda: processes.said)
    holder.kill()
    await holder.wait()
    async with asyncio.timeout(SOON):
        await waiting


@pytest.mark.postgres
async def test_one_count_at_a_time(processes: Processes) -> None:
    async with claimed(processes.url, (0,), 2, pytest.fail):
        waiting = processes.waits(3, of=4)
        await until(lambda: processes.said)
        assert processes.said == [
            "Another process as the role postgres runs with 2 shards altogether, this one with 4. "
            "I wait until it has ended, then I start."
        ]
        assert not waiting.done()
    async with asyncio.timeout(SOON):
        await waiting


@pytest.mark.postgres
async def test_two_counts_at_the_same_moment(processes: Processes) -> None:
    both = [processes.waits(0, of=2), processes.waits(0, of=3)]
    async with asyncio.timeout(SOON):
        await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
    await asyncio.sleep(0.3)
    assert sum(each.done() for each in both) == 1
    for each in both:
        each.cancel()


@pytest.mark.postgres
async def test_notices_reach_the_others_and_only_them(processes: Processes) -> None:
    claims = [await processes.claim(shard, of=3) for shard in range(3)]
    heard = [heard_by(claim) for claim in claims]
    await claims[0].notify(["7 12", "8 12"])
    await claims[1].notify(["9 -"])
    await until(lambda: [len(each) for each in heard] == [1, 2, 3])
    assert heard == [["9 -"], ["7 12", "8 12"], ["7 12", "8 12", "9 -"]]


@pytest.mark.postgres
async def test_after_a_lost_connection_anything_may_have_been_missed(processes: Processes) -> None:
    first, second = [await processes.claim(shard, of=2) for shard in range(2)]
    heard = heard_by(second)
    await cut_off(processes.url)
    await until(lambda: heard == [None])

    async def notified() -> bool:
        try:
            await first.notify(["7 12"])
        except LedgerError:  # its own connection is not back yet
            return False
        return True

    while not await notified():  # noqa: ASYNC110
        await asyncio.sleep(0.01)
    await until(lambda: heard == [None, "7 12"])
    assert not first.lost.is_set()
    assert not second.lost.is_set()
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.5), claimed(processes.url, (1,), 2, lambda _: None):
            pass


@pytest.mark.postgres
async def test_a_connection_that_can_t_be_listened_on_is_made_anew(
    processes: Processes, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    claim = await processes.claim(0, of=1)
    heard, listen, failures = heard_by(claim), asyncpg.Connection.add_listener, ["cut off"]

    async def listens(driver: Any, channel: str, callback: Any) -> None:
        if failures:
            raise asyncpg.InternalClientError(failures.pop())
        await listen(driver, channel, callback)

    monkeypatch.setattr(asyncpg.Connection, "add_listener", listens)
    await cut_off(processes.url)
    await until(lambda: heard == [None])
    assert not failures
    assert [each for each in caplog.records if each.levelname == "ERROR"] == []


@pytest.mark.postgres
async def test_who_had_the_shards_has_them_again_though_somebody_waits(
    processes: Processes,
) -> None:
    first = await processes.claim(0, of=1)
    connect = first._connect  # type: ignore[attr-defined]

    async def slowly() -> None:
        await asyncio.sleep(0.3)
        await connect()

    first._connect = slowly  # type: ignore[attr-defined]
    heard = heard_by(first)
    waiting = processes.waits(0, of=1)
    await until(lambda: processes.said)
    assert processes.said == [
        "Another process as the role postgres has this database. I wait until it has ended, "
        "then I start."
    ]
    await cut_off(processes.url)
    await until(lambda: heard == [None])
    await asyncio.sleep(1.5 * claims.HEAD_START)
    assert not waiting.done()
    assert not first.lost.is_set()
    waiting.cancel()


@pytest.mark.postgres
async def test_shards_that_another_process_took_meanwhile_are_lost(
    processes: Processes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(claims, "FIRST_PAUSE", 1.5)  # it is slow to come back
    first = await processes.claim(0, of=1)
    heard = heard_by(first)
    await cut_off(processes.url)
    async with asyncio.timeout(SOON), claimed(processes.url, (0,), 1, pytest.fail):
        await first.lost.wait()
    assert heard == []


@pytest.mark.postgres
async def test_a_connection_that_is_closed_under_the_claim_is_noticed_at_once(
    processes: Processes,
) -> None:
    """SQLAlchemy ends it so when the server hangs; the driver's connection then knows of no server
    process.
    """
    wrong: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _loop, about: wrong.append(about))
    first = await processes.claim(0, of=1)
    heard = heard_by(first)
    (await first._connection.get_raw_connection()).driver_connection.terminate()  # type: ignore[attr-defined]
    await until(lambda: heard == [None])
    assert wrong == []


@pytest.mark.postgres
async def test_what_the_server_keeps_of_a_lost_connection_is_not_another_process(
    processes: Processes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The network was gone: this end knows, the server does not yet."""
    first = await processes.claim(0, of=1)
    heard = heard_by(first)
    kept = first._connection  # type: ignore[attr-defined]
    assert kept is not None
    first._connection = None  # type: ignore[attr-defined]
    first._broken.set()  # type: ignore[attr-defined]
    await until(lambda: heard == [None])
    assert not first.lost.is_set()
    await kept.invalidate()
    await kept.close()


@pytest.mark.postgres
async def test_a_server_that_is_not_there() -> None:
    with pytest.raises(
        LedgerError, match=r"^The database bourse on 127\.0\.0\.1 cannot be opened: "
    ) as caught:
        async with claimed("postgresql://me:secret@127.0.0.1:9/bourse", (0,), 1, pytest.fail):
            pass
    assert "secret" not in str(caught.value)


class Refused(Exception):
    """As much of an error of asyncpg as is looked at."""

    def __init__(self, sqlstate: str) -> None:
        super().__init__("no")
        self.sqlstate = sqlstate


@pytest.mark.parametrize(
    ("error", "passes"),
    [
        (ConnectionRefusedError(111, "Connection refused"), True),
        (TimeoutError(), True),
        (Refused("57P03"), True),  # it starts up
        (Refused("53300"), True),  # too many connections
        (Refused("28P01"), False),  # a wrong password
        (Refused("3D000"), False),  # no such database
        (PermissionError(13, "Permission denied"), False),
        (ValueError("nonsense"), False),
    ],
)
def test_what_may_pass_before_the_next_start(error: Exception, passes: bool) -> None:
    assert isinstance(not_opened("bourse", error), Unreachable) == passes


async def test_a_server_that_is_away_is_one_line_in_the_log(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    caplog.set_level("INFO", "bot.ledger.claims")
    session, left = _Session(address("postgresql://me@127.0.0.1/bourse"), (0,), 1), [*"xxxxxxyxx"]

    async def connect() -> None:
        if left:
            raise LedgerError(f"Away: {left.pop(0)}.")

    monkeypatch.setattr(session, "_connect", connect)
    monkeypatch.setattr("bot.ledger.claims.LONGEST_PAUSE", 0.0)
    monkeypatch.setattr("bot.ledger.claims.FIRST_PAUSE", 0.0)
    await session._reconnect()
    assert caplog.messages == [f"Away: {why}. I keep trying." for why in "xyx"]


@pytest.mark.parametrize(
    ("key", "told"),
    [("x" * 32, 1), ("k" * 32, 0)],
    ids=["another key", "the key"],
)
async def test_a_stand_by_with_another_key_says_so_before_it_waits(
    server: str, key: str, told: int, caplog: pytest.LogCaptureFixture
) -> None:
    await (await Ledger.open(server, "k" * 32)).close()
    async with AsyncExitStack() as stack:
        await claim_shards(stack, server, None, print, "k" * 32)
        said = asyncio.Event()
        stand_by = asyncio.create_task(
            claim_shards(stack, server, None, lambda why: said.set(), key)
        )
        await asyncio.wait_for(said.wait(), SOON)
        stand_by.cancel()
        await asyncio.wait([stand_by])
    assert [record.levelname for record in caplog.records] == ["ERROR"] * told
    assert all("The database was created with another key" in line for line in caplog.messages)
