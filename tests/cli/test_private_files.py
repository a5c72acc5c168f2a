"""Tests that all files are written for their owner alone, whatever the umask, and that open ones
are reported.
"""

from __future__ import annotations

import ast
import asyncio
import logging
import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

import bot
from bot.cli.program import main
from bot.ledger import Ledger
from tests.cli.files import new_table
from tests.ledger.samples import gained

pytestmark = pytest.mark.skipif(os.name != "posix", reason="this system has no such permissions")

PLAY = """\
# a table
alice: /table open name:"Friday" game:"Twilight Imperium 4"
"""


@pytest.fixture(params=[0o022, 0], ids=["umask 022", "umask 0"])
def umask(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    before = os.umask(request.param)
    yield
    os.umask(before)


def open_to_others(folder: Path) -> dict[str, str]:
    """The files that somebody else may read or write, with their permissions."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert files
    found = {}
    for file in files:
        mode = stat.S_IMODE(file.stat().st_mode)
        if mode & 0o077:
            found[str(file.relative_to(folder))] = oct(mode)
    return found


async def test_a_backup(umask: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ledger = await Ledger.open("sqlite:///bourse.db")
    await new_table(ledger, [gained()])
    await ledger.close()
    monkeypatch.setenv("DATABASE_URL", "sqlite:///bourse.db")
    assert await asyncio.to_thread(main, ["backup", "copy.db"]) == 0
    assert os.path.getsize("copy.db")  # noqa: ASYNC240
    assert open_to_others(tmp_path) == {}


def test_what_a_play_keeps_also_where_it_was_kept_before(umask: None, tmp_path: Path) -> None:
    Path("evening.play").write_text(PLAY)
    Path("evening.play").chmod(0o600)
    for _ in range(2):
        main(["play", "--keep", "seen", "evening.play"])
        kept = {each.name for each in Path("seen").iterdir()}
        assert kept >= {"requests.jsonl", "gateway.jsonl", "evening.play.db", "evening.play.db.key"}
        assert open_to_others(tmp_path) == {}
        assert stat.S_IMODE(Path("seen").stat().st_mode) == 0o700
        Path("seen/requests.jsonl").chmod(0o644)


async def test_a_key_of_ours_is_closed_to_others(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    await (await Ledger.open(str(tmp_path / "bourse.db"))).close()
    key = tmp_path / "bourse.db.key"
    key.chmod(0o644)
    await (await Ledger.open(str(tmp_path / "bourse.db"))).close()
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert caplog.messages == [
        f"{key} was open to others on this machine. I have fixed that: only you can read it now."
    ]


async def test_a_key_of_the_operators_is_remarked_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    key = tmp_path / "apart.key"
    key.write_text("k" * 64)
    key.chmod(0o622)
    await (await Ledger.open(str(tmp_path / "bourse.db"), key)).close()
    assert stat.S_IMODE(key.stat().st_mode) == 0o622
    assert caplog.messages == [
        f"Others on this machine can read or change {key}, and the ledger's key is kept there. "
        f"Type: chmod 600 '{key}'"
    ]
    caplog.clear()
    key.chmod(0o400)
    with caplog.at_level(logging.WARNING):
        await (await Ledger.open(str(tmp_path / "bourse.db"), key)).close()
    assert caplog.messages == []


WRITES = {
    "touch",
    "write_text",
    "write_bytes",
    "mkstemp",
    "NamedTemporaryFile",
    "copyfile",
    "copy2",
    "fdopen",
}

FOR_AUTHORS = ("cli/new_game.py", "testing/checks.py")
"""These write the source and the tests' data of a game's author, which are no secret."""


def test_nothing_else_makes_files() -> None:
    """A file made in any other way would have whatever permissions the shell gives it."""
    found = []
    root = Path(bot.__file__).parent
    for file in root.rglob("*.py"):
        if file == root / "private.py" or file.relative_to(root).as_posix() in FOR_AUTHORS:
            continue
        text = file.read_text("utf-8")
        if not any(word in text for word in ("open(", *WRITES)):
            continue
        for node in ast.walk(ast.parse(text)):
            if not isinstance(node, ast.Call) or "os.devnull" in ast.unparse(node):
                continue
            called = ast.unparse(node.func)
            texts = [
                each.value
                for each in node.args
                if isinstance(each, ast.Constant) and isinstance(each.value, str)
            ]
            writes = called.endswith("open") and any(
                re.fullmatch("[rwaxbt+]*[wax+][rwaxbt+]*", each) for each in texts
            )
            if writes or called == "os.open" or called.rpartition(".")[2] in WRITES:
                found.append(f"{file.relative_to(root)}:{node.lineno} {called}")
    assert found == []
