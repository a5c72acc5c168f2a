"""A table never falls silent, whatever its game returns or raises (issue 56, point 9)."""

from __future__ import annotations

import importlib
import inspect
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache, wraps
from itertools import chain, cycle, product
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import pytest

from bot.cli.games import check_package
from bot.delivery import delivery, planner
from bot.delivery.desired import (
    Board,
    FollowUp,
    GameNotice,
    HiddenFollowUp,
    HiddenPrompt,
    Prompt,
    Subject,
)
from bot.rehearsal import plays
from bot.rehearsal.grammar import read_file
from bot.rules.features.holdings import Gain
from bot.rules.game import Moves
from bot.rules.guard import FALLBACKS, MOVES, Misshapen
from bot.rules.model.goods import Change, Goods
from bot.rules.registry import game_named
from bot.rules.views import BoardView
from bot.rules.vocabulary import CORE
from bot.show import cards, narration
from bot.testing import Checks
from bot.testing.generated import made_by, makers_of, opened
from bot.testing.presented import briefing_of
from bot.testing.watching import Findings, watched
from bot.testing.world import World
from tests.games.advciv import machine as advciv
from tests.games.ti4 import machine as ti4
from tests.plugin.bazaar.installing import installed, point
from tests.scale import long

ROOT = Path(__file__).parents[2]

AUCTION = ROOT / "examples" / "auction" / "bourse_auction"

LEAVES_OUT = (
    "return Moves({seat: each for seat, each in public.items() if each != Change()}, hidden)"
)

PLAY = """\
alice: /table open game:auction
alice: /table sit seat:red
bob: /table sit seat:green
alice: press "First painting"
alice: /holdings gain goods:"3 coins"
alice: /offer post to:@bob give:"2 coins"
  bob sees "2 coins"
bob: press "Accept"
  records transaction
alice: /offer post to:@bob give:"1 coin"
  bob sees "1 coin"
restart
alice: /auction hammer
  bob sees "Nobody wants"
"""


@pytest.fixture
def auction(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The auction of the examples, whose `moves` leaves out seats without a public change."""
    shutil.copytree(AUCTION, tmp_path / "bourse_auction")
    file = tmp_path / "bourse_auction" / "__init__.py"
    text = file.read_text(encoding="utf-8")
    assert "return Moves(public, hidden)" in text
    file.write_text(text.replace("return Moves(public, hidden)", LEAVES_OUT), encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    for name in ("bourse_auction", "bourse_auction.bidding"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    module = importlib.import_module("bourse_auction")
    with installed(point(module.GAME, package="bourse-auction", version="1.0")):
        yield module


@pytest.mark.long
def test_a_seat_that_is_left_out_has_no_change(auction: Any, tmp_path: Path) -> None:
    """In the whole program; `test_the_checks_stay_green_for_it` shows it of the cards."""
    info = tmp_path / "bourse_auction-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: bourse-auction\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[bourse.games]\nauction = bourse_auction:GAME\n"
        "[bourse.cogs]\nauction = bourse_auction.cogs:cogs\n"
    )
    (tmp_path / "a.play").write_text(PLAY)
    done = subprocess.run(
        [sys.executable, "-m", "bot", "play", "a.play"],
        env={**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


SILENCED = """\
alice: /table open game:ti4
alice: /table sit seat:hacan
bob: /table sit seat:sol
alice: /holdings gain goods:"3 trade goods"
alice: /offer post to:@bob give:"2 trade goods"
restart
  bob sees "2 trade goods"
alice: /offer post to:@bob give:"1 trade good"
  bob sees "1 trade good"
"""


async def test_a_table_that_fell_silent_goes_on_after_the_update(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As 1.0.0 left it: the plan raises from the first gain on, and the cursor stays there."""

    def plan(briefing: Any, *args: Any, **options: Any) -> Any:
        for entry in briefing.entries:
            if entry.kind == "holdings.gained":
                raise KeyError("red")
        return planner.plan(briefing, *args, **options)

    file = tmp_path / "a.play"
    file.write_text(SILENCED, encoding="utf-8")
    play, failed = read_file(file), list[str]()
    monkeypatch.setattr(delivery, "plan", plan)
    with plays.database(play, None) as (url, later):
        async with plays.performed(play, url, later=later, factory=plays.bourse) as performance:
            for step in play.steps:
                if step.text == "restart":
                    assert failed
                    failed.clear()
                    monkeypatch.setattr(delivery, "plan", planner.plan)
                lines = await performance.take(step)
                failed += [line.text for line in lines if line.ok is False]
    assert failed == []


def test_the_checks_stay_green_for_it(auction: Any) -> None:
    class Auction(Checks):
        game = "auction"
        tables = 2
        acts = 60

    Auction().test_laws()


# ---------------------------------------------------------------- shapes that can't be recorded

ONE = Change(gained=Goods({"coin": 1}))

WRONG = {
    "a dict": lambda table, seat, goods: {seat: ONE},
    "nothing": lambda table, seat, goods: None,
    "no hidden": lambda table, seat, goods: Moves({}, None),  # type: ignore[arg-type]
    "another seat": lambda table, seat, goods: Moves({"nobody": ONE}),
    "goods for a change": lambda table, seat, goods: Moves({seat: goods}),
    "a dict for goods": lambda table, seat, goods: Moves({seat: Change(gained={"coin": 1})}),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize("counted", [True, False])
def test_what_can_not_be_recorded_is_a_fault_that_names_the_game(
    wrong: str, counted: bool, auction: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = opened("auction", 2, Random(1))
    recorded = len(world.recorded)
    monkeypatch.setattr(auction, "GAME", with_function(auction.GAME, "holdings.gain", WRONG[wrong]))
    with (
        installed(point(auction.GAME)),
        pytest.raises(Misshapen, match=r"holdings\.gain of the game auction"),
    ):
        world.do(1, Gain(Goods({"coin": 1})))
    assert len(world.recorded) == recorded


def test_a_settlement_of_another_shape_silences_nobody(auction: Any) -> None:
    game = with_function(auction.GAME, "trade.settle", lambda table, trade: {})
    with (
        installed(point(game)),
        pytest.raises(Misshapen, match=r"trade\.settle of the game auction"),
    ):
        game_named("auction").trade.settle(World().table, None)


@pytest.mark.parametrize("place", MOVES)
def test_the_check_of_a_package_shows_it(place: str, auction: Any, tmp_path: Path) -> None:
    game = with_function(auction.GAME, place, lambda *_: {})
    lines = list[str]()
    with installed(point(game, package="bourse-auction", version="1.0")):
        assert check_package("auction", tmp_path, lines.append) == 1
    assert f"{place} of the game auction returned a dict" in "\n".join(lines)


def test_the_check_of_a_package_shows_a_card_that_raises(auction: Any, tmp_path: Path) -> None:
    game = with_function(auction.GAME, "commands.board", lambda table: BoardView((7,)))  # type: ignore[arg-type]
    lines = list[str]()
    with installed(point(game, package="bourse-auction", version="1.0")):
        assert check_package("auction", tmp_path, lines.append) == 1
    assert "the game auction failed in board_card" in "\n".join(lines)


def with_function(game: Any, place: str, function: Any) -> Any:
    """The game with another function in this place."""
    capability, _, name = place.rpartition(".")
    if not capability:
        return replace(game, **{name: function})
    return replace(game, **{capability: replace(getattr(game, capability), **{name: function})})


# ---------------------------------------------------------------- each presenting function raises

MAY_BE_LEFT_OUT = (Prompt, HiddenPrompt, FollowUp, HiddenFollowUp, GameNotice)
"""Messages that a game asks for by a function that only presents: without it there are none."""

MADE = {"ti4": ti4.MACHINE, "advciv": advciv.MACHINE}


def at_one_game(names: Iterable[str]) -> list[Any]:
    """Return each name with one of the games; with the other it waits for `make long`."""
    pairs = list(zip(names, cycle(MADE), strict=False))
    others = [pair for pair in product(names, MADE) if pair not in pairs]
    return [*pairs, *long(others)]


def fails(*_: object, **options: object) -> Any:
    raise ZeroDivisionError


@cache
def evening(game: str) -> World:
    """A random table, with all its entries."""
    dice = Random(game)
    makers, world = makers_of(game_named(game), MADE[game]), opened(game, 4, dice)
    for _ in range(80):
        world.tries(made_by(makers, world.table, dice))
    return world


@cache
def sound_messages(game: str) -> set[Subject]:
    """What the planner sends while nothing fails."""
    return messages(game)[0]


def messages(game: str) -> tuple[set[Subject], Findings]:
    """What the planner would send of the whole evening, and what the log says of it."""
    with watched() as findings:
        steps = planner.plan(briefing_of(evening(game), 0), {})
    told = {step.subject for step in steps}
    return {each for each in told if not isinstance(each, MAY_BE_LEFT_OUT)}, findings


@pytest.mark.slow
@pytest.mark.parametrize(("place", "game"), at_one_game(FALLBACKS))
def test_each_function_of_a_game_may_raise(
    place: str, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    sound = sound_messages(game)
    made = game_named(game)
    loaded = []

    def fails_once_loaded(function: Any) -> Any:
        """A game whose board fails when it is loaded is left out, which is another thing."""
        return wraps(function)(lambda *args: fails() if loaded else function(*args))

    capability, _, name = place.rpartition(".")
    owner = getattr(made, capability) if capability else made
    if capability and owner is None:
        return
    if hasattr(owner, name):
        made = with_function(made, place, fails_once_loaded(getattr(owner, name)))
    kinds = [*made.features.entries, *CORE.entries]
    for kind in kinds:
        if name in vars(kind):
            monkeypatch.setattr(kind, name, wraps(vars(kind)[name])(fails))
    with installed(point(made)):
        assert game_named(game).features is made.features
        loaded.append(True)
        broken, _ = messages(game)
    assert sound <= broken


def cards_drawn_in(module: ModuleType) -> set[str]:
    """Return the names of the functions of a module that draw a card."""
    drawing = [
        function.__name__
        for function in vars(module).values()
        if hasattr(function, "__wrapped__") and function.__module__ == module.__name__
    ]
    return {name for name in drawing if name.endswith(("_card", "_question"))}


SHOWING = [module for name, module in sys.modules.items() if name.startswith("bot.show.")]
CARDS = sorted(set(chain.from_iterable(map(cards_drawn_in, SHOWING))))


@pytest.mark.slow
@pytest.mark.parametrize(("name", "game"), at_one_game(CARDS))
def test_each_card_may_raise(name: str, game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    sound = sound_messages(game)
    safely = cards.safely

    def breaking(of: str, plain: Any, make: Any, *args: Any, **options: Any) -> Any:
        if make.__name__ == name:
            make = wraps(make)(fails)
        return safely(of, plain, make, *args, **options)

    monkeypatch.setattr(cards, "safely", breaking)
    broken, findings = messages(game)
    assert sound == broken
    assert {line.split(" failed in ")[1].split(";")[0] for line in findings.sentences} <= {name}


WORDS = [name for name, each in vars(narration).items() if inspect.isfunction(each)]


@pytest.mark.parametrize("game", MADE)
@pytest.mark.parametrize(
    "name", [name for name in WORDS if name.startswith("_") and name != "_plainly"]
)
def test_each_function_of_the_narration_may_raise(
    name: str, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    sound = sound_messages(game)
    monkeypatch.setattr(narration, name, wraps(getattr(narration, name))(fails))
    broken, _ = messages(game)
    assert sound <= broken


def test_a_part_of_the_plan_may_raise(monkeypatch: pytest.MonkeyPatch) -> None:
    sound = sound_messages("ti4")
    monkeypatch.setattr(planner, "board_card", fails)
    broken, findings = messages("ti4")
    assert Board() in sound - broken
    assert broken
    assert "the game ti4 failed in" in findings.sentences[0]


def test_no_card_is_made_without_that() -> None:
    unguarded = []
    for name, module in sys.modules.items():
        functions = vars(module).values() if name.startswith("bot.show.") else ()
        for function in filter(inspect.isfunction, functions):
            takes = [*inspect.signature(function).parameters.values()][:1]
            views = [each for each in takes if each.annotation in ("TableView", "EntryView")]
            made = function.__name__.endswith("_card") and "Card" in str(
                function.__annotations__.get("return")
            )
            if views and made and function.__name__ not in CARDS:
                unguarded.append(f"{name}.{function.__name__}")
    assert unguarded == []
