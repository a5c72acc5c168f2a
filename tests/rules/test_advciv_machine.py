"""Tables of Advanced Civilization driven by random commands: no card is lost, and rule 28 holds for every trade.

A `Witness` keeps its own books from the entries alone, told another way than the rules are written.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from random import Random

import pytest

from bot.rules.apply import apply
from bot.rules.commands import CloseTable, Command, Declare, Tick
from bot.rules.entries import (
    Entry,
    GoodsMoved,
    HandedOver,
    OfferAltered,
    OfferDeclined,
    OfferExpired,
    OfferPosted,
    OfferVoided,
    OfferWithdrawn,
    PhaseSet,
    SeatLeft,
    SeatTaken,
    Signed,
    Transaction,
    split,
)
from bot.rules.games.advciv.entries import (
    CalamitiesShown,
    CardsSurrendered,
    StacksRestored,
    StacksShuffled,
    TradingClosed,
)
from bot.rules.games.advciv.stacks import box
from bot.rules.games.advciv.state import dealt, state_of
from bot.rules.goods import NOTHING, Goods
from bot.rules.ruling import Refused
from bot.rules.table import Change, Offer, Settings, Table
from bot.rules.views import Viewer, view
from data import calamities
from tests.rules import laws
from tests.rules.advciv_machine import KINDS, MAKERS, commands, opened
from tests.rules.machine import World, likely

SCALE = int(os.environ.get("SCALE_OF_TESTS", "1"))
"""How many times the usual number of commands."""

MANY, SEEDS = 100_000, range(8)
"""Commands in all, and the loops that they are dealt out to."""

LIFE = 500
"""Commands at one table."""

PURE_EVERY = 50
"""Each so many commands, it is checked that deciding changes nothing."""

BOX = Counter(box())
"""All the trade cards there are."""

STAYS = frozenset(f"calamity:{card.id}" for card in calamities().values() if not card.tradable)
"""29.2: the calamities that stay with who drew them."""

NEVER = (Declare,)
"""In this game nothing of a hand lies open, so there is nothing to declare."""

# ---------------------------------------------------------------- the books


@dataclass
class Witness:
    """Its own books of one table: who signed and handed over what, and who passed on which calamity this turn."""

    signed: set[tuple[int, str, int, int]] = field(default_factory=set)
    handed: dict[int, dict[str, Goods]] = field(default_factory=dict)
    traders: dict[str, str] = field(default_factory=dict)
    transactions: int = 0

    def saw(self, before: Table, entry: Entry, after: Table) -> None:
        """One entry was applied."""
        _moves(before, entry, after)
        _all_cards(after)
        match entry:
            case Signed(offer=number, seat=seat, revision=revision, window=window):
                self.signed.add((number, seat, revision, window))
            case HandedOver(offer=number, seat=seat, goods=goods):
                assert goods is not None
                assert goods.keys() <= BOX.keys() - STAYS, "29.2: what can't be traded was handed over"
                self.handed.setdefault(number, {})[seat] = goods
            case OfferAltered(offer=number) | OfferVoided(offer=number) | OfferExpired(offer=number):
                self.handed.pop(number, None)
            case OfferWithdrawn(offer=number):
                self.handed.pop(number, None)
            case OfferDeclined(offer=number, seat=seat):
                if before.offers[number].to is None:
                    self.handed.get(number, {}).pop(seat, None)
                else:
                    self.handed.pop(number, None)
            case SeatLeft(seat=seat):
                for parts in self.handed.values():
                    parts.pop(seat, None)
            case Transaction():
                self._traded(before, entry, after)
            case CalamitiesShown():
                self._shown(before, entry, after)
            case TradingClosed():
                assert not after.live_offers(), "28.4: an offer outlived the time for trade"
            case PhaseSet(phase=phase):
                assert not after.live_offers(), "28.4: an offer outlived the time for trade"
                if phase == "acquire":
                    self._new_turn(before)
        _handed_over(after, self.handed)

    def _traded(self, before: Table, entry: Transaction, after: Table) -> None:
        self.transactions += 1
        offer, two = before.offers[entry.offer], (entry.first, entry.second)
        assert entry.number == after.transactions == self.transactions
        assert offer.status == "open", "an offer resolved that was over"
        assert entry.first == offer.seat != entry.second
        assert entry.second == offer.to, "28.2: a third one traded"
        for seat in two:
            assert (entry.offer, seat, offer.revision, before.window.number) in self.signed, f"{seat} did not sign"
        hidden = entry.hidden
        assert hidden is not None
        assert hidden.keys() == set(two)
        assert all(change == Change() for change in entry.changes.values()), "28.3: cards were traded in the open"
        if before.settings.rulings == "refuse":
            assert before.window.kind == "trade", "28.4"
        handed = self.handed.pop(entry.offer, {})
        if before.settings.inventory == "untracked":
            return
        for seat, other in (two, two[::-1]):
            assert hidden[seat] == Change(lost=handed[seat], gained=handed[other])
            self.traders |= dict.fromkeys(handed[seat].of_kind("calamity"), seat)
        if before.settings.rulings == "refuse":
            _rule_28_3(before, offer, handed)

    def _shown(self, before: Table, entry: CalamitiesShown, after: Table) -> None:
        """29.3, 29.5, 29.61: all that were in a hand are shown; of more than two in one, two take effect."""
        every = Counter(
            (seat.id, token, self.traders.get(token))
            for seat in before.seats.values()
            for token in seat.holdings
            if token.startswith("calamity:")
        )
        told = Counter((one.seat, one.calamity, one.trader) for one in (*entry.effects, *entry.spared))
        assert told == every
        suffered, spared = (Counter(one.seat for one in some) for some in (entry.effects, entry.spared))
        assert all(count <= 2 for count in suffered.values()), "29.5: more than two calamities for one"
        assert all(suffered[seat] == 2 for seat in spared), "29.5: spared without need"
        orders = [calamities()[one.calamity.partition(":")[2]].order for one in entry.effects]
        assert orders == sorted(orders), "29.6"
        for seat in after.seats.values():
            assert not seat.holdings.of_kind("calamity"), "29.3: not all were shown"

    def _new_turn(self, before: Table) -> None:
        self.traders.clear()
        if before.settings.inventory == "tracked":
            assert state_of(before).shown is not None, "29.3: a turn began before calamities were shown"
            for seat in before.seats.values():
                assert seat.person is None or seat.holdings.of_kind("commodity").total() <= 8, "31.71"


def _rule_28_3(before: Table, offer: Offer, handed: dict[str, Goods]) -> None:
    """Three cards a side or more, as many as was said; two of them named, those are there, and all can be traded."""
    for seat, promised in ((offer.seat, offer.give), (offer.to or "", offer.want)):
        firm = [token for token in promised if token.startswith(("commodity:", "calamity:"))]
        names = sum(promised[token] for token in firm)
        gave = handed[seat]
        assert sum(gave.values()) == sum(promised.values()) >= 3
        assert names >= 2
        assert all(gave.count(token) >= promised[token] for token in firm)
        assert not STAYS & gave.keys()
        assert all(before.seats[seat].holdings.count(token) >= count for token, count in gave.items())


def _moves(before: Table, entry: Entry, after: Table) -> None:
    """Cards move in and out of hands as the entry says and in no other way."""
    said: dict[str, tuple[Goods, Goods]] = {}
    if isinstance(entry, GoodsMoved) and before.settings.inventory == "tracked":
        for changes in (entry.changes, entry.hidden or {}):
            for seat, change in changes.items():
                lost, gained = said.get(seat, (NOTHING, NOTHING))
                said[seat] = (lost + change.lost, gained + change.gained)
                assert not change.entered_play + change.left_play, "there is no play area here"
    for id, seat in after.seats.items():
        if id not in before.seats:
            assert isinstance(entry, SeatTaken)
            assert not seat.holdings, "nobody begins with cards"
        elif seat.holdings is not before.seats[id].holdings:
            lost, gained = said.get(id, (NOTHING, NOTHING))
            assert seat.holdings == before.seats[id].holdings - lost + gained, f"{entry.kind} moved other cards"


def _all_cards(table: Table) -> None:
    """Where the bot deals, every card of the box is in a stack, set aside, or in a hand."""
    if not table.game or not dealt(table):
        return
    there = Counter(token for stack in state_of(table).stacks for token in stack)
    there.update(state_of(table).aside)
    for seat in table.seats.values():
        there.update(seat.holdings)
    assert there == BOX


def _handed_over(table: Table, handed: dict[int, dict[str, Goods]]) -> None:
    """What is handed over lies with offers that stand, as the books say, and with no other."""
    for offer in table.offers.values():
        assert offer.handed == handed.get(offer.number, {})
        assert not offer.handed or offer.status in ("open", "suspended"), "what was handed over stayed behind"


# ---------------------------------------------------------------- who may see

SHOWN_TO_ALL = (CardsSurrendered, CalamitiesShown, StacksRestored)
"""31.71, 29.3: what names cards for everybody; beside what is offered to all."""


def seals(after: Table, entry: Entry) -> None:
    """Nobody but the parties sees what is sealed, of two each only their own, and what is public names no card."""
    laws.seals(after, entry)
    for seat in after.seats:
        seen = view(entry, Viewer(seat=seat))
        if isinstance(entry, HandedOver):
            assert (getattr(seen, "goods", None) is not None) == (seat == entry.seat), "28.3: shown before it is traded"
        if isinstance(entry, OfferVoided):
            assert set(getattr(seen, "why", None) or {}) <= {seat}
        if isinstance(entry, GoodsMoved) and not isinstance(entry, Transaction):
            assert set(getattr(seen, "hidden", None) or {}) <= {seat}
    if isinstance(entry, StacksShuffled | StacksRestored):
        for viewer in (Viewer(moderates=True), *(Viewer(seat=seat) for seat in after.seats)):
            assert getattr(view(entry, viewer), "secret", None) is None, "somebody knows how the stacks lie"
    public, told_to_all = json.dumps(split(entry)[0]), isinstance(entry, SHOWN_TO_ALL)
    if isinstance(entry, OfferPosted | OfferAltered):
        told_to_all = entry.to is None
    if not told_to_all:
        assert not any(f"{kind}:" in public for kind in ("commodity", "calamity", "claim")), f"{entry.kind} names cards"
        assert '"unnamed"' not in public, f"{entry.kind} tells a number of cards"


# ---------------------------------------------------------------- the long loop


@dataclass
class Came:
    """What came about in one loop."""

    kinds: Counter[type[Entry]] = field(default_factory=Counter)
    allowed: Counter[type[Command]] = field(default_factory=Counter)


@cache
def came(seed: int) -> Came:
    """Some tables that each live for some 500 commands, each step witnessed."""
    dice, all_of_it, done = Random(seed), Came(), 0
    while done < MANY * SCALE // len(SEEDS):
        world = opened(dice.randint(2, 8), dice, _settings(dice), dealt=likely(dice, 80))
        done += LIFE
        for number, command in enumerate(commands(world, dice, LIFE)):
            if number % PURE_EVERY == 0:
                laws.pure(world.table, command)
            answer = world.tries(command)
            if isinstance(answer, Refused):
                laws.told_well(world.table, answer)
            else:
                assert answer or isinstance(command, Tick), "a command was done and nothing is recorded"
                all_of_it.allowed[type(command)] += bool(answer)
        world.do(CloseTable(by=world.table.host))
        all_of_it.kinds.update(type(entry) for entry in world.entries)
        assert _replayed(world) == world.table
    return all_of_it


def _replayed(world: World) -> Table:
    """The table that its entries lead to, as the ledger gives them back."""
    table, witness = Table(), Witness()
    for entry in map(laws.stored, world.entries):
        after = apply(table, entry)
        witness.saw(table, entry, after)
        seals(after, entry)
        table = after
    laws.standing(table)
    return table


def _settings(dice: Random) -> Settings:
    return Settings(
        rulings="warn" if likely(dice, 10) else "refuse", name_calamities="yes" if likely(dice, 30) else "no",
        timer=dice.choice([0, 0, 2]),
    )  # fmt: skip


@pytest.mark.parametrize("seed", SEEDS)
def test_a_hundred_thousand_commands_and_no_card_is_lost(seed: int) -> None:
    """So many in all loops; in each there is much trade."""
    assert came(seed).kinds[Transaction] > MANY * SCALE / len(SEEDS) / 200


def test_every_kind_came_about() -> None:
    """So that the test above speaks of all of them."""
    kinds, allowed = Counter[type[Entry]](), Counter[type[Command]]()
    for seed in SEEDS:
        kinds.update(came(seed).kinds)
        allowed.update(came(seed).allowed)
    assert kinds.keys() == KINDS, "a kind of entry never came about"
    assert (+allowed).keys() == MAKERS.keys() - {*NEVER}, "a kind of command was never allowed"
