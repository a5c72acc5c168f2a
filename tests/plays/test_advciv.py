"""Tests of the plays of Advanced Civilization, in which no message says that words bind."""

from __future__ import annotations

import re
from functools import cache
from itertools import chain

import pytest

from tests.plays.played import ADVCIV, goes, played, texts_in

pytestmark = pytest.mark.slow

BIND = re.compile(r"\bbind|\bbound\b", re.IGNORECASE)

OWN = re.compile(
    r"nothing binds before the exchange( \[28\.1\])?|binds nobody|terms never bind", re.IGNORECASE
)
"""What the game itself says of it."""

OF_ANOTHER_GAME = re.compile(r"\[D\d\]|action card", re.IGNORECASE)


@pytest.mark.parametrize("name", ADVCIV)
def test_play(name: str) -> None:
    goes(name)


def test_no_message_says_that_words_bind(subtests: pytest.Subtests) -> None:
    for name in ADVCIV:
        with subtests.test(name):
            for text in texts(name):
                assert not BIND.search(OWN.sub("", text)), text
                assert not OF_ANOTHER_GAME.search(text), text


def test_the_game_says_what_words_are_worth() -> None:
    said = " ".join(texts("advciv/28.1_nothing_binds.play"))
    assert "words never do" in said
    assert "nothing binds before the exchange" in said


@cache
def texts(name: str) -> tuple[str, ...]:
    """Every text of every message and form that the bot sent in a play. The commands that it has
    are no messages.
    """
    requests = played(name).requests
    bodies = [request.json for request in requests if "/commands" not in request.path]
    return tuple(chain.from_iterable(map(texts_in, bodies)))
