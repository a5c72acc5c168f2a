"""Every play under this folder goes as it says."""

from pathlib import Path

import pytest

from bot.rehearsal.plays import run_play
from bot.rehearsal.script import read_file

HERE = Path(__file__).parent
PLAYS = sorted(path.relative_to(HERE).as_posix() for path in HERE.rglob("*.play"))


@pytest.mark.parametrize("name", PLAYS)
def test_play(name: str) -> None:
    report = run_play(read_file(HERE / name))
    if report.skipped is not None:
        pytest.skip(report.skipped)
    assert report.ok, f"\n{report}"
