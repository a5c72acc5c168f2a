"""Tests of bourse tables and bourse forget: close and remove tables, forget people."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.cli.program import main
from bot.ledger import Ledger, held_alone
from bot.rules.features.seats import Sit
from bot.rules.features.tables import CloseTable
from bot.service import Requester, Service, Shards

DAY = datetime(2026, 1, 2, 12, tzinfo=UTC)
ALICE = Requester(101, "Alice", 7)
BOB = Requester(102, "Bob", 7)


async def _play(file: Path) -> None:
    ledger = await Ledger.open(str(file))
    service = Service(ledger, lambda: DAY)
    for number, name in enumerate(("Friday", "Saturday"), start=1):
        await service.open_table(ALICE, game="ti4", name=name, channel_id=number)
        await service.execute(number, BOB, Sit(seat="sol"))
    await service.execute(1, ALICE, CloseTable())
    await ledger.close()


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Table 1, Friday, is closed; table 2, Saturday, is open. Alice hosts and Bob sits at both."""
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "bourse.db"
    asyncio.run(_play(file))
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{file}")
    return file


def content(file: Path) -> bytes:
    """Everything in the database's files."""
    return b"".join(each.read_bytes() for each in file.parent.glob(f"{file.name}*"))


def typed(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    """The exit code, and what is written or complained of."""
    capsys.readouterr()
    code = main([*arguments])
    written = capsys.readouterr()
    return code, (written.out or written.err).strip()


def test_the_list(file: Path, capsys) -> None:
    code, said = typed(capsys, "tables")
    assert code == 0
    assert said.splitlines() == [
        "table  game  state              entries  last used   name",
        "1      ti4   closed 2026-01-02  3        2026-01-02  Friday",
        "2      ti4   open               2        2026-01-02  Saturday",
    ]


def test_a_name_that_the_terminal_cannot_show_is_written_as_escapes(file: Path) -> None:
    async def dice() -> None:
        ledger = await Ledger.open(str(file))
        service = Service(ledger, lambda: DAY)
        await service.open_table(ALICE, game="ti4", name="Dice 🎲", channel_id=3)
        await ledger.close()

    asyncio.run(dice())
    done = subprocess.run(
        [sys.executable, "-m", "bot", "tables"],
        env={**os.environ, "PYTHONIOENCODING": "cp1252"},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert rb"Dice \U0001f3b2" in done.stdout


def test_a_table_that_its_host_left_open_is_closed(file: Path, capsys) -> None:
    assert typed(capsys, "tables", "close", "2") == (
        0,
        "Table 2 is closed. The bot says so in its channel when it runs.",
    )
    assert "2      ti4   closed " in typed(capsys, "tables")[1]
    assert typed(capsys, "tables", "close", "2") == (
        2,
        "bourse: Table 2 is closed already. bourse tables lists all.",
    )
    assert typed(capsys, "tables", "close", "9")[0] == 2
    assert typed(capsys, "verify")[0] == 0


def test_a_closed_table_is_removed_once_one_is_sure(file: Path, capsys) -> None:
    code, said = typed(capsys, "tables", "remove", "1")
    assert (code, said.splitlines()[-1]) == (1, "would be removed for good. To do so, add --yes.")
    assert "Friday" in typed(capsys, "tables")[1]
    assert typed(capsys, "tables", "remove", "2", "--yes") == (
        2,
        "bourse: Table 2 is open. Close it first: bourse tables close 2",
    )
    assert typed(capsys, "tables", "remove", "1", "9", "--yes") == (
        2,
        "bourse: There is no table 9. bourse tables lists all.",
    )
    code, said = typed(capsys, "tables", "remove", "1", "--yes")
    assert code == 0
    assert "Backups made before still have it all." in said
    assert "Friday" not in typed(capsys, "tables")[1]
    assert b"Friday" not in content(file)
    assert typed(capsys, "verify")[0] == 0


def test_a_person_is_forgotten_and_stays_where_tables_are_open(file: Path, capsys) -> None:
    code, said = typed(capsys, "forget", "102")
    assert code == 1
    assert said.startswith(
        "1 table would lose the name and id of 102, for good. To do so, add --yes."
    )
    assert typed(capsys, "forget", "103")[1].startswith("No closed table knows 103.")
    assert main(["verify"]) == 0
    assert b"Bob" in content(file)
    code, said = typed(capsys, "forget", "102", "--yes")
    assert code == 1
    assert said.startswith("102 is taken out of 1 table, with all that was stored under that id.")
    assert "1 table that are open" not in said
    assert "An open table knows this person, who stays there: 2." in said
    typed(capsys, "tables", "close", "2")
    code, said = typed(capsys, "forget", "102", "--yes")
    assert (code, said.count("open")) == (0, 0)
    assert b"Bob" not in content(file)
    assert typed(capsys, "verify")[0] == 0


@pytest.mark.parametrize(
    "arguments",
    [
        ["tables", "close", "2"],
        ["tables", "remove", "1", "--yes"],
        ["forget", "102", "--yes"],
    ],
)
def test_while_the_bot_runs_nothing_is_changed(file: Path, arguments: list[str], capsys) -> None:
    before = typed(capsys, "tables")
    with held_alone(str(file)):
        code, said = typed(capsys, *arguments)
        assert typed(capsys, "tables") == before
    assert code == 2
    assert "in use by another Bourse: stop that one first" in said


async def test_tables_closed_long_ago_are_removed_by_the_process_that_owns_them(
    tmp_path: Path,
) -> None:
    file = tmp_path / "bourse.db"
    await _play(file)
    ledger = await Ledger.open(str(file))
    closed = int(DAY.timestamp() * 1000)
    other = Service(ledger, lambda: DAY, shards=Shards((1,), 2))
    assert await other.remove_closed_before(closed + 1) == 0
    service = Service(ledger, lambda: DAY)
    assert await service.remove_closed_before(closed) == 0
    await service.view(1, ALICE)
    assert await service.remove_closed_before(closed + 1) == 1
    assert [row.id for row in await ledger.tables.all_tables()] == [2]
    assert await service.last_table_at(1, replace(ALICE, accepts_cached=False)) is None
    assert await service.remove_closed_before(closed + 1) == 0
    await ledger.close()
