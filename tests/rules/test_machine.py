"""A table driven by random commands of every kind: what `tests.rules.laws` says holds after each of them."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable
from random import Random

import pytest
from hypothesis import HealthCheck, Phase, note, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from bot.rules.apply import apply, replay
from bot.rules.commands import Audit, CloseTable, Command, Tick
from bot.rules.entries import Entry, Spent, entry_adapter
from bot.rules.games.ti4.commands import StartTurn
from bot.rules.goods import Goods
from bot.rules.ruling import Refused
from bot.rules.table import Change, Settings, Table
from tests.rules import advciv_machine, laws
from tests.rules.machine import KINDS, MAKERS, SELDOM, WEIGHTED, World, commands, opened
from tests.rules.why_not import reasons_agree

SCALE = int(os.environ.get("SCALE_OF_TESTS", "1"))
"""How many times the usual number of examples: SCALE_OF_TESTS=50 for a long night."""

PHASES = [Phase.explicit, Phase.reuse, Phase.generate, *([Phase.shrink] if SCALE > 1 else [])]
"""Shrinking a table that has lived takes minutes: the commands are printed as they are, unless time is no matter."""

MANY = 100_000
"""Commands of the long loop, over as many tables as it takes."""

LIFE = 500
"""Commands at one table of the long loop."""

WHEN_CLOSED: tuple[type[Command], ...] = (Audit,)
"""What may be asked of a table that is closed too."""

SETTINGS = st.builds(
    Settings,
    rulings=st.sampled_from(["refuse", "refuse", "warn"]),
    inventory=st.sampled_from(["tracked", "tracked", "untracked"]),
    declare_neighbors=st.just("players"),
    declare_holdings=st.just("players"),
    confirm=st.sampled_from(["once", "once", "twice"]),
    open_on_close=st.just("yes"),
)


class Tables(RuleBasedStateMachine):
    """2 to 8 seats, random commands; the witness keeps its own books."""

    def __init__(self) -> None:
        super().__init__()
        self.world = World()
        self.again = Table()
        self.witness = laws.Witness()
        self.checked = 0

    @initialize(seats=st.integers(2, 8), dice=st.randoms(use_true_random=False), settings=SETTINGS)
    def open(self, seats: int, dice: Random, settings: Settings) -> None:
        self.world = opened(seats, dice, settings)
        self.world.do(StartTurn(by=1, person=1))
        self._look_back()

    @rule(kind=st.sampled_from(WEIGHTED), dice=st.randoms(use_true_random=False))
    def ask(self, kind: type[Command], dice: Random) -> None:
        if self.world.table.open:
            self._ask(MAKERS[kind](self.world.table, dice))

    @rule(dice=st.randoms(use_true_random=False))
    def seldom(self, dice: Random) -> None:
        if dice.randint(1, 12) == 12:
            self._ask(SELDOM[CloseTable](self.world.table, dice))

    @rule(kind=st.sampled_from(WEIGHTED), dice=st.randoms(use_true_random=False))
    def ask_when_closed(self, kind: type[Command], dice: Random) -> None:
        if not self.world.table.open and kind not in WHEN_CLOSED:
            with pytest.raises(Refused, match="closed"):
                self.world.do(MAKERS[kind](self.world.table, dice))

    def _ask(self, command: Command) -> None:
        before, held = self.world.table, len(self.world.entries)
        note(repr(command))
        laws.pure(before, command)
        answer = self.world.tries(command)
        if isinstance(answer, Refused):
            assert self.world.table is before
            assert len(self.world.entries) == held
            laws.told_well(before, answer)
        else:
            assert answer or isinstance(command, Tick), "a command was done and nothing is recorded"
            self._look_back()

    def _look_back(self) -> None:
        """Follow the entries, each as the ledger gives it back."""
        for entry in self.world.entries[self.checked :]:
            laws.survives_storage(entry)
            after = apply(self.again, laws.stored(entry))
            self.witness.saw(self.again, entry, after)
            laws.seals(after, entry)
            self.again = after
        self.checked = len(self.world.entries)

    @invariant()
    def replaying_gives_the_same_table(self) -> None:
        assert self.again == self.world.table

    @invariant()
    def a_snapshot_gives_the_same_table(self) -> None:
        table = self.world.table
        assert Table.model_validate_json(table.model_dump_json()) == table

    @invariant()
    def the_table_is_sound(self) -> None:
        if self.world.table.game:
            laws.standing(self.world.table)

    @invariant()
    def reasons_shown_are_reasons_given(self) -> None:
        if self.world.table.open:
            reasons_agree(self.world.table)

    def teardown(self) -> None:
        assert replay(self.world.entries) == self.world.table
        half = len(self.world.entries) // 2
        assert replay(self.world.entries[half:], replay(self.world.entries[:half])) == self.world.table


TestTables = Tables.TestCase
TestTables.settings = settings(
    max_examples=30 * SCALE,
    stateful_step_count=40,
    deadline=None,
    phases=PHASES,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)


def test_every_kind_of_command_is_made() -> None:
    """Whoever adds a command adds its maker, in tests/rules/machine.py or where the game is that it belongs to."""
    assert _concrete(Command) == MAKERS.keys() | SELDOM.keys() | advciv_machine.MAKERS.keys()


def test_every_kind_of_entry_comes_about_in_one_of_the_games() -> None:
    """That all of its kinds do come about, each game's long loop sees to."""
    assert _told(KINDS | advciv_machine.KINDS) == set(entry_adapter().json_schema()["discriminator"]["mapping"])


def test_an_entry_that_takes_more_than_is_there_is_not_cut_to_what_is() -> None:
    """No such entry is ever decided; should one come, it must not pass for a smaller one."""
    table = opened(2, Random(1)).table
    seat = next(iter(table.seats))
    with pytest.raises(ValueError, match="cannot take"):
        apply(table, Spent(seat=seat, changes={seat: Change(lost=Goods({"trade_good": 99}))}))


def test_a_hundred_thousand_commands_and_no_good_is_lost() -> None:
    """A plain loop with a seed, over tables of 2 to 8 seats that live for some 500 commands each."""
    dice = Random(94)
    done, kinds, made = 0, Counter[str](), Counter[type[Command]]()
    while done < MANY * SCALE:
        world = opened(dice.randint(2, 8), dice, _settings(dice))
        world.do(StartTurn(by=1, person=1))
        for command in commands(world, dice, LIFE):
            answer = world.tries(command)
            made[type(command)] += bool(answer) and not isinstance(answer, Refused)
        world.do(CloseTable(by=world.table.host))
        assert _replayed(world.entries) == world.table
        done += LIFE
        kinds.update(entry.kind for entry in world.entries)
    assert kinds.keys() == _told(KINDS), "a kind of entry never came about"
    assert (+made).keys() == MAKERS.keys(), "a kind of command was never allowed"
    assert kinds["transaction"] > MANY / 200, kinds


def _replayed(entries: Iterable[Entry]) -> Table:
    """The table that these lead to, each step witnessed."""
    table, witness = Table(), laws.Witness()
    for entry in entries:
        after = apply(table, entry)
        witness.saw(table, entry, after)
        table = after
    laws.standing(table)
    return table


def _settings(dice: Random) -> Settings:
    return Settings(rulings=dice.choice(["refuse", "refuse", "warn"]), inventory="tracked")


def _told(kinds: Iterable[type[Entry]]) -> set[str]:
    return {kind.model_fields["kind"].default for kind in kinds}


def _concrete(kind: type[Command]) -> set[type[Command]]:
    below = kind.__subclasses__()
    return {kind} if not below else {found for sub in below for found in _concrete(sub)}
