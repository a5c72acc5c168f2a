"""Tests of the plays of Twilight Imperium 4."""

import pytest

from tests.plays.played import TI4, goes

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", TI4)
def test_play(name: str) -> None:
    goes(name)
