"""Tests of several bots at one Discord: each delivers for its servers, and any carries out any
command.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine

from bot.ledger.claims import KEY, claimed
from bot.ledger.engine import address
from tests.ledger.prepared import CUT_OFF_CLAIMS, emptied
from tests.loopback import screen
from tests.loopback.loopback import Loopback
from tests.loopback.people import Person
from tests.loopback.process import START_WITHIN, BotProcess, Constants, connected, process
from tests.scale import SCALE
from tests.tools.four_processes import run, steady
from tests.wire.club import ALICE, BOB, sit_down
from tests.wire.conftest import Here, Online

pytestmark = pytest.mark.wire

Shard = Callable[..., AbstractAsyncContextManager[BotProcess]]
DONE = "· transaction 1\n"
WAITS = "I wait until it has ended, then I start."


@pytest.fixture
def database(postgres: str) -> str:
    """An empty PostgreSQL database."""
    return emptied(postgres)


@pytest.fixture
async def discord(request: pytest.FixtureRequest) -> AsyncIterator[Loopback]:
    """A Discord that wants two shards; the table's server is on shard 1, and direct messages arrive
    on shard 0.

    One process alone gets one shard, since discord.py waits five seconds between two.
    """
    async with Loopback.running(shards=1 if "online" in request.fixturenames else 2) as discord:
        yield discord


@pytest.fixture
def shard(discord: Loopback, database: str, tmp_path: Path) -> Shard:
    """`async with shard(1) as bot` starts the process that has this one of two shards."""

    @asynccontextmanager
    async def start(number: int, constants: Constants | None = None) -> AsyncIterator[BotProcess]:
        folder = tmp_path / str(number)
        folder.mkdir(exist_ok=True)
        shards = {"SHARD_IDS": str(number), "SHARD_COUNT": "2"}
        async with connected(discord, folder, database, constants=constants, **shards) as bot:
            yield bot
        assert "Traceback" not in bot.err

    return start


def told(discord: Loopback, person: Person, text: str) -> list[screen.Json]:
    """The messages of the bot's own accord in which this person reads a text, in their DMs."""
    messages = []
    for message in discord.world.visible(person):
        by_dm = discord.world.is_dm(message["channel_id"])
        if by_dm and message["type"] == 0 and text in screen.text_of(message):
            messages.append(message)
    return messages


async def offer_by_dm(discord: Loopback) -> screen.Json:
    """Alice offers Bob 3 trade goods at the table, and Bob has the card in his DMs."""
    await sit_down(discord)
    await discord.slash("offer post", user=ALICE, to=BOB, give="3 tg", want="2 c")
    return await discord.sees(BOB, "3 trade goods", button="Accept", dm=True)


@pytest.mark.postgres
async def test_a_press_by_dm_is_told_by_the_servers_own_process(
    discord: Loopback, shard: Shard
) -> None:
    by_notice = {"bot.service.peers:LOOK_EVERY": 3600.0}
    async with shard(0), shard(1, by_notice):
        card = await offer_by_dm(discord)
        await discord.press("Accept", user=BOB, on=card)
        await discord.sees(ALICE, DONE, dm=True)
        await discord.quiet()
        assert len(told(discord, ALICE, DONE)) == 1
        assert "Accept" not in screen.labels(discord.world.messages[card["id"]])


@pytest.mark.postgres
async def test_what_happened_while_its_owner_was_gone_is_told_once(
    discord: Loopback, shard: Shard
) -> None:
    async with shard(0):
        async with shard(1) as owner:
            card = await offer_by_dm(discord)
            await discord.quiet()
            await owner.kill()
        await discord.press("Accept", user=BOB, on=card)
        await discord.quiet(1.0)
        assert told(discord, ALICE, DONE) == []  # shard 0 does not deliver for another's server
        async with shard(1):
            await discord.sees(ALICE, DONE, dm=True)
            await discord.quiet(1.0)
            assert len(told(discord, ALICE, DONE)) == 1


@pytest.mark.postgres
async def test_a_second_process_for_a_shard_waits_and_takes_over(
    discord: Loopback, shard: Shard, database: str, tmp_path: Path
) -> None:
    settings = {**discord.settings, "DATABASE_URL": database, "SHARD_IDS": "1", "SHARD_COUNT": "2"}
    (tmp_path / "second").mkdir()
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(shard(0))
        first = await stack.enter_async_context(shard(1))
        second = await stack.enter_async_context(
            process(tmp_path / "second", settings, forked=True)
        )
        card = await offer_by_dm(discord)
        await waiting(tmp_path / "second")
        await discord.quiet()
        identified = discord.gateway.identified
        await first.kill()
        discord.gateway.forget([1])
        await discord.press("Accept", user=BOB, on=card)
        await discord.sees(ALICE, DONE, dm=True)
        assert discord.gateway.identified == identified + 1
        finished = await second.stop()
    assert finished.code == 0


async def waiting(folder: Path) -> None:
    """Returns when the process of this folder has said that it waits."""
    async with asyncio.timeout(START_WITHIN):
        while WAITS not in (folder / "stdout").read_text():  # noqa: ASYNC110  (another process writes it)
            await asyncio.sleep(0.05)


@pytest.mark.postgres
async def test_a_process_that_waits_can_be_stopped(
    discord: Loopback, database: str, tmp_path: Path
) -> None:
    settings = {**discord.settings, "DATABASE_URL": database}
    async with (
        claimed(database, (0,), 1, pytest.fail),
        process(tmp_path, settings, forked=True) as bot,
    ):
        await waiting(tmp_path)
        finished = await bot.stop()
    assert finished.code == 0
    assert discord.calls == []


@pytest.mark.postgres
async def test_a_process_whose_shard_was_taken_meanwhile_ends(
    discord: Loopback, shard: Shard, database: str
) -> None:
    """It had lost the database, and another was quicker to have it again."""
    engine = create_async_engine(address(database), isolation_level="AUTOCOMMIT")
    async with shard(1) as bot, engine.connect() as quicker, engine.connect() as administrator:
        # stands in line, so it comes next
        lock = text(f"SELECT pg_advisory_lock({KEY}, {2 << 16 | 1})")
        getting = asyncio.create_task(quicker.execute(lock))
        waiting = text(
            "SELECT 1 FROM pg_locks WHERE NOT granted"
            " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
        )
        async with asyncio.timeout(START_WITHIN):
            while (await administrator.execute(waiting)).first() is None:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        await administrator.execute(text(CUT_OFF_CLAIMS))
        await getting
        finished = await bot.ended()
    await engine.dispose()
    assert finished.code == 75
    assert (
        "bourse: While the database was unreachable, another process took over my shards."
        in finished.err
    )


async def test_a_second_process_on_a_file_is_refused(
    discord: Loopback, online: Online, here: Here, tmp_path: Path
) -> None:
    (tmp_path / "second").mkdir()
    url = f"sqlite:///{tmp_path / 'bourse.db'}"
    async with online() as first:
        await sit_down(discord)
        for settings in (discord.settings, {}):  # a rehearsal too
            async with process(
                tmp_path / "second", {**settings, "DATABASE_URL": url, "BOURSE_PORT": "0"}
            ) as second:
                finished = await second.ended()
            assert finished.code == 2
            last = finished.err.splitlines()[-1]
            assert last.startswith(
                f"bourse: The database {tmp_path / 'bourse.db'} is in use by another Bourse: "
            )
        async with process(
            tmp_path / "second", {"DATABASE_URL": url}, "verify", forked=True
        ) as reader:
            assert (await reader.ended()).code == 0
        await first.kill()
    async with here():
        await discord.slash("table show", user=ALICE)


@pytest.mark.postgres
@pytest.mark.long
async def test_one_of_four_is_killed_under_load(database: str, tmp_path: Path) -> None:
    figures = await asyncio.wait_for(run(database, tmp_path, seconds=0.3 * SCALE), 240 * SCALE)
    print(figures.report())
    assert (figures.lost, figures.doubled) == (0, 0)
    assert len(figures.caught_up) >= 2, (
        "what was recorded meanwhile is told by the one that is back"
    )


@pytest.mark.postgres
@pytest.mark.long
async def test_two_bots_share_the_tables(database: str, tmp_path: Path) -> None:
    figures = await asyncio.wait_for(
        steady(database, tmp_path, 2, seconds=1.0 * SCALE, tables=2), 240 * SCALE
    )
    assert figures.trades >= 2
    assert len(figures.times) == figures.trades
    assert figures.processor > 0
