"""Tests that what a host takes back at once leaves the table as it was before.

At random tables, each button of **Undo a slip** that an act brought is pressed right after it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest

from bot.games.advciv.drawing import CardsDrawn
from bot.games.advciv.trading import OpenTrading
from bot.games.ti4 import slips as ti4_slips
from bot.games.ti4.agendas import ResolveAgenda, RevealAgenda
from bot.games.ti4.combat import ActivateSystem, BeginCombat
from bot.games.ti4.turns import EndTurn, GiveTurn, NextTurn, PassTurn, StartTurn
from bot.rules import snapshots
from bot.rules.commands import Caller, Command, Press
from bot.rules.course import Course
from bot.rules.features.deals import AnswerDeal, ProposeDeal
from bot.rules.features.offers.debts import ForgiveDebt
from bot.rules.features.offers.posting import PostOffer
from bot.rules.features.offers.signing import Sign
from bot.rules.features.tables import SetPhase
from bot.rules.model.deals import Deal
from bot.rules.model.debts import owed
from bot.rules.model.goods import Goods
from bot.rules.model.table import Table
from bot.rules.model.violation import Refused
from bot.rules.registry import game_of, installed_game
from bot.rules.views import Viewer
from bot.rules.visible_table import see
from bot.show.menu import undo_card
from bot.testing import generated
from bot.testing.generated import made_by, makers_of
from bot.testing.kept import on
from bot.testing.makers import Makers
from bot.testing.world import Ask, World
from tests.games.advciv import machine as advciv
from tests.games.any import machine as any_game
from tests.games.ti4 import machine as ti4
from tests.games.ti4.tables import table_of, with_in_play, without_goods
from tests.scale import SCALE, seeds

COUNTS = {"seq", "stamps", "since", "phase_since", "number", "window", "changed", "granted"}
"""What only counts or names entries, windows and permits: that goes on."""

ELSE = {"given", "signatures", "stands"}
"""What an act may change for good: that a person has not acted yet, and a word that was given, or
was to be given ahead, for a window.
"""

ALLIANCE = Goods({"note:alliance:hacan": 1})
OWED_LATER = Goods({owed("trade_good"): 2})

MEMORY = {"slip", "homecomings"}
"""The parts of the state that remember what can be taken back."""


def slips(table: Table) -> dict[str, Press]:
    """Return what the host can take back, by the buttons' labels."""
    own = table.seat_of(table.host)
    viewer = Viewer(person=table.host, seat=own.id if own else None, hosts=True)
    presses = {}
    for shown in on(table.host, undo_card(see(table, viewer))):
        if isinstance(shown.action, Press):
            presses[shown.label] = shown.action
    return presses


def facts(table: Table) -> dict[str, Any]:
    """Return all that is so at a table, and what people read there."""
    saved = json.loads(snapshots.dump(table))["table"]
    state = saved.pop("state")
    found = {f"table {name}": _plain(each) for name, each in saved.items() if name not in COUNTS}
    found |= {f"state {name}": _plain(each) for name, each in state.items() if name not in MEMORY}
    found["window"] = _plain(saved["window"])
    board = game_of(table).commands.board(table)
    found["board"] = [board.heading, *board.lines]
    found["buttons"] = [each.label for each in (*board.buttons, *board.choices)]
    for seat in table.seated():
        view = see(table, Viewer(person=table.seats[seat].person or 0, seat=seat))
        found[f"asked {seat}"] = [prompt.text for prompt in view.prompts]
    return found


def _plain(value: Any) -> Any:
    match value:
        case dict():
            left = {}
            for name, each in value.items():
                counts = name in COUNTS and isinstance(each, int)
                if not counts and name not in ELSE:
                    left[name] = _plain(each)
            return left
        case list():
            return sorted(map(_plain, value), key=repr)
    return value


ACTS: dict[str, tuple[type[Command], ...]] = {
    "ti4": (
        SetPhase,
        RevealAgenda,
        ResolveAgenda,
        StartTurn,
        NextTurn,
        GiveTurn,
        EndTurn,
        PassTurn,
        ActivateSystem,
        BeginCombat,
        ForgiveDebt,
    ),
    "advciv": (OpenTrading,),
    "any": (ForgiveDebt,),
}
"""The acts that a host can take back. Others may only make room for one of those buttons."""

OFTEN = 0.4
"""How often one of these comes."""

MACHINES: dict[str, Makers] = {
    "ti4": makers_of(installed_game("ti4"), ti4.MACHINE),
    "advciv": makers_of(installed_game("advciv"), advciv.MACHINE),
    "any": makers_of(installed_game("any"), any_game.MACHINE),
}


def with_promises(dice: Random) -> World:
    """Return a table of Twilight Imperium 4 with promises that end with a turn and with a round."""
    world = ti4.opened(4, dice)
    world.do(1, StartTurn())
    other = world.table.seated()[1]
    for deal, end in enumerate(("turn", "round"), start=1):
        world.do(1, ProposeDeal(other, "no war", later=True, by=end))
        world.do(2, AnswerDeal(deal, agreed=True))
    return world


OPENED: dict[str, Callable[[Random], World]] = {
    "ti4": with_promises,
    "advciv": lambda dice: generated.opened("advciv", 4, dice),
    "any": lambda dice: any_game.opened(dice, 4, begun=True),
}


@dataclass(frozen=True)
class Played:
    """How acts at a random table were taken back: what is otherwise, and how often which was."""

    breaches: list[str]
    undone: Counter[str]


def played(game: str, seed: int, acts: int = 250) -> Played:
    """Play a random table, and take back each act that can be, right after it."""
    dice = Random(f"{game} slips {seed}")
    world, makers = OPENED[game](dice), MACHINES[game]
    breaches, undone = list[str](), Counter[str]()
    for _ in range(acts):
        before, could = world.table, slips(world.table)
        if dice.random() < OFTEN:
            ask = makers.of(dice.choice(ACTS[game]), before, dice)
        else:
            ask = made_by(makers, before, dice)
        entries = world.tries(ask)
        if isinstance(entries, Refused) or not isinstance(ask.command, ACTS[game]):
            continue
        if any(entry.undoes() or isinstance(entry, CardsDrawn) for entry in entries):
            continue  # it brings what could be taken back before; cards that were drawn were seen
        slipped = isinstance(ask.command, ForgiveDebt) and could
        for label, press in slips(world.table).items():
            # what was forgiven before, too, is owed again
            if label not in could and not slipped:
                undone[type(press.command).__name__] += 1
                breaches += broken(world, before, label, press)
    return Played(breaches, undone)


def broken(world: World, before: Table, label: str, press: Press) -> Iterator[str]:
    """Yield what is otherwise than before an act, once it is taken back."""
    after = world.copied()
    after.tries(Ask(press.command, Caller(world.table.host, at=world.at)))
    if after.table is world.table:
        yield f"{label} is refused"
        return
    was, now = facts(before), facts(after.table)
    for name, fact in was.items():
        if fact != now[name]:
            yield f"{label}: {name} was {fact}, and is {now[name]}"


@pytest.mark.slow
@pytest.mark.parametrize("seed", seeds(4 * SCALE))
@pytest.mark.parametrize("game", OPENED)
def test_what_is_taken_back_at_once_is_as_it_was(game: str, seed: int) -> None:
    assert played(game, seed).breaches == []


def test_every_kind_of_slip_comes_about() -> None:
    undone = sum((played("ti4", seed).undone for seed in range(3)), Counter[str]())
    assert undone.keys() >= {"UndoPhase", "UndoAgenda", "UndoPass", "StartTurn"}
    assert played("advciv", 1).undone["UndoTrading"]


def test_a_note_that_went_home_by_an_activation_lies_where_it_lay() -> None:
    table = without_goods(table_of(("hacan", "sol", "letnev")), "hacan", ALLIANCE)
    world = World(with_in_play(table, "sol", ALLIANCE))
    world.do(1, StartTurn("sol"))
    assert taken_back(world, 2, ActivateSystem("hacan")) == []


def test_a_debt_that_was_forgiven_is_owed_again() -> None:
    world = ti4.opened(2, Random(1))
    world.do(1, StartTurn())
    _, second = world.table.seated()
    world.do(1, PostOffer(to=second, give=Goods({"trade_good": 1}), want=OWED_LATER))
    world.do(2, Sign(1, 1))
    assert taken_back(world, 1, ForgiveDebt(1, 1, 2)) == []


def taken_back(world: World, person: int, command: Command) -> list[str]:
    """Return what is otherwise after this act was taken back than before it."""
    before = world.table
    world.do(person, command)
    [label] = slips(world.table).keys() - slips(before).keys()
    press = slips(world.table)[label]
    return [*broken(world, before, label, press)]


# ---------------------------------------------------------------- planted mistakes


def nothing(*what: object) -> tuple[()]:
    """Put no goods back."""
    return ()


def as_it_is(table: Table, *what: object) -> Table:
    """Put no part of the state back."""
    return table


def still_asked(course: Course, deals: Mapping[int, Deal]) -> Mapping[int, Deal]:
    """Put no promise back."""
    return deals


MISTAKES: dict[str, tuple[Any, str, Any, str]] = {
    "goods": (ti4_slips, "_goods_back", nothing, "table seats"),
    "the state": (ti4_slips, "_put_back", as_it_is, "state round"),
    "promises": (Course, "_as_then", still_asked, "table ending"),
}
"""What is no longer put back: what is replaced by what, and where it is found."""


@pytest.mark.slow
@pytest.mark.parametrize("mistake", MISTAKES)
def test_what_is_not_put_back_is_found(monkeypatch: pytest.MonkeyPatch, mistake: str) -> None:
    where, name, instead, found = MISTAKES[mistake]
    monkeypatch.setattr(where, name, instead)
    breaches = [*map(str, (played("ti4", seed).breaches for seed in range(3)))]
    assert found in " ".join(breaches)
