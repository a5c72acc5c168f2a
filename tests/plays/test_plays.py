"""Every play under this folder goes as it says; those of Advanced Civilization are in ``test_advciv.py``."""

import pytest

from tests.plays.played import ADVCIV, PLAYS, goes

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", [name for name in PLAYS if name not in ADVCIV])
def test_play(name: str) -> None:
    goes(name)
