# ruff: noqa: ASYNC240  (a test may wait for its disk)
"""Tests of the key outside the database: made once, private, and the same for every process."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from sqlalchemy import Engine, ExceptionContext, event

from bot.ledger import Ledger, LedgerError, key_fault
from bot.ledger.keys import Key, make_key, read_key
from tests.ledger.samples import add, by_hand, fetch, new_table
from tests.postgresql import make_database

KEY = "0123456789abcdef" * 4


async def test_a_key_is_made_at_the_first_start_for_its_owner_alone(file: Path) -> None:
    await (await Ledger.open(str(file))).close()
    key = file.with_name("bourse.db.key")
    assert key.stat().st_mode & 0o777 == 0o600
    assert len(key.read_text().strip()) == 64
    assert key.read_text().strip() not in file.read_bytes().decode("latin-1")
    before = key.read_text()
    await (await Ledger.open(str(file))).close()
    assert key.read_text() == before


async def test_two_processes_make_one_key(tmp_path: Path) -> None:
    first, second = make_key(tmp_path / "key"), make_key(tmp_path / "key")
    assert first.seal("x", {}) == second.seal("x", {})
    assert [path.name for path in tmp_path.iterdir()] == ["key"]


async def test_a_database_opens_with_its_own_key_only(url: str) -> None:
    await (await Ledger.open(url, KEY)).close()
    with pytest.raises(
        LedgerError, match="was created with another key: use the original one in BOURSE_KEY"
    ):
        await Ledger.open(url, KEY[::-1])
    await (await Ledger.open(url, KEY)).close()


async def test_a_first_start_asks_a_new_database_for_nothing_that_is_not_there(
    postgres: str,
) -> None:
    """Such a question is an ERROR in the server's log, which its owner reads."""
    url = await make_database(postgres, "bourse_first_start")
    failed = []

    def note(error: ExceptionContext) -> None:
        failed.append(str(error.original_exception))

    event.listen(Engine, "handle_error", note)
    try:
        assert await key_fault(url, KEY) == ""
        await (await Ledger.open(url, KEY)).close()
    finally:
        event.remove(Engine, "handle_error", note)
    assert failed == []


async def test_a_key_that_is_lost_is_not_made_anew(file: Path, tmp_path: Path) -> None:
    await (await Ledger.open(str(file))).close()
    key = tmp_path / "bourse.db.key"
    kept = shutil.move(key, tmp_path / "elsewhere")
    with pytest.raises(
        LedgerError,
        match=r"created with a key that is missing: put the file .*bourse\.db\.key back",
    ):
        await Ledger.open(str(file))
    assert not key.exists()
    await (await Ledger.open(str(file), Path(kept))).close()


@pytest.mark.parametrize("text", ["", "short", "x" * 31, "two words " * 8, "ü" * 40])
async def test_what_is_no_key(file: Path, tmp_path: Path, text: str) -> None:
    with pytest.raises(LedgerError, match="at least 32 characters"):
        await Ledger.open(str(file), text)
    (tmp_path / "key").write_text(text)
    with pytest.raises(
        LedgerError, match="can't be read: it is one word of at least 32 characters"
    ):
        read_key(tmp_path / "key")


async def test_a_folder_that_is_not_there_is_named(file: Path, tmp_path: Path) -> None:
    with pytest.raises(
        LedgerError, match=r"can't be written to .*no/key: No such file or directory"
    ):
        await Ledger.open(str(file), tmp_path / "no" / "key")


def test_a_key_is_never_shown() -> None:
    assert KEY not in repr(Key(KEY))


async def test_only_the_last_entry_has_a_seal(both: Ledger) -> None:
    table, _ = await new_table(both)
    for _ in range(3):
        await add(both, table)
    [first, *_] = await both.entries.read(table)
    await add(both, table, first.entry, first.entry)
    sealed = await fetch(both, "SELECT seq FROM entries WHERE seal IS NOT NULL")
    assert sealed == [(6,)]
    assert await both.entries.verify(table) is None


async def test_a_count_that_was_changed_is_not_counted_on(ledger: Ledger, file: Path) -> None:
    await new_table(ledger, channel=1)
    by_hand(file, "UPDATE key_values SET value = '7' WHERE key = 'tables'")
    await new_table(ledger, channel=2)
    assert await ledger.tables.verify_count() == "the number of tables was changed by hand"
