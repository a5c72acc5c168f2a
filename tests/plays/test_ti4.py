"""The plays of Twilight Imperium 4 go as they say."""

import pytest

from tests.plays.played import TI4, goes

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", TI4)
def test_play(name: str) -> None:
    goes(name)
