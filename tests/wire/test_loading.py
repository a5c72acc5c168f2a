"""Tests that a start loads no module in vain (docs/performance.md)."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.ledger.prepared import prepared
from tests.loopback.process import ROOT
from tests.wire.conftest import Online

pytestmark = [pytest.mark.wire, pytest.mark.slow]

IN_VAIN = {"asyncpg", "hypothesis", "jsonschema", "pytest", "requests", "rich", "sqlalchemy.orm"}
"""Heavy modules that no start on SQLite needs."""

NEW_DATABASE = {"alembic", "mako", "pygments", "sqlalchemy.dialects.postgresql"}
"""Heavy modules that only a database needs whose tables are to be made or changed, as that of a
play.
"""


def loaded(times: str) -> set[str]:
    """The modules that ``-X importtime`` names."""
    return {
        line.rpartition("|")[2].strip()
        for line in times.splitlines()
        if line.startswith("import time:")
    }


async def test_a_bot_loads_nothing_in_vain(online: Online, tmp_path: Path) -> None:
    prepared(tmp_path / "bourse.db")
    async with online(PYTHONPROFILEIMPORTTIME="1") as bot:
        modules = loaded(bot.err)
    assert modules >= {"bot.app", "cogs.offers", "discord", "sqlalchemy"}
    assert modules & (IN_VAIN | NEW_DATABASE | {"simcord"}) == set()


def test_a_play_loads_nothing_in_vain(tmp_path: Path) -> None:
    (tmp_path / "one.play").write_text("alice: /help\n")
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "bot", "play", "one.play"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    modules = loaded(done.stderr)
    assert modules >= {"bot.app", "cogs.offers", "simcord"} | NEW_DATABASE
    assert modules & IN_VAIN == set()
