"""Tests of random tables of Advanced Civilization: no card is lost, and rule 28 holds for every
trade.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from random import Random

import pytest

from bot.games.advciv.dealing import HandsPutAway
from bot.rules.apply import apply
from bot.rules.commands import Command
from bot.rules.entries import Entry
from bot.rules.features.next_time import Coming, NextTimeSet, Reminded
from bot.rules.features.offers.debts import DebtSaid
from bot.rules.features.offers.entries import OfferAgreed, OfferBecameDeal, OfferStands, Transaction
from bot.rules.features.tables import (
    BeginClosing,
    CloseTable,
    MoveTable,
    PauseTable,
    PlayedAgain,
    ReopenTable,
    ResumeTable,
    TableNamed,
    Tick,
)
from bot.rules.model.table import Table
from bot.rules.model.violation import Refused
from bot.testing import laws
from bot.testing.actions import actions_agree
from bot.testing.makers import likely
from bot.testing.world import TABLE, World
from tests.games.advciv import witness
from tests.games.advciv.machine import KINDS, MACHINE, NEVER, command_of, made, opened
from tests.scale import at_scale, seeds, variants

MANY, SEEDS = at_scale(20_000, 48_000), seeds(8)
"""Commands in all, and the loops that they are dealt out to."""

LIFE = 500
"""Commands at one table."""

LOOK_EVERY = 125
"""After each so many commands, what takes long is checked: deciding changes nothing, actions can be
done.
"""


@dataclass
class Came:
    """What came about in one loop."""

    kinds: Counter[type[Entry]] = field(default_factory=Counter)
    allowed: Counter[type[Command]] = field(default_factory=Counter)


def lived(dice: Random, many: int) -> Came:
    """Let tables live for so many commands in all, each step witnessed."""
    came = Came()
    for _ in range(0, many, LIFE):
        seats, settings = dice.randint(2, 8), _settings(dice)
        world = opened(seats, dice, settings, dealt=likely(dice, 80))
        for number in range(LIFE):
            ask = made(world.table, dice)
            if number % LOOK_EVERY == 0:
                laws.pure(world, ask)
                actions_agree(world, command_of)
                laws.survives_a_snapshot(world.table)
            answer = world.tries(ask)
            if isinstance(answer, Refused):
                laws.told_well(world.table, answer)
            else:
                assert answer or isinstance(ask.command, Tick), "nothing is recorded"
                came.allowed[type(ask.command)] += bool(answer)
        for command in (PauseTable(), MoveTable(2), ResumeTable(), BeginClosing()):
            world.do(world.table.host, command)
        world.do(world.table.host, ReopenTable())
        world.do(world.table.host, CloseTable())
        came.kinds.update(type(entry) for entry in world.entries)
        came.kinds.update(type(entry.as_stored()) for entry in world.entries)
        _witnessed(world)
    return came


def _witnessed(world: World) -> None:
    """The stored entries lead to the same table, and each step is as the books say."""
    table, books = Table(id=TABLE), witness.Witness()
    for entry in map(laws.stored, world.entries):
        after = apply(table, entry)
        books.saw(table, entry, after)
        witness.seals(after, entry)
        table = after
    laws.sound(table)
    assert table == world.table


def _settings(dice: Random) -> dict[str, str | int]:
    return {
        "rulings": "warn" if likely(dice, 10) else "refuse",
        "name_calamities": "yes" if likely(dice, 30) else "no",
        "timer": dice.choice([0, 0, 2]),
    }


@cache
def long_loop(seed: int) -> Came:
    return lived(Random(seed), MANY // len(SEEDS))


def test_a_few_tables_live_and_no_card_is_lost() -> None:
    assert lived(Random(28), 1_000).kinds[Transaction] > 5


@pytest.mark.slow
@pytest.mark.parametrize("seed", variants(*SEEDS))
def test_tens_of_thousands_of_commands_and_no_card_is_lost(seed: int) -> None:
    """So many in all loops; in each there is much trade."""
    assert long_loop(seed).kinds[Transaction] > MANY / len(SEEDS) / 200


@pytest.mark.slow
@pytest.mark.long
def test_every_kind_came_about() -> None:
    """So that the test above speaks of all of them."""
    kinds, allowed = Counter[type[Entry]](), Counter[type[Command]]()
    for seed in SEEDS:
        kinds.update(long_loop(seed).kinds)
        allowed.update(long_loop(seed).allowed)
    # Nothing is owed here, the next time is set when a table is paused or closed, and only a text
    # names a table.
    elsewhere = {OfferBecameDeal, DebtSaid, PlayedAgain, NextTimeSet, Coming, Reminded, TableNamed}
    # Where cards are handed over, nothing is agreed to for later, and no offer stands for a turn.
    # Hardly ever does a host change who deals between the first draw and the first trade.
    seldom = {OfferAgreed, OfferStands, HandsPutAway}
    assert kinds.keys() | seldom | elsewhere == KINDS, "a kind of entry never came about"
    done = {kind for kind in allowed if allowed[kind]}
    assert done == MACHINE.by_kind.keys() - NEVER, "a kind of command was never allowed"
