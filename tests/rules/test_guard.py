"""Games that fail or are slow: the log names game and place, and what is recorded counts."""

from __future__ import annotations

import logging
import signal
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import fields, replace
from typing import Any

import pytest

from bot.games.advciv import GAME as ADVCIV
from bot.games.ti4 import GAME as TI4
from bot.rules import guard
from bot.rules.apply import apply
from bot.rules.commands import Caller, Command
from bot.rules.engine import decide
from bot.rules.entries import Entry, Recorded
from bot.rules.feature import Feature, Features
from bot.rules.features.tables import PhaseSet
from bot.rules.game import Game, HiddenHands, Trade
from bot.rules.guard import FALLBACKS, blamed, presenting
from bot.rules.model.goods import NOTHING, Goods
from bot.rules.model.table import Seat, Table
from bot.rules.model.violation import Refused
from bot.rules.registry import game_named, games
from bot.rules.snapshots import dump, load
from bot.rules.views import Viewer
from bot.rules.visible_entry import see_entry
from bot.rules.visible_table import see
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
    made = GAME
    if capability:
        made = replace(GAME, **{capability: replace(getattr(GAME, capability), **changes)})
    with installed(point(made)):
        yield game_named("bazaar")


class Rung(Entry):
    kind = "bazaar.rung"

    def apply(self, table: Table) -> Table:
        return fails()

    def sentence(self, ruler: str) -> str:
        return fails()

    def heading(self) -> str:
        return fails()

    def redacted(self, seats: frozenset[str]) -> Entry:
        return fails()


RUNG = Recorded(7, 1, 0, 1, Rung(), "")


class Ring(Command):
    kind = "bazaar.ring"

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        yield Rung()
        raise ZeroDivisionError


@contextmanager
def ringing() -> Iterator[None]:
    """A bazaar with a bell that fails in whatever it does."""
    bell = Feature(commands=(Ring,), entries=(Rung,), prompts=fails)
    with installed(point(replace(GAME, features=Features((bell,))))):
        assert list(games()) == ["bazaar"]
        yield


# ---------------------------------------------------------------- blame


def notes(failed: pytest.ExceptionInfo[ZeroDivisionError]) -> list[str]:
    """The notes of an error, by which the operator finds the game."""
    return failed.value.__notes__


def test_a_game_that_fails_while_it_decides_is_named() -> None:
    with ringing(), pytest.raises(ZeroDivisionError) as failed:
        decide(TABLE, Ring(), Caller(1))
    assert notes(failed) == ["in the game bazaar: Ring.decide"]


def test_a_game_that_fails_while_it_applies_is_named() -> None:
    with ringing(), pytest.raises(ZeroDivisionError) as failed:
        apply(TABLE, Rung())
    assert notes(failed) == ["in the game bazaar: Rung.apply"]


def test_a_feature_that_fails_after_an_entry_of_the_core_is_named() -> None:
    following = replace(GAME, features=Features((Feature(after=fails),)))
    with installed(point(following)), pytest.raises(ZeroDivisionError) as failed:
        apply(TABLE, PhaseSet(phase="market", window=1))
    assert notes(failed) == ["in the game bazaar: PhaseSet.apply"]


def test_a_game_that_fails_while_a_table_is_seen_is_named() -> None:
    hands = HiddenHands(open=fails, redact=fails, self_reportable=fails, wealth=fails)
    seated = replace(TABLE, seats={"red": Seat("red", person=1, holdings=SILK)})
    hiding = replace(GAME, hidden=hands)
    with installed(point(hiding)), pytest.raises(ZeroDivisionError) as failed:
        see(seated, Viewer())
    assert notes(failed) == ["in the game bazaar: see"]


def test_a_game_that_fails_while_an_entry_is_seen_is_named() -> None:
    with ringing(), pytest.raises(ZeroDivisionError) as failed:
        see_entry(RUNG, Viewer(), "bazaar")
    assert notes(failed) == ["in the game bazaar: Rung.redacted"]


def test_the_innermost_place_is_named_once() -> None:
    with (
        pytest.raises(ZeroDivisionError) as failed,
        blamed("bazaar", "Ring.decide"),
        blamed("bazaar", "Rung.apply"),
    ):
        fails()
    assert notes(failed) == ["in the game bazaar: Rung.apply"]


def test_a_refusal_blames_nobody(caplog: pytest.LogCaptureFixture) -> None:
    with bazaar() as game, pytest.raises(Refused) as refused, blamed("bazaar", "Gain.decide"):
        game.goods.read("2 oil", (), None, {})
    assert not hasattr(refused.value, "__notes__")
    assert caplog.messages == []


def test_no_signal_and_no_class_is_touched() -> None:
    before = signal.getsignal(signal.SIGVTALRM)
    with ringing():
        own = vars(Rung)["sentence"], vars(Ring)["decide"]
        with pytest.raises(ZeroDivisionError):
            decide(TABLE, Ring(), Caller(1))
        assert signal.getitimer(signal.ITIMER_VIRTUAL) == (0.0, 0.0)
    assert signal.getsignal(signal.SIGVTALRM) is before
    assert own[0].__module__ == own[1].__module__ == __name__
    assert not hasattr(own[0], "__wrapped__")


# ---------------------------------------------------------------- what is slow


def slow(*_: object) -> list[Any]:
    until = time.thread_time() + 0.06
    while time.thread_time() < until:
        pass
    return []


def test_what_is_slow_is_a_line_with_game_place_and_milliseconds(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guard, "SLOW", 0.05)
    with blamed("bazaar", "Ring.decide"):
        slow()
    [record] = caplog.records
    assert record.levelno == logging.WARNING
    words, milliseconds = record.getMessage().rsplit(" took ", 1)
    assert words == "the game bazaar is slow: Ring.decide"
    assert 60 <= int(milliseconds.removesuffix(" ms")) < 5000


def test_what_is_slow_counts_all_the_same(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guard, "SLOW", 0.05)
    with bazaar("goods", describe_holdings=slow) as game:
        assert game.goods.describe_holdings(None) == []
    assert [line.partition(" took ")[0] for line in caplog.messages] == [
        "the game bazaar is slow: goods.describe_holdings"
    ]


def test_a_picture_may_take_longer(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guard, "SLOW", 0.05)
    with installed(point(replace(GAME, draw=slow))):
        assert game_named("bazaar").draw(None) == []
    assert caplog.messages == []


# ---------------------------------------------------------------- plain words


def test_presentation_that_raises_falls_back_to_plain_words(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with bazaar("goods", describe=fails) as game:
        assert game.goods.describe(SILK) == "2 silk"
    assert caplog.messages == [
        "the game bazaar failed in goods.describe; what it should have shown counts"
    ]


def test_a_generator_that_fails_on_the_way_falls_back_too() -> None:
    def suggest(*_: object) -> Iterator[Any]:
        yield from fails()

    with bazaar("goods", suggest=suggest) as game:
        assert game.goods.suggest(None, NOTHING) == ()


def test_a_function_that_decides_is_not_replaced() -> None:
    with bazaar("trade", settle=fails) as game, pytest.raises(ZeroDivisionError):
        game.trade.settle(TABLE, Trade("red", "green", SILK, NOTHING))


def test_an_entry_that_can_not_tell_itself_is_told_in_plain_words(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Rung, "redacted", Entry.redacted)
    with ringing():
        told = sentence(see_entry(RUNG, Viewer(), "bazaar"))
    assert told == "bazaar.rung is recorded. It counts, but its game can't say what it did."
    assert caplog.messages == [
        "the game bazaar failed in Rung.sentence; what it should have shown counts"
    ]


def test_questions_that_can_not_be_asked_are_left_out(caplog: pytest.LogCaptureFixture) -> None:
    with ringing():
        assert see(TABLE, Viewer()).prompts == ()
    assert caplog.messages == [
        "the game bazaar failed in Features.prompts; what it should have shown counts"
    ]


def test_the_functions_that_only_present_pass_there_and_no_other() -> None:
    game = presenting(ADVCIV)
    changed = set()
    for capability in ("goods", "trade", "commands", "exchange", "seats"):
        before, after = getattr(ADVCIV, capability), getattr(game, capability)
        for name in (each.name for each in fields(before)):
            if getattr(after, name) is not getattr(before, name):
                changed.add(f"{capability}.{name}")
    assert changed <= FALLBACKS.keys()
    assert {"goods.describe", "commands.board", "exchange.outlook"} <= changed
    assert game.features is ADVCIV.features


@pytest.mark.parametrize("place", FALLBACKS)
def test_what_falls_back_exists(place: str) -> None:
    capability, _, name = place.rpartition(".")
    if capability:
        game = ADVCIV if capability == "exchange" else TI4
        assert hasattr(getattr(game, capability), name)
    else:
        assert any(hasattr(owner, name) for owner in (TI4, Features, Entry, Command))


def test_a_table_is_saved_and_loaded_as_before() -> None:
    table = replace(TABLE, game="ti4", seq=64, state=TI4.features.state())
    assert load(64, dump(table)) == table
