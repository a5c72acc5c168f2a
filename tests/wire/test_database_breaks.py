"""Tests of a database that breaks under the bot: its owner is told once, players get a sentence
each time.
"""

from __future__ import annotations

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.loopback.loopback import Loopback
from tests.loopback.process import BotProcess
from tests.loopback.world import Exchange
from tests.wire.club import ALICE, BOB, sit_down
from tests.wire.conftest import Ledger, Online

pytestmark = pytest.mark.wire


async def refused(discord: Loopback, times: int = 3) -> None:
    """Whatever Alice tries, she is told in a sentence that it is not recorded."""
    for _ in range(times):
        answer = await sets_goods(discord)
        assert "ledger" in answer.text, answer.text
        assert answer.ephemeral


async def sets_goods(discord: Loopback) -> Exchange:
    return await discord.slash("holdings set", user=ALICE, player=BOB, goods="1 c")


def told(bot: BotProcess) -> list[str]:
    """What the owner was told loudly."""
    return [line for line in bot.err.splitlines() if "CRITICAL" in line]


async def test_a_file_that_is_renamed_away(
    discord: Loopback, online: Online, tmp_path: Path, recorded: Ledger
) -> None:
    file, away = tmp_path / "bourse.db", tmp_path / "away.db"
    async with online() as bot:
        await sit_down(discord)
        before = recorded()
        file.rename(away)
        await bot.said("was moved, deleted or replaced")  # although nobody does anything
        await refused(discord)
        assert not file.exists(), "SQLite would make an empty one"
        away.rename(file)
        assert "ledger" not in (await sets_goods(discord)).text
        await bot.said("works again")
        assert len(told(bot)) == 1
        assert recorded()[: len(before)] == before
        assert len(recorded()) > len(before)


async def test_a_file_that_is_replaced(discord: Loopback, online: Online, tmp_path: Path) -> None:
    file = tmp_path / "bourse.db"
    async with online() as bot:
        await sit_down(discord)
        (tmp_path / "backup.db").write_bytes(file.read_bytes())
        (tmp_path / "backup.db").replace(file)
        await refused(discord)
        assert len(told(bot)) == 1
        assert str(file.name) in told(bot)[0]


async def test_a_log_that_is_deleted(discord: Loopback, online: Online, tmp_path: Path) -> None:
    async with online() as bot:
        await sit_down(discord)
        (tmp_path / "bourse.db-wal").unlink()
        await refused(discord)
        assert len(told(bot)) == 1
        assert "bourse.db-wal" in told(bot)[0]


async def test_damaged_pages(discord: Loopback, online: Online, tmp_path: Path) -> None:
    async with online() as bot:
        await sit_down(discord)
        for name in ("bourse.db", "bourse.db-wal"):
            damage(tmp_path / name)
        await bot_notices(discord, bot)
        await refused(discord)
        assert len(told(bot)) == 1
        assert "backup" in told(bot)[0]
        bot.process.terminate()
        assert (await bot.ended()).code == 0


def damage(file: Path) -> None:
    """Overwrites all but the header of each file in place."""
    with file.open("r+b") as opened:
        size = file.stat().st_size
        opened.seek(100)
        opened.write(b"\xff" * max(0, size - 100))


async def bot_notices(discord: Loopback, bot: BotProcess) -> None:
    """Makes it read until it has come upon what is damaged."""
    while not told(bot):
        await discord.slash("history", user=ALICE)
        await sets_goods(discord)


async def test_a_disk_that_takes_no_more(
    discord: Loopback, online: Online, tmp_path: Path, recorded: Ledger
) -> None:
    async with online(constants={"bot.ledger.writer:UNKNOWN_FOR": 1.0}) as bot:
        await sit_down(discord)
        await discord.quiet()
        before = recorded()
        with no_room(bot, (tmp_path / "bourse.db-wal").stat().st_size):
            await refused(discord, times=1)
            assert recorded() == before
        assert "ledger" not in (await sets_goods(discord)).text
        await bot.said("works again")
        assert len(told(bot)) == 1


@contextmanager
def no_room(bot: BotProcess, size: int) -> Iterator[None]:
    """No file of this process may grow beyond so many bytes."""
    pid = bot.process.pid
    soft, hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (soft, hard))
