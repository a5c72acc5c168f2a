"""Tests that a ledger is not made anew where one was, and that damage is reported."""

# ruff: noqa: ASYNC240  (nothing else runs in these loops)

from __future__ import annotations

import asyncio
import shutil
import sqlite3
import threading
from contextlib import closing, nullcontext, suppress
from pathlib import Path

import pytest

from bot.cli.program import main
from bot.ledger import Damaged, Ledger, LedgerError, Message, Tampered, stored_format
from bot.ledger import entries as entries_room
from tests.ledger.samples import ALICE, CHANNEL, add, gained, new_table, new_tables, signed


async def made(file: Path, tables: int = 2, entries: int = 60) -> None:
    ledger = await Ledger.open(str(file))
    for number in range(tables):
        await new_table(
            ledger, channel=CHANNEL + number, entries=[gained() for _ in range(entries)]
        )
    await ledger.close()


@pytest.mark.parametrize("state", ["missing", "empty", "without its log"])
async def test_a_key_without_its_ledger_is_no_first_start(file: Path, state: str) -> None:
    await made(file, 1, 1)
    file.unlink()
    if state == "empty":
        file.touch()
    elif state == "without its log":  # SQLite's first page, and nothing in it
        with closing(sqlite3.connect(file)) as bare:
            bare.execute("PRAGMA journal_mode = WAL")
            bare.execute("PRAGMA user_version = 0")
            bare.commit()
        assert file.stat().st_size
    before = file.read_bytes() if file.exists() else None
    said = (
        f"The key {file}.key is there, but its ledger is not: {file} is "
        f"{'missing' if state == 'missing' else 'empty'}."
    )
    with pytest.raises(LedgerError) as refused:
        await Ledger.open(str(file))
    assert str(refused.value).startswith(said)
    assert "begin anew" in str(refused.value)
    assert (file.read_bytes() if file.exists() else None) == before


async def test_a_file_without_tables_is_no_first_start_though_its_key_is_elsewhere(
    file: Path,
) -> None:
    with closing(sqlite3.connect(file)) as bare:
        bare.execute("PRAGMA journal_mode = WAL")
    before = file.read_bytes()
    assert before
    for opening in (Ledger.open, stored_format):
        with pytest.raises(LedgerError, match=r"is not empty, but there is no ledger in it\."):
            await opening(str(file), "k" * 64)
    assert file.read_bytes() == before


async def test_a_first_start_that_was_cut_off_is_begun_again(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("bot.ledger.opening.database", lambda _where: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            await Ledger.open(str(file), "k" * 64)
    assert await stored_format(str(file), "k" * 64) == "current"
    await (await Ledger.open(str(file), "k" * 64)).close()


@pytest.mark.parametrize("when", ["at the start", "after a minute"])
async def test_a_copy_without_the_log_is_refused_until_it_is_put_back_as_a_copy(
    file: Path, when: str, monkeypatch: pytest.MonkeyPatch, capsys
) -> None:
    """A mount of the one file, or a copy of it made while the bot runs."""
    key, copy = "k" * 64, file.with_name("copy.db")
    ledger = await Ledger.open(str(file), key)
    await new_table(ledger, entries=[gained()])
    if when == "after a minute":
        monkeypatch.setattr("bot.ledger.opening.LOG_EVERY", 0.01)
        watching = asyncio.create_task(ledger.watch())
        while ALICE.name not in in_the_file(file):
            await ledger.set_key_value("probe", "")
            await asyncio.sleep(0.02)
        watching.cancel()
    await new_table(ledger, channel=7, entries=[gained()])
    shutil.copyfile(file, copy)
    await ledger.close()
    for reading in (False, True):
        with pytest.raises(LedgerError, match=r"copy\.db-wal, which holds what was recorded last"):
            await Ledger.open(str(copy), key, reading=reading)
    monkeypatch.setenv("BOURSE_KEY", key)
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{file.with_name('new.db')}")
    assert await asyncio.to_thread(main, ["restore", str(copy)]) == 0
    assert (
        f"{copy} was copied without its log: what was recorded last is" in capsys.readouterr().out
    )
    await (await Ledger.open(str(file.with_name("new.db")), key)).close()


async def test_a_ledger_that_was_killed_or_closed_is_whole(file: Path) -> None:
    ledger = await Ledger.open(str(file))
    await new_table(ledger, entries=[gained()])
    killed = file.with_name("killed.db")
    for end in ("", "-wal", ".key"):
        shutil.copyfile(f"{file}{end}", f"{killed}{end}")
    await ledger.close()
    for each in (killed, file):
        opened = await Ledger.open(str(each))
        assert len(await opened.tables.all_tables()) == 1
        await opened.close()


def in_the_file(file: Path) -> str:
    """What stands in the file itself, without its log."""
    return file.read_bytes().decode("latin-1")


def test_the_program_says_so_and_ends_with_2(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bourse.db.key").write_text("k" * 64)
    Path("bourse.db.key").chmod(0o600)
    monkeypatch.setenv("DATABASE_URL", "sqlite:///bourse.db")
    monkeypatch.setenv("DISCORD_TOKEN", f"{'a' * 24}.{'b' * 6}.{'c' * 38}")
    monkeypatch.setattr("bot.app.Bourse", lambda *_about, **_more: pytest.fail("it goes on"))
    assert main([]) == 2
    assert "its ledger is not: bourse.db is missing." in capsys.readouterr().err


async def test_a_first_start_may_bring_its_own_key(file: Path, tmp_path: Path) -> None:
    apart = tmp_path / "apart.key"
    apart.write_text("k" * 64)
    apart.chmod(0o600)
    await (await Ledger.open(str(file), apart)).close()
    await (await Ledger.open(str(tmp_path / "other.db"), "k" * 64)).close()
    (tmp_path / "begun.db").touch()  # as a start leaves it that was killed at once
    await (await Ledger.open(str(tmp_path / "begun.db"))).close()


async def test_whichever_page_is_broken_it_says_so_at_once_or_at_the_table(file: Path) -> None:
    await made(file)
    sound = file.read_bytes()
    size = int.from_bytes(sound[16:18], "big")
    refused = list[str]()
    for start in range(0, len(sound), size):
        file.write_bytes(sound[:start] + b"\xff" * size + sound[start + size :])
        try:
            ledger = await Ledger.open(str(file))
        except LedgerError as error:
            refused.append(str(error))
            continue
        for table in (1, 2):
            with suppress(Tampered, Damaged):
                assert await ledger.entries.stored(table) is not None
        await ledger.close()
    assert all("is damaged (" in said for said in refused)
    assert len(refused) > len(sound) // size / 2


async def test_a_table_with_an_entry_that_cannot_be_read_is_left_out(
    both: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = await new_tables(both, CHANNEL, 5)
    await add(both, one, signed())
    read = entries_room.read_entry

    def unreadable(row: object) -> object:
        if getattr(row, "kind", "") == signed().kind:
            raise ValueError
        return read(row)  # type: ignore[arg-type]

    monkeypatch.setattr(entries_room, "read_entry", unreadable)
    with pytest.raises(Damaged) as damaged:
        await both.entries.stored(one)
    assert damaged.value.table_id == one
    assert await both.entries.stored(other) is not None


async def test_a_ledger_that_another_program_writes_to_opens_and_its_log_is_emptied_later(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.ledger.engine.SCRUB_EVERY", 0.01)
    await made(file, 1, 1)
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        ledger = await Ledger.open(str(file))
        other.execute("INSERT INTO key_values VALUES ('other', 'of another program', '')")
        other.execute("COMMIT")
        try:
            async with asyncio.timeout(10):
                while b"of another program" not in file.read_bytes():  # noqa: ASYNC110  (a file tells nobody)
                    await asyncio.sleep(0.01)
        finally:
            await ledger.close()


@pytest.mark.parametrize("opens", [True, False])
async def test_whatever_fails_at_the_start_no_thread_is_left(
    file: Path, monkeypatch: pytest.MonkeyPatch, opens: bool
) -> None:
    """The disk fails as its log is emptied, which the next write tells; or there is a bug."""
    await made(file, 1, 1)
    fails = sqlite3.OperationalError("disk I/O error") if opens else RuntimeError("a bug")

    def failing(*_: object) -> bool:
        raise fails

    monkeypatch.setattr("bot.ledger.engine._empty_log", failing)
    before = threading.enumerate()
    with nullcontext() if opens else pytest.raises(RuntimeError):
        await (await Ledger.open(str(file))).close()
    new = [each for each in threading.enumerate() if each not in before]
    # those of asyncio's pool end with the program
    ours = [each for each in new if not each.name.startswith("asyncio_")]
    async with asyncio.timeout(10):
        while any(each.is_alive() for each in ours):  # noqa: ASYNC110  (a thread tells nobody)
            await asyncio.sleep(0.01)


async def test_one_line_tells_what_was_opened(both: Ledger) -> None:
    assert await both.summary() == "a new ledger"
    one, _ = await new_table(both)
    await new_table(both, channel=5)
    await add(both, one, closes=True)
    board = Message("board", 1, 2, "a")
    owed = Message("offer:1", 1, 0, "", "sending")
    await both.messages.save(one, [board, owed], cursor=1)
    assert await both.summary() == "2 tables, 1 of them open; 1 message owed"
