"""A later step upgrades what an earlier program wrote; what only reads changes nothing; other
formats are left alone.

There is only one step so far, so a second one is made up here.
"""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect, text

import bot.ledger.migrations
from bot.cli import maintenance
from bot.cli.backups import back_up
from bot.cli.check import check_all
from bot.cli.games import list_games
from bot.cli.tables import list_tables
from bot.errors import OperatorError
from bot.ledger import Ledger, LedgerError, opening
from bot.ledger.engine import address, database
from bot.ledger.opening import MIGRATIONS, STEPS
from bot.ledger.schema import metadata
from bot.settings import Settings
from tests.ledger.prepared import DATABASES
from tests.ledger.releases import RELEASES, unpacked
from tests.ledger.samples import add, fetch, inside, new_table
from tests.postgresql import make_database

KEY = "k" * 32

SECOND = '''
"""Tables have a colour."""

import sqlalchemy as sa
from alembic import op

revision = "1_1_0"
down_revision = "1_0_0"


def upgrade():
    op.add_column("entries", sa.Column("colour", sa.Text))
    table_id = sa.Column("table_id", sa.Integer, primary_key=True)
    op.create_table("colours", table_id, sa.Column("colour", sa.Text))
    op.execute("INSERT INTO colours SELECT id, 'red' FROM tables")
'''
"""A step of a later version."""


@pytest.fixture(params=DATABASES)
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


def everything(connection: Connection) -> dict[str, Any]:
    """The columns and rows of every table."""
    there = inspect(connection)
    tables = dict[str, Any]()
    for name in sorted(there.get_table_names()):
        columns = [column["name"] for column in there.get_columns(name)]
        tables[name] = columns, connection.execute(text(f"SELECT * FROM {name}")).fetchall()
    return tables


def bytes_of(file: Path) -> dict[str, bytes]:
    """The database, and what was written since its last checkpoint."""
    return {
        each.name: each.read_bytes()
        for each in (file, file.with_name(f"{file.name}-wal"))
        if each.exists()
    }


@pytest.fixture
def later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Call it to go on with a later version of the program, which has a second step."""
    steps = tmp_path / "migrations"
    shutil.copytree(Path(bot.ledger.migrations.__file__).parent, steps)
    (steps / "versions" / "1_1_0_second.py").write_text(SECOND)

    def begin() -> None:
        monkeypatch.setattr(opening, "MIGRATIONS", str(steps))
        monkeypatch.setattr(opening, "STEPS", (*STEPS, "1_1_0"))

    return begin


async def test_a_second_step_runs(url: str, later: Callable[[], None]) -> None:
    ledger = await Ledger.open(url, KEY)
    differences = await inside(ledger).database.read(
        lambda connection: compare_metadata(MigrationContext.configure(connection), metadata)
    )
    assert differences == []
    table, recorded = await new_table(ledger)
    await ledger.close()
    later()
    ledger = await Ledger.open(url, KEY)
    assert await ledger.entries.read(table) == recorded
    await add(ledger, table)
    assert await ledger.entries.verify(table) is None
    assert await fetch(ledger, "SELECT * FROM colours") == [(table, "red")]
    await ledger.close()
    await (await Ledger.open(url, KEY)).close()


async def test_a_second_step_that_fails_leaves_everything_as_it_was(
    url: str, later: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    await (await Ledger.open(url, KEY)).close()
    before = await in_database(url, everything)
    later()

    def fail(*_: object) -> None:
        raise OSError("no room")

    monkeypatch.setattr("alembic.op.create_table", fail)
    with pytest.raises(LedgerError, match="no room"):
        await Ledger.open(url, KEY)
    assert await in_database(url, everything) == before


@pytest.mark.parametrize(
    ("beside", "older"),
    [
        pytest.param(True, True, id="an older one beside a bot"),
        pytest.param(False, False, id="a backup of today's"),
        pytest.param(True, False, id="today's beside a bot", marks=pytest.mark.long),
        pytest.param(False, True, id="a backup of an older one", marks=pytest.mark.long),
    ],
)
async def test_what_only_reads_changes_nothing(
    file: Path, later: Callable[[], None], beside: bool, older: bool
) -> None:
    """Neither the tables of an older format, which would close the way back, nor the way in which
    it is written.
    """
    url = f"sqlite:///{file}"
    key = unpacked(RELEASES[-1], file).key
    said: list[str] = []
    with closing(sqlite3.connect(file)) as bot:
        if beside:  # what it wrote is in the log
            bot.executescript(
                "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE written "
                "(one)"
            )
        else:
            bot.execute("PRAGMA journal_mode = DELETE")
        before = bytes_of(file)
        assert len(before) == 1 + beside
        if older:
            later()
        assert await maintenance.verify_ledger(url, [], said.append, key=key) == 0
        assert await list_tables(url, key, said.append) == 0
        assert await maintenance.export_table(url, 1, "json", None, key=key)
        await check_all(Settings(database_url=url, bourse_key=key), said.append)
        with suppress(OperatorError):  # a backup with a fault is none
            await asyncio.to_thread(back_up, url, file.with_name("backup.db"), key, said.append)
        await asyncio.to_thread(list_games, said.append)
        assert bytes_of(file) == before


@pytest.mark.postgres
async def test_an_older_format_on_postgresql_is_not_read(
    request: pytest.FixtureRequest, later: Callable[[], None]
) -> None:
    url = await make_database(request.getfixturevalue("postgres"), "bourse_formats")
    await (await Ledger.open(url, KEY)).close()
    before = await in_database(url, everything)
    later()
    with pytest.raises(
        OperatorError,
        match=r"An older Bourse wrote the database .*, and only a start of bourse upgrades",
    ):
        await list_tables(url, KEY, [].append)
    assert await in_database(url, everything) == before


def test_the_program_knows_alembic_s_steps() -> None:
    config = Config()
    config.set_main_option("script_location", MIGRATIONS)
    newest_first = [step.revision for step in ScriptDirectory.from_config(config).walk_revisions()]
    assert newest_first[::-1] == [*STEPS]


@pytest.mark.parametrize("known", ["9_9", "1_4_snapshots"], ids=["newer", "from before 1.0.0"])
async def test_one_of_another_format_is_left_alone(url: str, known: str) -> None:
    await (await Ledger.open(url, KEY)).close()
    other = text(f"UPDATE alembic_version SET version_num = '{known}'")
    await in_database(url, lambda connection: connection.execute(other).close())
    before = await in_database(url, everything)
    with pytest.raises(LedgerError) as refused:
        await Ledger.open(url, KEY)
    assert str(refused.value) == (
        f"A newer Bourse, or one from before 1.0.0, wrote the database (its format is {known}), "
        "and this one can't "
        "read it. Update Bourse again, or put back the copy that you made before the update: "
        "bourse restore FILE."
    )
    assert await in_database(url, everything) == before
