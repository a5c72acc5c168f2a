"""Who learns what: two worlds that differ only in what is hidden look the same to whoever is no party to it."""

from __future__ import annotations

import json
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.rules.commands import (
    Agree,
    Command,
    EndOffer,
    Gain,
    OpenNegotiation,
    PostOffer,
    SetHoldings,
    SetPhase,
    Sign,
    Spend,
)
from bot.rules.entries import Corrected, Entry, Transaction, split
from bot.rules.games.ti4.commands import EndTurn, JoinNeighbors, PartNeighbors, StartTurn
from bot.rules.goods import Goods
from bot.rules.ruling import Refused
from bot.rules.table import Change, Settings
from bot.rules.views import PUBLIC, Viewer, view
from bot.show.cards import offer_card
from bot.show.results import change_text, holdings_text
from bot.show.tables import table_card, why_not
from tests.rules.machine import MAKERS, World, opened
from tests.show.looks import USER, look_at

SEEN_BY_ALL: tuple[type[Command], ...] = (
    PostOffer, PostOffer, PostOffer, Sign, Sign, EndOffer, Gain, Spend, StartTurn, EndTurn, SetPhase,
    JoinNeighbors, PartNeighbors,
)  # fmt: skip
"""What is done in both worlds alike. A new command whose outcome rests on hidden notes alone does not belong here."""


def two_worlds() -> tuple[World, World]:
    """Person 1 looks on. Of person 2's notes, the host puts another one into person 3's hand in each world."""
    made = []
    for note in ("ceasefire", "political_secret"):
        world = opened(4, Random(1))
        world.do(StartTurn(by=1, person=1))
        world.do(SetHoldings(by=1, person=3, goods=Goods({"trade_good": 4, f"note:{note}:{seat_of(world, 2)}": 1})))
        made.append(world)
    return made[0], made[1]


def seat_of(world: World, person: int) -> str:
    seat = world.table.seat_of(person)
    assert seat is not None
    return seat.id


def as_seen(world: World, person: int) -> list[object]:
    """All that this person can see of a table: entries, cards, the table, and what is offered as they type."""
    look = look_at(world.table)
    viewer = look.viewer(USER + person)
    assert viewer.seat is not None
    seen: list[object] = [view(entry, viewer, seq) for seq, entry in enumerate(world.entries, start=1)]
    seen += [offer_card(look, offer) for offer in world.table.offers.values()]
    seen.append(table_card(look, viewer.seat))
    seen.append(holdings_text(look, viewer.seat))
    seen += [change_text(look, entry) for entry in world.entries if isinstance(entry, Corrected)]
    return seen


def public(world: World) -> list[str]:
    return [json.dumps(split(entry)[0]) for entry in world.entries]


def moves_notes(world: World, command: Command) -> bool:
    """Whether it rests on what lies in a hidden hand. Offers of notes have tests of their own below."""
    if isinstance(command, PostOffer):
        return bool((command.give + command.want).of_kind("note"))
    if not isinstance(command, Sign) or command.offer not in world.table.offers:
        return False
    offer = world.table.offers[command.offer]
    return bool((offer.give + offer.want).of_kind("note"))


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(SEEN_BY_ALL), st.integers(0, 10_000)), max_size=25))
def test_a_third_person_cannot_tell_which_note_came_to_a_hand(asked: list[tuple[type[Command], int]]) -> None:
    one, other = two_worlds()
    for kind, seed in asked:
        command = MAKERS[kind](one.table, Random(seed))
        if moves_notes(one, command):
            continue
        answers = [world.tries(command) for world in (one, other)]
        told = [answer.ruling if isinstance(answer, Refused) else answer for answer in answers]
        assert told[0] == told[1]
    assert public(one) == public(other)
    assert as_seen(one, 1) == as_seen(other, 1)
    assert as_seen(one, 4) == as_seen(other, 4)


@pytest.mark.parametrize("asked", ["give", "want"])
def test_a_card_does_not_tell_whether_a_note_is_in_a_hand(asked: str) -> None:
    """Not by its words, and not by its colour."""
    one, other = two_worlds()
    for world in (one, other):
        note = Goods({f"note:ceasefire:{seat_of(world, 2)}": 1})
        poster, to = (2, 1) if asked == "give" else (1, 2)
        world.do(PostOffer.model_validate({"by": poster, "to": to, asked: note}))
    assert as_seen(one, 4) == as_seen(other, 4)


def test_whose_hand_a_note_left_and_whose_it_came_to_see_it_and_nobody_else() -> None:
    one, _ = two_worlds()
    corrected = one.entries[-1]
    assert isinstance(corrected, Corrected)
    giver, receiver = seat_of(one, 2), seat_of(one, 3)
    assert corrected.parties() == {giver, receiver}
    for seat in (giver, receiver):
        seen = view(corrected, Viewer(seat=seat))
        assert isinstance(seen, Corrected)
        assert seen.hidden is not None
        assert f"note:ceasefire:{giver}" in repr(seen.hidden)
    for viewer in (PUBLIC, Viewer(seat=seat_of(one, 1)), Viewer(seat=seat_of(one, 4)), Viewer(seat="nobody")):
        seen = view(corrected, viewer)
        assert isinstance(seen, Corrected)
        assert seen.hidden is None
        assert seen.hidden_moved == 1
    assert view(corrected, Viewer(after_close=True)) == corrected


def test_which_note_is_offered_to_one_person_only_the_two_can_tell() -> None:
    worlds = [opened(4, Random(1)) for _ in range(2)]
    for world, note in zip(worlds, ("ceasefire", "political_secret"), strict=True):
        world.do(PostOffer(by=2, to=3, give=Goods({f"note:{note}:{seat_of(world, 2)}": 1})))
    assert public(worlds[0]) == public(worlds[1])
    assert as_seen(worlds[0], 4) == as_seen(worlds[1], 4)


def test_a_card_agreed_ahead_does_not_tell_either() -> None:
    """Both have agreed before it was legal: “Waits for ...” and “Possible now” would tell whether the note is there."""
    one, other = two_worlds()
    for world in (one, other):
        world.do(SetPhase(by=1, phase="status"))
        world.do(PostOffer(by=2, to=1, give=Goods({f"note:ceasefire:{seat_of(world, 2)}": 1})))
        world.do(Agree(by=1, offer=1, revision=1))
        world.tries(JoinNeighbors(by=1, first=1, second=2))
        world.do(StartTurn(by=1, person=1))
    assert as_seen(one, 4) == as_seen(other, 4)


def test_what_two_said_in_private_stays_between_them_when_it_resolves() -> None:
    made = []
    for terms in ("peace", "war"):
        world = opened(4, Random(1))
        world.do(StartTurn(by=1, person=1))
        world.do(OpenNegotiation(by=1, other=2, topic=terms))
        world.do(PostOffer(by=1, to=2, give=Goods({"trade_good": 1}), terms=terms, negotiation=1))
        world.do(Sign(by=2, offer=1, revision=1))
        assert world.table.transactions == 1
        made.append(public(world))
    assert made[0] == made[1]


def test_two_who_each_lose_a_note_learn_nothing_of_each_other() -> None:
    """The changes of a hand are for that hand: who loses a card does not learn which card another lost."""
    world = opened(4, Random(1))
    first, second = seat_of(world, 2), seat_of(world, 4)
    entries = world.do(
        SetHoldings(by=1, person=3, goods=Goods({f"note:ceasefire:{first}": 1, f"note:political_secret:{second}": 1}))
    )
    for mine, theirs in ((first, f"note:political_secret:{second}"), (second, f"note:ceasefire:{first}")):
        seen = [view(entry, Viewer(seat=mine)).model_dump_json() for entry in entries]
        assert theirs not in "".join(seen)


def test_a_transaction_is_public() -> None:
    entry: Entry = Transaction(
        number=1, offer=1, revision=1, window=1, first="hacan", second="sol",
        changes={"hacan": Change(lost=Goods({"trade_good": 1})), "sol": Change(gained=Goods({"trade_good": 1}))},
    )  # fmt: skip
    assert view(entry, PUBLIC) == entry


def test_a_host_who_sits_at_the_table_is_a_player() -> None:
    one, _ = two_worlds()
    assert one.table.host == 1
    host = look_at(one.table).viewer(USER + 1)
    seen = view(one.entries[-1], host)
    assert isinstance(seen, Corrected)
    assert seen.hidden is None


@pytest.mark.parametrize(
    "goods",
    [{"note:ceasefire:hacan": 2}, {"note:alliance:mahact": 1}, {"note:ceasefire:winnu": 1}, {"note:x:hacan": 1}],
)
def test_no_note_is_made_twice_or_out_of_nothing(goods: dict[str, int]) -> None:
    """Whatever a host names: there is one card of each note, and none that nobody brought."""
    world = opened(8, Random(1))
    with pytest.raises(Refused):
        world.do(SetHoldings(by=1, person=3, goods=Goods(goods)))


def test_a_table_that_only_warns_says_so() -> None:
    """What the house lets pass is not shown as impossible: cards and /table show agree with what trying brings."""
    world = opened(3, Random(1), Settings(rulings="warn"))
    giver, taker = seat_of(world, 2), seat_of(world, 3)
    assert world.table.phase == "strategy"
    world.do(PostOffer(by=2, to=3, give=Goods({"trade_good": 1})))
    look = look_at(world.table)
    shown, card = why_not(look, giver, taker, taker), "\n".join(offer_card(look, world.table.offers[1]).blocks)
    entries = world.do(Sign(by=3, offer=1, revision=1))
    assert any(isinstance(entry, Transaction) for entry in entries)
    assert "Not now" not in card
    assert shown is None
