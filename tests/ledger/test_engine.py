# ruff: noqa: ASYNC240  (a test may wait for its disk)
from __future__ import annotations

import asyncio
import os
import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import Connection, event, text
from sqlalchemy.exc import DBAPIError

from bot.ledger import Ledger, LedgerError
from bot.ledger.engine import BUSY_MS, READERS, address, name_of
from tests.ledger.prepared import DATABASES
from tests.ledger.samples import fresh_database, in_file, inside


@pytest.mark.parametrize(
    ("given", "made"),
    [
        ("sqlite:///x.db", "sqlite+pysqlite:///x.db"),
        ("sqlite+aiosqlite:////var/x.db", "sqlite+pysqlite:////var/x.db"),
        ("games/x.db", "sqlite+pysqlite:///games/x.db"),
        ("postgresql://me:pw@host:1/db", "postgresql+asyncpg://me:pw@host:1/db"),
        ("postgres://host/db", "postgresql+asyncpg://host/db"),
        (
            "postgresql+psycopg://host/db?sslmode=require",
            "postgresql+asyncpg://host/db?ssl=require",
        ),
        ("postgresql:///db?host=/run/pg", "postgresql+asyncpg:///db?host=%2Frun%2Fpg"),
    ],
)
def test_an_address_finds_its_driver(given: str, made: str) -> None:
    assert address(given).render_as_string(hide_password=False) == made


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ("mysql://host/db", "can't use a database of the kind 'mysql'"),
        ("sqlite://", "needs a file"),
        ("sqlite:///:memory:", "needs a file"),
        ("", "needs a file"),
        ("://", "must be sqlite"),
        ("postgresql://host:port/db", "must be sqlite"),
        ("postgresql:me:secret@host/db", "must be sqlite"),
        ("postgresql+asyncpg:/me:secret@host/db", "must be sqlite"),
        ("postgres//me:secret@host/db", "must be sqlite"),
        ("me:secret@host/db", "must be sqlite"),
        ("sqlite:x.db", "must be sqlite"),
    ],
)
async def test_another_address_is_refused(given: str, says: str) -> None:
    with pytest.raises(LedgerError, match=says) as refused:
        await Ledger.open(given)
    assert "secret" not in str(refused.value)


def test_a_password_is_never_named() -> None:
    assert name_of(address("postgresql://me:secret@host/db")) == "db on host"


async def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(LedgerError, match=r"there is no folder .*nowhere"):
        await Ledger.open(f"sqlite:///{tmp_path}/nowhere/bourse.db")


async def test_a_folder_is_no_database(tmp_path: Path) -> None:
    with pytest.raises(LedgerError, match="it is a folder"):
        await Ledger.open(str(tmp_path))


async def test_a_file_in_place_of_the_folder(file: Path) -> None:
    file.write_text("")
    with pytest.raises(LedgerError, match="is not a folder"):
        await Ledger.open(f"{file}/bourse.db")


async def test_any_other_file_is_no_database(file: Path) -> None:
    file.write_bytes(b"these are notes, not a database\n" * 200)
    with pytest.raises(LedgerError, match="file is not a database"):
        await Ledger.open(str(file))
    assert file.read_bytes().startswith(b"these are notes")


async def test_an_empty_file_becomes_one(file: Path) -> None:
    file.touch()
    ledger = await Ledger.open(str(file))
    assert await ledger.tables.all_tables() == []
    await ledger.close()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
async def test_no_permission_is_said(file: Path) -> None:
    await (await Ledger.open(str(file))).close()
    file.chmod(0o400)
    with pytest.raises(LedgerError, match="no permission to read and write it"):
        await Ledger.open(str(file))
    file.chmod(0o600)
    file.parent.chmod(0o500)
    with pytest.raises(LedgerError, match="no permission to write in"):
        await Ledger.open(str(file))
    file.parent.chmod(0o700)


async def test_no_permission_is_said_whoever_asks(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.ledger.files.os.access", lambda path, mode: Path(path) != file.parent)
    with pytest.raises(LedgerError, match=rf"no permission to write in {file.parent}"):
        await Ledger.open(str(file))


async def test_a_server_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(
        LedgerError, match=r"^The database db on .* cannot be opened: .*\.$"
    ) as refused:
        await Ledger.open(f"postgresql://me:secret@/db?host={tmp_path}")
    assert "secret" not in str(refused.value)


@pytest.mark.usefixtures("durable")
async def test_a_trade_that_was_announced_survives_power_loss(ledger: Ledger) -> None:
    def pragmas(connection: Connection) -> dict[str, object]:
        names = (
            "journal_mode",
            "synchronous",
            "foreign_keys",
            "busy_timeout",
            "recursive_triggers",
        )
        return {name: connection.execute(text(f"PRAGMA {name}")).scalar_one() for name in names}

    for way in (in_file(ledger).write, in_file(ledger).read):
        assert await way(pragmas) == {
            "journal_mode": "wal",
            "synchronous": 2,
            "foreign_keys": 1,
            "busy_timeout": BUSY_MS,
            "recursive_triggers": 1,
        }


@pytest.fixture(params=DATABASES)
def without_tables(request: pytest.FixtureRequest, file: Path) -> str:
    """A database of either kind in which nothing was made yet."""
    if request.param == "sqlite":
        return f"sqlite:///{file}"
    return fresh_database(request.getfixturevalue("postgres"), "bourse_without_tables")


async def test_several_may_open_an_empty_database_at_once(without_tables: str) -> None:
    opened = await asyncio.gather(*(Ledger.open(without_tables) for _ in range(4)))
    for ledger in opened:
        assert await ledger.tables.all_tables() == []
        await ledger.close()


async def test_closing_leaves_one_file(file: Path) -> None:
    ledger = await Ledger.open(str(file))
    await ledger.set_key_value("a", "b")
    await ledger.close()
    assert sorted(path.name for path in file.parent.iterdir()) == [file.name, f"{file.name}.key"]
    with closing(sqlite3.connect(file)) as connection:
        rows = connection.execute("SELECT key, value FROM key_values WHERE key <> 'key'").fetchall()
    assert rows == [("a", "b")]


async def test_a_connection_that_opened_for_nobody_is_closed(file: Path) -> None:
    ledger = await Ledger.open(str(file))
    opens, goes_on = threading.Event(), threading.Event()

    def slow(*_about: object) -> None:
        opens.set()
        goes_on.wait(30)

    event.listen(in_file(ledger).reading, "connect", slow)
    reads = [asyncio.ensure_future(ledger.tables.all_tables()) for _ in range(READERS)]
    await asyncio.to_thread(opens.wait, 30)
    for read in reads:
        read.cancel()
    goes_on.set()
    await asyncio.gather(*reads, return_exceptions=True)
    await ledger.close()
    assert sorted(path.name for path in file.parent.iterdir()) == [file.name, f"{file.name}.key"]


async def test_no_error_tells_what_was_to_be_written(both: Ledger) -> None:
    """It is logged, and what is sealed may stand among the values."""
    secret = "note:ceasefire:sol"
    query = text("SELECT no_such_column FROM entries WHERE hash = :hash")
    for way in (inside(both).database.write, inside(both).database.read):
        with pytest.raises(DBAPIError) as failed:
            await way(lambda connection: connection.execute(query, {"hash": secret}))
        assert secret not in str(failed.value)


async def test_a_closed_ledger_says_so(both: Ledger) -> None:
    await both.close()
    await both.close()
    with pytest.raises(LedgerError, match=r"The ledger is closed\."):
        await both.entries.head(1)
