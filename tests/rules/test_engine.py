"""Tests of the engine: refusals in every game, and the game's own."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from bot.games.advciv import GAME as ADVCIV
from bot.games.advciv.drawing import DrawCards
from bot.games.any import GAME as ANY
from bot.games.ti4 import GAME as TI4
from bot.rules import registry
from bot.rules.commands import Caller, Command
from bot.rules.engine import decide
from bot.rules.features.audits import Audit
from bot.rules.features.holdings import SetHoldings
from bot.rules.features.seats import Sit
from bot.rules.features.tables import CloseTable, OpenTable
from bot.rules.game import Game
from bot.rules.model.goods import Goods
from bot.rules.model.table import Table
from bot.rules.model.violation import Refused
from bot.rules.vocabulary import CORE
from bot.testing import laws
from bot.testing.makers import SELDOM
from bot.testing.world import World
from tests.games.advciv import machine as advciv
from tests.games.any import machine as any_game
from tests.games.ti4 import machine as ti4

CLOSED = [(ti4, kind) for kind in ti4.MACHINE.by_kind if kind is not Audit]
CLOSED += [(advciv, kind) for kind in advciv.MACHINE.by_kind if kind is not Audit]


def every_kind() -> set[str]:
    """Return the names of all kinds of command that stand for themselves.

    A dataclass with slots is made twice, so that subclasses are listed twice; hence names.
    """
    found, below = set(), [Command]
    while below:
        kind = below.pop()
        subs = [sub for sub in kind.__subclasses__() if sub.__module__.startswith("bot.")]
        if not subs and kind.__name__ not in ("OfferCommand", "DealCommand", "DebtCommand"):
            found.add(name(kind))
        below += subs
    return found


def name(kind: type[Command]) -> str:
    return f"{kind.__module__}.{kind.__name__}"


def test_every_kind_of_command_is_made() -> None:
    """A new command needs a maker, see `bot.testing.makers`."""
    made = {*any_game.MACHINE.by_kind, *ti4.MACHINE.by_kind, *advciv.MACHINE.by_kind, *SELDOM}
    assert every_kind() == set(map(name, made))


def test_every_kind_of_command_has_one_who_answers_it() -> None:
    answered = set(CORE.commands)
    for game in (ANY, ADVCIV, TI4):
        answered |= {*game.features.commands}
    assert set(map(name, answered)) == every_kind()


def test_a_closed_table_refuses_everything_and_stays_as_it_is(subtests: pytest.Subtests) -> None:
    for game, kind in CLOSED:
        with subtests.test(name(kind)):
            world, dice = game.opened(3, Random(5)), Random(5)
            world.do(1, CloseTable())
            before = world.table
            for _ in range(5):
                ask = game.MACHINE.of(kind, replace(before, open=True), dice)
                with pytest.raises(Refused, match="This table is closed"):
                    world.ask(ask)
                assert world.table is before


def test_an_audit_needs_the_host_when_the_table_is_closed_too() -> None:
    world = ti4.opened(2, Random(1))
    world.do(1, CloseTable())
    with pytest.raises(Refused, match="Only the host may audit"):
        world.do(2, Audit("ledger"))


def test_no_table_of_a_game_that_is_not_there() -> None:
    with pytest.raises(
        Refused, match=r"There is no game “chess” here\. Try advciv or any or ti4\."
    ):
        World().do(1, OpenTable("chess"))


@pytest.mark.parametrize(
    "command",
    [Sit("sol"), SetHoldings("sol", Goods({"trade_good": 1})), CloseTable()],
    ids=lambda each: type(each).__name__,
)
def test_a_table_that_was_never_opened_is_closed(command: Command) -> None:
    with pytest.raises(Refused, match="closed"):
        decide(Table(id=1), command, Caller(1))


def test_another_games_command_is_a_sentence() -> None:
    world = ti4.opened(2, Random(1))
    with pytest.raises(Refused, match="That doesn't exist in Twilight Imperium 4") as refused:
        world.do(1, DrawCards(5))
    laws.told_well(world.table, refused.value)


class _Unheard(Command):
    """A command that nobody answers."""


def test_a_command_that_nobody_answers_is_a_sentence() -> None:
    with pytest.raises(Refused, match="That doesn't exist in"):
        ti4.opened(2, Random(1)).do(1, _Unheard())


def test_a_game_has_a_veto_over_the_cores_commands(monkeypatch: pytest.MonkeyPatch) -> None:
    """`Commands.may` is asked before the core decides, with the one who asks."""
    heard: list[tuple[Command, Caller]] = []

    def may(table: Table, command: Command, caller: Caller) -> None:
        heard.append((command, caller))
        if isinstance(command, SetHoldings):
            raise Refused("Not in this game.", rule="1")

    world = ti4.opened(2, Random(1))
    sets = SetHoldings(world.seat(2), Goods({"trade_good": 9}))
    strict: Game = replace(TI4, commands=replace(TI4.commands, may=may))
    monkeypatch.setattr(registry, "games", lambda: {"ti4": strict})
    with pytest.raises(Refused, match="Not in this game"):
        world.do(1, sets)
    assert heard[-1] == (sets, Caller(1, chance="chance"))
    assert world.do(1, CloseTable())
