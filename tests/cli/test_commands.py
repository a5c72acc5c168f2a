"""Tests of help pages, exit codes and error sentences. No command shows an exception's name."""

from __future__ import annotations

import asyncio
import os
import pty
import re
import shlex
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from itertools import product
from pathlib import Path

import pytest

from bot.cli import commands, maintenance, program
from bot.cli.parser import parser
from bot.cli.program import main
from bot.errors import how_to_add
from bot.ledger import Ledger
from bot.rules.features.seats import Sit
from bot.service import Requester, Service
from bot.settings import NAMES, PREFIXES
from tests.scale import variants

ROOT = Path(__file__).parents[2]
[COMMANDS] = [each.choices for each in parser()._actions if each.choices]
INTERNAL = re.compile(
    r"Traceback|\b\w*(?:Error|Exception|Exit|Interrupt)\b|\b(?:sqlalchemy|sqlite3|alembic|orjson)\."
)
"""What only a programmer can read."""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, without any setting of this machine's."""
    monkeypatch.chdir(tmp_path)
    for name in list(os.environ):
        if name.upper().startswith(PREFIXES) or name.upper() in NAMES:
            monkeypatch.delenv(name)
    return tmp_path


def missing(file: Path) -> None:
    """Nothing is there."""


def a_folder(file: Path) -> None:
    file.mkdir()


def empty(file: Path) -> None:
    file.touch()


def corrupt(file: Path) -> None:
    file.write_bytes(b"no database at all\n" * 400)


def torn(file: Path) -> None:
    """The beginning of a database, and rubbish where its tables should be."""
    another_program(file)
    content = file.read_bytes()
    file.write_bytes(content[:100] + b"\xff" * (len(content) - 100))


def another_program(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("CREATE TABLE recipes (name TEXT)")


def unreadable(file: Path) -> None:
    another_program(file)
    file.chmod(0)


BROKEN = (missing, a_folder, empty, corrupt, torn, another_program, unreadable)
READS_A_LEDGER = [
    ["verify"],
    ["export", "1", "--format", "csv"],
    ["tables"],
    ["backup", "copy.db"],
]


def everything(folder: Path) -> dict[str, bytes | None]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        if path.is_file() and os.access(path, os.R_OK)
        else None
        for path in folder.rglob("*")
    }


def complaints(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """The exit code of a command line, and what it says on standard error."""
    try:
        code = main(arguments)
    except SystemExit as left:
        code = int(left.code or 0)
    out, said = capsys.readouterr()
    assert not INTERNAL.search(out + said), out + said
    return code, said


@pytest.mark.parametrize("broken", BROKEN)
@pytest.mark.parametrize(
    "arguments", [*READS_A_LEDGER, ["backup", "copy.db"]], ids=lambda arguments: arguments[0]
)
def test_a_ledger_that_is_none_is_a_sentence_and_stays_as_it_is(
    folder: Path,
    broken: Callable[[Path], None],
    arguments: list[str],
    capsys: pytest.CaptureFixture[str],
) -> None:
    if broken is unreadable and os.geteuid() == 0:
        pytest.skip("root may read everything")
    broken(folder / "bourse.db")
    before = everything(folder)
    code, said = complaints(arguments, capsys)
    assert code == 2
    assert re.fullmatch(r"bourse: .+\.\n", said)
    assert "bourse.db" in said
    assert everything(folder) == before
    if broken in (missing, empty, another_program):
        assert said.startswith("bourse: There is no ledger at bourse.db")


@pytest.mark.parametrize("broken", [a_folder, corrupt, torn, another_program])
def test_the_bot_itself_says_so_too(
    folder: Path, broken: Callable[[Path], None], monkeypatch, capsys
) -> None:
    monkeypatch.setattr(program.signal, "signal", lambda *_: None)
    monkeypatch.setenv("BOURSE_PORT", "0")
    broken(folder / "bourse.db")
    if broken is another_program:  # whose tables would be in the way
        with closing(sqlite3.connect(folder / "bourse.db")) as connection, connection:
            connection.execute("CREATE TABLE entries (name TEXT)")
    code, said = complaints([], capsys)
    assert code == 2
    assert "bourse: The database" in said


def test_where_the_folder_is_missing_too(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys
) -> None:
    monkeypatch.setenv("DATABASE_URL", "sqlite:///nowhere/bourse.db")
    assert complaints(["verify"], capsys)[0] == 2
    assert everything(folder) == {}


@pytest.fixture
async def written(folder: Path) -> Path:
    """The folder with a ledger in it: Alice sits at table 1."""
    ledger = await Ledger.open(str(folder / "bourse.db"))
    service = Service(ledger, lambda: datetime(2026, 1, 2, 12, tzinfo=UTC))
    alice = Requester(101, "alice", guild_id=7, interaction=2**60)
    await service.open_table(alice, game="ti4", name="Friday", channel_id=1000)
    await service.execute(1, replace(alice, interaction=2**60 + 1), Sit("hacan"))
    await ledger.close()
    return folder


NO_KEY = "The database was created with a key that is missing"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["export", "9", "--format", "csv"], "There is no table 9 in this ledger"),
        (["export", "1", "--format", "csv", "--viewer", "5"], "Nobody with the Discord id 5"),
        (["verify", "--head", "nonsense"], "is not a head such as TABLE:HASH"),
    ],
)
def test_what_a_ledger_does_not_hold(
    written: Path, arguments: list[str], says: str, capsys
) -> None:
    code, said = complaints(arguments, capsys)
    assert (code, says in said) == (2, True)


@pytest.mark.parametrize("named", [".", "..", "/", "bk", "bk/", "nowhere/"])
@pytest.mark.parametrize(
    "command",
    [["backup"], ["restore"], ["verify", "--heads"]],
    ids=lambda command: command[0],
)
def test_a_folder_in_a_files_place(written: Path, command: list[str], named: str, capsys) -> None:
    (written / "bk").mkdir()
    before = everything(written)
    code, said = complaints([*command, named], capsys)
    last = said.splitlines()[-1]
    assert (
        code,
        last.endswith(
            f"{named} is a folder: name a file in it, such as {Path(named) / 'friday.db'}"
        ),
    ) == (
        2,
        True,
    )
    assert everything(written) == before


@pytest.mark.parametrize("url", ["sqlite:///bourse.db", "sqlite:///../club/bourse.db"])
def test_a_folder_that_may_not_be_written_in_is_named_in_full(
    folder: Path, url: str, monkeypatch: pytest.MonkeyPatch, capsys
) -> None:
    (folder / "club").mkdir()
    monkeypatch.chdir(folder / "club")
    monkeypatch.setenv("DATABASE_URL", url)
    monkeypatch.setattr("bot.ledger.files.os.access", lambda path, mode: False)
    assert complaints(["verify"], capsys)[1].endswith(
        f"no permission to write in {folder / 'club'}.\n"
    )


def test_a_ledger_whose_key_is_gone(written: Path, capsys) -> None:
    (written / "bourse.db.key").unlink()
    for arguments in READS_A_LEDGER:
        code, said = complaints(arguments, capsys)
        assert (code, NO_KEY in said) == (2, True)
    assert not (written / "bourse.db.key").exists()


async def test_a_ledger_without_tables_says_so(folder: Path, capsys) -> None:
    await (await Ledger.open(str(folder / "bourse.db"))).close()
    assert await asyncio.to_thread(main, ["verify"]) == 0
    assert capsys.readouterr().out == "There are no tables in this ledger yet.\n"


def test_heads_from_before_a_table_was_removed(written: Path, capsys) -> None:
    """Its host closed it and it was removed, both after that copy: nobody changed anything by
    hand.
    """
    assert main(["backup", "before.db"]) == 0
    assert main(["tables", "close", "1"]) == 0
    assert main(["backup", "last.db"]) == 0
    assert main(["tables", "remove", "1", "--yes"]) == 0
    capsys.readouterr()
    assert main(["verify", "--heads", "last.db.heads"]) == 0
    capsys.readouterr()
    assert main(["verify", "--heads", "before.db.heads", "--heads", "last.db.heads"]) == 3
    said = capsys.readouterr().out.splitlines()
    assert [line[:19] for line in said] == ["table 1: removed on", "table 1: was remove"]
    head = (written / "last.db.heads").read_text().splitlines()[1]
    never = head.replace("1:", "7:")
    assert main(["verify", "--head", never]) == 1


def test_a_ledger_that_is_sound(written: Path, capsys) -> None:
    assert main(["verify"]) == 0
    assert main(["export", "1", "--format", "json"]) == 0
    out, said = capsys.readouterr()
    assert " entries, head " in out
    assert said == ""  # no bar where nobody looks


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (
            ["play", "nowhere.play"],
            "nowhere.play: The file cannot be read: No such file or directory.",
        ),
        (["play", "."], ".: There is no play in this folder."),
        (["play", "text.play"], "text.play"),
        (["play", "bytes.play"], "The file is not UTF-8 text."),
    ],
)
def test_files_that_are_not_what_they_should_be(
    folder: Path, arguments: list[str], says: str, capsys
) -> None:
    (folder / "text.play").write_text("once upon a time\n")
    (folder / "bytes.play").write_bytes(b"\xff\xfe")
    if arguments == ["play", "."]:
        for file in folder.iterdir():
            file.unlink()
    assert program.main(arguments) == 2
    out, said = capsys.readouterr()
    assert not INTERNAL.search(out + said), out + said
    assert says in out + said


def test_a_play_that_can_keep_nothing(folder: Path, capsys) -> None:
    (folder / "one.play").write_text("wait 1s\n")
    (folder / "taken").touch()
    code, said = complaints(["play", "--keep", "taken", "one.play"], capsys)
    assert (code, said) == (2, "bourse: taken: it is no folder: name another.\n")


def test_options_that_there_are_not(subtests: pytest.Subtests, capsys) -> None:
    for wrong, command in product([["--colour"], ["--colour", "blue"], []], COMMANDS):
        with subtests.test(f"{command} {wrong}"):
            if not wrong and command in ("verify", "check", "tables", "games"):
                continue  # they need none
            code, said = complaints([command, *wrong], capsys)
            assert code == 2
            assert said.startswith("usage: bourse ")


@pytest.mark.parametrize(
    "arguments", [["verifi"], ["--colour"], ["export", "one", "--format", "csv"]]
)
def test_commands_that_there_are_not(arguments: list[str], capsys) -> None:
    assert complaints(arguments, capsys)[0] == 2


@pytest.mark.parametrize("arguments", [[], ["verify"]], ids=["the bot", "verify"])
def test_all_wrong_settings_at_once(arguments: list[str], folder: Path, capsys) -> None:
    (folder / ".env").write_text("BOURSE_PORT=many\nBOURSE_LOG=loud\nDISCORD_TOKN=x\n")
    code, said = complaints(arguments, capsys)
    assert code == 2
    assert len(said.splitlines()) == 3
    assert all(
        re.match(r"bourse: .*(BOURSE_PORT|BOURSE_LOG|DISCORD_TOKN).*[.?]$", line)
        for line in said.splitlines()
    )


def test_a_port_in_use(monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    monkeypatch.setattr(program.signal, "signal", lambda *_: None)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        monkeypatch.setenv("BOURSE_PORT", port)
        code, said = complaints([], capsys)
    assert code == 2
    assert re.fullmatch(rf"bourse: .*\b{port}\b.*BOURSE_PORT.*\.\n", said)


@pytest.mark.parametrize("number", variants(signal.SIGTERM, signal.SIGINT))
def test_a_container_waits_after_what_only_a_person_can_mend(
    folder: Path, number: signal.Signals
) -> None:
    """Docker would start it again for ever, whatever its exit code."""
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "DATABASE_URL": "nonsense"}
    command = [sys.executable, "-m", "bot", "--stay"]
    # a program begun in the background ignores Ctrl-C
    before = signal.signal(number, signal.default_int_handler)
    with subprocess.Popen(
        command, cwd=folder, env=environment, stderr=subprocess.PIPE, text=True
    ) as waiting:
        signal.signal(number, before)
        assert waiting.stderr is not None
        said = [waiting.stderr.readline(), waiting.stderr.readline()]
        with pytest.raises(subprocess.TimeoutExpired):
            waiting.wait(0.3)
        waiting.send_signal(number)
        waiting.wait(10)
        assert waiting.stderr.read() == ""
    assert said[0].startswith("bourse: DATABASE_URL (in the environment) is 'nonsense'.")
    assert said[1].startswith("bourse: I wait until you stop me")
    verify = subprocess.run(
        [*command, "verify"], cwd=folder, env=environment, capture_output=True, check=False
    )
    assert verify.returncode == 2


def test_a_database_that_is_not_up_yet_has_an_exit_code_of_its_own(
    folder: Path, monkeypatch, capsys
) -> None:
    pytest.importorskip("asyncpg")
    monkeypatch.setattr(program.signal, "signal", lambda *_: None)
    monkeypatch.setattr(commands, "_run", asyncio.run)
    monkeypatch.setenv("DISCORD_TOKEN", "a.b.c")
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    monkeypatch.setenv("DATABASE_URL", f"postgresql://bourse@127.0.0.1:{port}/bourse")
    code, said = complaints([], capsys)
    assert (
        code,
        said.startswith("bourse: The database bourse on 127.0.0.1 cannot be opened: "),
    ) == (75, True)


@pytest.mark.parametrize(
    "arguments", [[], ["play", "x.play"], ["games", "check", "bourse-bot"]], ids=str
)
def test_without_an_extra_the_packages_that_are_on_an_index_are_named(
    arguments: list[str], monkeypatch, capsys
) -> None:
    monkeypatch.setattr(program.signal, "signal", lambda *_: None)
    monkeypatch.setattr(commands.importlib.util, "find_spec", lambda name: None)
    code, said = complaints(arguments, capsys)
    assert (code, said.count("\n")) == (2, 1)
    typed = shlex.split(said.partition("Type: ")[2])
    assert typed[:4] == [sys.executable, "-m", "pip", "install"]
    assert [name for name in typed if name.startswith("simcord")]
    assert not [name for name in typed if name.startswith("bourse")]
    assert how_to_add("postgres").endswith(" -m pip install asyncpg")


INSIDE_A_CALLBACK = """
import os, signal, sys, weakref
from bot.cli import commands, program

class Module: pass

def loads(settings):
    module = Module()
    told = weakref.ref(module, lambda _: os.kill(os.getpid(), signal.SIGTERM))
    del module
    sys.exit(3)

commands._connect = commands._rehearse = loads
sys.exit(program.main([]))
"""


def test_a_signal_is_not_lost_where_python_ignores_exceptions(folder: Path) -> None:
    """Python's own loading of modules has such places."""
    command = [sys.executable, "-c", INSIDE_A_CALLBACK]
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("signalled", [SystemExit(0), KeyboardInterrupt()])
def test_a_signal_while_a_class_is_being_made(
    signalled: BaseException, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def loads(*_: object, **__: object) -> int:
        raise RuntimeError("Error calling __set_name__ on a command") from signalled

    monkeypatch.setattr(maintenance, "verify_ledger", loads)
    assert complaints(["verify"], capsys) == (0, "")


@pytest.mark.parametrize("error", [RuntimeError("the moon is full."), KeyError("x"), ValueError()])
def test_what_nobody_thought_of(error: Exception, monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    def fails(*_: object, **__: object) -> int:
        raise error

    monkeypatch.setattr(maintenance, "verify_ledger", fails)
    code, said = complaints(["verify"], capsys)
    assert code == 2
    assert said.startswith("bourse: Something unexpected failed")
    assert said.count("\n") == 1


# ---------------------------------------------------------------- help


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_has_examples_and_no_heading_without_anything_below(command: str, capsys) -> None:
    with pytest.raises(SystemExit) as left:
        main([*filter(None, [command]), "--help"])
    assert left.value.code == 0
    lines = capsys.readouterr().out.splitlines()
    assert "examples:" in lines
    for heading, below in zip(lines, [*lines[1:], ""], strict=True):
        if heading.endswith(":"):
            assert re.match(r"  +\S", below), heading
    assert all(len(line) <= 110 for line in lines)


def test_examples_are_of_commands_that_there_are(capsys) -> None:
    for command in ("", *COMMANDS):
        with pytest.raises(SystemExit):
            main([*filter(None, [command]), "--help"])
        for line in capsys.readouterr().out.splitlines():
            typed = re.match(
                r"  (?:\w+=\S+ )?bourse\b((?: \S+)*)",
                re.sub(r"'[^']*'", "x", line).partition(" >")[0],
            )
            if typed and "COMMAND" not in line:
                parser().parse_args(typed[1].split("  ")[0].split())


# ---------------------------------------------------------------- a terminal


def on_a_terminal(*arguments: str) -> tuple[int, str, str]:
    """Run a command whose standard error is a terminal: exit code, output, what the terminal
    got.
    """
    ours, theirs = pty.openpty()
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm"}
    process = subprocess.Popen(
        [sys.executable, "-m", "bot", *arguments],
        stdout=subprocess.PIPE,
        stderr=theirs,
        text=True,
        env=environment,
    )
    os.close(theirs)
    got = b""
    while True:
        try:
            chunk = os.read(ours, 65536)
        except OSError:
            break
        if not chunk:
            break
        got += chunk
    out = process.communicate(timeout=600)[0]
    os.close(ours)
    return process.returncode, out, got.decode()


def test_a_bar_on_a_terminal_and_the_result_in_the_pipe(written: Path) -> None:
    code, out, seen = on_a_terminal("verify")
    assert (code, " entries, head " in out) == (0, True)
    assert "table 1" in seen
    assert "head" not in seen


def test_a_reader_that_goes_away(written: Path) -> None:
    process = subprocess.run(
        f"{sys.executable} -m bot --help | true; exit ${{PIPESTATUS[0]}}",
        shell=True,
        executable="/bin/bash",
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    assert not INTERNAL.search(process.stderr)
