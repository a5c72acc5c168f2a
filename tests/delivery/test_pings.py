"""Tests that pings in the channel show nothing of hands.

Two tables that agree on all that a viewer may know are shown on two Discords where everybody's DMs
are closed. What is sent to the channel, edited there, and who is pinged when, is the same in both.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from random import Random
from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.delivery.desired import (
    SUBJECTS,
    Desired,
    Fallback,
    OpenThread,
    Retired,
    Step,
    Subject,
    TableChannel,
    user_of,
)
from bot.delivery.life import Life
from bot.delivery.planner import plan
from bot.games.advciv.calamities import ShowCalamities
from bot.games.advciv.surrendering import SurrenderCards
from bot.games.advciv.trading import CloseTrading, OpenTrading
from bot.ledger import Head, Ledger, TableRow
from bot.rules.entries import Recorded, Reference
from bot.rules.features.holdings import Gain
from bot.rules.features.seats import Sit
from bot.rules.features.tables import OpenTable
from bot.service.briefing import briefing
from bot.service.records import TableRecord
from bot.service.requests import Briefing
from bot.show.cards import Card
from bot.testing.looks import at_once
from bot.testing.twins import WHOS, Pair, Who, play_pair
from bot.testing.world import EVERYONE, World
from tests.games.advciv.playing import cards
from tests.rules.test_noninterference import GAMES
from tests.scale import PHASES, at_scale, seeds


class Shelf:
    """As much of a ledger as a briefing needs."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.entries = self  # the room of the ledger that has all of this

        self.tables = self  # and the one that has this

    async def sat_before(self, table_id: int, user_id: int, at: int) -> bool:
        return False

    async def recent(
        self, table_id: int, *, until_seq: int, limit: int, kinds: Sequence[str]
    ) -> list[Recorded]:
        recorded = self._world.recorded[:until_seq]
        newest_first = [each for each in reversed(recorded) if each.entry.kind in kinds]
        return newest_first[:limit]

    async def read(self, table_id: int, *, after: int, until_seq: int) -> list[Recorded]:
        return self._world.recorded[after:until_seq]

    async def read_subjects(
        self, table_id: int, subjects: Iterable[Reference]
    ) -> Mapping[str, Sequence[Recorded]]:
        return {subject: self._world.by_subject.get(subject, []) for subject in subjects}


def briefed(world: World, after: int) -> Briefing:
    """Return what delivery is told of a table, with the entries after a number."""
    table = world.table
    row = TableRow(table.id, 1, 1, table.game, table.name, not table.open)
    record = TableRecord(row, table, {person.number: person for person in EVERYONE}, Head())
    return at_once(briefing(cast(Ledger, Shelf(world)), record, after))


@dataclass
class Channel:
    """A table's channel where DMs reach nobody: what was sent and edited there. Threads are for
    their two alone.
    """

    world: World
    after: int = 0
    shown: dict[Subject, Life] = field(default_factory=dict)
    cards: dict[Subject, Card] = field(default_factory=dict)
    seen: list[object] = field(default_factory=list)

    def catch_up(self) -> None:
        """Show what has happened since, if anything has."""
        if self.after == self.world.table.seq:
            return
        told = briefed(self.world, self.after)
        for step in plan(told, self.shown):
            self._take(step)
        self.after = told.seq

    def _take(self, step: Step) -> None:
        match step:
            case OpenThread(subject=subject):
                self.shown[subject] = Life(subject, 1, 2, "open")
            case Retired(subject=subject, public_card=card) if self.shown.pop(subject, None):
                self._show(subject, card, "settled")
            case Desired():
                self._desired(step)

    def _desired(self, step: Desired) -> None:
        if user_of(step) and step.fallback is None:
            return  # nobody is told
        shown = step.fallback or step
        place, card = shown.place, shown.card
        if not isinstance(place, TableChannel):
            return
        now = self.shown.get(step.subject)
        if now is None:
            if not step.wanted or 0 < step.entry <= self.after:
                return
            self._show(step.subject, card, f"sent, pings {step.recipients}")
        elif step.wanted and step.anchor is not None and step.anchor != now.anchor:
            self._show(step.subject, card, f"sent anew, pings {step.recipients}")
        elif self.cards[step.subject] != card:
            self._show(step.subject, card, "edited")
        self.shown[step.subject] = Life(
            step.subject, 1, 2, anchor=step.anchor or (now.anchor if now else "")
        )
        if step.final:
            del self.shown[step.subject]

    def _show(self, subject: Subject, card: Card, how: str) -> None:
        self.cards[subject] = card
        self.seen.append((how, subject, card))


@dataclass
class Watched:
    """A pair of tables and their channels, which are compared after each command."""

    pair: Pair
    channels: tuple[Channel, Channel]

    def same(self) -> None:
        for channel in self.channels:
            channel.catch_up()
        one, other = (channel.seen for channel in self.channels)
        assert one == other, [
            each for each in zip(one, other, strict=False) if each[0] != each[1]
        ] or (one, other)
        for channel in self.channels:
            channel.seen.clear()


def watched(game: str, who: Who, seed: int, *, swaps: bool, life: int) -> None:
    """Play a pair of tables, and hold their channels against one another after each command."""
    twins, dice = GAMES[game], Random(f"{seed} {who} {swaps}")
    pair = twins.begun(who, dice, swaps=swaps)
    channels = Watched(pair, (Channel(pair.one), Channel(pair.other)))
    channels.same()
    play_pair(pair, twins.play, life, at_length=life, probes=0, after=channels.same)


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=at_scale(2, 5), phases=PHASES)
@given(who=st.sampled_from(WHOS), swaps=st.booleans(), seed=st.integers(0, 2**32))
def test_the_channel_tells_nothing_of_a_hand_when_no_dm_reaches_anybody(
    game: str, who: Who, swaps: bool, seed: int
) -> None:
    watched(game, who, seed, swaps=swaps, life=30)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", seeds(at_scale(1, 5)))
def test_nor_in_a_long_evening(game: str, seed: int) -> None:
    watched(game, "everybody", seed, swaps=False, life=120)


def after_calamities(hand: str) -> Channel:
    """Return the channel of a table of Advanced Civilization where Crete has this hand after
    trading.
    """
    world = World()
    world.do(1, OpenTable("advciv", "Friday"))
    for person, seat in enumerate(("egypt", "crete", "italy"), start=1):
        world.do(person, Sit(seat, person))
    world.do(2, Gain(cards(hand)))
    world.do(1, OpenTrading(0))
    world.do(1, CloseTrading())
    channel = Channel(world)
    channel.catch_up()
    channel.seen.clear()
    world.do(3, ShowCalamities())
    channel.catch_up()
    return channel


def is_asked(world: World) -> bool:
    return any(seat.view.prompts for seat in briefed(world, 0).seats.values())


def test_nobody_learns_who_has_too_many_cards_after_the_calamities() -> None:
    nine, eight = after_calamities("4 salt, 5 grain"), after_calamities("4 salt, 4 grain")
    assert is_asked(nine.world)
    assert not is_asked(eight.world)
    assert nine.seen == eight.seen != []
    for channel in (nine, eight):
        channel.seen.clear()
        channel.world.do(2, SurrenderCards(cards("2 salt")))
        channel.catch_up()
    assert nine.seen == eight.seen != []


# ---------------------------------------------------------------- by type

PINGS = {"personal", "confirm", "declined", "prompt", "result", "follow-up", "reminder"}
"""The kinds of message of which everybody may know that they are there, for that follows from what
all can see.

Who is coming the next time stands in the channel, too.
"""


def test_which_messages_a_ping_stands_in_for() -> None:
    """A new kind of message for one person has none, unless it is added here with a reason, and to
    the tests above.
    """
    assert {kind.name for kind in SUBJECTS if kind.pings} == PINGS
    for kind in SUBJECTS:
        if kind.pings:
            assert "user" in [each.name for each in fields(kind)]


@pytest.mark.parametrize("kind", SUBJECTS, ids=lambda kind: kind.name)
def test_no_other_message_can_have_a_ping(kind: type[Subject]) -> None:
    card = Card("waiting", "There is something.")
    subject = kind(**{each.name: 1 for each in fields(kind)})

    def step() -> Desired:
        return Desired(subject, card, fallback=Fallback(TableChannel(), card))

    if kind.pings:
        assert step().fallback
    else:
        with pytest.raises(ValueError, match="must not be pinged"):
            step()
