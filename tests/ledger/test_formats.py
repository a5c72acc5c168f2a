"""Tests that ledgers in every format since 1.0 are upgraded, verify and go on; others are left alone.

``ledgers_since_1_1.jsonl`` has a ledger a line, as programs of November wrote them: the revision of its tables, its key
and all its rows. Nothing in it is ever edited; another format gets another line.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, MetaData, inspect, text

from bot.cli import maintenance
from bot.cli.backups import back_up
from bot.cli.check import check
from bot.cli.games import list_games
from bot.cli.tables import list_tables
from bot.errors import OperatorError
from bot.ledger import Ledger, LedgerError
from bot.ledger.engine import address, database
from bot.ledger.opening import MIGRATIONS, STEPS
from bot.ledger.schema import metadata
from bot.rules.features.seats import Leave
from bot.rules.features.tables import CloseTable
from bot.service import Requester, Service
from bot.settings import Settings
from tests.ledger.samples import inside
from tests.postgresql import make_database

KEY = "k" * 32
LEDGERS = [json.loads(line) for line in (Path(__file__).parent / "ledgers_since_1_1.jsonl").read_text().splitlines()]
NAMES = [f"{each['revision']} of {each['written']}, {each['play']}" for each in LEDGERS]
NO_SEAT_BY_COMMAND = "21 November, 22:55"
"""Programs of this hour did not yet write by which command somebody sat down. `bourse verify` says so."""
OLDER = next(each for each in LEDGERS if each["written"] != NO_SEAT_BY_COMMAND and each["revision"] != STEPS[-1])


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
async def url(request: pytest.FixtureRequest, file: Path) -> str:
    """The address of a database without any table."""
    if request.param == "sqlite":
        return f"sqlite:///{file}"
    return await make_database(request.getfixturevalue("postgres"), "bourse_formats")


async def in_database(url: str, work: Callable[[Connection], Any]) -> Any:
    opened = database(address(url))
    try:
        return await opened.write(work)
    finally:
        await opened.close()


def at(revision: str, rows: dict[str, list[dict[str, Any]]]) -> Callable[[Connection], None]:
    """Make the tables of a revision, and write these rows as its program did."""

    def make(connection: Connection) -> None:
        config = Config()
        config.set_main_option("script_location", MIGRATIONS)
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
        there = MetaData()
        there.reflect(connection)
        for name, some in rows.items():
            for row in some:
                connection.execute(there.tables[name].insert().values(row))

    return make


def everything(connection: Connection) -> dict[str, Any]:
    """The columns and rows of every table."""
    there = inspect(connection)
    return {
        name: (
            [each["name"] for each in there.get_columns(name)],
            connection.execute(text(f"SELECT * FROM {name}")).fetchall(),
        )
        for name in sorted(there.get_table_names())
    }


@pytest.mark.parametrize("written", LEDGERS, ids=NAMES)
async def test_it_is_upgraded_verifies_and_is_played_on(url: str, written: dict[str, Any]) -> None:
    await in_database(url, at(written["revision"], written["rows"]))
    ledger = await Ledger.open(url, written["key"])
    differences = await inside(ledger).database.read(
        lambda connection: compare_metadata(MigrationContext.configure(connection), metadata)
    )
    assert differences == []
    service = Service(ledger, lambda: datetime.now(UTC))
    last = len(written["rows"]["entries"])
    host = next(each for each in written["rows"]["people"] if each["person"] == 1)
    requester = Requester(host["user_id"], host["name"], written["rows"]["tables"][0]["guild_id"])
    view = await service.view(1, requester)
    assert len(view.seats) == len([each for each in written["rows"]["entries"] if each["kind"] == "seat.taken"])
    await service.execute(1, requester, Leave())
    await service.execute(1, requester, CloseTable())
    assert (await ledger.entries.head(1)).seq > last
    await ledger.close()
    said: list[str] = []
    code = await maintenance.verify(url, [], said.append, key=written["key"])
    if written["written"] == NO_SEAT_BY_COMMAND:
        assert (code, len(said)) == (1, 1)
        assert "the person did not sit down by the command that it names" in said[0]
    else:
        assert code == 0, said


def bytes_of(file: Path) -> dict[str, bytes]:
    """The database, and what was written since its last checkpoint."""
    return {each.name: each.read_bytes() for each in (file, file.with_name(f"{file.name}-wal")) if each.exists()}


@pytest.mark.parametrize("written", [OLDER, LEDGERS[-1]], ids=["older", "today"])
@pytest.mark.parametrize("beside", [True, False], ids=["beside a bot", "a backup"])
async def test_what_only_reads_changes_nothing(file: Path, written: dict[str, Any], beside: bool) -> None:
    """Neither the tables of an older format, which would close the way back, nor the way in which it is written."""
    url, key, said = f"sqlite:///{file}", written["key"], list[str]()
    await in_database(url, at(written["revision"], written["rows"]))
    with closing(sqlite3.connect(file)) as bot:
        if beside:  # what it wrote is in the log
            bot.executescript("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE written (one)")
        else:
            bot.execute("PRAGMA journal_mode = DELETE")
        before = bytes_of(file)
        assert len(before) == 1 + beside
        assert await maintenance.verify(url, [], said.append, key=key) in (0, 1)
        assert await list_tables(url, key, said.append) == 0
        assert await maintenance.export_table(url, 1, "json", None, key=key)
        await check(Settings(database_url=url, bourse_key=key), said.append)
        with suppress(OperatorError):  # a backup with a fault is none
            await asyncio.to_thread(back_up, url, file.with_name("backup.db"), key, said.append)
        await asyncio.to_thread(list_games, said.append)
        assert bytes_of(file) == before


@pytest.mark.postgres
async def test_an_older_format_on_postgresql_is_not_read(request: pytest.FixtureRequest) -> None:
    url = await make_database(request.getfixturevalue("postgres"), "bourse_formats")
    await in_database(url, at(LEDGERS[0]["revision"], LEDGERS[0]["rows"]))
    before = await in_database(url, everything)
    with pytest.raises(
        OperatorError, match=r"An older Bourse wrote the database .*, and only a start of bourse upgrades"
    ):
        await list_tables(url, LEDGERS[0]["key"], [].append)
    assert await in_database(url, everything) == before


def test_every_revision_is_among_them() -> None:
    """A new step needs a ledger of the program before it."""
    assert {each["revision"] for each in LEDGERS} == {*STEPS} - {"1_0"}


def test_the_program_knows_alembic_s_steps() -> None:
    config = Config()
    config.set_main_option("script_location", MIGRATIONS)
    newest_first = [step.revision for step in ScriptDirectory.from_config(config).walk_revisions()]
    assert newest_first[::-1] == [*STEPS]


async def test_one_from_before_the_seals_is_left_alone(url: str) -> None:
    """Its hashes cover less, so today's program would take every entry of it for changed by hand."""
    await in_database(url, at("1_0", {}))
    before = await in_database(url, everything)
    with pytest.raises(LedgerError) as refused:
        await Ledger.open(url, KEY)
    assert str(refused.value) == (
        "The database has a format from before 1.1, which this version can't read. "
        "Keep it for the Bourse that wrote it, and start with an empty one."
    )
    assert await in_database(url, everything) == before


async def test_one_of_a_newer_bourse_is_left_alone(url: str) -> None:
    await (await Ledger.open(url, KEY)).close()
    newer = text("UPDATE alembic_version SET version_num = '9_9'")
    await in_database(url, lambda connection: connection.execute(newer).close())
    before = await in_database(url, everything)
    with pytest.raises(LedgerError) as refused:
        await Ledger.open(url, KEY)
    assert str(refused.value) == (
        "A newer Bourse wrote the database (its format is 9_9), and this one is older. Update Bourse again, or put "
        "back the copy that you made before the update: bourse restore FILE."
    )
    assert await in_database(url, everything) == before
