"""Checks the bot's requests in every play against the contract with Discord."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.contract.check import check
from tests.plays.played import played


@pytest.fixture(autouse=True)
def discord_would_take_it(request: pytest.FixtureRequest) -> Iterator[None]:
    """After the test of a play, look at its requests too: to play it once more elsewhere takes as
    long again.
    """
    yield
    if getattr(request.node, "originalname", "") != "test_play":
        return
    play = played(request.node.callspec.params["name"])
    if play.report.skipped is None:
        assert play.requests, "a play in which the bot asks for nothing"
        assert check(play.requests) == []
