"""Tests of games that fail or are slow: the log names game and capability, and what is recorded
counts.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, fields, replace
from typing import Any, Literal

import pytest

from bot.games.advciv import GAME as ADVCIV
from bot.games.ti4 import GAME as TI4
from bot.rules import guard
from bot.rules.commands import Caller, Command
from bot.rules.entries import Entry, Recorded
from bot.rules.feature import Feature, Features
from bot.rules.game import Game, Trade
from bot.rules.guard import FALLBACKS, TooSlow, guarded
from bot.rules.model.goods import NOTHING, Goods
from bot.rules.model.table import Table
from bot.rules.model.violation import Refused
from bot.rules.registry import game_named, games
from bot.rules.snapshots import dump, load
from bot.rules.views import Viewer
from bot.rules.visibility import see_entry
from bot.show.narration import sentence
from tests.plugin.bazaar.bourse_bazaar import GAME
from tests.plugin.bazaar.installing import installed, point

TABLE = Table(id=7, game="bazaar", open=True)
SILK = Goods({"silk": 2})


def fails(*_: object) -> Any:
    raise ZeroDivisionError("the author divided by zero")


@contextmanager
def bazaar(capability: str = "", **changes: Any) -> Iterator[Game]:
    """The bazaar as it is when it is loaded, with other functions for one of its capabilities."""
    made = (
        replace(GAME, **{capability: replace(getattr(GAME, capability), **changes)})
        if capability
        else GAME
    )
    with installed(point(made)):
        yield game_named("bazaar")


def test_a_slow_function_is_a_line_with_game_capability_and_milliseconds(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guard, "SLOW", 0.05)

    def violations(table: Table, trade: Trade) -> list[Any]:
        until = time.thread_time() + 0.06
        while time.thread_time() < until:
            pass
        return []

    with bazaar("trade", violations=violations) as game:
        assert game.trade.violations(TABLE, Trade("red", "green", SILK, NOTHING)) == []
    [record] = caplog.records
    assert record.levelno == logging.WARNING
    words, milliseconds = record.getMessage().rsplit(" took ", 1)
    assert words == "the game bazaar is slow: trade.violations"
    assert 60 <= int(milliseconds.removesuffix(" ms")) < 5000


def test_presentation_that_raises_falls_back_to_plain_words(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with bazaar("goods", describe=fails) as game:
        assert game.goods.describe(SILK) == "2 silk"
    assert caplog.messages == [
        "the game bazaar failed in goods.describe; what it should have shown counts"
    ]


def test_a_call_that_does_not_end_is_interrupted_though_it_catches_every_error(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guard, "CUT", 0.05)

    def endless(*_: object) -> Any:
        while True:
            with suppress(ZeroDivisionError):
                fails()

    def stubborn(*_: object) -> Any:
        for _ in range(3):
            with suppress(Exception):
                endless()
        endless()

    with bazaar("goods", suggest=endless, cards=stubborn, read=stubborn) as game:
        assert game.goods.suggest(None, NOTHING) == ()
        assert game.goods.cards(None) == NOTHING
        with pytest.raises(TooSlow) as failed:
            game.goods.read("2 silk", (), None, {})
        assert game.goods.describe(SILK) == "2 silk"
    assert failed.value.__notes__ == ["in the game bazaar: goods.read"]
    assert (
        "the game bazaar failed in goods.suggest; what it should have shown counts"
        in caplog.messages
    )


def test_a_function_that_decides_is_not_replaced_and_its_error_names_it() -> None:
    with bazaar("trade", settle=fails) as game, pytest.raises(ZeroDivisionError) as failed:
        game.trade.settle(TABLE, Trade("red", "green", SILK, NOTHING))
    assert failed.value.__notes__ == ["in the game bazaar: trade.settle"]


def test_a_refusal_is_no_error(caplog: pytest.LogCaptureFixture) -> None:
    with bazaar() as game, pytest.raises(Refused):
        game.goods.read("2 oil", (), None, {})
    assert caplog.messages == []


class Rung(Entry):
    kind: Literal["bazaar.rung"] = "bazaar.rung"

    def sentence(self, ruler: str) -> str:
        return str(1 // 0)


@dataclass(frozen=True, slots=True)
class Ring(Command):
    kind = "bazaar.ring"

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        yield Rung()
        raise ZeroDivisionError


def test_methods_of_entries_and_commands_are_watched_too(caplog: pytest.LogCaptureFixture) -> None:
    ringing = replace(GAME, features=Features((Feature(commands=(Ring,), entries=(Rung,)),)))
    with installed(point(ringing)):
        assert list(games()) == ["bazaar"]
        entry = see_entry(Recorded(7, 1, 0, 1, Rung(), ""), Viewer(), "bazaar")
        assert (
            sentence(entry)
            == "bazaar.rung is recorded. It counts, but its game can't say what it did."
        )
        with pytest.raises(ZeroDivisionError) as failed:
            list(Ring().decide(TABLE, Caller(1)))
    assert failed.value.__notes__ == ["in the game bazaar: Ring.decide"]
    assert caplog.messages[0].startswith("the game bazaar failed in Rung.sentence")


def test_features_are_watched_as_one(caplog: pytest.LogCaptureFixture) -> None:
    asking = replace(GAME, features=Features((Feature(prompts=fails, after=fails),)))
    with installed(point(asking)):
        features = game_named("bazaar").features
        assert list(features.prompts(TABLE)) == []
        with pytest.raises(ZeroDivisionError) as failed:
            features.after(TABLE, Rung())
    assert caplog.messages == [
        "the game bazaar failed in features.prompts; what it should have shown counts"
    ]
    assert failed.value.__notes__ == ["in the game bazaar: features.after"]


def test_every_function_of_a_game_passes_there() -> None:
    game = guarded(TI4)
    for each in fields(game):
        value = getattr(game, each.name)
        for name in (
            getattr(value, "__dataclass_fields__", ()) if not isinstance(value, type) else ()
        ):
            call, before = getattr(value, name), getattr(getattr(TI4, each.name), name)
            if callable(call) and not isinstance(call, type) and call is before:
                assert call.__module__ == Game.__module__, f"{each.name}.{name}"
    assert game.features.state is TI4.features.state


def test_what_falls_back_exists() -> None:
    capabilities = {each.name: each.type for each in fields(Game)}
    for name in FALLBACKS:
        capability, dot, function = name.partition(".")
        owner: Any = getattr(ADVCIV if capability == "exchange" else TI4, capability, None)
        assert capability in capabilities or not dot, name
        if dot and capability != "features" and owner is not None:
            assert hasattr(owner, function), name
        elif not dot:
            assert name in capabilities or name in {
                each for methods in guard.METHODS for each in methods
            }, name


def test_a_table_is_saved_and_loaded_as_before() -> None:
    table = replace(TABLE, game="ti4", seq=64, state=TI4.features.state())
    assert load(64, dump(table)) == table
