"""Tests that every game must pass. An author gets them by naming the game; see `Checks`."""

from __future__ import annotations

import json
import warnings
from collections import Counter
from collections.abc import Collection
from pathlib import Path
from random import Random
from typing import ClassVar

from bot.rules.apply import apply, replay
from bot.rules.commands import NOBODY, Caller, Command
from bot.rules.entries import Entry, split
from bot.rules.features.holdings import Gain, SetHoldings, Spend
from bot.rules.features.offers.posting import PostOffer
from bot.rules.features.offers.signing import Declare, HaveThem
from bot.rules.features.seats import Leave, Sit
from bot.rules.features.tables import CloseTable, Tick
from bot.rules.game import Game, Trade
from bot.rules.model.table import Table
from bot.rules.model.violation import Refused
from bot.rules.registry import installed_game
from bot.rules.uninstalled import UnknownEntry
from bot.rules.vocabulary import read_entry
from bot.testing import laws
from bot.testing.actions import actions_agree
from bot.testing.generated import made_by, makers_of, opened, secret, some_goods
from bot.testing.kept import breaches
from bot.testing.makers import Makers
from bot.testing.presented import presented
from bot.testing.rules_shown import plays_in, rules_with_plays
from bot.testing.secrets import WHOS, Secrets, host_of
from bot.testing.twins import play_pair
from bot.testing.watching import watched
from bot.testing.world import Ask, World

CREATES: tuple[type[Command], ...] = (Gain, Spend, SetHoldings, Declare, HaveThem, Sit, Leave)
"""Commands of the core by which goods come to a table or leave it."""

PRESENTED_EVERY = 7
"""After so many commands, their entries are told and drawn for every kind of viewer, and every
function by which the game shows something is called.
"""


PRESSED = 2
"""The most tables at which everything is pressed again: that takes long."""


class PressWarning(UserWarning):
    """A press is later about something else than what it said when it was drawn."""


class Checks:
    """Tests of a game: subclass it in a test file as TestSomething, and name the game.

    Random tables are played with commands of every kind. After each command the laws must hold:

    - deciding and applying change nothing else, and do the same again;
    - the entries survive the ledger, and replaying them leads to the same table;
    - nothing is negative, and no conserved goods are lost;
    - every refusal is a sentence, with a rule that the rulebook has;
    - no call fails, and none takes more than 250 ms of processor time;
    - functions that speak of goods return what they should, and every button can be made;
    - every entry can be told, and every message about it drawn, for every kind of viewer.

    What people were shown is pressed again later: it is about the same as when it was drawn, or
    nothing is recorded.

    Pairs of tables are played that differ only in things that one viewer may not know. That viewer
    must see the same.

    ``conserved``: goods of which no command makes or destroys any, but for those in ``creates`` and
    the core's own (gain, spend, set). `held` counts them; extend it if goods lie elsewhere than in
    hands. ``makers``: how to make the commands that can't be made up from the types and names of
    their fields. ``secret``: commands whose fields are secret though their reply is not private.
    ``reveals``: kinds of entry that make secrets known, as the rules want it. ``plays``: the folder
    of the game's plays, which must show every rule kept and refused. ``ledgers``: a folder of
    entries that earlier versions wrote (`write_ledger`), which must still be read. ``players``,
    ``tables`` and ``acts``: how many sit, how many tables are played, and the commands at each.

    >>> class TestBazaar(Checks):
    ...     game = "bazaar"
    ...     conserved = ("silk", "spice")
    ...     acts = 40
    >>> TestBazaar().test_laws()
    """

    game: ClassVar[str]
    conserved: ClassVar[Collection[str]] = ()
    creates: ClassVar[tuple[type[Command], ...]] = ()
    makers: ClassVar[Makers] = Makers()
    secret: ClassVar[tuple[type[Command], ...]] = ()
    reveals: ClassVar[tuple[type[Entry], ...]] = ()
    plays: ClassVar[Path | None] = None
    ledgers: ClassVar[Path | None] = None
    players: ClassVar[int] = 4
    tables: ClassVar[int] = 6
    acts: ClassVar[int] = 150

    # ---------------------------------------------------------------- random tables

    def test_laws(self) -> None:
        """The laws hold at random tables."""
        makers = makers_of(self._installed(), self.makers)
        with watched() as findings:
            for seed in range(self.tables):
                self._one_table(makers, Random(f"{self.game} {seed}"))
                assert not findings.sentences, "\n".join(findings.sentences)

    def test_every_command_is_done(self) -> None:
        """Each command of the game is allowed at some random table."""
        game = self._installed()
        makers = makers_of(game, self.makers)
        missing: set[type[Command]] = {PostOffer, *game.features.commands}
        for seed in range(self.tables * 2):
            dice = Random(f"{self.game} {seed}")
            world = self.opened(dice)
            for _ in range(self.acts):
                ask = made_by(makers, world.table, dice)
                if not isinstance(world.tries(ask), Refused):
                    missing.discard(type(ask.command))
                if not missing:
                    return
        names = ", ".join(sorted(kind.__name__ for kind in missing))
        raise AssertionError(f"no random table allows {names}: give `makers` one for each")

    def opened(self, dice: Random, host: int = 1) -> World:
        """Return a table to begin with. Extend it for a game that needs more than seats."""
        players = dice.randint(2, max(2, self.players))
        return opened(self.game, players, dice, host=host)

    def seated(self, dice: Random, host: int) -> World:
        """Return a table with all its ``players``, for pairs of tables that differ in secrets."""
        return opened(self.game, self.players, dice, host=host)

    def held(self, table: Table) -> Counter[str]:
        """Return how much of each component there is."""
        return laws.there(table)

    def _one_table(self, makers: Makers, dice: Random) -> None:
        world, memory, shown = self.opened(dice), laws.Memory(), 0
        self._kept(Table(id=world.table.id), world, memory)
        for act in range(self.acts):
            before = world.table
            self._one_command(world, made_by(makers, before, dice), dice)
            if world.table is not before:
                self._kept(before, world, memory)
                laws.sound(world.table)
                laws.survives_a_snapshot(world.table)
                actions_agree(world, lambda action: None)
                if act % PRESENTED_EVERY == 0:
                    presented(world, shown)
                    shown = world.table.seq
                self._forbidden_well(world.table, dice)
        laws.pictured(world.table)
        world.do(world.table.host, CloseTable())
        laws.replays(world)

    def _one_command(self, world: World, ask: Ask, dice: Random) -> None:
        before = world.table
        laws.pure(world, ask)
        laws.deals_in_secret(world, ask, secret(dice))
        answer = world.tries(ask)
        if isinstance(answer, Refused):
            laws.told_well(before, answer)
            return
        recorded = answer or isinstance(ask.command, Tick)
        assert recorded, f"{ask.command} was done, and nothing is recorded"
        if not isinstance(ask.command, (*CREATES, *self.creates)):
            were, are = self.held(before), self.held(world.table)
            for token in self.conserved:
                fault = f"{were[token]} {token} became {are[token]} by {ask.command}"
                assert were[token] == are[token], fault

    def _kept(self, before: Table, world: World, memory: laws.Memory) -> None:
        """Follow the new entries, each as the ledger gives it back."""
        here = before
        for entry in world.entries[before.seq :]:
            laws.survives_storage(entry)
            after = apply(here, laws.stored(entry))
            memory.saw(here, entry, after)
            laws.seals(after, entry)
            here = after
        assert here == world.table, "the entries, read from the ledger, lead to another table"

    def _forbidden_well(self, table: Table, dice: Random) -> None:
        """Every violation of a random trade is a sentence, with its rule."""
        seated = table.seated()
        seats = dice.sample(seated, min(2, len(seated)))
        if len(seats) < 2:
            return
        first, second = seats
        callers = [Caller(table.seats[seat].person or NOBODY) for seat in seats]
        gives = [some_goods(table, caller, dice) for caller in callers]
        trade = Trade(first, second, *gives)
        for violation in self._installed().trade.violations(table, trade):
            assert violation.rule, f"“{violation.reason}” has no rule"
            laws.told_well(table, Refused.because(violation))

    # ---------------------------------------------------------------- presses

    def test_presses(self) -> None:
        """What was shown does later what it said, or nothing. A breach is a warning, an error in a
        later version of the API.
        """
        makers = makers_of(self._installed(), self.makers)
        for seed in range(min(self.tables, PRESSED)):
            dice = Random(f"{self.game} pressed {seed}")
            for breach in breaches(self.opened(dice), makers, dice, self.acts):
                warnings.warn(breach, PressWarning, stacklevel=1)

    # ---------------------------------------------------------------- secrets

    def test_secrets(self) -> None:
        """Nobody sees hidden goods, secret commands or sealed fields of others."""
        makers = makers_of(self._installed(), self.makers)
        secrets = Secrets(makers, self.secret, self.reveals)
        for who in WHOS:
            dice = Random(f"{self.game} {who}")
            pair = secrets.begun(who, self.seated(dice, host_of(who)), dice)
            half = self.acts // 2
            play_pair(pair, secrets.play(), self.acts, at_length=half, probes=3)

    # ---------------------------------------------------------------- plays

    def test_every_rule_has_its_plays(self) -> None:
        """A play shows each rule kept, and where a player can break it, one shows it refused."""
        if self.plays is not None:
            rows = rules_with_plays(self.game, plays_in(self.plays), self.plays)
            gaps = [f"no play shows [{row.rule.number}] {row.gap}" for row in rows if row.gap]
            assert not gaps, "\n".join(gaps)

    # ---------------------------------------------------------------- earlier versions

    def test_earlier_ledgers(self) -> None:
        """Entries of earlier versions of the game can be read, and lead to a sound table."""
        if self.ledgers is None:
            return
        for file in sorted(self.ledgers.glob("*.jsonl")):
            lines = file.read_text(encoding="utf-8").splitlines()
            entries = [read_entry(*json.loads(line)) for line in lines]
            unread = sorted({entry.kind for entry in entries if isinstance(entry, UnknownEntry)})
            names = ", ".join(unread)
            assert not unread, f"{names} of {file.name} can't be read: see `Entry.reads`"
            laws.sound(replay(entries, Table(id=1)))

    def write_ledger(self, file: Path) -> None:
        """Write the entries of a random table, for later versions to read."""
        makers, dice = makers_of(self._installed(), self.makers), Random(self.game)
        world = self.opened(dice)
        for _ in range(self.acts):
            world.tries(made_by(makers, world.table, dice))
        lines = [json.dumps(split(entry)) + "\n" for entry in world.entries]
        file.write_text("".join(lines), encoding="utf-8")

    def _installed(self) -> Game:
        return installed_game(self.game)
