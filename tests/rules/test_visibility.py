"""Tests of visibility, one by one.

That nobody learns more, whatever happens, is shown by ``test_noninterference.py``.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Annotated, Literal

import pytest

from bot.games.ti4.neighbors import JoinNeighbors
from bot.games.ti4.turns import StartTurn
from bot.rules.commands import Caller
from bot.rules.entries import Recorded, Sealed
from bot.rules.features.deals import (
    AnswerDeal,
    DealAnswered,
    DealMarked,
    DealProposed,
    MarkDeal,
    ProposeDeal,
)
from bot.rules.features.holdings import Corrected, GoodsMoved, SetHoldings
from bot.rules.features.negotiations import OpenNegotiation
from bot.rules.features.offers.entries import Transaction
from bot.rules.features.offers.posting import PostOffer
from bot.rules.features.offers.signing import Agree, Sign
from bot.rules.features.seats import Leave, Sit
from bot.rules.features.tables import CloseTable, OpenTable, SetPhase
from bot.rules.model.deals import DealTally, Wording
from bot.rules.model.goods import Change, Goods
from bot.rules.model.offer import Sides
from bot.rules.model.violation import Refused
from bot.rules.viewers import person_viewer, room
from bot.rules.views import TableView, Viewer
from bot.rules.visible_entry import redact, see_entry
from bot.rules.visible_table import TableViews, see, see_pairs
from bot.testing import laws
from bot.testing.world import EVERYONE, TABLE, Ask, World, look_by
from tests.games.ti4.machine import opened
from tests.rules.viewing import channel, looks, reads, viewer

ONE = Goods({"trade_good": 1})
SEATS = {"ti4": ("hacan", "sol", "letnev"), "advciv": ("egypt", "crete", "italy")}


def same(worlds: tuple[World, World], person: int) -> None:
    """This person can't tell the one world from the other."""
    one, other = worlds
    assert looks(one, person) == looks(other, person)
    assert reads(one, viewer(one, person)) == reads(other, viewer(other, person))
    assert see(one.table, channel(one)) == see(other.table, channel(other))


def gives(view: TableView) -> Goods:
    """Return what offer 1 gives, as this view has it."""
    return view.offers[1].sides.give


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
    assert gives(alone[2]) != gives(alone[3])


# ---------------------------------------------------------------- hidden notes


@pytest.mark.parametrize("asked", ["give", "want"])
def test_an_offer_does_not_tell_whether_a_note_is_in_a_hand(asked: str) -> None:
    worlds = two_worlds()
    for world in worlds:
        note = Goods({f"note:ceasefire:{world.seat(2)}": 1})
        poster, to = (2, 1) if asked == "give" else (1, 2)
        world.do(poster, PostOffer(world.seat(to), **{asked: note}))  # type: ignore[arg-type]
    same(worlds, 4)


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


def test_which_note_is_offered_to_one_person_only_the_two_can_tell() -> None:
    worlds = opened(4, Random(1)), opened(4, Random(1))
    for world, note in zip(worlds, ("ceasefire", "political_secret"), strict=True):
        world.do(2, PostOffer(world.seat(3), Goods({f"note:{note}:{world.seat(2)}": 1})))
    same(worlds, 4)
    assert gives(looks(worlds[0], 3)) != gives(looks(worlds[1], 3))


def test_an_offer_agreed_ahead_does_not_tell_either() -> None:
    """What it waits for would tell whether the note is there."""
    worlds = two_worlds()
    for world in worlds:
        first, second = world.seat(1), world.seat(2)
        world.do(1, SetPhase("status"))
        world.do(2, PostOffer(first, Goods({f"note:ceasefire:{second}": 1})))
        world.do(1, Agree(1, 1))
        world.tries(Ask(JoinNeighbors(first, second), Caller(1)))
        world.do(1, StartTurn())
    same(worlds, 4)


def test_the_order_of_offers_does_not_tell_what_a_redacted_one_gives() -> None:
    """A seat's list puts first what it asks for."""
    worlds = opened(4, Random(1)), opened(4, Random(1))
    for world, note in zip(worlds, ("ceasefire", "political_secret"), strict=True):
        wanted = Goods({f"note:ceasefire:{world.seat(2)}": 1})
        world.do(4, PostOffer(world.seat(2), want=wanted))
        world.do(2, PostOffer(world.seat(3), Goods({f"note:{note}:{world.seat(2)}": 1})))
        world.do(2, PostOffer(world.seat(3), Goods({"trade_good": 1})))
    same(worlds, 4)


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


@pytest.mark.parametrize(
    "goods",
    [
        {"note:ceasefire:hacan": 2},
        {"note:alliance:mahact": 1},
        {"note:ceasefire:winnu": 1},
        {"note:x:hacan": 1},
    ],
)
def test_no_note_is_made_twice_or_out_of_nothing(goods: dict[str, int]) -> None:
    """Whatever a host names: there is one card of each note, and none that nobody brought."""
    world = opened(8, Random(1))
    with pytest.raises(Refused):
        world.do(1, SetHoldings(world.seat(3), Goods(goods)))


def test_a_table_that_only_warns_says_so() -> None:
    """What the house lets pass is not shown as impossible."""
    world = opened(3, Random(1), {"rulings": "warn"})
    assert world.table.phase == "strategy"
    world.do(2, PostOffer(world.seat(3), Goods({"trade_good": 1})))
    offer = looks(world, 3).offers[1]
    pairs = see_pairs(world.table, viewer(world, 3))
    assert Transaction in map(type, world.do(3, Sign(1, 1)))
    assert offer.ruling.why_not is None
    assert offer.ruling.overruled == "94.1"
    assert all(pair.why_not is None for pair in pairs)


# ---------------------------------------------------------------- hosts and moderators


def test_a_host_who_sits_at_the_table_is_a_player() -> None:
    world, _ = two_worlds()
    host = viewer(world, 1, moderator=True, audits=True)
    assert host.hosts
    assert not host.audits
    seen = redact(world.entries[-1], host, world.table.seq)
    assert isinstance(seen, Corrected)
    assert seen.hidden is None


def test_hands_are_open_to_a_moderator_who_never_sat_and_only_for_an_audit() -> None:
    world, _ = two_worlds()
    seat = world.seat(3)
    assert looks(world, 9, moderator=True).seats[seat].hidden is None
    assert looks(world, 9, moderator=True, audits=True).seats[seat].hidden is not None
    assert looks(world, 9, audits=True).seats[seat].hidden is None, (
        "only hosts and moderators audit"
    )


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


def test_what_two_said_in_private_stays_between_them_when_it_resolves() -> None:
    made = []
    for words in ("peace", "war"):
        world = opened(4, Random(1))
        world.do(1, StartTurn())
        seat = world.seat(2)
        world.do(1, OpenNegotiation(seat, words))
        world.do(1, PostOffer(seat, ONE, terms=words, negotiation=1))
        world.do(2, Sign(1, 1))
        assert world.table.transactions == 1
        made.append(world)
    same((made[0], made[1]), 4)
    assert looks(made[0], 2).deals[1].terms == "peace"
    assert looks(made[0], 4).deals == {}


def test_a_private_offer_is_in_no_view_but_its_twos_and_its_threads() -> None:
    world = opened(4, Random(1))
    world.do(1, OpenNegotiation(world.seat(2), "peace"))
    note = Goods({f"note:ceasefire:{world.seat(1)}": 1, "trade_good": 1})
    world.do(1, PostOffer(None, note, terms="quietly", negotiation=1))
    assert gives(looks(world, 2)) == note
    assert looks(world, 4).offers == {}
    assert see(world.table, channel(world)).offers == {}
    thread = see(world.table, room(world.table, EVERYONE, 1))
    assert thread.offers[1].sides.give == Goods({"note": 1, "trade_good": 1})
    assert thread.offers[1].sides.terms == "quietly"
    assert thread.negotiations[1].topic == "peace"
    assert thread.by_interest == (1,)
    assert see(world.table, room(world.table, EVERYONE, 2)).offers == {}


@pytest.mark.parametrize("game", ["ti4", "advciv"])
@pytest.mark.parametrize("private", [True, False])
def test_of_a_deal_between_two_others_learn_only_that_there_was_one(
    game: str, private: bool
) -> None:
    """In a game where offers to one are for the two, so are deals."""
    world = World()
    world.do(1, OpenTable(game, "Friday"))
    for person, seat in enumerate(SEATS[game], start=1):
        world.do(person, Sit(seat))
    deal = ProposeDeal(world.seat(2), "peace", later=False, card=True, private=private)
    world.do(1, deal)
    world.do(2, AnswerDeal(1, agreed=True))
    world.do(1, MarkDeal(1, "broken"))
    secret = private or game == "advciv"
    for who in (viewer(world, 3), viewer(world, 9), channel(world)):
        proposed, answered, marked = [view.entry for view in reads(world, who)][-3:]
        assert isinstance(proposed, DealProposed)
        assert isinstance(answered, DealAnswered)
        assert isinstance(marked, DealMarked)
        told = (proposed.wording(), answered.answer(), marked.said())
        if secret:
            assert told == (None, None, None)
        else:
            assert told == (Wording("peace", later=False, card=True), True, "broken")
        assert (1 in see(world.recall_all(), who).deals) == (not secret)
    tally = DealTally() if secret else DealTally(promises=1, broken=1)
    assert world.table.deal_tally == tally
    for person in (1, 2):
        assert looks(world, person).deals[1].terms == "peace"
        assert "peace" in repr(reads(world, viewer(world, person))[-3].entry)


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


# ---------------------------------------------------------------- when the table is closed


@pytest.mark.parametrize("choice", ["yes", "no"])
def test_secrets_open_with_the_end_or_never(choice: Literal["yes", "no"]) -> None:
    world = World()
    world.do(1, OpenTable("ti4", "Friday", choice))
    for person, seat in ((1, "hacan"), (2, "sol"), (3, "letnev")):
        world.do(1, Sit(seat, person))
    world.do(1, StartTurn())
    world.do(1, OpenNegotiation("sol", "peace"))
    note = Goods({"note:ceasefire:hacan": 1})
    world.do(1, PostOffer(None, note, terms="quietly", negotiation=1))
    world.do(2, Sign(1))
    world.do(1, SetHoldings("letnev", Goods({"note:political_secret:sol": 1})))
    world.do(1, CloseTable())
    is_open = choice == "yes"
    for who in (channel(world), viewer(world, 3), viewer(world, 9)):
        seen, entries = see(world.recall_all(), who), reads(world, who)
        assert who.opened == is_open
        assert (1 in seen.offers) == is_open
        assert ("quietly" in repr(entries)) == is_open
        for seat in seen.seats.values():
            if seat.id != who.seat:
                assert (seat.hidden is not None) == is_open
        assert all(view.complete for view in entries) or not is_open


# ---------------------------------------------------------------- pairs, prompts, follow-ups


def test_an_entry_tells_its_place() -> None:
    world = opened(2, Random(1))
    recorded = Recorded(TABLE, 9, 5, 2, world.entries[-1], "abc")
    seen = see_entry(recorded, channel(world), "ti4")
    place = (seen.table, seen.seq, seen.at, seen.by, seen.hash)
    assert place == (TABLE, 9, 5, 2, "abc")
