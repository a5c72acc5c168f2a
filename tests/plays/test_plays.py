"""Every play under this folder goes as it says; those of one game are in ``test_ti4.py`` and ``test_advciv.py``."""

import pytest

from tests.plays.played import OTHERS, goes

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", OTHERS)
def test_play(name: str) -> None:
    goes(name)
