"""Tests of random tables of Twilight Imperium 4 with commands of every kind: the laws hold after
each.
"""

from __future__ import annotations

from collections import Counter
from contextlib import nullcontext
from functools import cache
from random import Random

import pytest
from hypothesis import HealthCheck, note, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from bot.games.ti4.notes import NotePlayed
from bot.games.ti4.turns import StartTurn
from bot.rules.apply import apply
from bot.rules.commands import Command
from bot.rules.features.audits import Audit
from bot.rules.features.holdings import Spent
from bot.rules.features.offers.entries import Transaction
from bot.rules.features.tables import (
    BeginClosing,
    CloseTable,
    MoveTable,
    PauseTable,
    ReopenTable,
    ResumeTable,
    Tick,
)
from bot.rules.model.goods import Change, Goods
from bot.rules.model.table import Table
from bot.rules.model.violation import Refused
from bot.testing import laws
from bot.testing.actions import actions_agree
from bot.testing.makers import ruler
from bot.testing.world import TABLE, Ask, World
from tests.games.ti4 import witness
from tests.games.ti4.machine import KINDS, MACHINE, NEVER, command_of, opened
from tests.games.ti4.tables import table_of, with_goods
from tests.games.ti4.why_not import reasons_agree
from tests.scale import PHASES, at_scale, long, seeds

MANY, SEEDS = at_scale(24_000, 20_000), seeds(8)
"""Commands in all, and the loops that they are dealt out to."""

LIFE = 500
"""Commands at one table of the long loop."""

SETTINGS = st.fixed_dictionaries(
    {
        "rulings": st.sampled_from(["refuse", "refuse", "warn"]),
        "inventory": st.sampled_from(["tracked", "tracked", "untracked"]),
        "confirm": st.sampled_from(["once", "once", "twice"]),
        "take_back": st.sampled_from(["on", "on", "off"]),
    }
)


class Tables(RuleBasedStateMachine):
    """2 to 8 seats, random commands; the witness keeps its own books."""

    def __init__(self) -> None:
        super().__init__()
        self.world = World()
        self.again = self.looked_at = Table(id=TABLE)
        self.witness = witness.Witness()

    @initialize(seats=st.integers(2, 8), dice=st.randoms(use_true_random=False), chosen=SETTINGS)
    def open(self, seats: int, dice: Random, chosen: dict[str, str]) -> None:
        self.world = opened(seats, dice, dict(chosen))
        self.world.do(1, StartTurn())
        self._look_back()

    @rule(kind=st.sampled_from(MACHINE.weighted), dice=st.randoms(use_true_random=False))
    def ask(self, kind: type[Command], dice: Random) -> None:
        """One rule, in which closing is rare: Hypothesis uses each rule as often as others."""
        table = self.world.table
        if not table.open:
            if kind is not Audit:
                with pytest.raises(Refused, match="closed"):
                    self.world.ask(MACHINE.of(kind, table, dice))
        elif dice.randint(1, 60) == 60:
            self._ask(Ask(CloseTable(), ruler(table, dice)))
        else:
            self._ask(MACHINE.of(kind, table, dice))

    def _ask(self, ask: Ask) -> None:
        before, held = self.world.table, len(self.world.entries)
        note(repr(ask))
        laws.pure(self.world, ask)
        answer = self.world.tries(ask)
        if isinstance(answer, Refused):
            assert self.world.table is before
            assert len(self.world.entries) == held
            laws.told_well(before, answer)
        else:
            assert answer or isinstance(ask.command, Tick), "nothing is recorded"
            self._look_back()

    def _look_back(self) -> None:
        """Follow the entries, each as the ledger gives it back."""
        for entry in self.world.entries[self.again.seq :]:
            laws.survives_storage(entry)
            after = apply(self.again, laws.stored(entry))
            self.witness.saw(self.again, entry, after)
            witness.seals(after, entry)
            self.again = after

    @invariant()
    def the_laws_hold(self) -> None:
        """Looked at when the table has changed: what was refused has left it as it was."""
        table = self.world.table
        if not table.game or table is self.looked_at:
            return
        self.looked_at = table
        assert self.again == table
        laws.survives_a_snapshot(table)
        witness.sound(table)
        if table.open:
            reasons_agree(table)
        actions_agree(self.world, command_of)

    def teardown(self) -> None:
        laws.replays(self.world)


TestTables = Tables.TestCase
TestTables.settings = settings(
    max_examples=at_scale(8, 20),
    stateful_step_count=40,
    phases=PHASES,
    suppress_health_check=[
        HealthCheck.too_slow,
        HealthCheck.data_too_large,
        HealthCheck.filter_too_much,
    ],
)
TestTables = pytest.mark.slow(TestTables)


def test_an_entry_that_takes_more_than_is_there_is_not_cut_to_what_is() -> None:
    """No such entry is ever decided; should one come, it must not pass for a smaller one."""
    table = opened(2, Random(1)).table
    seat = table.seated()[0]
    too_much = Change(lost=Goods({"trade_good": 99}))
    with pytest.raises(ValueError, match="cannot take"):
        apply(table, Spent(seat=seat, changes={seat: too_much}))


@pytest.mark.parametrize(
    ("note", "lost", "says"),
    [
        ("trade_convoys:hacan", {}, True),
        ("trade_convoys:hacan", {"trade_good": 1}, False),
        ("black_market_forgery:naaz", {"fragment:cultural": 2}, True),
        ("black_market_forgery:naaz", {"fragment:cultural": 1}, False),
        ("black_market_forgery:naaz", {"fragment:cultural": 1, "fragment:hazardous": 1}, False),
    ],
)
def test_a_note_that_changes_more_or_less_than_it_says_is_caught(
    note: str, lost: dict[str, int], says: bool
) -> None:
    token = f"note:{note}"
    gone = Goods({**lost, token: 1})
    table = with_goods(table_of(("hacan", "naaz", "sol")), "sol", gone)
    change = Change(lost=gone, entered_play=Goods({token: 1}))
    entry = NotePlayed(seat="sol", note=token, stays=True, changes={"sol": change})
    with (
        nullcontext()
        if says
        else pytest.raises(AssertionError, match=r"card says|fragments|of one kind")
    ):
        witness.Witness().says(table, entry)


def test_a_few_tables_live_and_no_good_is_lost() -> None:
    kinds = lived(Random(24), 2_500)[0]
    assert kinds[Transaction.kind] > 5


@cache
def long_loop(seed: int) -> tuple[Counter[str], Counter[type[Command]]]:
    return lived(Random(94 + seed), MANY // len(SEEDS))


@pytest.mark.slow
@pytest.mark.parametrize("seed", [*SEEDS[:3], *long(SEEDS[3:])])
def test_tens_of_thousands_of_commands_and_no_good_is_lost(seed: int) -> None:
    """So many in all loops, over tables of 2 to 8 seats; in each there is much trade."""
    assert long_loop(seed)[0]["offer.transaction"] > MANY / len(SEEDS) / 500


@pytest.mark.slow
@pytest.mark.long
def test_every_kind_came_about() -> None:
    """So that the test above speaks of all of them."""
    kinds, made = Counter[str](), Counter[type[Command]]()
    for seed in SEEDS:
        came, allowed = long_loop(seed)
        kinds.update(came)
        made.update(allowed)
    # The next time is set when a table is paused or closed, no table begins as another did, and
    # only a text names one.
    elsewhere = {"table.again", "table.next", "table.coming", "table.reminded", "table.named"}
    every = {kind.kind for kind in KINDS}
    assert kinds.keys() | elsewhere == every, "a kind of entry never came about"
    assert (+made).keys() == MACHINE.by_kind.keys() - NEVER, "a kind of command was never allowed"


def lived(dice: Random, many: int) -> tuple[Counter[str], Counter[type[Command]]]:
    """Let tables live for so many commands in all; return the kinds of entry and the commands that
    came about.
    """
    kinds, made = Counter[str](), Counter[type[Command]]()
    for _ in range(0, many, LIFE):
        chosen = {
            "rulings": dice.choice(["refuse", "refuse", "warn"]),
            "take_back": dice.choice(["on", "on", "off"]),
        }
        world = opened(dice.randint(2, 8), dice, chosen)
        world.do(1, StartTurn())
        for _ in range(LIFE):
            ask = MACHINE.any(world.table, dice)
            answer = world.tries(ask)
            made[type(ask.command)] += bool(answer) and not isinstance(answer, Refused)
        for command in (PauseTable(), MoveTable(2), ResumeTable(), BeginClosing()):
            world.do(world.table.host, command)
        world.do(world.table.host, ReopenTable())
        world.do(world.table.host, CloseTable())
        _witnessed(world)
        kinds.update(entry.kind for entry in world.entries)
        kinds.update(entry.as_stored().kind for entry in world.entries)
    return kinds, made


def _witnessed(world: World) -> None:
    """The entries lead to the same table, and each step is as the books say."""
    table, books = Table(id=TABLE), witness.Witness()
    for entry in world.entries:
        after = apply(table, entry)
        books.saw(table, entry, after)
        table = after
    witness.sound(table)
    assert table == world.table
