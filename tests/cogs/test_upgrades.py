"""Tests of tables whose game is not installed, or whose version can't read them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest

from bot.games.advciv import GAME as ADVCIV
from bot.games.ti4 import GAME as TI4
from bot.games.ti4.turns import TurnStarted
from bot.rules.feature import Feature, Features
from tests.cogs.evening import Evening, text_of
from tests.plugin.bazaar.installing import installed, point


def without_turns(feature: Feature) -> Feature:
    entries = [kind for kind in feature.entries if kind is not TurnStarted]
    return replace(feature, entries=tuple(entries))


WITHOUT_TURNS = replace(
    TI4, features=Features([without_turns(feature) for feature in TI4.features.features])
)
"""A later version that renamed the entry with which a turn begins, and forgot to say so."""


@contextmanager
def later() -> Iterator[str]:
    with installed(point(ADVCIV, version="2.0"), point(WITHOUT_TURNS, version="2.0")):
        yield "and the version installed here can't read it."


@contextmanager
def gone() -> Iterator[str]:
    with installed(point(ADVCIV)):
        yield "This table plays ti4, which is not installed here."


@pytest.fixture(params=[later, gone])
async def reason(playing: Evening, request: pytest.FixtureRequest) -> AsyncIterator[str]:
    """What is said at the table, after the bot was started again without what it needs."""
    await playing.types("alice", "offer post", to="@bob", give="1 tg")
    with request.param() as said:
        await playing.restart()
        yield said
        assert playing.errors() == ()


LOOKING = ("table show", "offer list", "holdings show", "trade", "help")
CHANGING = (
    ("carol", "table sit", {"seat": "jolnar"}),
    ("alice", "offer post", {"to": "@bob", "give": "1 tg"}),
    ("bob", "holdings spend", {"goods": "1 tg"}),
    ("alice", "table pause", {}),
    ("bob", "rules show", {"number": "94.1"}),
)
PRESSES = (
    "do:1:ti4.turn.end",
    "do:1:ti4.pillage:sol",
    "ti4.note:1:x",
    "do:1:offer.sign:1:1",
    "offer:1:1:1:more",
    "board:1:goods",
    "board:1:more",
    "board:1:rules",
    "do:1:table.phase:status",
)


async def test_every_command_and_press_says_so(playing: Evening, reason: str) -> None:
    for path in LOOKING:
        assert reason in text_of(await playing.types("bob", path)), path
    for name, path, options in CHANGING:
        assert reason in text_of(await playing.types(name, path, **options)), path
    assert list(await playing.completes("alice", "give", "t", "offer post")) == []
    for custom_id in PRESSES:
        assert reason in text_of(await playing.forge("bob", custom_id)), custom_id


async def test_it_is_shown_raw_exported_verified_and_closed(playing: Evening, reason: str) -> None:
    raw = text_of(await playing.types("alice", "audit ledger"))
    assert "turn started (@alice): " in raw
    assert 'seat "hacan"' in raw
    assert "1 trade_good" in raw
    assert "turn started" in text_of(await playing.types("bob", "history"))
    verified = text_of(await playing.types("alice", "audit verify"))
    assert "The chain holds" in verified
    assert reason in verified
    assert "table-1.jsonl" in text_of(await playing.types("alice", "audit export", format="json"))
    assert any(reason in each and "Twilight Imperium 4" in each for each in playing.channel()), (
        "the board says so too"
    )
    assert any("alice gives ?" in each for each in playing.channel()), (
        "what is offered isn't said to be nothing"
    )
    assert "Only the host may close the table" in text_of(
        await playing.press("bob", "Close the table")
    )
    await playing.press("alice", "Close the table")
    assert any("Twilight Imperium 4 is closed." in each for each in playing.channel())
    await playing.press("alice", "Open again")
    await playing.types("alice", "table close", sure="yes")


async def test_the_button_that_opens_one_works_there_too(playing: Evening, reason: str) -> None:
    assert "is open, and you are its host" in text_of(await playing.forge("alice", "open:0:advciv"))
