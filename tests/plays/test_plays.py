"""Tests of all other plays; those of one game are in ``test_ti4.py`` and ``test_advciv.py``."""

import pytest

from tests.plays.played import OTHERS, goes, played

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", OTHERS)
def test_play(name: str) -> None:
    goes(name)


def test_a_play_does_not_show_what_is_not_sent_in_it() -> None:
    found = played("first_trade.play").sent
    assert {"card results.result_card", "subject result"} <= found
    assert not found & {
        "card notices.pings_card",
        "prompt ti4.pillage.take_now",
        "subject declined",
    }
