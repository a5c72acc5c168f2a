"""Tests that a crowded market stays readable on a phone."""

from __future__ import annotations

from bot.games.advciv.trading import OpenTrading
from bot.rules.features.holdings import SetHoldings
from bot.rules.features.offers.posting import PostOffer
from bot.rules.features.seats import Sit
from bot.rules.features.tables import OpenTable
from bot.rules.model.goods import Goods
from bot.show.board import BOARD_OFFERS, board_card
from bot.show.offer_cards import offer_card
from data.advciv import nations
from tests.show.playing import World, labels_of


def market(offers: int) -> World:
    """Return a market of eight, where offers #4 and #8 fit one another."""
    world = World()
    world.do(OpenTable("advciv", "Friday"))
    for person, seat in enumerate(list(nations())[2:], start=1):
        world.do(Sit(seat, person))
        world.do(SetHoldings(seat, Goods({"commodity:salt": 9, "commodity:grain": 8})))
    world.do(OpenTrading(5))
    salt, grain, oil = (
        Goods({f"commodity:{card}": 2, "unnamed": 1}) for card in ("salt", "grain", "oil")
    )
    for number in range(offers):
        swaps = {3: (salt, grain), 7: (grain, salt)}
        give, want = swaps.get(number, (salt, oil))
        world.do(PostOffer(None, give, want), number % 8 + 1)
    return world


def test_sixty_offers_stay_one_board() -> None:
    """Eight players in five minutes: what fits comes first, then the newest; the rest is one press
    away.
    """
    card = board_card(market(60).view())
    listed = card.blocks[-1].splitlines()
    numbers = [8, 4, 60, 59]
    assert [line.split()[0] for line in listed[1:5]] == [
        f"<at:offer:{number}>#{number}</at>" for number in numbers
    ]
    assert (len(listed), listed[-1]) == (
        BOARD_OFFERS + 2,
        f"-# and {60 - BOARD_OFFERS} more: **Offers** shows all",
    )
    assert labels_of(card) == [["New offer", "My hand", "Done trading", "Offers", "Menu"]]
    assert sum(map(len, card.blocks)) < 1000


def test_an_offer_in_the_market_is_a_short_card() -> None:
    card = offer_card(*market(1).offer(1))
    assert len("\n".join(card.blocks).splitlines()) == 3
    assert sum(map(len, card.blocks)) < 250
    assert labels_of(card) == [["Agree", "Counter", "More…"]]
