"""Tests of cards that chance takes from a hand, for a player or the stacks [24.51, 15.62]."""

from __future__ import annotations

from collections import Counter

import pytest

from bot.games.advciv import GAME
from bot.games.advciv.calamities import ShowCalamities
from bot.games.advciv.chance import from_hand
from bot.games.advciv.losing import LoseCards
from bot.games.advciv.stacks import StacksRestored
from bot.games.advciv.state import Stacks
from bot.games.advciv.surrendering import SurrenderCards, Surrenders
from bot.games.advciv.taking import AnswerTake, CardRequested, CardTaken, Requests, TakeCard
from bot.rules.features.holdings import Gain, SetHoldings
from bot.rules.features.seats import Leave
from bot.rules.features.tables import SetPhase
from bot.rules.model.goods import NOTHING, Change, Goods
from bot.rules.model.parts import part
from bot.rules.visibility import redact
from bot.testing import laws
from tests.games.advciv.playing import Evening, cards, dealt


def hands(first: str = "salt", second: str = "3 iron, famine, grain") -> Evening:
    evening = Evening()
    evening.do(1, Gain(cards(first)))
    evening.do(2, Gain(cards(second)))
    return evening


def taken(evening: Evening) -> CardTaken:
    """Return what comes of it when Egypt takes a card from Crete."""
    assert evening.do(1, TakeCard("crete")) == (CardRequested(seat="egypt", other="crete"),)
    (entry,) = evening.do(2, AnswerTake("egypt", True))
    assert isinstance(entry, CardTaken)
    return entry


def test_of_an_empty_hand_none_is_taken_and_it_looks_the_same() -> None:
    full, empty = hands(), hands()
    empty.do(1, SetHoldings("crete", NOTHING))
    entries = [taken(full), taken(empty)]
    assert entries[1].hidden == {"egypt": Change(), "crete": Change()}
    assert redact(entries[0], laws.of_seat("italy"), 99) == redact(
        entries[1], laws.of_seat("italy"), 99
    )


def test_the_chance_of_a_command_picks_nothing_where_the_seed_was_committed_to() -> None:
    evening = hands()
    assert len({from_hand(evening.table, "crete", 1, str(chance)) for chance in range(50)}) == 1


def test_any_commodity_of_the_hand_is_as_likely_and_no_calamity_goes() -> None:
    """Three of four commodities are iron; so are about 150 of 200 cards that are taken."""
    evening, picks = hands(), Counter[str]()
    for _ in range(200):
        entry = taken(evening)
        assert entry.hidden is not None
        card = entry.hidden["egypt"].gained
        picks.update(card.tokens())
        for seat, number in (("egypt", 1), ("crete", 2)):
            now = evening.hand(number)
            evening.do(1, SetHoldings(seat, card.missing(now) if seat == "egypt" else now + card))
    assert 125 < picks["commodity:iron"] < 175
    assert picks.keys() == {"commodity:iron", "commodity:grain"}


# ---------------------------------------------------------------- calamities stay until they are sh


def test_what_was_asked_for_ends_when_one_of_the_two_leaves_or_the_turn_ends() -> None:
    evening = hands()
    evening.do(1, TakeCard("crete"))
    evening.do(2, Leave())
    assert not part(evening.table, Requests).waiting
    evening.do(3, TakeCard("egypt"))
    evening.do(1, SetPhase("after"))
    evening.do(1, ShowCalamities())
    evening.do(1, SetPhase("acquire"))
    assert not part(evening.table, Requests).waiting


def test_what_is_taken_does_not_pay_for_what_was_kept_too_many() -> None:
    """31.71: of nine cards one is too many, and goes for all to see, also if another was taken
    before.
    """
    evening = hands(second="9 salt")
    for phase in ("trade", "after"):
        evening.do(1, SetPhase(phase))
    evening.do(1, ShowCalamities())
    evening.do(1, SetPhase("acquire"))
    assert part(evening.table, Surrenders).over == {"crete": 1}
    assert evening.refused(2, LoseCards(cards=1)).rule == "31.71"
    taken(evening)
    assert part(evening.table, Surrenders).over == {"crete": 1}
    evening.do(2, SurrenderCards(cards("salt")))
    assert evening.hand(2).total() == 7


# ---------------------------------------------------------------- lost


@pytest.mark.parametrize(("cities", "left"), [(0, 1), (2, 2), (5, 5), (9, 5)])
def test_one_card_stays_for_each_city_that_is_left_and_so_does_a_calamity(
    cities: int, left: int
) -> None:
    evening = hands()
    evening.do(2, LoseCards(cities=cities))
    assert evening.hand(2).total() == left


def test_a_host_says_how_many_cities_are_left_and_learns_nothing() -> None:
    full, empty = hands(), hands()
    empty.do(1, SetHoldings("crete", NOTHING))
    for evening in (full, empty):
        evening.do(2, Leave())
        assert evening.refused(1, LoseCards(cards=1, seat="crete")).rule == "15.62"
        assert evening.refused(3, LoseCards(cities=1, seat="crete")).rule == ""
    seen = [
        redact(evening.do(1, LoseCards(cities=2, seat="crete"))[0], laws.of_seat("egypt"), 99)
        for evening in (full, empty)
    ]
    assert seen[0] == seen[1]
    assert full.hand_of("crete").total() == 2


def test_what_was_lost_goes_back_unseen_even_when_it_was_nothing() -> None:
    """Whether any card went must not show in whether the stacks are restored."""
    for hand in ("4 salt", ""):
        evening = dealt()
        evening.do(1, SetPhase("after"))
        evening.do(1, ShowCalamities())
        evening.sets("crete", cards(hand) if hand else NOTHING)
        evening.do(2, LoseCards(cities=1))
        aside = part(evening.table, Stacks).aside
        _, restored, _ = evening.do(1, SetPhase("acquire"))
        assert isinstance(restored, StacksRestored)
        assert restored.cards == aside
        under = Goods.of(token for stack in restored.secret.stacks for token in stack)  # type: ignore[union-attr]
        assert under == aside + (cards("3 salt") if hand else NOTHING)
        assert part(evening.table, Stacks).returned is None
        assert GAME.chance is not None
        assert not any(
            GAME.chance.verify(table, entry)
            for table, entry in zip(evening.tables, evening.entries, strict=True)
        )
