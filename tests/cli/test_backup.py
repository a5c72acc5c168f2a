"""Tests of bourse backup and bourse restore: verified copies while the bot writes, and nothing is
overwritten.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from bot.cli.program import main
from bot.ledger import Ledger, LedgerError, copied, held_alone, opening, read_put_back
from bot.ledger import files as copying
from tests.cli.files import new_table
from tests.ledger.samples import add, by_hand, gained, signed
from tests.scale import long

pytestmark = pytest.mark.slow


@pytest.fixture
async def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A ledger with a table."""
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "bourse.db"
    ledger = await Ledger.open(str(file))
    await new_table(ledger, [gained(), *map(signed, range(1, 200))])
    await ledger.close()
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{file}")
    return file


async def one_more(file: Path) -> None:
    ledger = await Ledger.open(str(file))
    await add(ledger, 1, gained())
    await ledger.close()


def last_hash(file: Path) -> str:
    with closing(sqlite3.connect(file)) as database:
        return str(database.execute("SELECT hash FROM entries ORDER BY seq DESC").fetchone()[0])


def content(folder: Path) -> dict[str, bytes]:
    """All files of a folder, but what SQLite and locks keep beside a database."""
    return {
        each.name: each.read_bytes()
        for each in folder.iterdir()
        if not each.name.endswith((".lock", "-wal", "-shm"))
    }


def entries(file: Path) -> int:
    with closing(sqlite3.connect(file)) as database:
        return int(database.execute("SELECT count(*) FROM entries").fetchone()[0])


def test_the_copy_is_a_ledger_that_verifies(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys
) -> None:
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

    with copied(str(file), Path("copy.db"), writes):
        assert not Path("copy.db").exists()
    with closing(sqlite3.connect("copy.db")) as copy:
        assert copy.execute(
            "SELECT count(*) FROM sqlite_master WHERE name = 'later'"
        ).fetchone() == (0,)
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

    before = content(file.parent)
    copying = copied(str(file), Path("copy.db"), breaks)
    with pytest.raises(LedgerError, match="disk full"), copying:
        pass
    assert content(file.parent) == before


def test_a_folder_that_is_not_there(file: Path, capsys) -> None:
    assert main(["backup", "nowhere/copy.db"]) == 2
    assert "can't be written" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["backup", "restore"])
def test_on_postgresql_another_program_does_it(
    command: str, tmp_path: Path, monkeypatch, capsys
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DATABASE_URL", "postgresql://bob:secret@localhost/bourse")
    assert main([command, "copy.db"]) == 2
    said = capsys.readouterr().err
    assert said == (
        "bourse: bourse on localhost is on PostgreSQL: its own pg_dump makes a copy of it, "
        "and pg_restore puts it back.\n"
    )
    assert list(tmp_path.iterdir()) == []


# ---------------------------------------------------------------- verified, with heads


def test_the_heads_lie_beside_it_and_the_ledger_is_checked_against_them(file: Path, capsys) -> None:
    assert main(["backup", "copy.db"]) == 0
    first, head = Path("copy.db.heads").read_text().splitlines()
    assert first.startswith("# ")
    assert head == f"1:{last_hash(file)}"
    assert main(["verify", "--heads", "copy.db.heads"]) == 0
    by_hand(file, "DELETE FROM entries WHERE seq > 100")
    assert main(["verify", "--heads", "copy.db.heads"]) == 1
    capsys.readouterr()
    Path("copy.db.heads").write_text("1:no head\n")
    assert main(["verify", "--heads", "copy.db.heads"]) == 2
    assert capsys.readouterr().err.startswith("bourse: copy.db.heads is not a file of heads")
    assert main(["verify", "--heads", "none.heads"]) == 2
    assert capsys.readouterr().err.startswith("bourse: There is no file none.heads.")


def test_a_ledger_that_was_changed_is_copied_but_not_vouched_for(file: Path, capsys) -> None:
    by_hand(file, "UPDATE entries SET public = replace(public, 'sol', 'Sol') WHERE seq = 3")
    assert main(["backup", "copy.db"]) == 1
    assert "entry 3: " in capsys.readouterr().out
    assert entries(Path("copy.db")) == entries(file)
    assert not Path("copy.db.heads").exists()


def test_without_the_key_nothing_is_copied(file: Path, capsys) -> None:
    Path(f"{file}.key").rename("elsewhere.key")
    before = content(file.parent)
    assert main(["backup", "copy.db"]) == 2
    assert f"put the file {file}.key back" in capsys.readouterr().err
    assert content(file.parent) == before


def test_a_ledger_of_an_older_bourse_is_copied_as_it_is(file: Path, capsys, monkeypatch) -> None:
    """The copy can then still be used by the program that wrote it."""
    monkeypatch.setattr(opening, "STEPS", (*opening.STEPS, "1_1_0"))
    by_hand(file, "DROP TABLE snapshots", "CREATE TABLE snapshots (table_id, seq, state, seal)")
    assert main(["backup", "copy.db"]) == 0
    assert "An older Bourse wrote the ledger" in capsys.readouterr().out
    assert Path("copy.db.heads").read_text().splitlines()[1] == f"1:{last_hash(file)}"
    with closing(sqlite3.connect("copy.db")) as copy:
        assert copy.execute("SELECT version_num FROM alembic_version").fetchone() == ("1_0_0",)


# ---------------------------------------------------------------- restored


def test_a_copy_is_one_file_also_after_it_was_read(file: Path) -> None:
    """So that a disk that can't be written can hold it: SQLite makes files beside a database in WAL
    mode.
    """
    assert main(["backup", "copy.db"]) == 0
    assert main(["restore", "copy.db"]) == 0
    assert sorted(each.name for each in file.parent.glob("copy.db*")) == [
        "copy.db",
        "copy.db.heads",
    ]


def test_what_was_there_is_moved_aside_and_the_copy_takes_its_place(file: Path, capsys) -> None:
    assert main(["backup", "copy.db"]) == 0
    asyncio.run(one_more(file))
    capsys.readouterr()
    code, said = main(["restore", "copy.db"]), capsys.readouterr().out
    assert code == 0
    assert "fits its heads" in said
    assert main(["verify", "--heads", "copy.db.heads"]) == 0
    (aside,) = file.parent.glob("bourse.db.replaced-*")
    assert (entries(file), entries(aside)) == (200, 201)
    assert str(aside) in said
    assert entries(Path("copy.db")) == 200


def test_a_ledger_that_is_lost_or_damaged_is_replaced(file: Path, capsys) -> None:
    assert main(["backup", "copy.db"]) == 0
    file.write_bytes(b"rubbish" * 1000)
    Path(f"{file}-wal").write_bytes(b"of that rubbish")
    assert main(["restore", "copy.db"]) == 0
    assert not Path(f"{file}-wal").exists()
    file.unlink()
    capsys.readouterr()
    code, said = main(["restore", "copy.db"]), capsys.readouterr().out
    assert (code, "What was there before" in said) == (0, False)
    assert main(["verify"]) == 0


@pytest.mark.parametrize("beside", [True, False], ids=["with heads", "without"])
def test_a_copy_that_was_changed_changes_nothing(file: Path, capsys, beside: bool) -> None:
    assert main(["backup", "copy.db"]) == 0
    if beside:  # cut off where nothing else shows it
        Path("copy.db.heads").write_text(f"1:{'0' * 64}\n")
    else:
        Path("copy.db.heads").unlink()
        by_hand(Path("copy.db"), "DELETE FROM entries WHERE seq > 100")
    before = content(file.parent)
    code, said = main(["restore", "copy.db"]), capsys.readouterr().out
    assert code == 1
    assert "Nothing was restored" in said
    assert content(file.parent) == before


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["restore", "none.db"], "There is no file none.db"),
        (["restore", "bourse.db.key"], "not a database"),
    ],
)
def test_what_is_no_copy(file: Path, capsys, arguments: list[str], says: str) -> None:
    before = content(file.parent)
    code, complaints = main(arguments), capsys.readouterr().err
    assert (code, says in complaints) == (2, True), complaints
    assert content(file.parent) == before


def test_while_the_bot_runs_nothing_is_restored(file: Path, capsys) -> None:
    assert main(["backup", "copy.db"]) == 0
    before = content(file.parent)
    with held_alone(str(file)):
        code, complaints = main(["restore", "copy.db"]), capsys.readouterr().err
    assert code == 2
    assert "in use by another Bourse: stop that one first" in complaints
    assert content(file.parent) == before


def test_a_restored_ledger_is_marked_until_its_tables_know(file: Path) -> None:
    url = f"sqlite:///{file}"
    assert main(["backup", "copy.db"]) == 0
    assert read_put_back(url) is None
    assert main(["restore", "copy.db"]) == 0
    mark = read_put_back(url)
    assert mark is not None
    assert mark.until > 0
    mark.note_told(7)
    assert read_put_back(url) == mark
    mark.forget()
    assert read_put_back(url) is None


def test_a_file_that_is_no_mark_is_left_alone(file: Path, caplog) -> None:
    file.with_name(f"{file.name}.put-back").write_text("[]")
    assert read_put_back(f"sqlite:///{file}") is None
    assert "is not what bourse restore leaves" in caplog.text


# ---------------------------------------------------------------- under load, and killed


async def test_a_copy_under_load_restores_to_all_that_was_durable_before_it(file: Path) -> None:
    ledger = await Ledger.open(str(file))
    begun, stop = asyncio.Event(), asyncio.Event()

    async def load() -> None:
        while not stop.is_set():
            await add(ledger, 1, gained())
            begun.set()

    writing = asyncio.create_task(load())
    await begun.wait()
    durable = (await ledger.entries.head(1)).seq
    assert await asyncio.to_thread(main, ["backup", "copy.db"]) == 0
    stop.set()
    await writing
    last = (await ledger.entries.head(1)).seq
    await ledger.close()
    assert last > durable  # it was written to meanwhile
    assert await asyncio.to_thread(main, ["restore", "copy.db"]) == 0
    assert await asyncio.to_thread(main, ["verify", "--heads", "copy.db.heads"]) == 0
    assert durable <= entries(file) < last
    await one_more(file)
    assert await asyncio.to_thread(main, ["verify"]) == 0


KILLED = """
import os, signal, sys
from bot.cli import commands, output, program
from bot.ledger import files

files.STEP = 1

def tell(what, done, total):
    if what.startswith(sys.argv[1]) and done >= int(sys.argv[2]):
        os.kill(os.getpid(), signal.SIGKILL)

@output.contextmanager
def killed():
    yield tell

commands.progress = killed
program.main(sys.argv[3:])
"""


COPIES, VERIFIES = ("pages", "5"), ("table", "0")
"""What a command tells of when it is killed."""


@pytest.mark.parametrize(
    ("command", "when"),
    [
        ("backup", COPIES),
        ("restore", VERIFIES),
        *long([("backup", VERIFIES), ("restore", COPIES)]),
    ],
)
def test_killed_in_the_middle(file: Path, command: str, when: tuple[str, str]) -> None:
    name = "friday.db"
    if command == "restore":
        assert main(["backup", name]) == 0
    before = content(file.parent)
    done = subprocess.run(
        [sys.executable, "-c", KILLED, *when, command, name], check=False, cwd=file.parent
    )
    assert done.returncode == -signal.SIGKILL
    after = content(file.parent)
    left = after.keys() - before.keys()
    assert left
    assert all(each.startswith(".") and ".part" in each for each in left), left
    assert {each: after[each] for each in before} == before
    assert main([command, name]) == 0
    assert main(["verify"]) == 0


# ---------------------------------------------------------------- what is no plain file

PLAIN = "it is a pipe, and I write only plain files: name another."
FOLDER = "it is no folder: name another."


@pytest.mark.parametrize(
    ("command", "name", "says"),
    [
        ("backup here", "here", f"here can't be written: {PLAIN}"),
        ("backup copy.db", "copy.db.heads", f"copy.db.heads: {PLAIN}"),
        ("play --keep seen evening.play", "seen/evening.play.db", f"seen/evening.play.db: {PLAIN}"),
        ("play --keep seen evening.play", "seen/requests.jsonl", f"seen/requests.jsonl: {PLAIN}"),
        ("play --keep here evening.play", "here", f"here: {FOLDER}"),
        ("new-game harbour --into here", "here", f"here: {FOLDER}"),
    ],
)
def test_only_plain_files_are_written(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys, command: str, name: str, says: str
) -> None:
    """What root may do to a pipe, root may do to a device."""
    Path("seen").mkdir()
    Path("evening.play").write_text('alice: /table open name:"Friday" game:"Twilight Imperium 4"\n')
    os.mkfifo(name)
    if command.startswith("play"):
        monkeypatch.delenv("DATABASE_URL")
    assert main(command.split()) == 2
    assert capsys.readouterr().err == f"bourse: {says}\n"
    assert Path(name).is_fifo()
    assert not Path("copy.db").exists()


@pytest.mark.parametrize(
    "command", ["restore copy.db", "verify", "export 1 --format csv", "tables close 1"]
)
def test_a_database_that_is_no_plain_file(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys, command: str
) -> None:
    assert main(["backup", "copy.db"]) == 0
    os.mkfifo("here", mode=0o644)
    monkeypatch.setenv("DATABASE_URL", "sqlite:///here")
    before = sorted(file.parent.iterdir())
    mode = Path("here").stat().st_mode
    capsys.readouterr()
    assert main(command.split()) == 2
    assert capsys.readouterr().err == f"bourse: The database here cannot be opened: {PLAIN}\n"
    assert sorted(file.parent.iterdir()) == before
    assert Path("here").stat().st_mode == mode


def test_a_device_is_called_so(monkeypatch: pytest.MonkeyPatch, file: Path, capsys) -> None:
    assert main(["backup", os.devnull]) == 2
    assert capsys.readouterr().err.startswith(
        f"bourse: {os.devnull} can't be written: it is a device, and"
    )
