"""Tests of packages from elsewhere that call their game as this one is called."""

from __future__ import annotations

import logging

import pytest

from bot.api import replace
from bot.games.any import GAME
from bot.rules.registry import games, package_of
from tests.plugin.bazaar.bourse_bazaar import GAME as BAZAAR
from tests.plugin.bazaar.installing import installed, point


def test_an_outside_package_of_this_name_is_left_out(caplog: pytest.LogCaptureFixture) -> None:
    other = replace(BAZAAR, info=replace(BAZAAR.info, id="any"))
    ours, theirs = point(GAME, version="1.0.0"), point(other, version="2.0", package="bourse-any")
    with caplog.at_level(logging.ERROR), installed(theirs, ours):
        assert games()["any"].info.name == GAME.info.name
        assert package_of("any") == "bourse-bot"
    assert "any of bourse-any 2.0 is left out" in caplog.text
    assert "the id any is taken by any of bourse-bot" in caplog.text
