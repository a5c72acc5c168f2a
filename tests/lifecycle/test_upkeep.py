"""Tests of the daily backup: made by its own process, kept for a week, retried after a failure."""

# ruff: noqa: ASYNC240  (the files are small)

from __future__ import annotations

import asyncio
import logging
import sys
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import cast

import pytest

from bot.ledger import Ledger
from bot.lifecycle import upkeep
from bot.lifecycle.upkeep import BACKUPS_KEPT, back_up, make_backups, remove_old_tables
from bot.service import Service

DAY = date(2026, 11, 23)
OTHERS = {"notes.txt", "bourse-old.db", "club-2020-01-01.db"}


@pytest.fixture
async def url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The address of an empty ledger, as the bot's settings and those of the program that it starts
    have it.
    """
    monkeypatch.chdir(tmp_path)
    (tmp_path / "kept").mkdir()
    url = "sqlite:///bourse.db"
    monkeypatch.setenv("DATABASE_URL", url)
    # beside other workers, a program that goes last takes a minute
    monkeypatch.setattr(upkeep, "NICE", 0)
    await (await Ledger.open(url)).close()
    return url


def kept() -> set[str]:
    return {each.name for each in Path("kept").iterdir()}


async def test_it_is_made_once_a_day_and_kept_for_a_week(
    url: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    earlier = [f"bourse-{DAY - timedelta(days)}.db" for days in range(1, 10)]
    crashed = {".bourse-2026-11-20.db.0a1b2c3d.part", ".bourse-2026-11-20.db.0a1b2c3d.part-wal"}
    for name in (*earlier, *(f"{each}.heads" for each in earlier), *OTHERS, *crashed):
        Path("kept", name).touch()
    await back_up(url, Path("kept"), DAY)
    made = [f"bourse-{DAY}.db", *earlier[: BACKUPS_KEPT - 1]]
    assert kept() == {*made, *(f"{each}.heads" for each in made), *OTHERS}
    assert Path("kept", made[0]).stat().st_size
    assert caplog.messages == [f"Today's backup is kept/bourse-{DAY}.db."]
    await back_up(url, Path("kept"), DAY)
    assert len(caplog.messages) == 1


async def test_a_folder_that_is_missing_is_said_at_the_start(
    url: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Not a minute later, when nobody looks any more: a disk that is not mounted, for example."""
    making = asyncio.create_task(make_backups(url, Path("lost")))
    await asyncio.sleep(0)
    making.cancel()
    assert caplog.messages == [
        f"There will be no backups: there is no folder {Path('lost').absolute()}. Make it, or "
        "change "
        "BOURSE_BACKUP_DIR. I look again every hour."
    ]


async def test_one_that_fails_deletes_nothing_and_is_tried_again(
    url: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("bourse.db.key").rename("bourse.db.lost")
    earlier = {f"bourse-{DAY - timedelta(days)}.db" for days in range(1, 10)}
    for name in earlier:
        Path("kept", name).touch()
    await back_up(url, Path("kept"), DAY)
    assert kept() == earlier
    (said,) = caplog.messages
    assert said.startswith(
        "Today's backup failed: bourse: The database was created with a key that is missing"
    )
    Path("bourse.db.lost").rename("bourse.db.key")
    await back_up(url, Path("kept"), DAY)
    assert f"bourse-{DAY}.db" in kept()
    Path("kept", f"bourse-{DAY}.db").unlink()
    await back_up(url, Path("not there"), DAY)
    assert "can't be written" in caplog.messages[-1]


async def test_the_bot_stops_in_the_middle(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The program that makes the copy ends with it, and no half of one is left."""
    started = asyncio.Event()
    start = asyncio.create_subprocess_exec
    programs = []

    async def begun(*arguments: str, **options: object) -> asyncio.subprocess.Process:
        programs.append(await start(*arguments, **options))  # type: ignore[arg-type]
        Path("kept", f".bourse-{DAY}.db.0a1b2c3d.part").touch()  # as it does at once
        started.set()
        return programs[0]

    monkeypatch.setattr(asyncio, "create_subprocess_exec", begun)
    making = asyncio.create_task(back_up(url, Path("kept"), DAY))
    await started.wait()
    making.cancel()
    with pytest.raises(asyncio.CancelledError):
        await making
    assert programs[0].returncode is not None
    assert kept() == set()


async def test_the_bot_stops_when_the_program_has_just_ended(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is left to kill; but a file may be left, if the program was killed."""
    ended, start = asyncio.Event(), asyncio.create_subprocess_exec

    class Ended:
        """A program that has ended, and whose last words are still being read."""

        def __init__(self, program: asyncio.subprocess.Process) -> None:
            self.pid, self.kill, self.wait = program.pid, program.kill, program.wait

        async def communicate(self) -> tuple[bytes, None]:
            ended.set()
            await asyncio.Event().wait()
            raise AssertionError

    async def begun(*_: str, **options: object) -> asyncio.subprocess.Process:
        program = await start(sys.executable, "-c", "")
        await program.wait()
        Path("kept", f".bourse-{DAY}.db.0a1b2c3d.part").touch()
        return cast(asyncio.subprocess.Process, Ended(program))

    monkeypatch.setattr(asyncio, "create_subprocess_exec", begun)
    making = asyncio.create_task(back_up(url, Path("kept"), DAY))
    await asyncio.wait(
        [making, asyncio.create_task(ended.wait())], return_when=asyncio.FIRST_COMPLETED
    )
    making.cancel()
    with pytest.raises(asyncio.CancelledError):
        await making
    assert kept() == set()


async def test_each_hour_the_day_is_looked_at(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upkeep, "FIRST_AFTER", 0.0)
    monkeypatch.setattr(upkeep, "LOOKED_EVERY", 0.0)
    looked, thrice = list[tuple[str, Path]](), asyncio.Event()

    async def looks(url: str, folder: Path, _day: date) -> None:
        looked.append((url, folder))
        if len(looked) == 3:
            thrice.set()

    monkeypatch.setattr(upkeep, "back_up", looks)
    making = asyncio.create_task(make_backups(url, Path("kept")))
    await thrice.wait()
    making.cancel()
    assert looked[:3] == [(url, Path("kept"))] * 3


class Closed:
    """A service that notes before which times tables are removed."""

    def __init__(self) -> None:
        self.asked: list[int] = []
        self.twice = asyncio.Event()

    async def remove_closed_before(self, at: int) -> int:
        self.asked.append(at)
        if len(self.asked) == 2:
            self.twice.set()
        return 2 - len(self.asked)


async def test_tables_closed_long_ago_are_looked_for_each_hour(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    monkeypatch.setattr(upkeep, "LOOKED_EVERY", 0.0)
    service, day = Closed(), 86_400_000
    removing = asyncio.create_task(remove_old_tables(cast(Service, service), 30))
    await service.twice.wait()
    removing.cancel()
    ago = datetime.now(UTC).timestamp() * 1000 - service.asked[0]
    assert 30 * day <= ago < 31 * day
    assert caplog.messages == ["Tables removed, since they were closed more than 30 days ago: 1."]
