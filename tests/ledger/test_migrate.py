from __future__ import annotations

import logging
import sqlite3
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection

from bot.ledger import Ledger, LedgerError
from bot.ledger.schema import metadata
from tests.ledger.samples import add, by_hand, inside, new_table


async def test_the_migrations_make_what_the_schema_says(both: Ledger) -> None:
    def differences(connection: Connection) -> object:
        return compare_metadata(MigrationContext.configure(connection), metadata)

    assert await inside(both).database.read(differences) == []


async def test_opening_again_changes_nothing(both: Ledger, url: str) -> None:
    table, recorded = await new_table(both)
    again = await Ledger.open(url)
    assert await again.entries.read(table) == recorded
    await again.close()


async def test_opening_is_silent(file: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    await (await Ledger.open(str(file))).close()
    assert caplog.messages == []


async def test_a_database_of_a_newer_program_is_left_alone(file: Path) -> None:
    await (await Ledger.open(str(file))).close()
    by_hand(file, "UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(
        LedgerError, match=r"A newer Bourse wrote the database \(its format is 9999\), and this one is older"
    ):
        await Ledger.open(str(file))


@pytest.mark.parametrize("revision", ["0001", "0002"])
async def test_a_database_of_0_1_0_is_left_alone(file: Path, revision: str) -> None:
    connection = sqlite3.connect(file)
    with connection:
        connection.execute("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)")
        connection.execute("INSERT INTO alembic_version VALUES (?)", (revision,))
        connection.execute("CREATE TABLE entries (table_id, seq)")
    with pytest.raises(LedgerError) as refused:
        await Ledger.open(str(file))
    assert str(refused.value) == (
        "The database has a format from before 1.1, which this version can't read. "
        "Keep it for the Bourse that wrote it, and start with an empty one."
    )
    assert connection.execute("SELECT name FROM sqlite_master ORDER BY name").fetchall() == [
        ("alembic_version",),
        ("entries",),
    ]
    connection.close()


async def test_another_programs_database_is_left_alone(file: Path) -> None:
    connection = sqlite3.connect(file)
    connection.execute("CREATE TABLE messages (id)")
    connection.close()
    with pytest.raises(LedgerError, match="another program's: it has a table 'messages'"):
        await Ledger.open(str(file))


async def test_a_step_that_fails_leaves_nothing_half_done(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import importlib

    first = importlib.import_module("bot.ledger.migrations.versions.1_0_first")
    assert first.revision == "1_0"
    monkeypatch.setattr("alembic.op.create_index", _fail)
    with pytest.raises(LedgerError, match="no room"):
        await Ledger.open(str(file))
    monkeypatch.undo()
    await (await Ledger.open(str(file))).close()


def _fail(*_args: object, **_kwargs: object) -> None:
    raise OSError("no room")


async def test_a_ledger_with_snapshots_that_name_no_hash_is_read_from_its_entries(file: Path) -> None:
    ledger = await Ledger.open(str(file))
    table, _ = await new_table(ledger)
    old = inside(ledger).key.sealed("snapshots", {"table_id": table, "seq": 1, "state": "{}"})
    await ledger.close()
    by_hand(
        file,
        "DROP TABLE snapshots",
        "CREATE TABLE snapshots (table_id INTEGER PRIMARY KEY, seq INTEGER, state TEXT, seal TEXT)",
        f"INSERT INTO snapshots VALUES ({table}, 1, '{{}}', '{old['seal']}')",
        "UPDATE alembic_version SET version_num = '1_3_kinds'",
    )
    again = await Ledger.open(str(file))
    stored = await again.entries.stored(table)
    assert stored is not None
    assert (stored.snapshot, len(stored.entries)) == (None, 1)
    await add(again, table)
    assert await again.entries.verify(table) is None
    await again.close()
