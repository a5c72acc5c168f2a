"""The program in FORMAT.md, which knows nothing of this one, agrees with it, and reads the ledger
of each release.
"""

from __future__ import annotations

import re
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import bot.ledger
from bot.ledger import Ledger, Message
from bot.rules.features.tables import TableMoved, TableOpened
from bot.rules.model.table import TableSettings
from tests.ledger.releases import Release
from tests.ledger.samples import (
    ALICE,
    AT,
    BOB,
    add,
    by_hand,
    hidden,
    new_table,
    save_snapshot,
    signed,
)

FORMAT = Path(bot.ledger.__file__).with_name("FORMAT.md")
Verify = Callable[..., dict[int, tuple[list[Any], str]]]


def program() -> str:
    [code] = re.findall(r"```python\n(.*?)```", FORMAT.read_text(encoding="utf-8"), re.DOTALL)
    return str(code)


@pytest.fixture(scope="module")
def stranger() -> Verify:
    names: dict[str, Any] = {"__name__": "stranger"}
    exec(compile(program(), str(FORMAT), "exec"), names)
    return names["verify"]  # type: ignore[no-any-return]


def key_beside(file: Path) -> str:
    return Path(f"{file}.key").read_text().strip()


async def several(ledger: Ledger) -> list[int]:
    """Two tables, one that has moved, one with an erased person, and a third that was removed.

    The first has messages and a snapshot.
    """
    made = []
    for channel in (1, 2, 3):
        opened = TableOpened(game="ti4", name="Friday", host=1, settings=TableSettings())
        table, _ = await new_table(
            ledger,
            channel=channel,
            entries=[opened, hidden("žižkov \u2028 \x7f \x1f \U0001f600"), signed()],
        )
        await add(ledger, table, hidden(), people=[BOB], interaction=channel)
        made.append(table)
    await add(ledger, made[0], TableMoved(), moves_to=(2**60, 8))
    for table in made[1:]:
        await add(ledger, table, by=None, closes=True)
    board = Message("board", 1001, 5, "x", "sending", 4, 1, anchor="turn", at=AT)
    await ledger.messages.save(made[0], [board], cursor=5)
    await save_snapshot(ledger, made[0], 5, "{}")
    await ledger.tables.remove_table(made[2], at=AT)
    await ledger.tables.erase_person(ALICE.user_id or 0)
    return made[:2]


async def test_a_stranger_can_verify_a_ledger(ledger: Ledger, file: Path, stranger: Verify) -> None:
    tables = await several(ledger)
    verified = stranger(file, key_beside(file))
    assert verified.keys() == set(tables)
    for table, (_, head) in verified.items():
        assert head == (await ledger.entries.head(table)).hash


CHANGES = (
    "UPDATE entries SET at = at + 1 WHERE seq = 2 AND table_id = 1",
    "UPDATE entries SET sealed = replace(sealed, ':3', ':4') WHERE seq = 2 AND table_id = 1",
    "UPDATE people SET user_id = 5 WHERE person = 2 AND table_id = 1",
    "DELETE FROM people WHERE person = 2 AND table_id = 1",
    "INSERT INTO people VALUES (1, 3, NULL, '', NULL, NULL)",
    "UPDATE tables SET channel_id = 9 WHERE id = 1",
    "UPDATE removals SET last_seq = 9",
    "UPDATE tables SET closed_at = closed_at + 1 WHERE id = 3",
    "UPDATE tables SET name = 'Friday' WHERE id = 3",
)


@pytest.mark.parametrize("change", CHANGES)
async def test_a_stranger_finds_what_bourse_finds(
    ledger: Ledger, file: Path, stranger: Verify, change: str
) -> None:
    await several(ledger)
    by_hand(file, change)
    assert await ledger.entries.verify(1) or await ledger.tables.verify_removals()
    with pytest.raises(AssertionError):
        stranger(file)


# ---------------------------------------------------------------- the ledgers of releases


def test_a_program_from_the_page_alone_lists_what_a_release_wrote(
    release: Release, tmp_path: Path
) -> None:
    """In a process of its own, with nothing but the standard library."""
    script = tmp_path / "verifier.py"
    script.write_text(program(), encoding="utf-8")
    command = [sys.executable, "-I", "-S", script, release.file, release.key]
    lines = subprocess.run(
        command, capture_output=True, check=True, cwd=tmp_path, encoding="utf-8"
    ).stdout.splitlines()
    with closing(sqlite3.connect(release.file)) as connection:
        [(entries, heads)] = connection.execute(
            "SELECT count(*), count(DISTINCT table_id) FROM entries"
        )
    assert len(lines) == entries + heads
    told_heads = [line for line in lines if line.split()[1] == "head"]
    assert len(told_heads) == heads == len(release.tables)


UNCOVERED = {("tables", "deadline"), ("entries", "subject"), ("alembic_version", "version_num")}
"""What can be derived from the entries, by who knows their kinds; and the format's name."""


@pytest.mark.long
def test_a_changed_byte_of_a_release_is_found_in_every_column(
    release: Release, stranger: Verify, subtests: pytest.Subtests
) -> None:
    columns = columns_with_values(release.file)
    assert {*UNCOVERED} < columns
    a_changed_byte_is_found(release.file, release.key, columns, stranger, subtests)


async def test_a_changed_byte_is_found_in_every_column(
    ledger: Ledger, file: Path, stranger: Verify, subtests: pytest.Subtests
) -> None:
    await several(ledger)
    await ledger.close()
    columns = columns_with_values(file)
    assert len(columns) > 55
    a_changed_byte_is_found(file, key_beside(file), columns, stranger, subtests)


def a_changed_byte_is_found(
    file: Path,
    key: str,
    columns: set[tuple[str, str]],
    stranger: Verify,
    subtests: pytest.Subtests,
) -> None:
    stranger(file, key)
    written = file.read_bytes()
    for table, column in sorted(columns - UNCOVERED):
        with subtests.test(f"{table}.{column}"):
            assert not Path(f"{file}-wal").exists(), "what was changed before would be found"
            file.write_bytes(written)
            change(file, table, column)
            with pytest.raises((AssertionError, ValueError, KeyError)):
                stranger(file, key)


def columns_with_values(file: Path) -> set[tuple[str, str]]:
    """Return the columns that have a value in some row, with their tables."""
    with closing(sqlite3.connect(file)) as connection:
        every = connection.execute(
            "SELECT m.name, c.name FROM sqlite_master m, pragma_table_info(m.name) c WHERE m.type "
            "= 'table'"
        )
        return {
            (table, column)
            for table, column in every.fetchall()
            if connection.execute(
                f"SELECT count(*) FROM {table} WHERE \"{column}\" <> ''"
            ).fetchone()[0]
        }


def change(file: Path, table: str, column: str) -> None:
    """Change one character of a column, or a number, in a row in the middle of those with a
    value.
    """
    with closing(sqlite3.connect(file)) as connection:
        for (trigger,) in connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'trigger'"
        ).fetchall():
            connection.execute(f"DROP TRIGGER {trigger}")
        keys = [each[1] for each in connection.execute(f"PRAGMA table_info({table})") if each[5]]
        rows = connection.execute(
            f'SELECT "{column}", {", ".join(keys)} FROM {table} WHERE "{column}" <> \'\''
        ).fetchall()
        value, *key = rows[len(rows) // 2]
        middle = len(str(value)) // 2
        other = (
            value + 1_000_003
            if isinstance(value, int)
            else f"{value[:middle]}{chr(ord(value[middle]) ^ 1)}{value[middle + 1 :]}"
        )
        where = " AND ".join(f"{each} = ?" for each in keys)
        assert (
            connection.execute(
                f'UPDATE {table} SET "{column}" = ? WHERE {where}', (other, *key)
            ).rowcount
            == 1
        )
        connection.commit()
