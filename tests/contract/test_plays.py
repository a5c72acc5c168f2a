"""Whatever the bot asks of Discord in a play, Discord would take."""

from __future__ import annotations

import pytest

from tests.contract.check import check
from tests.plays.played import PLAYS, played

pytestmark = pytest.mark.contract


@pytest.mark.parametrize("name", PLAYS)
def test_play(name: str) -> None:
    report, requests = played(name)
    if report.skipped is not None:
        pytest.skip(report.skipped)
    assert requests, "a play in which the bot asks for nothing"
    assert check(requests) == []
