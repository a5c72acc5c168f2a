"""Tests of visibility, one by one.

That nobody learns more, whatever happens, is shown by ``test_noninterference.py``.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Annotated

import pytest

from bot.games.ti4.turns import StartTurn
from bot.rules.commands import Caller
from bot.rules.entries import Sealed
from bot.rules.features.deals import ProposeDeal
from bot.rules.features.holdings import Corrected, GoodsMoved, SetHoldings
from bot.rules.features.negotiations import OpenNegotiation
from bot.rules.features.offers.posting import PostOffer
from bot.rules.features.seats import Leave
from bot.rules.model.goods import Change, Goods
from bot.rules.model.offer import Sides
from bot.rules.viewers import person_viewer
from bot.rules.views import Viewer
from bot.rules.visible_entry import redact
from bot.rules.visible_table import TableViews, see
from bot.testing import laws
from bot.testing.world import EVERYONE, World, look_by
from tests.games.ti4.machine import opened
from tests.rules.viewing import channel, looks, viewer

ONE = Goods({"trade_good": 1})


def two_worlds() -> tuple[World, World]:
    """Person 1 hosts and looks on. Person 3 holds another of person 2's notes in each."""
    made = []
    for note in ("ceasefire", "political_secret"):
        world = opened(4, Random(1))
        world.do(1, StartTurn())
        goods = Goods({"trade_good": 4, f"note:{note}:{world.seat(2)}": 1})
        world.do(1, SetHoldings(world.seat(3), goods))
        made.append(world)
    return made[0], made[1]


# ---------------------------------------------------------------- several who look


def test_what_somebody_sees_is_the_same_whoever_looked_before() -> None:
    """`TableViews` keeps what does not depend on the viewer."""
    world = two_worlds()[0]
    note = Goods({f"note:ceasefire:{world.seat(2)}": 1})
    world.do(3, PostOffer(world.seat(2), note, terms="peace"))
    viewers = [viewer(world, person) for person in (1, 2, 3, 4)]
    viewers.append(channel(world))
    alone = [see(world.table, who) for who in viewers]
    for first in viewers:
        views = TableViews(world.table)
        views.see(first)
        assert [views.see(who) for who in viewers] == alone
    assert alone[2] != alone[3]


def test_who_reads_along_learns_nothing_of_a_private_offer() -> None:
    """Not what is offered, not what the rules say of it, nothing private besides."""
    world = opened(4, Random(1))
    world.do(1, OpenNegotiation(world.seat(2), "peace"))
    world.do(1, PostOffer(None, ONE, terms="quietly", negotiation=1))
    deal = ProposeDeal(world.seat(2), "peace", later=True, private=True)
    world.do(1, deal)
    seen = see(world.table, replace(viewer(world, 2), shared=True))
    offer = seen.offers[1]
    assert offer.sides == Sides()
    assert offer.ruling.why_not is None
    assert not seen.deals
    assert not seen.negotiations
    assert seen.prompts == ()
    assert seen.seats[world.seat(2)].hidden is None


# ---------------------------------------------------------------- hidden notes


class Dealt(GoodsMoved):
    """Everybody got cards, drawn with a seed that nobody knows before the table closes."""

    kind = "dealt"
    seed: Annotated[str | None, Sealed("keeper")] = None


def test_each_sees_their_own_of_what_was_dealt_to_all_though_a_field_is_sealed_for_the_keeper() -> (
    None
):
    red = Change(gained=Goods({"card:salt": 1}))
    green = Change(gained=Goods({"card:iron": 1}))
    hands = {"red": red, "green": green}
    open_changes = dict.fromkeys(hands, Change())
    dealt = Dealt(changes=open_changes, hidden=hands, seed="lamp")
    for seat, hand in hands.items():
        seen = redact(dealt, laws.of_seat(seat), 1)
        assert isinstance(seen, Dealt)
        assert (seen.hidden, seen.seed) == ({seat: hand}, None)
    beside_others = laws.of_seat("red", shared=True)
    for other in (Viewer(), laws.of_seat("blue"), beside_others):
        seen = redact(dealt, other, 1)
        assert isinstance(seen, Dealt)
        assert (seen.hidden, seen.seed) == (None, None)
    audited = redact(dealt, Viewer(person=1, hosts=True, audits=True), 1)
    assert isinstance(audited, Dealt)
    assert (audited.hidden, audited.seed) == (hands, None)


def test_whose_hand_a_note_left_and_whose_it_came_to_see_it_and_nobody_else() -> None:
    world, _ = two_worlds()
    corrected, seq = world.entries[-1], world.table.seq
    assert isinstance(corrected, Corrected)
    giver, receiver = world.seat(2), world.seat(3)
    assert corrected.parties() == {giver, receiver}
    for seat in (giver, receiver):
        seen = redact(corrected, laws.of_seat(seat), seq)
        assert isinstance(seen, Corrected)
        assert f"note:ceasefire:{giver}" in repr(seen.hidden)
    others = [viewer(world, person) for person in (1, 4, 9)]
    for other in (channel(world), *others):
        seen = redact(corrected, other, seq)
        assert isinstance(seen, Corrected)
        assert seen.hidden is None
        assert seen.hidden_named == 1
    assert redact(corrected, Viewer(opened=True), seq) == corrected


def test_two_who_each_lose_a_note_learn_nothing_of_each_other() -> None:
    world = opened(4, Random(1))
    first, second = world.seat(2), world.seat(4)
    ceasefire, secret = f"note:ceasefire:{first}", f"note:political_secret:{second}"
    both = Goods({ceasefire: 1, secret: 1})
    (entry,) = world.do(1, SetHoldings(world.seat(3), both))
    seen_by_first = redact(entry, laws.of_seat(first), world.table.seq).model_dump_json()
    seen_by_second = redact(entry, laws.of_seat(second), world.table.seq).model_dump_json()
    assert ceasefire in seen_by_first
    assert secret not in seen_by_first
    assert secret in seen_by_second
    assert ceasefire not in seen_by_second


# ---------------------------------------------------------------- hosts and moderators


def test_hands_are_closed_to_a_host_who_ever_sat() -> None:
    world = opened(3, Random(1))
    world.do(1, Leave())
    other = looks(world, 1, audits=True).seats[world.seat(2)]
    assert other.hidden is None


@pytest.mark.parametrize(("erased", "audits"), [(2, False), (8, True)])
def test_hands_are_closed_to_every_host_once_somebody_who_sat_is_erased(
    erased: int, audits: bool
) -> None:
    """Nobody knows any more who they were: it might be the one who asks."""
    world = opened(3, Random(1))
    people = [*EVERYONE]
    people[erased - 1] = replace(EVERYONE[erased - 1], user_id=None)
    moderator = Caller(9, moderator=True)
    assert person_viewer(world.table, people, moderator, look=look_by(9)).audits == audits


# ---------------------------------------------------------------- what is said in private
