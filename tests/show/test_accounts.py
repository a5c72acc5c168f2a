"""Tests that accounts are sums of the entries that their reader may see."""

from __future__ import annotations

from itertools import chain

import pytest

from bot.games.ti4.turns import StartTurn
from bot.rules.features.deals import AnswerDeal, ProposeDeal
from bot.rules.features.holdings import SetHoldings
from bot.rules.features.offers.posting import PostOffer
from bot.rules.features.offers.signing import Sign
from bot.rules.features.seats import Leave, Sit
from bot.rules.features.tables import ChangeSettings
from bot.rules.model.goods import Goods
from bot.show.accounts import Move, Promises, entries_in_seat, moves_by_entry, promises, seat_of
from tests.scale import variants
from tests.show.playing import World, balances, lived, table_of


def moves(world: World, person: int = 0, **how: bool) -> list[Move]:
    """Return all moves as a person may know them."""
    every = moves_by_entry(world.entries(person, **how))
    return list(chain.from_iterable(found for _, found in every))


@pytest.mark.slow
@pytest.mark.parametrize("seed", variants(*range(5)))
def test_one_who_may_see_all_hands_has_all_balances(seed: int) -> None:
    world = lived(seed)
    sums = balances(moves(world, 10, audits=True))
    for seat in world.table.seats.values():
        assert sums.get((seat.id, "hand"), Goods()) == seat.holdings
        assert sums.get((seat.id, "play"), Goods()) == seat.in_play


@pytest.mark.parametrize("seed", variants(*range(5)))
def test_a_player_has_their_own_balance_and_what_lies_open(seed: int) -> None:
    world = lived(seed)
    for seat in world.table.seats.values():
        if seat.person is None:
            continue
        sums, view = balances(moves(world, seat.person)), world.view(seat.person)
        assert sums.get((seat.id, "hand"), Goods()) == seat.holdings
        for other in view.seats.values():
            known = sums.get((other.id, "hand"), Goods()).without_kind("note")
            assert known == other.open


def test_nothing_moves_where_nobody_counts() -> None:
    world = table_of(2)
    before = balances(moves(world))
    world.do(ChangeSettings({"inventory": "untracked"}))
    world.do(StartTurn("hacan"))
    world.do(PostOffer("sol", Goods({"trade_good": 1})))
    world.do(Sign(1), 2)
    assert balances(moves(world)) == before


def test_what_leaves_a_hidden_hand_came_to_it_unseen() -> None:
    """A third player never saw the note come to bob, and sees it leave: it must have been there."""
    world = table_of(3)
    note = "note:ceasefire:letnev"
    world.do(SetHoldings("sol", Goods({note: 1})))
    world.do(SetHoldings("letnev", Goods({note: 1, "trade_good": 1})))
    for person in (0, 1, 2, 3):
        for goods in balances(moves(world, person)).values():
            assert all(count > 0 for count in goods.values())


def test_a_successor_begins_with_what_the_hand_holds_then() -> None:
    world = table_of(3)
    note = "note:ceasefire:sol"
    world.do(SetHoldings("letnev", Goods({"trade_good": 7, note: 1})))
    world.do(Leave(), 3)
    [taken] = world.do(Sit("letnev", 5), 5)
    booked = []
    for entry, moved in moves_by_entry(world.entries(5)):
        if entry.entry == taken:
            booked.append(moved)
    assert Move("letnev", "hand", note, 1, 0) in booked[0]
    hand = world.table.seats["letnev"].holdings
    assert balances(moves(world, 5))["letnev", "hand"] == hand
    assert note not in balances(moves(world, 1))["letnev", "hand"]


# ---------------------------------------------------------------- seats


def test_a_person_is_asked_for_by_the_seat_they_had_last() -> None:
    world = table_of(2)
    world.do(Leave(), 1)
    world.do(Sit("xxcha", 1))
    assert seat_of(world.entries(), 1) == "xxcha"
    assert seat_of(world.entries(), 9) is None


def test_a_seat_is_somebodys_from_sitting_down_to_leaving() -> None:
    world = table_of(2)
    world.do(Leave(), 1)
    world.do(Sit("hacan", 5), 5)
    world.do(ChangeSettings({"confirm": "twice"}))
    kinds = dict[int, list[str]]()
    for person in (1, 5):
        entries = entries_in_seat(world.entries(), person, "hacan")
        kinds[person] = [entry.kind for entry in entries]
    assert kinds[1][0] == kinds[5][0] == "seat.taken"
    assert kinds[1][-1] == "seat.left"
    assert kinds[5] == ["seat.taken", "table.settings"]


# ---------------------------------------------------------------- promises


def test_terms_of_an_offer_are_promised_by_both() -> None:
    world = table_of(2)
    world.do(StartTurn("hacan"))
    world.do(PostOffer("sol", Goods({"trade_good": 1}), terms="peace"))
    world.do(Sign(1), 2)
    for person in (1, 2):
        unmarked = Promises((), (), (1,))
        assert promises(world.entries(), person) == unmarked


def test_what_was_declined_was_not_promised() -> None:
    world = table_of(2)
    world.do(ProposeDeal("sol", "x", later=True))
    world.do(AnswerDeal(1, agreed=False), 2)
    assert promises(world.entries(), 1) == Promises((), (), ())
