"""Tests that dealing by the bot tells nothing of hands [27]."""

from __future__ import annotations

from bot.games.advciv.cards import box
from bot.games.advciv.drawing import BuyCard, DrawCards
from bot.games.advciv.state import Stacks
from bot.games.advciv.trading import OpenTrading
from bot.rules.features.holdings import Gain, Spend
from bot.rules.features.offers.posting import PostOffer
from bot.rules.features.offers.signing import HandOver
from bot.rules.model.goods import Goods
from bot.rules.model.parts import part
from tests.games.advciv.playing import SEATS, Evening, cards


def draw(cities: int, seat: str | None = None) -> DrawCards:
    return DrawCards(cities=cities, seat=seat)


# ---------------------------------------------------------------- hands


def test_whether_a_player_may_begin_to_draw_tells_nothing_of_hands() -> None:
    """It rests on what everybody has read: that people said what they hold; not on whether they
    still hold any.
    """
    full, empty = Evening(), Evening()
    for evening in (full, empty):
        evening.do(2, Gain(cards("3 salt")))
    empty.do(2, Spend(cards("3 salt")))
    full.do(2, Spend(cards("1 salt")))
    refusals = [evening.refused(3, draw(cities)) for evening in (full, empty) for cities in (0, 3)]
    assert refusals == [refusals[0]] * 4


def test_a_host_who_has_the_bot_deal_is_not_told_that_hands_hold_too_much() -> None:
    evening = Evening()
    evening.do(2, Gain(cards("9 salt, oil")))
    evening.do(3, Gain(cards("9 salt")))
    evening.do(1, draw(9))
    stacks = [token for stack in part(evening.table, Stacks).stacks for token in stack]
    assert "commodity:salt" not in stacks
    assert (
        stacks.count("commodity:oil") + evening.hand(1).count("commodity:oil")
        == box()["commodity:oil"] - 1
    )


def test_who_draws_late_buys_until_their_first_trade() -> None:
    """27.51: one buys right after one's own draw."""
    evening = Evening(cards="dealt")
    evening.do(1, draw(9))
    evening.do(2, draw(9))
    evening.do(1, OpenTrading(0, anyway=True))
    evening.do(3, draw(9))
    evening.do(3, BuyCard())

    hands = {seat: list(evening.hand_of(seat).of_kind("commodity")) for seat in SEATS[:3]}
    give, want = Goods.of(hands["italy"][:3]), Goods.of(hands["egypt"][:3])
    evening.do(3, PostOffer(to="egypt", give=give, want=want, handed=give))
    evening.do(1, HandOver(1, want))

    assert evening.refused(3, BuyCard()).rule == "27.5"
