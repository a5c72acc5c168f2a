"""Which offers fit one another is found by what is wanted, without comparing every two."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from bot.games.advciv.cards import either
from bot.rules.features.offers import market
from bot.rules.limits import OFFERS_TO_ALL
from bot.rules.model.goods import Goods
from bot.rules.model.offers import Offer
from bot.rules.model.people import Parties
from bot.rules.model.table import Table
from bot.rules.registry import game_of
from tests.scale import at_scale, seeds
from tests.work import calls

SEATS = 8
CARDS = ("salt", "grain", "oil", "iron")
CHOICES = (either([Goods({"commodity:salt": 1}), Goods({"commodity:oil": 2})]), either([Goods({"commodity:grain": 1})]))
COMPONENTS = {
    "ti4": ("trade_good", "commodity", "fragment:cultural"),
    "advciv": (*(f"{kind}:{card}" for kind in ("commodity", "claim") for card in CARDS), *CHOICES, "unnamed"),
}


def offer(number: int, give: Goods, want: Goods, to: str | None = None) -> Offer:
    return Offer(number=number, seat=f"seat{number % SEATS}", to=to, give=give, want=want, parties=Parties())


def goods(game: str, dice: Random) -> Goods:
    return Goods({component: dice.randint(1, 2) for component in dice.sample(COMPONENTS[game], dice.randint(0, 3))})


@pytest.mark.parametrize("rulings", ["enforce", "warn"])
@pytest.mark.parametrize("game", COMPONENTS)
def test_they_are_the_same_as_when_every_two_are_compared(
    game: str, rulings: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = 0
    for seed in seeds(at_scale(20, 60)):
        dice = Random(seed)
        numbers = dice.sample(range(1, 100), 40)
        offers = {
            n: offer(n, goods(game, dice), goods(game, dice), dice.choice([None] * 9 + ["seat1"])) for n in numbers
        }
        table = Table(game=game, offers=offers)
        table = replace(table, settings=replace(table.settings, rulings=rulings))
        matches = market.matching(table)
        with monkeypatch.context() as patched:
            patched.setattr(market, "game_of", lambda table: replace(game_of(table), match_keys=None))
            assert matches == market.matching(table)
        found += len(matches)
    assert found > 100


def full(game: str, to_all: int) -> Table:
    """Return a table at which everybody has so many offers to all, each with goods of its own."""
    every = range(SEATS * to_all)
    cards = [f"commodity:{number}of{len(every)}" for number in every]
    if game == "ti4":
        sides = [(Goods({"trade_good": n + 1}), Goods({"commodity": n + 1})) for n in every]
    else:
        sides = [(Goods({cards[n]: 2, "unnamed": 1}), Goods({cards[n - 1]: 2, "unnamed": 1})) for n in every]
    return Table(game=game, offers={n: offer(n, give, want) for n, (give, want) in enumerate(sides, start=1)})


@pytest.mark.parametrize("game", COMPONENTS)
def test_twice_as_many_offers_are_twice_the_work(game: str) -> None:
    half, whole = full(game, OFFERS_TO_ALL // 2), full(game, OFFERS_TO_ALL)
    assert calls(lambda: market.matching(whole)) < 2.2 * calls(lambda: market.matching(half))
