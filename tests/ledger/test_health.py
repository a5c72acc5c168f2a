"""Tests of what the owner of a failing database is told, how often, and when writing stops."""

from __future__ import annotations

import asyncio
import logging
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import event
from sqlalchemy.exc import OperationalError

from bot.ledger import Damaged, Ledger, LedgerError, NotWritten
from bot.ledger.health import PASSING, SAID_AGAIN_AFTER, SAID_EVERY, Health, Trouble, trouble_of
from tests.ledger.samples import execute, executed, fetch, in_file


class Clock:
    """The machine's clock, set by hand."""

    now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr("bot.ledger.health.time", clock)
    return clock


@pytest.fixture
def health(file: Path) -> Health:
    file.touch()
    health = Health(str(file), file)
    health.start()
    return health


@pytest.fixture
def told(caplog: pytest.LogCaptureFixture) -> Iterator[list[str]]:
    """What the owner was told, by its first few words."""
    lines: list[str] = []
    caplog.set_level(logging.WARNING, "bot.ledger.health")
    handler = logging.Handler()
    handler.emit = lambda record: lines.append(record.getMessage())  # type: ignore[method-assign]
    logging.getLogger("bot.ledger.health").addHandler(handler)
    yield lines
    logging.getLogger("bot.ledger.health").removeHandler(handler)


# -- how often
# ---------------------------------------------------------------------------------------


def test_once_then_hourly(health: Health, clock: Clock, told: list[str]) -> None:
    for _ in range(100):
        health.note(Trouble.FULL, "no room")
    assert len(told) == 1
    clock.now += SAID_EVERY - 1
    health.note(Trouble.FULL, "no room")
    assert len(told) == 1
    clock.now += 1
    health.note(Trouble.FULL, "no room")
    assert len(told) == 2


def test_again_when_the_kind_changes(health: Health, clock: Clock, told: list[str]) -> None:
    health.note(Trouble.FULL, "no room")
    health.note(Trouble.DISK, "input/output error")
    assert ["full" in line for line in told] == [True, False]


def test_once_that_it_works_again(health: Health, clock: Clock, told: list[str]) -> None:
    health.note(Trouble.FULL, "no room")
    health.look()
    assert len(told) == 1, "nothing was written since"
    clock.now += 1
    health.committed(None)
    health.look()
    health.look()
    assert [line.endswith("works again.") for line in told] == [False, True]


def test_a_commit_that_fails_is_no_recovery(health: Health, clock: Clock, told: list[str]) -> None:
    health.note(Trouble.FULL, "no room")
    clock.now += 1
    health.committed(None)
    clock.now += 1
    health.note(Trouble.FULL, "no room")
    health.look()
    assert len(told) == 1


def test_what_comes_and_goes_is_not_told_each_time(
    health: Health, clock: Clock, told: list[str]
) -> None:
    for _ in range(5):
        clock.now += 1
        health.note(Trouble.DISK, "input/output error")
        clock.now += 1
        health.committed(None)
        health.look()
    assert len(told) == 2
    clock.now += SAID_AGAIN_AFTER
    health.note(Trouble.DISK, "input/output error")
    assert len(told) == 3


@pytest.mark.parametrize("trouble", PASSING)
def test_what_passes_soon_is_not_told(
    health: Health, clock: Clock, told: list[str], trouble: Trouble
) -> None:
    health.note(trouble, "busy")
    clock.now += 1
    health.committed(None)
    health.look()
    clock.now += 60
    health.note(trouble, "busy")
    assert told == []
    clock.now += PASSING[trouble]
    health.note(trouble, "busy")
    assert len(told) == 1


# -- which
# -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "trouble"),
    [
        (sqlite3.SQLITE_CORRUPT_VTAB, Trouble.DAMAGED),
        (sqlite3.SQLITE_NOTADB, Trouble.DAMAGED),
        (sqlite3.SQLITE_FULL, Trouble.FULL),
        (sqlite3.SQLITE_READONLY_DBMOVED, Trouble.READ_ONLY),
        (sqlite3.SQLITE_IOERR_WRITE, Trouble.DISK),
        (sqlite3.SQLITE_BUSY_SNAPSHOT, Trouble.LOCKED),
        (sqlite3.SQLITE_CONSTRAINT_UNIQUE, None),
    ],
)
def test_the_trouble_of_an_error(code: int, trouble: Trouble | None) -> None:
    driver = sqlite3.OperationalError("as SQLite says it")
    driver.sqlite_errorcode = code
    assert trouble_of(OperationalError("SELECT 1", None, driver)) is trouble


# -- writing
# -----------------------------------------------------------------------------------------


async def test_a_full_file_is_told_and_then_written_again(ledger: Ledger, told: list[str]) -> None:
    await ledger.set_key_value("a", "1")
    [(pages,)] = await fetch(ledger, "PRAGMA page_count")
    await execute(ledger, f"PRAGMA max_page_count = {pages}")
    with pytest.raises(LedgerError, match="full"):
        await ledger.set_key_value("long", "x" * 100_000)
    assert len(told) == 1
    assert "is full" in told[0]
    assert await ledger.key_value("a") == "1"
    await execute(ledger, "PRAGMA max_page_count = 1000000")
    await ledger.set_key_value("long", "x" * 100_000)
    ledger.health.look()
    assert told[1].endswith("works again.")


async def test_a_full_disk_is_said_at_once_and_tried_once_a_second(
    ledger: Ledger, clock: Clock, told: list[str]
) -> None:
    """SQLite finds it out at the commit, so that it is not certain at first whether something was
    written.
    """
    tries, room = list[float](), False

    def commit(_connection: object) -> None:
        tries.append(clock.now)
        if not room:
            ledger.health.note(Trouble.FULL, "no room")
            raise OperationalError("COMMIT", {}, Exception("database or disk is full"))

    event.listen(in_file(ledger).writing, "commit", commit)
    async with asyncio.timeout(9):  # a commit in doubt is looked for and tried again for 10 s
        for _ in range(5):
            with pytest.raises(NotWritten, match="the disk of the database is full"):
                await ledger.set_key_value("a", "1")
        assert tries == [1000.0]
        clock.now += 1
        with pytest.raises(NotWritten):
            await ledger.set_key_value("a", "1")
        assert tries == [1000.0, 1001.0]
        room, watching = True, asyncio.create_task(ledger.watch())  # nobody presses anything
        clock.now += 1
        while ledger.health.trouble:  # noqa: ASYNC110  (health tells nobody)
            await asyncio.sleep(0.01)
        watching.cancel()
        await ledger.set_key_value("a", "1")
    assert told[-1].endswith("works again.")


async def test_a_damaged_file_is_not_written_any_more(
    ledger: Ledger, file: Path, told: list[str]
) -> None:
    await ledger.set_key_value("a", "1")
    with closing(sqlite3.connect(file)) as other:
        other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    damage(file)
    with pytest.raises(Damaged, match=r"malformed|not a database"):
        await ledger.tables.all_tables()
    with pytest.raises(LedgerError, match="damaged") as refused:
        await ledger.set_key_value("a", "2")
    assert isinstance(refused.value.__cause__, Damaged)
    ledger.health.look()
    assert len(told) == 1


def damage(file: Path) -> None:
    """Overwrite all but the header of a file."""
    with file.open("r+b") as opened:
        opened.seek(100)
        opened.write(b"\xff" * (file.stat().st_size - 100))


async def test_a_file_that_is_away_is_not_written_and_not_made_anew(
    ledger: Ledger, file: Path, told: list[str]
) -> None:
    await ledger.set_key_value("a", "1")
    away = file.with_name("away.db")
    os.rename(file, away)
    with pytest.raises(LedgerError, match="not in its place"):
        await ledger.set_key_value("a", "2")
    assert await ledger.key_value("a") == "1"
    reads = [ledger.key_value("a") for _ in range(8)]  # on new connections
    await asyncio.gather(*reads, return_exceptions=True)
    assert not exists(file)
    os.rename(away, file)
    await ledger.set_key_value("a", "3")
    assert await ledger.key_value("a") == "3"
    assert [line.endswith("works again.") for line in told] == [False, True]


async def test_a_connection_given_up_and_made_again_is_no_trouble(
    ledger: Ledger, file: Path, told: list[str]
) -> None:
    """SQLite deletes the -wal file with its last connection, and the next one makes another."""
    await ledger.set_key_value("a", "1")
    ledger.health.look()
    for worker in in_file(ledger)._readers:
        await worker.close()
    in_file(ledger).reading.dispose()
    with pytest.raises(LedgerError):
        await in_file(ledger).write(lambda connection: connection.invalidate())
    assert not exists(file.with_name("bourse.db-wal"))
    await ledger.set_key_value("a", "2")
    ledger.health.look()
    await ledger.set_key_value("a", "3")
    assert told == []


def exists(file: Path) -> bool:
    return file.exists()


async def test_other_programs_that_look_at_it_are_no_trouble(
    ledger: Ledger, file: Path, told: list[str]
) -> None:
    await ledger.set_key_value("a", "1")
    with closing(sqlite3.connect(file)) as other:
        other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        other.execute("VACUUM")
    second = await Ledger.open(str(file))
    await second.set_key_value("a", "2")
    await second.close()
    await ledger.set_key_value("a", "3")
    ledger.health.look()
    assert told == []


async def test_looking_costs_no_statement(ledger: Ledger) -> None:
    with executed(ledger) as statements:
        await ledger.set_key_value("a", "1")
        ledger.health.look()
    assert [statement.split()[0] for statement in statements] == ["INSERT"]
