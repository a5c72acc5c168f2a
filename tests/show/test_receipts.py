"""Tests of receipts, the news for the other, and the details of an offer."""

from __future__ import annotations

import re

from bot.games.ti4.turns import StartTurn
from bot.rules.features.holdings import Gain
from bot.rules.features.offers.entries import OfferEntry, Transaction
from bot.rules.features.offers.posting import AlterOffer, PostOffer
from bot.rules.features.offers.signing import Sign
from bot.rules.model.goods import Goods
from bot.rules.views import EntryView
from bot.show.cards import Card
from bot.show.results import result_card
from bot.show.timeline import OFFER_LINES, offer_history_card
from tests.show.playing import World, problems, table_of

TRADE_GOOD, COMMODITY = Goods({"trade_good": 3}), Goods({"commodity": 1})


def traded() -> World:
    """Return a table at which p2 has accepted what p1 offered."""
    world = table_of(3)
    world.do(StartTurn("hacan"))
    world.do(PostOffer("sol", TRADE_GOOD, COMMODITY))
    world.do(Sign(1), 2)
    return world


def words(card: Card | None) -> str:
    assert card is not None
    return re.sub(r"\s<icon:[^>]*>|\*\*", "", "\n".join(card.blocks))


def done(world: World, person: int) -> tuple[EntryView, list[EntryView]]:
    entries = world.entries(person)
    return next(each for each in entries if isinstance(each.entry, Transaction)), entries


def receipt(world: World, person: int) -> Card | None:
    return result_card(world.view(person), *done(world, person))


def test_a_receipt_counts_nothing_once_something_else_has_moved_goods() -> None:
    """It stays as it is, and would say that the trade did it."""
    world = traded()
    world.do(Gain(Goods({"trade_good": 1})), 2)
    assert "→" not in words(receipt(world, 2))
    card = result_card(world.view(1), done(world, 1)[0])
    assert "→" not in words(card)


# ---------------------------------------------------------------- details


def details(world: World, person: int) -> Card:
    entries = [each for each in world.entries(person) if isinstance(each.entry, OfferEntry)]
    return offer_history_card(*world.offer(1, person), entries)


def test_details_of_a_long_life_begin_with_its_beginning() -> None:
    world = table_of(2)
    world.do(PostOffer("sol", COMMODITY, terms="x" * 300))
    for number in range(2, 30):
        world.do(AlterOffer(1, terms=f"{number}" * 150))
    card = details(world, 1)
    lines = card.blocks[1].splitlines()
    assert len(lines) == OFFER_LINES + 1
    assert "offered" in lines[0]
    assert lines[1] == f"-# {29 - OFFER_LINES} more steps in between"
    assert problems(card) == []
