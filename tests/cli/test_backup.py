"""bourse backup: a copy of one moment, while the bot writes, that is a ledger of its own; and nothing written over."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.cli.program import main
from bot.ledger import Ledger, LedgerError, copy_ledger
from bot.ledger import files as copying
from tests.cli.files import gained, new_table, signed


@pytest.fixture
async def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A ledger with a table."""
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "bourse.db"
    ledger = await Ledger.open(str(file))
    await new_table(ledger, [gained(), *(signed(offer) for offer in range(1, 200))])
    await ledger.close()
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{file}")
    return file


def entries(file: Path) -> int:
    with closing(sqlite3.connect(file)) as database:
        return int(database.execute("SELECT count(*) FROM entries").fetchone()[0])


def test_the_copy_is_a_ledger_that_verifies(file: Path, monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    assert main(["backup", "copy.db"]) == 0
    assert f"{file}.key" in capsys.readouterr().out
    shutil.copy(f"{file}.key", "copy.db.key")
    monkeypatch.setenv("DATABASE_URL", "sqlite:///copy.db")
    assert main(["verify"]) == 0
    assert entries(Path("copy.db")) == entries(file)


def test_what_is_written_meanwhile_is_not_in_it_and_begins_nothing_anew(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copying, "STEP", 1)
    told: list[int] = []

    def writes(done: int, total: int) -> None:
        told.append(done)
        with closing(sqlite3.connect(file)) as database, database:
            database.execute("CREATE TABLE IF NOT EXISTS later (at INTEGER)")
            database.execute("INSERT INTO later VALUES (1)")

    copy_ledger(str(file), Path("copy.db"), writes)
    with closing(sqlite3.connect("copy.db")) as copy:
        assert copy.execute("SELECT count(*) FROM sqlite_master WHERE name = 'later'").fetchone() == (0,)
    assert told == sorted(told)
    assert len(told) > 10


def test_nothing_is_written_over(file: Path, capsys) -> None:
    Path("copy.db").write_text("mine")
    assert main(["backup", "copy.db"]) == 2
    assert "already exists, and I don't overwrite files" in capsys.readouterr().err
    assert Path("copy.db").read_text() == "mine"


def test_a_copy_that_fails_leaves_nothing_behind(file: Path) -> None:
    def breaks(done: int, total: int) -> None:
        raise sqlite3.OperationalError("disk full")

    with pytest.raises(LedgerError, match="disk full"):
        copy_ledger(str(file), Path("copy.db"), breaks)
    assert not Path("copy.db").exists()


def test_a_folder_that_is_not_there(file: Path, capsys) -> None:
    assert main(["backup", "nowhere/copy.db"]) == 2
    assert "can't be written" in capsys.readouterr().err


def test_on_postgresql_another_program_does_it(tmp_path: Path) -> None:
    with pytest.raises(LedgerError, match="pg_dump"):
        copy_ledger("postgresql://bob:secret@localhost/bourse", tmp_path / "copy.db")
