"""Tests that the files of a SQLite database are for their owner alone."""

from __future__ import annotations

import logging
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from bot.ledger import Ledger, files
from bot.ledger.engine import address
from bot.ledger.files import BESIDE, locked_file, make_private
from tests.ledger.samples import add, new_table

pytestmark = pytest.mark.skipif(os.name != "posix", reason="this system has no such permissions")


def modes(file: Path) -> dict[str, int]:
    """The permissions of the database's files, by name."""
    files = file.parent.glob(f"{file.name}*")
    return {each.name: stat.S_IMODE(each.stat().st_mode) for each in files}


def made(file: Path, mode: int) -> None:
    """An empty file with these permissions, or the permissions of the one that is there."""
    file.touch()
    file.chmod(mode)


@pytest.fixture
def generous() -> Iterator[None]:
    """A shell whose new files are open to everybody."""
    before = os.umask(0)
    yield
    os.umask(before)


async def test_every_file_that_is_made_is_for_its_owner_alone(file: Path, generous: None) -> None:
    with locked_file(address(f"sqlite:///{file}")):
        ledger = await Ledger.open(f"sqlite:///{file}")
        table, _ = await new_table(ledger)
        await add(ledger, table)
        found = modes(file)
        await ledger.close()
    assert found.keys() == {
        "bourse.db",
        "bourse.db-wal",
        "bourse.db-shm",
        "bourse.db.lock",
        "bourse.db.key",
    }
    assert set(found.values()) == {0o600}
    assert set(modes(file).values()) == {0o600}


async def test_what_was_open_to_others_is_closed_and_the_owner_told(
    file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    await (await Ledger.open(f"sqlite:///{file}")).close()
    assert not caplog.records
    for end in ("", *BESIDE):
        made(file.with_name(f"{file.name}{end}"), 0o664)
    with caplog.at_level(logging.WARNING):
        make_private(address(f"sqlite:///{file}"))
    assert set(modes(file).values()) == {0o600}
    assert len(caplog.messages) == 1 + len(BESIDE)
    assert (
        f"{file} was open to others on this machine. I have fixed that: only you can read it now."
        in (caplog.messages)
    )
    caplog.clear()
    await (await Ledger.open(f"sqlite:///{file}")).close()
    assert not caplog.records


async def test_opening_closes_an_old_file_to_others(file: Path) -> None:
    await (await Ledger.open(f"sqlite:///{file}")).close()
    made(file, 0o644)
    await (await Ledger.open(str(file))).close()
    assert modes(file)["bourse.db"] == 0o600


async def test_what_somebody_else_owns_is_said_and_opened_all_the_same(
    file: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    made(file, 0o666)

    def refuse(self: Path, mode: int) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(Path, "chmod", refuse)
    await (await Ledger.open(f"sqlite:///{file}")).close()
    assert caplog.messages[0] == (
        f"{file} may be open to others on this machine, and I can't change that (Operation not "
        "permitted). "
        f"Type: sudo chmod 600 '{file}'"
    )


def test_another_name_for_the_file_makes_no_difference(file: Path, tmp_path: Path) -> None:
    real = tmp_path / "real.db"
    made(real, 0o644)
    made(tmp_path / "real.db-wal", 0o644)
    file.symlink_to(real)
    make_private(address(f"sqlite:///{file}"))
    assert set(modes(real).values()) == {0o600}


def test_a_system_without_such_permissions_is_left_alone(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "os", SimpleNamespace(name="nt"))
    make_private(address(f"sqlite:///{file}"))
    assert not file.exists()
