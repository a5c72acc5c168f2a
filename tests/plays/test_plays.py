"""Every play under this folder goes as it says."""

import pytest

from tests.plays.played import PLAYS, played


@pytest.mark.parametrize("name", PLAYS)
def test_play(name: str) -> None:
    report, _ = played(name)
    if report.skipped is not None:
        pytest.skip(report.skipped)
    assert report.ok, f"\n{report}"
