"""The stacks: fair, repeatable from the seed, and whole. Anything else is found out."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from bot.rules.entries import Entry
from bot.rules.games.advciv import GAME
from bot.rules.games.advciv.cards import box, card_of, may_be_traded
from bot.rules.games.advciv.commands import BuyCard, DrawCards, ShowCalamities, SurrenderCards
from bot.rules.games.advciv.entries import (
    CalamitiesShown,
    CardBought,
    CardsDrawn,
    Shuffle,
    StacksRestored,
    StacksShuffled,
)
from bot.rules.games.advciv.stacks import shuffled
from bot.rules.games.advciv.state import Shown
from bot.rules.model.goods import NOTHING, Goods
from bot.rules.model.seats import Change
from bot.rules.tables.commands import SetPhase
from tests.rules.games.advciv.playing import SEED, Evening, dealt


def turn() -> Evening:
    """A turn of three, from the first draw to the cards that go back."""
    evening = dealt()
    evening.do(3, BuyCard())
    evening.do(1, SetPhase("after"))
    evening.do(1, ShowCalamities("b"))
    for person in (1, 2, 3):
        evening.do(person, SurrenderCards(evening.hand(person).of_kind("commodity")))
    evening.do(1, SetPhase("acquire"))
    evening.do(2, DrawCards(cities=2, chance="c"))
    return evening


def doubts(evening: Evening) -> list[str]:
    assert GAME.chance is not None
    return [GAME.chance.verify(table, entry) for table, entry in zip(evening.tables, evening.entries, strict=True)]


def test_an_honest_dealer() -> None:
    assert not any(doubts(turn()))


def swapped(shuffle: Shuffle) -> Shuffle:
    """Return the stacks with two cards of one of them in each other's place."""
    number = next(n for n, stack in enumerate(shuffle.stacks) if len(set(stack)) > 1)
    stack = list(shuffle.stacks[number])
    other = next(n for n, card in enumerate(stack) if card != stack[0])
    stack[0], stack[other] = stack[other], stack[0]
    return replace(shuffle, stacks=(*shuffle.stacks[:number], tuple(stack), *shuffle.stacks[number + 1 :]))


def cheated(entry: Entry) -> Entry:
    """Return the same entry as a dealer would have it who helps chance along."""
    if isinstance(entry, StacksShuffled | StacksRestored):
        assert entry.secret is not None
        return entry.model_copy(update={"secret": swapped(entry.secret)})
    if isinstance(entry, CalamitiesShown):
        return entry.model_copy(update={"spared": (Shown(calamity="calamity:piracy", seat="egypt"),)})
    assert isinstance(entry, CardsDrawn | CardBought)
    better = Change(gained=Goods({"commodity:ivory": 1, "commodity:gold": 1}))
    return entry.model_copy(update={"hidden": {entry.seat: better}})


@pytest.mark.parametrize(
    ("kind", "doubt"),
    [
        (StacksShuffled, "the stacks do not lie as their seed says"),
        (CardsDrawn, "the cards drawn were not on top"),
        (CardBought, "the card bought was not on top"),
        (CalamitiesShown, "the calamities that take effect are not those that the seed picks"),
        (StacksRestored, "what went back does not lie as the seed says"),
    ],
)
def test_a_dealer_who_helps_chance_along(kind: type[Entry], doubt: str) -> None:
    evening = turn()
    at = max(number for number, entry in enumerate(evening.entries) if isinstance(entry, kind))
    evening.entries[at] = cheated(evening.entries[at])
    assert doubts(evening)[at] == doubt


def test_every_order_is_as_likely() -> None:
    """Of four cards all 24 orders come, none of them half as often again as it should."""
    orders = Counter(shuffled("abcd", f"seed {number}") for number in range(4800))
    assert len(orders) == 24
    assert max(orders.values()) < 300 > 1.5 * min(orders.values())


def test_a_seed_says_one_order_for_ever() -> None:
    """Written down once, so that no later version shuffles an old seed in another way."""
    assert "".join(shuffled("abcdefghij", "for ever")) == "ehgcfijabd"


def test_no_card_is_lost() -> None:
    evening = turn()
    hands = sum((seat.holdings for seat in evening.table.seats.values()), NOTHING)
    stacks = Goods.of(token for stack in evening.state.stacks for token in stack)
    assert hands + stacks + evening.state.aside == box()


@pytest.mark.parametrize("players", [1, 2, 4])
def test_the_first_draws_are_free_of_calamities(players: int) -> None:
    """15.2: as many commodities on top as there are players; what can't be traded lies at the bottom."""
    evening = Evening(players)
    evening.do(1, DrawCards(cities=0, chance=SEED))
    for number, stack in enumerate(evening.state.stacks, start=1):
        assert all(card_of(token).stack == number for token in stack)
        assert all(token.startswith("commodity:") for token in stack[:players])
        stay = [token for token in stack if not may_be_traded(token)]
        assert list(stack[len(stack) - len(stay) :]) == stay
    assert not any(token.startswith("calamity:") for token in evening.state.stacks[0])
