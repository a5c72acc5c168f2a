"""A crowded market stays readable on a phone."""

from __future__ import annotations

from bot.desk import Look
from bot.rules.commands import OpenTable, PostOffer, SetHoldings, Sit
from bot.rules.games.advciv.commands import OpenTrading
from bot.rules.goods import Goods
from bot.show.cards import SELECT_MOST, Select
from bot.show.tables import BOARD_OFFERS, board_card
from data import nations
from tests.rules.machine import World


def test_sixty_offers_stay_one_board() -> None:
    """Eight players in five minutes: what fits comes first, then the newest; the rest to pick from."""
    world = World()
    world.do(OpenTable(by=1, game="advciv", name="Friday"))
    for person, seat in enumerate(list(nations())[:8], start=1):
        world.do(Sit(by=person, seat=seat, person=person))
        world.do(SetHoldings(by=1, person=person, goods=Goods({"commodity:salt": 9, "commodity:grain": 8})))
    world.do(OpenTrading(by=1, minutes=5))
    salt, grain = (Goods({f"commodity:{card}": 2, "unnamed": 1}) for card in ("salt", "grain"))
    oil = Goods({"commodity:oil": 2, "unnamed": 1})
    for number in range(60):
        give, want = (salt, grain) if number == 3 else (grain, salt) if number == 7 else (salt, oil)
        world.do(PostOffer(by=number % 8 + 1, give=give, want=want))
    card = board_card(Look(1, world.table, {}))
    listed = card.blocks[-1].splitlines()
    assert [line.split()[0] for line in listed[1:5]] == [r"\#8", r"\#4", r"\#60", r"\#59"]
    assert listed[-1] == f"-# and {60 - BOARD_OFFERS} more: /offer list"
    assert len(listed) == BOARD_OFFERS + 2
    choice = next(row for row in card.rows if isinstance(row, Select))
    assert len(choice.options) == SELECT_MOST
    assert sum(map(len, card.blocks)) < 1000
