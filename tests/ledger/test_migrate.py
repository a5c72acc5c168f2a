from __future__ import annotations

import logging
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.ledger import Ledger, LedgerError


async def test_opening_is_silent(file: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    await (await Ledger.open(str(file))).close()
    assert caplog.messages == []


async def test_another_programs_database_is_left_alone(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE TABLE messages (id)")
    with pytest.raises(LedgerError, match="another program's: it has a table 'messages'"):
        await Ledger.open(str(file))


async def test_a_step_that_fails_leaves_nothing_half_done(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("alembic.op.create_index", _fail)
    with pytest.raises(LedgerError, match="no room"):
        await Ledger.open(str(file))
    monkeypatch.undo()
    await (await Ledger.open(str(file))).close()


def _fail(*_args: object, **_kwargs: object) -> None:
    raise OSError("no room")
