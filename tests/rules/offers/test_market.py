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
        *(f"{kind}:{card}" for kind in ("commodity", "claim") for card in CARDS),
        *CHOICES,
        "unnamed",
    ),
}


def offer(number: int, give: Goods, want: Goods, to: str | None = None) -> Offer:
    return Offer(
        number=number, seat=f"seat{number % SEATS}", to=to, give=give, want=want, parties=Parties()
    )


def goods(game: str, dice: Random) -> Goods:
    return Goods(
        {
            component: dice.randint(1, 2)
            for component in dice.sample(COMPONENTS[game], dice.randint(0, 3))
        }
    )


def fit(table: Table, first: Offer, second: Offer) -> bool:
    """Return whether each of two, as far as it says what it wants, is given that by the other."""
    game = game_of(table)
    assert game.matches is not None
    exactly = all(each.give and not opens(table, each) for each in (first, second))
    asked = [(a.want, b.give) for a, b in ((first, second), (second, first)) if a.want and b.give]
    return (
        first.seat != second.seat
        and asked != []
        and all(game.matches(*sides, exactly) for sides in asked)
    )


@pytest.mark.parametrize("rulings", ["enforce", "warn"])
@pytest.mark.parametrize("game", COMPONENTS)
def test_they_are_the_same_as_when_every_two_are_compared(game: str, rulings: str) -> None:
    count = 0
    for seed in seeds(at_scale(20, 60)):
        dice = Random(seed)
        every = [
            offer(n, goods(game, dice), goods(game, dice)) for n in dice.sample(range(1, 100), 40)
        ]
        to_one = offer(100, every[0].give, every[0].want, to="seat1")
        table = Table(game=game, offers={each.number: each for each in (*every, to_one)})
        table = replace(table, settings=replace(table.settings, rulings=rulings))
        matches = [(a.number, b.number) for a, b in combinations(every, 2) if fit(table, a, b)]
        assert market.matching(table) == matches
        count += len(matches)
    assert count > 100


def full(game: str, to_all: int) -> Table:
    """Return a table at which everybody has so many offers to all, each with goods of its own."""
    every = range(SEATS * to_all)
    cards = [f"commodity:{number}of{len(every)}" for number in every]
    if game == "ti4":
        sides = [(Goods({"trade_good": n + 1}), Goods({"commodity": n + 1})) for n in every]
    else:
        sides = [
            (Goods({cards[n]: 2, "unnamed": 1}), Goods({cards[n - 1]: 2, "unnamed": 1}))
            for n in every
        ]
    return Table(
        game=game, offers={n: offer(n, give, want) for n, (give, want) in enumerate(sides, start=1)}
    )


@pytest.mark.parametrize("game", COMPONENTS)
def test_twice_as_many_offers_are_twice_the_work(game: str) -> None:
    half, whole = full(game, OFFERS_TO_ALL // 2), full(game, OFFERS_TO_ALL)
    assert calls(lambda: market.matching(whole)) < 2.2 * calls(lambda: market.matching(half))
