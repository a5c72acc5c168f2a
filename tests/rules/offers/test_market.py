"""Tests that matching offers are found by what is wanted, without comparing every two."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from random import Random

import pytest

from bot.games.advciv.cards import either
from bot.rules.features.offers import market
from bot.rules.features.offers.state import opens
from bot.rules.limits import OFFERS_TO_ALL
from bot.rules.model.goods import Goods
from bot.rules.model.offer import Offer
from bot.rules.model.people import Parties
from bot.rules.model.table import Table
from bot.rules.registry import game_of
from tests.scale import at_scale, seeds
from tests.work import calls

SEATS = 8
CARDS = ("salt", "grain", "oil", "iron")
CHOICES = (
    either([Goods({"commodity:salt": 1}), Goods({"commodity:oil": 2})]),
    either([Goods({"commodity:grain": 1})]),
)
COMPONENTS = {
    "ti4": ("trade_good", "commodity", "fragment:cultural"),
    "advciv": (
        *(f"commodity:{card}" for card in CARDS),
        *(f"claim:{card}" for card in CARDS),
        *CHOICES,
        "unnamed",
    ),
}


def offer(number: int, give: Goods, want: Goods, to: str | None = None) -> Offer:
    seat = f"seat{number % SEATS}"
    return Offer(number=number, seat=seat, to=to, give=give, want=want, parties=Parties())


def goods(game: str, dice: Random) -> Goods:
    components = dice.sample(COMPONENTS[game], dice.randint(0, 3))
    return Goods({component: dice.randint(1, 2) for component in components})


def fit(table: Table, first: Offer, second: Offer) -> bool:
    """Return whether each of two, as far as it says what it wants, is given that by the other."""
    game = game_of(table)
    assert game.matches is not None
    if first.seat == second.seat:
        return False
    exactly = all(each.give and not opens(table, each) for each in (first, second))
    wishes = []
    for wanting, giving in ((first, second), (second, first)):
        if wanting.want and giving.give:
            wishes.append(game.matches(wanting.want, giving.give, exactly))
    return wishes != [] and all(wishes)


@pytest.mark.parametrize("rulings", ["enforce", "warn"])
@pytest.mark.parametrize("game", COMPONENTS)
def test_they_are_the_same_as_when_every_two_are_compared(game: str, rulings: str) -> None:
    count = 0
    for seed in seeds(at_scale(20, 60)):
        dice = Random(seed)
        numbers = dice.sample(range(1, 100), 40)
        to_all = [offer(number, goods(game, dice), goods(game, dice)) for number in numbers]
        to_one = offer(100, to_all[0].give, to_all[0].want, to="seat1")
        offers = {each.number: each for each in (*to_all, to_one)}
        table = Table(game=game, offers=offers)
        table = replace(table, settings=replace(table.settings, rulings=rulings))
        pairs = [pair for pair in combinations(to_all, 2) if fit(table, *pair)]
        matches = [(first.number, second.number) for first, second in pairs]
        assert market.matching(table) == matches
        count += len(matches)
    assert count > 100


def full(game: str, to_all: int) -> Table:
    """Return a table at which everybody has so many offers to all, each with goods of its own."""
    count = SEATS * to_all
    offers = {}
    for number in range(1, count + 1):
        if game == "ti4":
            give, want = Goods({"trade_good": number}), Goods({"commodity": number})
        else:
            give = Goods({f"commodity:{number}of{count}": 2, "unnamed": 1})
            want = Goods({f"commodity:{number % count + 1}of{count}": 2, "unnamed": 1})
        offers[number] = offer(number, give, want)
    return Table(game=game, offers=offers)


@pytest.mark.parametrize("game", COMPONENTS)
def test_twice_as_many_offers_are_twice_the_work(game: str) -> None:
    half, whole = full(game, OFFERS_TO_ALL // 2), full(game, OFFERS_TO_ALL)
    work = calls(lambda: market.matching(half))
    assert calls(lambda: market.matching(whole)) < 2.2 * work
